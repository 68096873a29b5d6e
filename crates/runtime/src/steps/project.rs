//! 3, project: every input appears at the exact path of the contract, read-only; nothing else does.

use super::materialize::Materialized;
use crate::attempt::Attempt;
use crate::codes::MISSING_INPUT;
use crate::fault::fault;
use crate::harness::End;
use crate::steps::disk;
use deed_model::{Backend, FailureClass, IsolationLevel};
use deed_sandbox::Bind;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

/// Where the workspace is inside.
pub(crate) const WORKSPACE: &str = "/workspace";

/// What code sees.
#[derive(Debug)]
pub(crate) struct Projected {
    pub(crate) inputs: Vec<Bind>,
    pub(crate) writable: Vec<Bind>,
    /// Paths of inputs: what stands there after the run is where they were seen, and no output.
    pub(crate) bound: BTreeSet<String>,
    /// Whether they were bound over nothing, and not copied.
    pub(crate) mounts: bool,
}

pub(crate) fn paths(attempt: &Attempt, inputs: &[Materialized]) -> Result<Projected, End> {
    let mut binds = Vec::new();
    let mut bound = BTreeSet::new();
    let coded = attempt.contract.execution_contract.routing.backend == Backend::SandboxSession;
    let mounts = !coded || attempt.run.world.sandbox.probe().level >= IsolationLevel::L2;
    for (place, input) in inputs.iter().enumerate() {
        let path = &input.record.path;
        // The compiler lets no other path through; a plan that was tampered with has another hash.
        if !Path::new(path).components().all(|part| matches!(part, Component::Normal(_))) {
            let message = format!("`{path}` is no path within the workspace");
            return Err(fault(FailureClass::ContractSchema, MISSING_INPUT, message).into());
        }
        bound.insert(path.clone());
        // Whatever runs in this process reads the bytes where they are.
        if coded {
            let host = if mounts { staged(attempt, input, place)? } else { copied(attempt, input)? };
            binds.push(Bind { host, inside: inside(path) });
        }
    }
    let writable = ["work", "output"]
        .map(|folder| Bind { host: attempt.stage.output(folder), inside: inside(folder) })
        .into_iter()
        .collect();
    Ok(Projected { inputs: binds, writable, bound, mounts })
}

/// A file that can be bound.
fn staged(attempt: &Attempt, input: &Materialized, place: usize) -> Result<PathBuf, End> {
    let file = input.content.file(|| attempt.stage.inputs().join(place.to_string()));
    file.map_err(|error| disk("an input cannot be staged", &error))
}

/// Without mounts the workspace is the stage itself, and inputs are copied to their places in it.
fn copied(attempt: &Attempt, input: &Materialized) -> Result<PathBuf, End> {
    let target = attempt.stage.output(&input.record.path);
    let failed = |error: std::io::Error| disk("an input cannot be staged", &error);
    if let Some(folder) = target.parent() {
        fs::create_dir_all(folder).map_err(failed)?;
    }
    let mut from = input.content.open().map_err(failed)?;
    let mut to = fs::File::create(&target).map_err(failed)?;
    std::io::copy(&mut from, &mut to).map_err(failed)?;
    Ok(target)
}

fn inside(path: &str) -> PathBuf {
    Path::new(WORKSPACE).join(path)
}
