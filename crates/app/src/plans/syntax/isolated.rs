//! JavaScript for an isolate, inspected by the engine that would run it.

use super::{is_there, place};
use deed_diag::{Diagnostic, Document, Report, Severity, codes, quote};
use deed_plan::{Lowered, Sources};
use deed_runtime::{CodeFinding, CodeFindingKind, inspect_isolated};

/// Adds what stops the code of isolated steps, or may stop it.
pub(super) fn check(document: &Document, sources: &Sources, lowered: &Lowered, report: &mut Report) {
    let isolated = lowered.code.iter().filter(|(step, code)| lowered.isolated.contains(*step) && is_there(code));
    for (step, code) in isolated {
        match inspect_isolated(&code.source) {
            Ok(found) => found.iter().for_each(|found| push(report, document, sources, (step, &code.source), found)),
            Err(why) => {
                let message = format!("step {}: the javascript code is not parsed: {why}", quote(step));
                let at = place::of(report, document, sources, (step, &code.source), None);
                report.push(Diagnostic::warning(codes::CODE_NOT_PARSED, message).stage("code").at(at));
            }
        }
    }
}

fn push(report: &mut Report, document: &Document, sources: &Sources, (step, text): (&str, &str), found: &CodeFinding) {
    let (severity, code, what) = match found.kind {
        CodeFindingKind::Syntax => (Severity::Error, codes::CODE_SYNTAX_ERROR, "javascript code cannot be parsed"),
        CodeFindingKind::Fails => (Severity::Error, codes::ISOLATE_CODE_FAILS, "code cannot run in an isolate"),
        CodeFindingKind::MayFail => (Severity::Warning, codes::ISOLATE_CODE_MAY_FAIL, "code may fail in an isolate"),
    };
    let at = place::of(report, document, sources, (step, text), found.line);
    let line = place::line_words(found.line);
    let message = format!("step {}: the {what}{line}: {}", quote(step), found.message);
    report.push(Diagnostic::new(severity, code, message).stage("code").at(at).help(found.help.clone()));
}
