//! `edge_isolate`: small pure JavaScript in this process, under caps, without egress.

use super::ENDED_WELL;
use crate::attempt::Attempt;
use crate::content::Content;
use crate::fault::{FailureExt, fault};
use crate::harness::End;
use crate::steps::execute::BackendResult;
use crate::steps::preflight::StepInputs;
use crate::steps::{disk, prepare, project};
use deed_diag::codes;
use deed_isolate::{Grants, IsolateError, IsolateLimits, MissingReference, SOURCE_NAME};
use deed_model::{CodePlace, FailureCause, FailureClass, StepFailure};
use serde_json::json;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// The number of log lines that a failure shows.
const SHOWN_LINES: usize = 10;
/// The most bytes that all inputs of an isolate have together: they are held in memory.
const MOST_INPUT: u64 = 64 << 20;

/// The wall-clock seconds of an attempt whose contract has none.
const DEFAULT_WALL_SECONDS: u64 = 600;

pub(crate) fn isolate(attempt: &Attempt, entered: &StepInputs) -> Result<BackendResult, End> {
    let began = Instant::now();
    let source = prepare::code(attempt)?;
    let size: u64 = entered.inputs.iter().map(|input| input.found.bytes).sum();
    if size > MOST_INPUT {
        let message = format!("its inputs have {size} bytes, and an isolate is given at most {MOST_INPUT}");
        let help = "write the step in Python, or name `sandbox.session` under `tool_needs`";
        return Err(fault(FailureClass::BudgetExhaustion, codes::OUT_OF_MEMORY, message).help(help).into());
    }
    let mut inputs = Vec::new();
    for input in &entered.inputs {
        let bytes = input.content.read().map_err(|error| disk("an input cannot be read", &error))?;
        inputs.push((input.path.clone(), bytes));
    }
    let wall = attempt.contract.execution_contract.attempt.wall_seconds.unwrap_or(DEFAULT_WALL_SECONDS);
    let limits = IsolateLimits { wall: Duration::from_secs(wall), ..IsolateLimits::default() };
    let writes = &attempt.contract.io_contract.write_paths;
    let paths: Vec<&str> = inputs.iter().map(|(path, _)| path.as_str()).collect();
    let given = Grants { inputs: project::bound_inputs(attempt, &paths), ..Grants::default() };
    let ran = deed_isolate::run(&source, &inputs, writes, &given, &limits);
    let wall_ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
    let at = attempt.run.request.code_places.get(&attempt.contract.step_id);
    let mut outputs = BTreeMap::new();
    let (ended, failure, printed) = match ran {
        Ok(isolated) => {
            outputs.extend(isolated.outputs.into_iter().map(|(path, bytes)| (path, Content::Held(bytes.into()))));
            let log = concealed(&isolated.log);
            (ENDED_WELL.to_owned(), None, json!({ "log": log, "operations": isolated.usage.operations }))
        }
        Err(failed) => {
            let log = concealed(&failed.log);
            ("failed".to_owned(), Some(failure(&failed.error, &failed.log, at)), json!({ "log": log }))
        }
    };
    Ok(BackendResult {
        ended,
        failure,
        sandbox: None,
        program: Some("quickjs".to_owned()),
        wall_ms,
        exit_code: None,
        printed,
        outputs: Some(outputs),
    })
}

/// Returns the log of a script without secrets.
fn concealed(log: &[String]) -> Vec<String> {
    log.iter().map(|line| crate::conceal::secrets(line)).collect()
}

/// Returns the end of a script's log and its stack, as other code would have printed them.
fn printed(error: &IsolateError, log: &[String], at: Option<&CodePlace>) -> Option<String> {
    let last = log.get(log.len().saturating_sub(SHOWN_LINES)..).unwrap_or_default();
    let stack = match error {
        IsolateError::Threw { stack, .. } => stack.as_str(),
        _ => "",
    };
    let lines: Vec<String> = concealed(last)
        .into_iter()
        .chain(stack.lines().map(|line| crate::conceal::secrets(&authored(line, at))))
        .collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// Returns the place in the source at which a script failed. The engine knows the lines of calls, and not of everything
/// between them.
fn place(error: &IsolateError, at: Option<&CodePlace>) -> String {
    match (error, at) {
        (IsolateError::Threw { line: Some(line), .. }, Some(at)) => {
            format!(", at or after line {} of `{}`", line.saturating_add(at.line.saturating_sub(1)), at.file)
        }
        (IsolateError::Threw { line: Some(line), .. }, None) => format!(", at or after line {line} of its code"),
        _ => String::new(),
    }
}

/// A line of a stack with the author's file and line in place of the engine's name for the source.
fn authored(line: &str, at: Option<&CodePlace>) -> String {
    let found = at.and_then(|at| {
        let (before, rest) = line.split_once(&format!("{SOURCE_NAME}:"))?;
        let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let (number, after) = rest.split_at_checked(digits)?;
        let number = number.parse::<u32>().ok()?.saturating_add(at.line.saturating_sub(1));
        Some(format!("{before}{}:{number}{after}", at.file))
    });
    found.unwrap_or_else(|| line.to_owned())
}

fn failure(error: &IsolateError, log: &[String], at: Option<&CodePlace>) -> StepFailure {
    let (class, code) = match error {
        IsolateError::OutOfMemory | IsolateError::StackOverflow => {
            (FailureClass::BudgetExhaustion, codes::OUT_OF_MEMORY)
        }
        IsolateError::OutOfTime { .. } => (FailureClass::BudgetExhaustion, codes::OUT_OF_TIME),
        IsolateError::TooMuchOutput { .. } => (FailureClass::BudgetExhaustion, codes::OUT_OF_SPACE),
        IsolateError::Undeclared { .. } => (FailureClass::PolicyViolation, codes::UNDECLARED_WRITE),
        _ => (FailureClass::OutputShape, codes::CODE_FAILED),
    };
    let failure = fault(class, code, crate::conceal::secrets(&error.to_string()) + &place(error, at));
    let failure = match code == codes::CODE_FAILED {
        true => failure.because(FailureCause::DeterministicCodeError),
        false => failure,
    };
    StepFailure { help: help(error), printed: printed(error, log, at), ..failure }
}

/// The fix for code that was written for Node.js.
pub(super) const SESSION: &str = "name `sandbox.session` under `tool_needs`, and Node.js runs it in the sandbox";
/// Names that Node.js has, and an isolate has not.
const OF_NODE: [&str; 12] = [
    "require",
    "module",
    "exports",
    "process",
    "Buffer",
    "fetch",
    "URL",
    "setTimeout",
    "setInterval",
    "setImmediate",
    "__dirname",
    "__filename",
];

/// Returns the fix for code that needs more than an isolate has.
fn help(error: &IsolateError) -> Option<String> {
    let no = |name: &str| Some(format!("there is no `{name}` here: {SESSION}"));
    match error {
        IsolateError::Threw { missing, .. } => match missing.as_ref()? {
            // The name of a module is text of the code; one that is longer than any of Node.js's is not repeated.
            MissingReference::Module(module) if module.len() <= 64 => no(module),
            MissingReference::Name(name) if OF_NODE.contains(&name.as_str()) => no(name),
            MissingReference::Module(_) | MissingReference::Name(_) => None,
        },
        IsolateError::NoDefaultExport => {
            Some(format!("write `export default function (inputs, context) {{ … }}`; or, for a script, {SESSION}"))
        }
        IsolateError::Forbidden { .. } | IsolateError::Waits(_) => Some(SESSION.to_owned()),
        IsolateError::OutOfMemory | IsolateError::StackOverflow | IsolateError::TooMuchOutput { .. } => {
            Some(format!("do less at a time; or, where much is needed, {SESSION}"))
        }
        IsolateError::OutOfTime(_) => Some(format!("do less; or, where much is to be done, {SESSION}")),
        IsolateError::Undeclared { .. } => {
            Some("list it under `expected_outputs` of the step, or do not return it".to_owned())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::*;

    /// Runs a script that fails.
    fn failure_of(source: &str) -> StepFailure {
        let ran = deed_isolate::run(source, &[], &[], &Grants::default(), &IsolateLimits::default());
        let failed = ran.unwrap_err();
        failure(&failed.error, &failed.log, None)
    }

    #[test]
    fn code_for_node_gets_the_fix_as_help() {
        for (source, says) in [
            ("import fs from 'fs'; export default () => ({})", "there is no `fs` here: name `sandbox.session`"),
            ("import { readFileSync } from 'node:fs'", "there is no `node:fs` here: name `sandbox.session`"),
            ("const fs = require('fs')", "there is no `require` here: name `sandbox.session`"),
            (
                "export default () => { setTimeout(() => 1, 1) }",
                "there is no `setTimeout` here: name `sandbox.session`",
            ),
            ("const answer = await 1", "name `sandbox.session`"),
            ("export default async () => ({})", "name `sandbox.session`"),
            ("console.log(1)", "write `export default function (inputs, context)"),
        ] {
            let failure = failure_of(source);
            assert!(failure.help.as_ref().unwrap().starts_with(says), "{source}: {failure:?}");
        }
        let long = format!("import '{}'", "x".repeat(65));
        for source in ["export default () => nosuch", "export default () => { throw 1 }", "export default 1 +", &long] {
            assert_eq!(failure_of(source).help, None, "{source}");
        }
    }
}
