//! `native`: an adapter of the catalogue, in this process, from files to a file.

use super::ENDED_WELL;
use crate::attempt::Attempt;
use crate::checks::InspectedFile;
use crate::content::Spool;
use crate::fault::{FailureExt, fault};
use crate::harness::End;
use crate::steps::disk;
use crate::steps::execute::BackendResult;
use crate::steps::preflight::StepInputs;
use deed_adapters::{Adapter, How, Input, Limits, Measure, Settings, find};
use deed_diag::{Invariant as _, codes};
use deed_model::{FailureCause, FailureClass, InputContract, MeasureKind, StepFailure};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::time::Instant;

pub(crate) fn native(attempt: &Attempt, entered: &StepInputs) -> Result<BackendResult, End> {
    let began = Instant::now();
    let contract = &attempt.contract.execution_contract;
    let refused = |why: String| {
        let failure =
            fault(FailureClass::OutputShape, codes::ADAPTER_REFUSED, why).about(attempt.contract.step_id.clone());
        failure.because(FailureCause::DeterministicCodeError)
    };
    let id = contract.adapter_id.as_deref().invariant("a native step names its adapter");
    let Some(adapter) = find(id) else {
        return Err(refused(format!("nothing that is built in runs the adapter `{id}`")).into());
    };
    // The adapter that the plan was compiled with has to run; another version of this program may have another.
    if let Some(frozen) = attempt.run.types.adapter(id)
        && (frozen.to.as_str() != adapter.to
            || !frozen.from.iter().map(|kind| kind.as_str()).eq(adapter.from.iter().copied()))
    {
        return Err(refused(format!("the adapter `{id}` is not the one that the plan was compiled with")).into());
    }
    let Some(path) = attempt.contract.io_contract.write_paths.first() else {
        return Err(refused(format!("the adapter `{id}` has nothing to write")).into());
    };
    let mut files = Vec::new();
    for input in ordered(attempt, adapter, entered).map_err(|why| End::from(refused(why)))? {
        files.push(input.content.open().map_err(|error| disk("an input cannot be read", &error))?);
    }
    let mut inputs: Vec<&mut dyn Input> = files.iter_mut().map(|file| file as &mut dyn Input).collect();
    let adapt = contract.adapt.as_ref();
    let measures: Vec<Measure> = adapt.iter().flat_map(|adapt| &adapt.measures).map(measure).collect();
    let row = row(attempt);
    let settings = Settings {
        row: row.as_ref(),
        keys: adapt.map(|adapt| adapt.keys.as_slice()).unwrap_or_default(),
        measures: &measures,
        limits: Limits::default(),
    };
    let mut output = Spool::new(attempt.stage.output(path));
    let adapted = adapter.run(&mut inputs, &mut output, &settings);
    let written = output.finish().map_err(|error| disk("an output cannot be written", &error))?;
    let wall_ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
    let (ended, failure, notes) = match adapted {
        Ok(adapted) => {
            let notes = adapted.notes.iter().map(|note| {
                let (what, first) = (note.kind.message(), note.first.to_string());
                json!({
                    "what": what, "count": note.count, "first": first, "columns": note.columns, "line": note.line(),
                })
            });
            (ENDED_WELL.to_owned(), None, Value::Array(notes.collect()))
        }
        Err(error) => {
            let failure = refused(format!("`{id}`: {error}"));
            let help = (!error.help.is_empty()).then(|| error.help.to_owned());
            ("refused".to_owned(), Some(StepFailure { help, ..failure }), Value::Null)
        }
    };
    let outputs = Some(BTreeMap::from([(path.clone(), written)]));
    Ok(BackendResult {
        ended,
        failure,
        sandbox: None,
        program: Some(id.to_owned()),
        wall_ms,
        exit_code: None,
        printed: notes,
        outputs,
    })
}

/// The inputs in the order in which the adapter takes them: by role, and never by the order of their paths.
fn ordered<'e>(
    attempt: &Attempt,
    adapter: &Adapter,
    entered: &'e StepInputs,
) -> Result<Vec<&'e InspectedFile>, String> {
    let inputs = &attempt.contract.io_contract.inputs;
    let named: Vec<&InputContract> = match adapter.roles {
        [] => inputs.iter().collect(),
        roles => {
            roles.iter().flat_map(|role| inputs.iter().filter(|input| input.role.as_deref() == Some(role))).collect()
        }
    };
    if named.len() != adapter.from.len() {
        let roles = if adapter.roles.is_empty() { "one input" } else { "one input for each of its roles" };
        return Err(format!("the adapter `{}` takes {roles}, and the contract names {}", adapter.id, named.len()));
    }
    let found = |input: &&InputContract| {
        let path = input.path.as_deref().unwrap_or_default();
        let file = entered.inputs.iter().find(|file| file.path == path);
        file.ok_or_else(|| format!("the input `{path}` of the adapter `{}` is not there", adapter.id))
    };
    named.iter().map(found).collect()
}

/// The schema of a row, which says what types the columns of a text have.
fn row(attempt: &Attempt) -> Option<Value> {
    let output = attempt.contract.io_contract.outputs.first()?;
    let artifact = attempt.contract.artifact_contracts.get(&output.path);
    if let Some(schema) = artifact.and_then(|artifact| artifact.derived_schema.clone()) {
        return Some(schema);
    }
    let entity = &output.entity_schema_id;
    (!entity.is_generic()).then(|| attempt.run.types.entity(entity.as_str()))?.map(|e| e.schema.clone())
}

fn measure(measure: &deed_model::Measure) -> Measure {
    let how = match measure.how {
        MeasureKind::Sum => How::Sum,
        MeasureKind::Count => How::Count,
        MeasureKind::Min => How::Min,
        MeasureKind::Max => How::Max,
        MeasureKind::Mean => How::Mean,
    };
    Measure { field: measure.field.clone(), how, as_name: measure.name.clone() }
}
