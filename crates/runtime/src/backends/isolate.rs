//! `edge_isolate`: small pure JavaScript in this process, under caps, with no way out at all.

use crate::attempt::Attempt;
use crate::codes::{CODE_FAILED, OUT_OF_MEMORY, OUT_OF_SPACE, OUT_OF_TIME, UNDECLARED_WRITE};
use crate::fault::{Told, fault};
use crate::harness::End;
use crate::steps::execute::Ran;
use crate::steps::preflight::Entered;
use crate::steps::{disk, prepare};
use deed_isolate::{Given, IsolateError, IsolateLimits};
use deed_model::{FailureClass, StepFailure};
use serde_json::{Value, json};
use std::fs;
use std::time::{Duration, Instant};

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
        let bytes = fs::read(&input.host).map_err(|error| disk("an input cannot be read", &error))?;
        inputs.push((input.path.clone(), bytes));
    }
    let wall = attempt.contract.execution_contract.attempt.wall_seconds.unwrap_or(600);
    let limits = IsolateLimits { wall: Duration::from_secs(wall), ..IsolateLimits::default() };
    let writes = &attempt.contract.io_contract.write_paths;
    let ran = deed_isolate::run(&source, &inputs, writes, &Given::default(), &limits);
    let wall_ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
    let (ended, failure, printed) = match ran {
        Ok(isolated) => {
            for (path, bytes) in &isolated.outputs {
                write(attempt, path, bytes)?;
            }
            let log: Vec<Value> = isolated.log.iter().map(|line| json!(crate::conceal::secrets(line))).collect();
            ("ended well".to_owned(), None, json!({ "log": log, "operations": isolated.spent.operations }))
        }
        Err(error) => ("refused".to_owned(), Some(failure(&error)), Value::Null),
    };
    Ok(Ran { ended, failure, sandbox: None, program: Some("quickjs".to_owned()), wall_ms, printed })
}

fn write(attempt: &Attempt, path: &str, bytes: &[u8]) -> Result<(), End> {
    let target = attempt.stage.output(path);
    let failed = |error: std::io::Error| End::from(disk("an output cannot be written", &error));
    if let Some(folder) = target.parent() {
        fs::create_dir_all(folder).map_err(failed)?;
    }
    fs::write(target, bytes).map_err(failed)
}

fn failure(error: &IsolateError) -> StepFailure {
    let (class, code) = match error {
        IsolateError::OutOfMemory | IsolateError::StackOverflow => (FailureClass::BudgetExhaustion, OUT_OF_MEMORY),
        IsolateError::OutOfTime { .. } => (FailureClass::BudgetExhaustion, OUT_OF_TIME),
        IsolateError::TooMuchOutput { .. } => (FailureClass::BudgetExhaustion, OUT_OF_SPACE),
        IsolateError::Undeclared { .. } => (FailureClass::PolicyViolation, UNDECLARED_WRITE),
        _ => (FailureClass::OutputShape, CODE_FAILED),
    };
    fault(class, code, crate::conceal::secrets(&error.to_string()))
}
