//! Variables that the evaluation context may not have.

use super::super::GateInput;
use crate::context_types::{KNOWN_IN_CALL, KNOWN_IN_REQUEST, KNOWN_IN_USER, KNOWN_ROOTS};
use crate::pointer::join;
use deed_diag::{Diagnostic, codes, nearest, quote};

/// Returns the part of a path that Deed does not know, and the probably intended one.
///
/// The run context may have its own keys, and so may the user and the request; there only a near miss is reported.
fn doubtful(path: &[String]) -> Option<(String, String)> {
    let root = path.first()?;
    if !KNOWN_ROOTS.contains(&root.as_str()) {
        let help = nearest(root, KNOWN_ROOTS).map_or_else(
            || {
                format!(
                    "fields of the request are read as `request.context.{root}`; others must be in every run context"
                )
            },
            |near| format!("did you mean `{near}`?"),
        );
        return Some((root.clone(), help));
    }
    let known = match root.as_str() {
        "request" => &KNOWN_IN_REQUEST[..],
        "user" => &KNOWN_IN_USER[..],
        "call" => &KNOWN_IN_CALL[..],
        _ => return None,
    };
    let second = path.get(1).filter(|s| !known.contains(&s.as_str()))?;
    let near = nearest(second, known.iter().copied())?;
    Some((format!("{root}.{second}"), format!("did you mean `{root}.{near}`?")))
}

/// Reports variables that the context may not have.
pub(super) fn check(input: &GateInput<'_>) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    for predicate in input.policies.all() {
        let Some(program) = predicate.program() else { continue };
        for used in program.variables().into_iter().filter(|v| !v.scoped) {
            if let Some((name, help)) = doubtful(&used.path) {
                findings.push(
                    Diagnostic::warning(codes::UNKNOWN_VARIABLE_ROOT, format!("the context has no {}", quote(&name)))
                        .at(input.bundle.document.operation_place(&join(&predicate.pointer, &used.pointer)))
                        .help(help),
                );
            }
        }
    }
    findings
}
