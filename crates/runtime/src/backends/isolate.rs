//! `edge_isolate`: small pure JavaScript in this process, under caps, with no way out at all.

use crate::attempt::Attempt;
use crate::codes::{CODE_FAILED, OUT_OF_MEMORY, OUT_OF_SPACE, OUT_OF_TIME, UNDECLARED_WRITE};
use crate::content::Content;
use crate::fault::{Told, fault};
use crate::harness::End;
use crate::steps::execute::Ran;
use crate::steps::preflight::Entered;
use crate::steps::{disk, prepare};
use deed_isolate::{Given, IsolateError, IsolateLimits};
use deed_model::{FailureCause, FailureClass, StepFailure};
use serde_json::json;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// How many lines of what a script said a failure shows.
const SHOWN_LINES: usize = 10;
/// All inputs of an isolate together have at most so many bytes: they are held.
const MOST_INPUT: u64 = 64 << 20;

pub(crate) fn isolate(attempt: &Attempt, entered: &Entered) -> Result<Ran, End> {
    let began = Instant::now();
    let source = prepare::code(attempt)?;
    let size: u64 = entered.inputs.iter().map(|input| input.found.bytes).sum();
    if size > MOST_INPUT {
        let message = format!("its inputs have {size} bytes, and an isolate is given at most {MOST_INPUT}");
        let help = "write the step in Python, or name `sandbox.session` under `tool_needs`";
        return Err(fault(FailureClass::BudgetExhaustion, OUT_OF_MEMORY, message).help(help).into());
    }
    let mut inputs = Vec::new();
    for input in &entered.inputs {
        let bytes = input.content.read().map_err(|error| disk("an input cannot be read", &error))?;
        inputs.push((input.path.clone(), bytes));
    }
    let wall = attempt.contract.execution_contract.attempt.wall_seconds.unwrap_or(600);
    let limits = IsolateLimits { wall: Duration::from_secs(wall), ..IsolateLimits::default() };
    let writes = &attempt.contract.io_contract.write_paths;
    let ran = deed_isolate::run(&source, &inputs, writes, &Given::default(), &limits);
    let wall_ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
    let mut outputs = BTreeMap::new();
    let (ended, failure, printed) = match ran {
        Ok(isolated) => {
            outputs.extend(isolated.outputs.into_iter().map(|(path, bytes)| (path, Content::Held(bytes.into()))));
            let log = concealed(&isolated.log);
            ("ended well".to_owned(), None, json!({ "log": log, "operations": isolated.spent.operations }))
        }
        Err(failed) => {
            let log = concealed(&failed.log);
            ("failed".to_owned(), Some(failure(&failed.error, &failed.log)), json!({ "log": log }))
        }
    };
    Ok(Ran {
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

/// What a script said, without secrets.
fn concealed(log: &[String]) -> Vec<String> {
    log.iter().map(|line| crate::conceal::secrets(line)).collect()
}

/// What a script said last and where it was, as other code would have printed it.
fn printed(error: &IsolateError, log: &[String]) -> Option<String> {
    let last = log.get(log.len().saturating_sub(SHOWN_LINES)..).unwrap_or_default();
    let stack = match error {
        IsolateError::Threw { stack, .. } => stack.as_str(),
        _ => "",
    };
    let lines: Vec<String> = concealed(last).into_iter().chain(stack.lines().map(crate::conceal::secrets)).collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// Where in its source a script failed. The engine knows the place of calls, and not of everything between them.
fn place(error: &IsolateError) -> String {
    match error {
        IsolateError::Threw { line: Some(line), .. } => format!(", at or after line {line} of its code"),
        _ => String::new(),
    }
}

fn failure(error: &IsolateError, log: &[String]) -> StepFailure {
    let (class, code) = match error {
        IsolateError::OutOfMemory | IsolateError::StackOverflow => (FailureClass::BudgetExhaustion, OUT_OF_MEMORY),
        IsolateError::OutOfTime { .. } => (FailureClass::BudgetExhaustion, OUT_OF_TIME),
        IsolateError::TooMuchOutput { .. } => (FailureClass::BudgetExhaustion, OUT_OF_SPACE),
        IsolateError::Undeclared { .. } => (FailureClass::PolicyViolation, UNDECLARED_WRITE),
        _ => (FailureClass::OutputShape, CODE_FAILED),
    };
    let failure = fault(class, code, crate::conceal::secrets(&error.to_string()) + &place(error));
    let failure = match code == CODE_FAILED {
        true => failure.because(FailureCause::DeterministicCodeError),
        false => failure,
    };
    StepFailure { help: help(error), printed: printed(error, log), ..failure }
}

/// How code that was written for Node.js gets there.
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

/// What can be done about code that needs more than an isolate has.
fn help(error: &IsolateError) -> Option<String> {
    let no = |name: &str| Some(format!("there is no `{name}` here: {SESSION}"));
    match error {
        IsolateError::Threw { message, .. } => {
            let message = message.strip_prefix("ReferenceError: ")?;
            let module = message.strip_prefix("could not load module '").and_then(|rest| rest.strip_suffix('\''));
            let name = message.strip_suffix(" is not defined").filter(|name| OF_NODE.contains(name));
            // A module's name is what the code wrote; what is longer than any of Node.js's is not repeated.
            no(module.filter(|module| module.len() <= 64).or(name)?)
        }
        IsolateError::NoDefaultExport => {
            Some(format!("write `export default function (inputs, context) {{ … }}`; or, for a script, {SESSION}"))
        }
        IsolateError::Syntax { message, .. } if message.contains("waits for nothing") => Some(SESSION.to_owned()),
        IsolateError::BadReturn { why } if why.contains("waited for") => Some(SESSION.to_owned()),
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

    /// What becomes of a script.
    fn told(source: &str) -> StepFailure {
        let ran = deed_isolate::run(source, &[], &[], &Given::default(), &IsolateLimits::default());
        let failed = ran.unwrap_err();
        failure(&failed.error, &failed.log)
    }

    #[test]
    fn code_for_node_is_told_how_to_get_there() {
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
            let told = told(source);
            assert!(told.help.as_ref().unwrap().starts_with(says), "{source}: {told:?}");
        }
        let long = format!("import '{}'", "x".repeat(65));
        for source in ["export default () => nosuch", "export default () => { throw 1 }", "export default 1 +", &long] {
            assert_eq!(told(source).help, None, "{source}");
        }
    }
}
