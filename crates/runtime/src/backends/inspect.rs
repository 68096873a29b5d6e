//! Code for an isolate, inspected before anything runs.

use super::isolate::SESSION;
use deed_isolate::SourceProblem;

/// The kinds of findings about code for an isolate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CodeFindingKind {
    /// The code cannot be compiled.
    Syntax,
    /// Every run of the code fails.
    Fails,
    /// A run fails if it reaches the line.
    MayFail,
}

/// A reason why code fails, or may fail, in an isolate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodeFinding {
    /// The kind.
    pub kind: CodeFindingKind,
    /// The line of the code, from 1, where there is one.
    pub line: Option<usize>,
    /// The fact.
    pub message: String,
    /// The fix.
    pub help: String,
}

/// Inspects code for an isolate; nothing of it is run.
///
/// # Errors
/// Fails if the engine cannot be started.
pub fn inspect_isolated(source: &str) -> Result<Vec<CodeFinding>, String> {
    let found = deed_isolate::inspect(source)?;
    let finding = |found: deed_isolate::SourceFinding| {
        let (message, help) = words(&found.problem);
        let kind = match (&found.problem, found.certain) {
            (SourceProblem::Syntax { .. }, _) => CodeFindingKind::Syntax,
            (_, true) => CodeFindingKind::Fails,
            (_, false) => CodeFindingKind::MayFail,
        };
        CodeFinding { kind, line: found.line, message: crate::conceal::secrets(&message), help }
    };
    Ok(found.into_iter().map(finding).collect())
}

/// The fact and the fix.
fn words(problem: &SourceProblem) -> (String, String) {
    let function = "write `export default function (inputs, context) { … }`";
    match problem {
        SourceProblem::TooLarge { bytes, limit } => {
            (format!("it has {bytes} bytes, more than {limit}"), SESSION.to_owned())
        }
        SourceProblem::Syntax { message } => (message.clone(), "fix the line".to_owned()),
        SourceProblem::Forbidden { message } => (message.clone(), format!("remove it; or {SESSION}")),
        SourceProblem::Import { module } => {
            let module: String = module.chars().take(64).collect();
            (format!("it imports `{module}`, and an isolate loads no modules"), format!("remove it; or {SESSION}"))
        }
        SourceProblem::Await => {
            ("it waits with `await`, and an isolate waits for nothing".to_owned(), format!("remove it; or {SESSION}"))
        }
        SourceProblem::NoDefaultExport => {
            ("it exports no default function".to_owned(), format!("{function}; or, for a script, {SESSION}"))
        }
        SourceProblem::DefaultNotCallable { what } => {
            (format!("its default export is {what}, and must be a function"), function.to_owned())
        }
        SourceProblem::MissingGlobal { name } => {
            (format!("it uses `{name}`, which an isolate does not have"), format!("remove it; or {SESSION}"))
        }
        SourceProblem::NotGiven { what } => {
            let message = format!("it calls `{what}`, and a step has neither clock nor randomness");
            (message, format!("take the value from an input; or {SESSION}"))
        }
    }
}
