//! The line of an import.

use super::compiler::Compiler;
use super::{line_of, replaced};
use crate::fault::missing_module;

/// The line on which the source names a missing module: with another name there, another module is missing.
pub(super) fn line(compiler: &mut Compiler, source: &str, module: &str) -> Result<Option<usize>, String> {
    let other = "x".repeat(module.len() + 1);
    for (at, _) in source.match_indices(module).take(super::MOST_PLACES) {
        let changed = compiler.compile(&replaced(source, at, module.len(), &other))?;
        if changed.is_err_and(|(message, _)| missing_module(&message).is_some_and(|missing| missing.contains(&other))) {
            return Ok(Some(line_of(source, at)));
        }
    }
    Ok(None)
}
