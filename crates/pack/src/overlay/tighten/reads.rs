//! Predicates that read a part of the evaluation context.

use crate::policies::Policies;
use deed_logic::VarUse;
use deed_model::ContextPack;

/// Returns the first predicate that reads a path of the context, or that cannot be shown not to.
pub(crate) fn reader(pack: &ContextPack, path: &[&str]) -> Option<String> {
    let reads = |read: &VarUse| {
        // A shorter path reads what lies below it, and an empty one the whole context. Inside an iteration a
        // name belongs to the element.
        let meets = read.path.iter().zip(path).all(|(a, b)| a == b);
        read.dynamic || (!read.scoped && meets)
    };
    let policies = Policies::compile(pack);
    let found = policies.all().find(|predicate| match predicate.program() {
        Some(program) => program.variables().iter().any(reads),
        None => true,
    });
    found.map(|predicate| predicate.pointer.clone())
}
