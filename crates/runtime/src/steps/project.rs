//! 3, project: every input appears at the exact path of the contract, read-only; nothing else does.

use super::materialize::Materialized;
use crate::attempt::Attempt;
use crate::fault::fault;
use crate::harness::End;
use crate::sets;
use crate::steps::disk;
use deed_diag::{Invariant as _, codes};
use deed_isolate::BoundInput;
use deed_model::{
    ArtifactRecord, Backend, FailureClass, InputContract, IsolationLevel, covers, folder_of_set, in_set, is_set,
};
use deed_sandbox::Bind;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

/// The workspace inside the sandbox.
pub(crate) const WORKSPACE: &str = "/workspace";

/// The file in `meta` that lists the inputs of a step.
pub(crate) const INPUTS: &str = "inputs.json";

/// The files that code sees.
#[derive(Debug)]
pub(crate) struct Projected {
    pub(crate) inputs: Vec<Bind>,
    pub(crate) writable: Vec<Bind>,
    /// Paths of inputs: what stands there after the run is where they were seen, and no output.
    pub(crate) bound: BTreeSet<String>,
    /// True if they were bound over nothing, and not copied.
    pub(crate) mounts: bool,
}

pub(crate) fn paths(attempt: &Attempt, inputs: &[Materialized]) -> Result<Projected, End> {
    let mut binds = Vec::new();
    let mut bound = BTreeSet::new();
    let coded = attempt.contract.execution_contract.routing.backend == Backend::SandboxSession;
    let mounts = !coded || attempt.run.world.sandbox.probe().level >= IsolationLevel::L2;
    let folders = folders(attempt);
    for (place, input) in inputs.iter().enumerate() {
        let path = &input.record.path;
        // The compiler lets no other path through; a plan that was tampered with has another hash.
        if !Path::new(path).components().all(|part| matches!(part, Component::Normal(_))) {
            let message = format!("`{path}` is not a path within the workspace");
            return Err(fault(FailureClass::ContractSchema, codes::MISSING_INPUT, message).into());
        }
        bound.insert(path.clone());
        // Whatever runs in this process reads the bytes where they are.
        if coded && !(mounts && folders.iter().any(|folder| folder.has(path))) {
            let host = if mounts { staged(attempt, input, place)? } else { copied(attempt, input)? };
            binds.push(Bind { host, inside: inside(path) });
        }
    }
    if coded {
        for (place, folder) in folders.iter().enumerate().filter(|_| mounts) {
            binds.push(folder.filled(attempt, inputs, place)?);
        }
        list_sets(attempt, inputs)?;
        list_inputs(attempt, inputs)?;
    }
    let writable = ["work", "output"]
        .map(|folder| Bind { host: attempt.stage.output(folder), inside: inside(folder) })
        .into_iter()
        .collect();
    Ok(Projected { inputs: binds, writable, bound, mounts })
}

/// A folder that is bound whole, since all that the step reads of it are sets.
struct Folder {
    path: String,
    sets: Vec<String>,
}

impl Folder {
    fn has(&self, path: &str) -> bool {
        self.sets.iter().any(|set| in_set(set, path))
    }

    /// Copies the files of its sets together.
    fn filled(&self, attempt: &Attempt, inputs: &[Materialized], place: usize) -> Result<Bind, End> {
        let failed = |error: std::io::Error| disk("an input cannot be staged", &error);
        let host = attempt.stage.inputs().join(format!("set-{place}"));
        fs::create_dir_all(&host).map_err(failed)?;
        for input in inputs.iter().filter(|input| self.has(&input.record.path)) {
            let name = input.record.path.rsplit('/').next().unwrap_or_default();
            copy(input, &host.join(name)).map_err(failed)?;
        }
        Ok(Bind { host, inside: inside(&self.path) })
    }
}

/// Folders of sets that can be bound whole: the step reads no other file in them, and writes none there. Files of other
/// sets are bound one by one.
fn folders(attempt: &Attempt) -> Vec<Folder> {
    let io = &attempt.contract.io_contract;
    let mut folders: Vec<Folder> = Vec::new();
    for set in io.read_paths.iter().filter(|path| is_set(path)) {
        let path = folder_of_set(set);
        match folders.iter_mut().find(|known| known.path == path) {
            Some(known) => known.sets.push(set.clone()),
            None => folders.push(Folder { path: path.to_owned(), sets: vec![set.clone()] }),
        }
    }
    let beneath = |folder: &Folder, path: &String| path.strip_prefix(&folder.path).is_some_and(|p| p.starts_with('/'));
    let apart = |folder: &Folder| {
        let reads = io.read_paths.iter().filter(|path| !folder.sets.contains(path));
        !reads.chain(&io.write_paths).any(|path| beneath(folder, path)) && folder.path.contains('/')
    };
    folders.retain(apart);
    folders
}

/// Lists the sets that the step reads, for its code: `meta/sets.json`.
fn list_sets(attempt: &Attempt, inputs: &[Materialized]) -> Result<(), End> {
    let records: Vec<ArtifactRecord> = inputs.iter().map(|input| input.record.clone()).collect();
    let sets = sets::of(&attempt.contract.io_contract.read_paths, &records)
        .map_err(|error| fault(FailureClass::ContractSchema, codes::STORE_FAILED, error.to_string()))?;
    let mut listed = serde_json::Map::new();
    for (set, manifest) in sets {
        let manifest: serde_json::Value = serde_json::from_slice(&manifest)
            .map_err(|error| fault(FailureClass::ContractSchema, codes::STORE_FAILED, error.to_string()))?;
        let files = manifest.get("files").cloned().invariant("a manifest lists its files");
        listed.insert(set.path, serde_json::json!({ "manifest": set.manifest, "files": files }));
    }
    let text = serde_json::Value::Object(listed).to_string();
    fs::write(attempt.stage.meta().join("sets.json"), text).map_err(|error| disk("the step cannot be staged", &error))
}

/// Returns the inputs of a step by slot and entity. An optional input that nothing gives has no path.
pub(crate) fn bound_inputs(attempt: &Attempt, paths: &[&str]) -> Vec<BoundInput> {
    let files = |path: &str| paths.iter().filter(|file| covers(path, file)).map(|file| (*file).to_owned()).collect();
    let bound = |input: &InputContract| {
        let set = input.path.as_deref().is_some_and(is_set);
        let files: Vec<String> = input.path.as_deref().map(files).unwrap_or_default();
        let path = input.path.clone().filter(|_| set || !files.is_empty());
        BoundInput { slot: input.slot.clone(), entity: input.entity_schema_id.to_string(), path, set, files }
    };
    attempt.contract.io_contract.inputs.iter().map(bound).collect()
}

/// Lists the inputs of the step by slot and entity, for its code: `meta/inputs.json`, which `DEED_INPUTS` names.
fn list_inputs(attempt: &Attempt, inputs: &[Materialized]) -> Result<(), End> {
    let paths: Vec<&str> = inputs.iter().map(|input| input.record.path.as_str()).collect();
    let listed: Vec<Value> = bound_inputs(attempt, &paths)
        .into_iter()
        .map(|BoundInput { slot, entity, path, set, files }| {
            json!({ "slot": slot, "entity": entity, "path": path, "set": set, "files": files })
        })
        .collect();
    let text = json!({ "version": 1, "inputs": listed }).to_string();
    fs::write(attempt.stage.meta().join(INPUTS), text).map_err(|error| disk("the step cannot be staged", &error))
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
    copy(input, &target).map_err(failed)?;
    Ok(target)
}

fn copy(input: &Materialized, target: &Path) -> std::io::Result<()> {
    let mut from = input.content.open()?;
    let mut to = fs::File::create(target)?;
    std::io::copy(&mut from, &mut to).map(drop)
}

fn inside(path: &str) -> PathBuf {
    Path::new(WORKSPACE).join(path)
}
