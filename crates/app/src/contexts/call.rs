//! Reads calls of tools.

use crate::error::AppError;
use crate::files;
use deed_diag::{Diagnostic, Report, codes};
use deed_model::ToolCall;
use serde::Deserialize as _;
use std::path::Path;

/// Reads a call of a tool: `{tool: adapter.capability, arguments: {…}}`, as JSON or YAML.
///
/// # Errors
/// The file cannot be read, or is not a call.
pub fn tool_call(path: &Path) -> Result<ToolCall, AppError> {
    let document = files::document(path)?;
    ToolCall::deserialize(document.value()).map_err(|error| {
        let message = format!("this is not a call of a tool: {error}");
        let diagnostic = Diagnostic::error(codes::INPUT_SHAPE, message).stage("call").at(document.place(""));
        let mut report = Report::of(diagnostic.help("write `tool: adapter.capability` and `arguments: {…}`"));
        report.add_source(document.source().clone());
        AppError::from(report)
    })
}
