//! A submission to an engine: a compiled plan, its code, its inputs and a grant, checked before anything runs and stored by
//! content.

use crate::bridge::implements;
use crate::budget::exceeds;
use crate::engine::{from_on, is_pure, load_plan, open_postflight};
use crate::fault::WHERE_SECRETS_ARE;
use crate::gates;
use crate::ingest;
use crate::models;
use crate::profile;
use crate::state::RunState;
use crate::types;
use crate::validation::{self, PlanCandidate};
use crate::workspace;
use crate::world::World;
use deed_canon::{ContentHash, derive_id, hash_of, to_canonical_of};
use deed_diag::{codes, did_you_mean};
use deed_model::{
    ArtifactRecord, Backend, Budget, CodePlace, CompiledPlan, ForkedFrom, FrozenModels, FrozenWorkspace,
    ProfileSnapshot, RUN_REQUEST_TAG, RunEvent, RunOptions, RunRequest, StepCode, StepContract, ValidationRecord,
};
use deed_plan::composed;
use deed_ports::{EngineError, JournalEntry, StoreError, StoreErrorKind};
use deed_reach::{Rules, secret_name};
use deed_validation::Validator;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// The treatment of inputs that are links out of the folder of inputs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Links {
    /// The submission is refused.
    #[default]
    Refuse,
    /// The content of the file that the link leads to is taken.
    Follow,
}

/// A run to submit.
#[derive(Debug, Clone)]
pub struct Submission<'s> {
    /// The compiled plan.
    pub plan: &'s CompiledPlan,
    /// The code of its steps.
    pub code: &'s BTreeMap<String, StepCode>,
    /// The places at which the author wrote it.
    pub code_places: BTreeMap<String, CodePlace>,
    /// The folder that has the mission's inputs, as they lie beneath `input/`.
    pub input: Option<&'s Path>,
    /// The treatment of inputs that are links out of that folder.
    pub links: Links,
    /// Folders that no input may come from: what they hold is the workspace's own, such as keys and secrets.
    pub private: &'s [PathBuf],
    /// A grant for the whole run, besides the plan's budget.
    pub grant: Option<Budget>,
    /// The options of the run.
    pub options: RunOptions,
    /// The actor.
    pub actor: &'s str,
    /// A name for the run; one that follows from its content and the time otherwise.
    pub run_id: Option<&'s str>,
    /// The profile that governs it.
    pub profile: Option<&'s ProfileSnapshot>,
    /// The plan before it was compiled, if its profile judges it.
    pub candidate: Option<&'s PlanCandidate>,
    /// What calls of models read besides the profile, if the run may ask one.
    pub models: Option<&'s FrozenModels>,
    /// The workspace that it belongs to, with the stored inputs that it supplies.
    pub workspace: Option<&'s FrozenWorkspace>,
    /// The run that it continues from.
    pub forked: Option<ForkedFrom>,
}

pub(crate) fn refuse(code: deed_diag::Code, message: String, help: impl Into<Option<String>>) -> EngineError {
    EngineError::Refused { code, message, help: help.into() }
}

/// Checks a submission, stores its plan, code, types and inputs, and returns the request that names them by hash.
pub fn prepare(world: &World, submission: &Submission<'_>) -> Result<RunRequest, EngineError> {
    let plan = submission.plan;
    coded(submission)?;
    implemented(plan)?;
    for step in &plan.steps {
        runnable(world, plan, step)?;
    }
    secrets(world, plan, submission.forked.as_ref(), |_| false)?;
    if let Some((message, help)) = gates::unreadable(plan) {
        return Err(refuse(codes::HIDDEN_TEXT, message, help.to_owned()));
    }
    let grant = granted(submission)?;
    if let (Some(snapshot), Some(frozen)) = (submission.profile, submission.models) {
        models::ready(world, snapshot, frozen, &grant, &models::asked_consumers(plan, snapshot))?;
    }
    let plan_bytes = to_canonical_of(plan).map_err(|error| {
        StoreError::new(StoreErrorKind::Unavailable, format!("the plan has no canonical form: {error}"))
    })?;
    let plan_blob = world.blobs.put(&mut plan_bytes.as_slice())?.sha256;
    let mut code = BTreeMap::new();
    for step in plan.steps.iter().filter(|step| step.execution_contract.code_hash.is_some()) {
        if let Some(text) = submission.code.get(&step.step_id) {
            code.insert(step.step_id.clone(), world.blobs.put(&mut text.source.as_bytes())?.sha256);
        }
    }
    let types_blob = Some(types::freeze(plan, &world.catalog, &*world.blobs)?);
    let profile = submission.profile.map(|snapshot| profile::freeze(snapshot, &*world.blobs)).transpose()?;
    let models_blob = submission.models.map(|frozen| models::freeze(frozen, &*world.blobs)).transpose()?;
    let (inputs, validation) = validated(world, submission, &plan_blob, inputs(world, submission)?)?;
    ingest::check(world, plan, &inputs)?;
    let mut request = RunRequest {
        run_id: String::new(),
        plan: plan.plan.clone(),
        plan_hash: plan.plan_hash,
        plan_blob,
        code_places: submission.code_places.clone(),
        code,
        types_blob,
        profile,
        validation,
        models_blob,
        workspace: submission.workspace.cloned(),
        inputs,
        grant,
        options: submission.options.clone(),
        actor: submission.actor.to_owned(),
        forked: submission.forked.clone(),
    };
    if let Some(fork) = &request.forked {
        let first = forkable(world, plan, &request, fork)?;
        request.forked = Some(ForkedFrom { first, ..fork.clone() });
    }
    request.run_id = match submission.run_id {
        Some(id) => id.to_owned(),
        None => name(world, &request)?,
    };
    Ok(request)
}

/// Judges what the run is submitted with by the validation packs of its profile. Returns the inputs as the run reads them.
fn validated(
    world: &World,
    submission: &Submission<'_>,
    plan_blob: &ContentHash,
    given: Vec<ArtifactRecord>,
) -> Result<(Vec<ArtifactRecord>, Vec<ValidationRecord>), EngineError> {
    let Some(snapshot) = submission.profile else { return Ok((given, Vec::new())) };
    let validator = Validator::new(snapshot).map_err(|why| validation::unusable(&why))?;
    let types = types::Types::of_plan(submission.plan, &world.catalog)?;
    let candidate = submission.candidate.map(|candidate| candidate.record().clone());
    let subjects = validation::Subjects { plan: submission.plan, plan_blob, types: &types, inputs: &given };
    let found = validation::submission(&validator, candidate, &subjects, &*world.blobs)?;
    let found = found.settled(submission.candidate, &given, &*world.blobs)?;
    Ok((found.inputs, found.records))
}

/// A name that follows from what is asked for, and when.
fn name(world: &World, request: &RunRequest) -> Result<String, EngineError> {
    let hash = hash_of(&RUN_REQUEST_TAG, request)
        .map_err(|error| StoreError::new(StoreErrorKind::Unavailable, error.to_string()))?;
    let text = format!("{hash}@{}#{}", world.clock.unix_ms(), world.process);
    let id = derive_id("run", &ContentHash::of_bytes(text.as_bytes()));
    Ok(id.chars().take(16).collect())
}

/// Checks that every step has its code, since no model can be asked to write it; all that lack theirs are named.
fn coded(submission: &Submission<'_>) -> Result<(), EngineError> {
    let lacks = |step: &&StepContract| {
        let execution = &step.execution_contract;
        let written = execution.code_hash.is_some() && submission.code.contains_key(&step.step_id);
        let coded = matches!(execution.routing.backend, Backend::SandboxSession | Backend::EdgeIsolate);
        execution.routing.needs_model || execution.routing.backend == Backend::ToolLoop || (coded && !written)
    };
    let without: Vec<String> =
        submission.plan.steps.iter().filter(lacks).map(|step| format!("`{}`", step.step_id)).collect();
    let message = match without.as_slice() {
        [] => return Ok(()),
        [one] => format!("step {one} has no code, and no model can be asked to write it"),
        all => format!("{} steps have no code, and no model can be asked to write it: {}", all.len(), all.join(", ")),
    };
    let help = "give each its code under `code`, as `source` or as `file`; a compiled plan alone has only hashes";
    Err(refuse(codes::NEEDS_MODEL, message, help.to_owned()))
}

/// Checks that every capability that steps need is provided; all that are not are named.
fn implemented(plan: &CompiledPlan) -> Result<(), EngineError> {
    let needs = plan.steps.iter().flat_map(|step| {
        let tools = step.allowed_tool_ids.iter().filter(|tool| !implements(tool));
        tools.map(|tool| format!("`{tool}` (step `{}`)", step.step_id))
    });
    let missing: Vec<String> = needs.collect();
    if missing.is_empty() {
        return Ok(());
    }
    let message = format!("nothing in this runtime implements {}", missing.join(", "));
    let help =
        "`deed catalog list capabilities` marks what is implemented; do the work in code, or remove the capability";
    Err(refuse(codes::CAPABILITY_NOT_IMPLEMENTED, message, help.to_owned()))
}

fn runnable(world: &World, plan: &CompiledPlan, step: &StepContract) -> Result<(), EngineError> {
    let id = &step.step_id;
    let execution = &step.execution_contract;
    if let Err(faults) = Rules::read(execution.egress.clone()) {
        let first = faults.first().map_or_else(String::new, ToString::to_string);
        return Err(refuse(
            codes::BAD_EGRESS_RULES,
            format!("the egress rules of step `{id}` cannot be used: {first}"),
            None,
        ));
    }
    for (path, artifact) in &step.artifact_contracts {
        let described = artifact.entity_schema_id.as_ref().filter(|entity| !entity.is_generic());
        let Some(entity) = described.filter(|_| artifact.derived_schema.is_none()) else { continue };
        let known = types::entity_of(plan, &world.catalog, entity);
        if known.map(|known| known.hash) != artifact.entity_hash && artifact.entity_hash.is_some() {
            let message = format!("`{path}` of step `{id}` is a `{entity}`, which is not the one of this catalogue");
            return Err(refuse(codes::OTHER_CATALOG, message, "compile the plan again".to_owned()));
        }
    }
    Ok(())
}

/// Checks that the secrets that steps send are there before anything starts: of steps that have not ended, and that are not
/// reused.
pub(crate) fn secrets(
    world: &World,
    plan: &CompiledPlan,
    forked: Option<&ForkedFrom>,
    over: impl Fn(&str) -> bool,
) -> Result<(), EngineError> {
    let here = forked.map(|fork| from_on(plan, &fork.step));
    let begins =
        |step: &&StepContract| here.as_ref().is_none_or(|here| here.contains(&step.step_id)) && !over(&step.step_id);
    for step in plan.steps.iter().filter(begins) {
        let credentials = step.execution_contract.egress.iter().filter_map(|rule| rule.credential.as_ref());
        for credential in credentials {
            let unfit = match secret_name(&credential.secret).map(|name| (name, world.secrets.secret(name))) {
                Some((name, Ok(secret))) => deed_egress::unfit_secret(credential, name, &secret),
                Some((_, Err(error))) => Some(error.to_string()),
                None => Some("its rule names no secret".to_owned()),
            };
            if let Some(why) = unfit {
                let message = format!("step `{}` sends a credential, and {why}", step.step_id);
                return Err(refuse(codes::SECRET_MISSING, message, WHERE_SECRETS_ARE.to_owned()));
            }
        }
    }
    Ok(())
}

/// Returns the grant: the plan's budget, tightened by the submission's. The worst case has to fit.
fn granted(submission: &Submission<'_>) -> Result<Budget, EngineError> {
    let plan = submission.plan;
    let own = plan.budget.unwrap_or_default();
    let given = submission.grant.unwrap_or_default();
    let least = |a: Option<u64>, b: Option<u64>| match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (one, other) => one.or(other),
    };
    let grant = Budget {
        tool_calls: least(own.tool_calls, given.tool_calls),
        governed_calls: least(own.governed_calls, given.governed_calls),
        model_tokens: least(own.model_tokens, given.model_tokens),
        wall_seconds: least(own.wall_seconds, given.wall_seconds),
        bytes_out: least(own.bytes_out, given.bytes_out),
        money_micros: least(own.money_micros, given.money_micros),
    };
    let endless = plan.steps.iter().map(|step| (&step.step_id, &step.execution_contract)).find(|(_, execution)| {
        let learns = submission.options.learn_egress && execution.routing.backend == Backend::SandboxSession;
        let sends = (learns || !execution.egress.is_empty()) && execution.attempt.governed_calls != Some(0);
        sends && execution.attempt.bytes_out.is_none()
    });
    if let (Some(granted), Some((id, _))) = (grant.bytes_out, endless) {
        let message = format!("step `{id}` may send without limit, and {granted} of `bytes_out` are granted");
        let help = "give the step `bytes_out` in a `budget` of its own; nothing was run";
        return Err(refuse(codes::GRANT_BELOW_WORST_CASE, message, help.to_owned()));
    }
    match exceeds(&plan.worst_case, &grant) {
        None => Ok(grant),
        Some((part, worst, granted)) => {
            let message = format!("the plan can spend {worst} of `{part}`, and {granted} are granted");
            let help = "grant more, or give steps smaller budgets and fewer retries; nothing was run";
            Err(refuse(codes::GRANT_BELOW_WORST_CASE, message, help.to_owned()))
        }
    }
}

/// Stores the mission's inputs: everything that steps read beneath `input/`, from the folder of the submission.
fn inputs(world: &World, submission: &Submission<'_>) -> Result<Vec<ArtifactRecord>, EngineError> {
    let steps = &submission.plan.steps;
    let read = steps.iter().flat_map(|step| &step.io_contract.read_paths);
    let paths: BTreeSet<&String> = read.filter(|path| path.starts_with("input/")).collect();
    let unknown = |error: &io::Error| {
        let message = format!("which files are the workspace's own cannot be read: {error}");
        let help = "check the owner and the mode of `.deed`, and that `/proc` is mounted; nothing was run";
        refuse(codes::PRIVATE_INPUT, message, help.to_owned())
    };
    let private = PrivateFiles::of(submission.private).map_err(|error| unknown(&error))?;
    let (mut inputs, mut missing) = (Vec::new(), Vec::new());
    let supplied = workspace::supplied(submission.workspace);
    for path in paths {
        if let Some(record) = supplied.get(path) {
            inputs.push(record.clone());
            continue;
        }
        let mut lacks = |why: &str| missing.push((path, why.to_owned()));
        let Some(folder) = submission.input else {
            lacks(NOT_GIVEN);
            continue;
        };
        let relative = path.strip_prefix("input/").unwrap_or(path);
        let Some(whole) = as_spelled(folder, relative) else {
            lacks("is there twice, in two spellings");
            continue;
        };
        let optional = steps.iter().flat_map(|step| &step.io_contract.inputs);
        let optional = optional.filter(|input| input.path.as_ref() == Some(path)).all(|input| !input.required)
            && steps.iter().flat_map(|step| &step.io_contract.inputs).any(|input| input.path.as_ref() == Some(path));
        match std::fs::metadata(&whole) {
            Ok(found) if found.is_file() => {}
            Ok(_) => {
                lacks("is not a file there");
                continue;
            }
            Err(_) if optional => continue,
            Err(_) => {
                lacks(NOT_THERE);
                continue;
            }
        }
        let mut file = match File::open(&whole) {
            Ok(file) => file,
            Err(error) => {
                lacks(&format!("cannot be read: {error}"));
                continue;
            }
        };
        if is_private(&file, &private).map_err(|error| unknown(&error))? {
            let message = format!("`{path}` is a file of the workspace itself, which steps are not given");
            let help = "keep inputs in a folder of their own; `.deed` holds keys, secrets and the journal";
            return Err(refuse(codes::PRIVATE_INPUT, message, help.to_owned()));
        }
        if let (Links::Refuse, Some(target)) = (submission.links, outside(folder, &file)) {
            return Err(leads_out(path, &target));
        }
        if missing.is_empty() {
            let kept = world.blobs.put(&mut file)?;
            inputs.push(ArtifactRecord { path: path.clone(), sha256: kept.sha256, bytes: kept.bytes });
        }
    }
    if missing.is_empty() { Ok(inputs) } else { Err(missing_inputs(submission.input, &missing)) }
}

/// Reasons for which an input is missing.
const NOT_GIVEN: &str = "was not given";
const NOT_THERE: &str = "is not there";
/// The most missing inputs that are named.
const MOST_MISSING: usize = 20;

/// Names every input that is missing, and the folder where it does not exist.
fn missing_inputs(folder: Option<&Path>, missing: &[(&String, String)]) -> EngineError {
    let mut paths: Vec<String> = missing.iter().take(MOST_MISSING).map(|(path, _)| format!("`{path}`")).collect();
    if missing.len() > MOST_MISSING {
        paths.push(format!("{} more", missing.len() - MOST_MISSING));
    }
    let paths = paths.join(", ");
    let all = |reason: &str| missing.iter().all(|(_, why)| why == reason);
    let message = match (folder.filter(|folder| !folder.is_dir()), missing) {
        (Some(folder), _) => {
            format!("the folder `{}` does not exist; the plan reads {paths} from it", folder.display())
        }
        (None, [(path, why)]) => format!("the plan reads `{path}`, which {why}"),
        (None, _) if all(NOT_GIVEN) => format!("the plan reads {paths}, which were not given"),
        (None, _) if all(NOT_THERE) => format!("the plan reads {paths}, which are not there"),
        (None, _) => {
            let each = missing.iter().take(MOST_MISSING).map(|(path, why)| format!("`{path}`, which {why}"));
            format!("the plan reads {}", each.collect::<Vec<_>>().join("; "))
        }
    };
    let help = "name the folder that has the inputs with `--input`; `input/a.csv` is `a.csv` in that folder";
    refuse(codes::INPUT_NOT_SUPPLIED, message, help.to_owned())
}

/// Files that no input may be, by their folders and, for those that another name could lead to, by their numbers.
struct PrivateFiles {
    folders: Vec<PathBuf>,
    numbers: BTreeSet<(u64, u64)>,
}

impl PrivateFiles {
    /// Lists the private files. A folder that does not exist holds none; one that cannot be read is an error, since its files
    /// would pass for others.
    fn of(folders: &[PathBuf]) -> io::Result<Self> {
        let mut private = Self { folders: Vec::new(), numbers: BTreeSet::new() };
        for folder in folders {
            let Some(folder) = existing(std::fs::canonicalize(folder))? else { continue };
            for held in [folder.join("keys"), folder.join("secrets")] {
                for file in existing(std::fs::read_dir(held))?.into_iter().flatten() {
                    let found = file?.metadata()?;
                    private.numbers.insert((found.dev(), found.ino()));
                }
            }
            private.folders.push(folder);
        }
        Ok(private)
    }
}

/// Returns none for what does not exist.
fn existing<T>(found: io::Result<T>) -> io::Result<Option<T>> {
    match found {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        other => other.map(Some),
    }
}

/// Returns whether an opened file is one of the workspace's own.
fn is_private(file: &File, private: &PrivateFiles) -> io::Result<bool> {
    let lies = std::fs::read_link(format!("/proc/self/fd/{}", file.as_raw_fd()))?;
    let found = file.metadata()?;
    let beneath = private.folders.iter().any(|folder| lies.starts_with(folder));
    Ok(beneath || private.numbers.contains(&(found.dev(), found.ino())))
}

/// Returns the place of an opened file that is not beneath the folder.
fn outside(folder: &Path, file: &File) -> Option<PathBuf> {
    // The kernel names the file that is open, whichever links led to it, even if they change meanwhile.
    let lies = std::fs::read_link(format!("/proc/self/fd/{}", file.as_raw_fd())).ok();
    let beneath =
        std::fs::canonicalize(folder).ok().zip(lies.as_ref()).is_some_and(|(folder, lies)| lies.starts_with(folder));
    if beneath { None } else { Some(lies.unwrap_or_default()) }
}

fn leads_out(path: &str, target: &Path) -> EngineError {
    let message = format!("`{path}` is a link to `{}`, outside the folder of inputs", target.display());
    let help = "put the file itself into the folder, or pass `--follow-links` to use what the link leads to";
    refuse(codes::LINKED_INPUT, message, help.to_owned())
}

/// The inputs of a plan that are links out of the folder of inputs, and where each leads.
pub fn linked_inputs(plan: &CompiledPlan, folder: &Path) -> Vec<(String, PathBuf)> {
    let read = plan.steps.iter().flat_map(|step| &step.io_contract.read_paths);
    let paths: BTreeSet<&String> = read.filter(|path| path.starts_with("input/")).collect();
    let linked = paths.into_iter().filter_map(|path| {
        let file = File::open(as_spelled(folder, path.strip_prefix("input/")?)?).ok()?;
        Some((path.clone(), outside(folder, &file)?))
    });
    linked.collect()
}

/// A path below a folder, by the names that are there: contracts have letters composed, and some systems write them as
/// letters and marks. None where more than one is meant.
fn as_spelled(folder: &Path, relative: &str) -> Option<PathBuf> {
    relative.split('/').try_fold(folder.to_owned(), |folder, part| {
        let whole = folder.join(part);
        if part.is_ascii() {
            return Some(whole);
        }
        let names = std::fs::read_dir(&folder).into_iter().flatten().flatten().map(|entry| entry.file_name());
        let mut alike = names.filter(|name| name.to_str().is_some_and(|name| composed(name) == part));
        match (alike.next(), alike.next()) {
            (None, _) => Some(whole),
            (Some(name), None) => Some(folder.join(name)),
            (Some(_), Some(_)) => None,
        }
    })
}

/// Checks that everything a fork reuses is there and is the same. Returns the run that its ancestors began with, where that
/// is another.
fn forkable(
    world: &World,
    plan: &CompiledPlan,
    request: &RunRequest,
    fork: &ForkedFrom,
) -> Result<Option<String>, EngineError> {
    let entries = world.journal.events(&fork.run_id, 0)?;
    let state = RunState::of(entries.iter().map(|entry| &entry.record.event));
    let Some(earlier) = &state.request else {
        let message = format!("there is no run `{}`", fork.run_id);
        return Err(refuse(codes::NOT_FORKABLE, message, "`deed runs list` shows all runs".to_owned()));
    };
    if state.ended.is_none() {
        let message = format!("the run `{}` has not ended", fork.run_id);
        return Err(refuse(codes::NOT_FORKABLE, message, "cancel it, or wait until it ends".to_owned()));
    }
    if earlier.inputs != request.inputs {
        let message = format!("the run `{}` was given other inputs", fork.run_id);
        return Err(refuse(
            codes::NOT_FORKABLE,
            message,
            "a fork reads the same inputs; to read others, start a new run without `--from` and `--step`".to_owned(),
        ));
    }
    if !state.steps.contains_key(&fork.step) {
        let message = format!("the run `{}` has not started a step `{}`", fork.run_id, fork.step);
        let like = did_you_mean(&fork.step, state.steps.keys().map(String::as_str));
        let help = like.unwrap_or_else(|| format!("`deed runs show {}` lists the steps that it started", fork.run_id));
        return Err(refuse(codes::UNKNOWN_RUN_STEP, message, help));
    }
    let again = from_on(plan, &fork.step);
    gated_as_before(world, plan, earlier, &again)?;
    for step in plan.steps.iter().filter(|step| !again.contains(&step.step_id)) {
        // A step beside it can run here, if it was not started there or only computes.
        let before = from_on(plan, &step.step_id).contains(&fork.step);
        let open = !before && (is_pure(step) || state.step(&step.step_id).is_none());
        if !open && !is_same(world, &entries, step) {
            let message = format!(
                "`{}` does not come after `{}`, and is not the step that the run `{}` did",
                step.step_id, fork.step, fork.run_id
            );
            let help =
                "fork from that step on, or run the plan from its beginning; `deed plan diff` shows what changed";
            return Err(refuse(codes::NOT_FORKABLE, message, help.to_owned()));
        }
    }
    Ok(earlier.forked.as_ref().map(|before| before.first.as_ref().unwrap_or(&before.run_id).clone()))
}

/// Steps that are done anew wait for every gate that they waited for in the earlier run: a fork serves what was approved
/// there, and does the rest, so leaving a gate out would let the rest pass unasked.
fn gated_as_before(
    world: &World,
    plan: &CompiledPlan,
    earlier: &RunRequest,
    again: &BTreeSet<String>,
) -> Result<(), EngineError> {
    let Ok(before) = load_plan(world, earlier) else {
        let message = format!("the plan of the run `{}` is missing or was altered", earlier.run_id);
        return Err(refuse(codes::NOT_FORKABLE, message, "restore the blobs from a backup".to_owned()));
    };
    let role = |plan: &CompiledPlan, id: &str| {
        plan.gates.iter().find(|gate| gate.gate_id == id).map(|gate| gate.approver_role.clone())
    };
    let waits = |then: &StepContract, gate: &String| match plan.steps.iter().find(|now| now.step_id == then.step_id) {
        Some(now) => !again.contains(&now.step_id) || now.waits_for.contains(gate),
        // The step was removed or renamed: some step has to wait there.
        None => plan.steps.iter().any(|now| now.waits_for.contains(gate)),
    };
    for then in &before.steps {
        for gate in &then.waits_for {
            let words = match (waits(then, gate), role(&before, gate), role(plan, gate)) {
                (true, asked, asks) if asked == asks => continue,
                (true, asked, asks) => {
                    let (asked, asks) = (asked.unwrap_or_default(), asks.unwrap_or_default());
                    format!("was for `{asked}` in the run `{}`, and would be for `{asks}` now", earlier.run_id)
                }
                (false, ..) => format!(
                    "is where `{}` waited in the run `{}`, and it would not wait there now",
                    then.step_id, earlier.run_id
                ),
            };
            let message = format!("the gate `{gate}` {words}");
            let help = if gate.starts_with("pack-") {
                "give the `--pack` that the earlier run was given, or run the plan from its beginning"
            } else {
                "keep the gate in the plan, or run the plan from its beginning"
            };
            return Err(refuse(codes::FORK_LOSES_GATE, message, help.to_owned()));
        }
    }
    Ok(())
}

/// Returns whether a run did a step under the same contract, with the same code.
fn is_same(world: &World, entries: &[JournalEntry], step: &StepContract) -> bool {
    let did = entries.iter().find_map(|entry| match &entry.record.event {
        RunEvent::StepSucceeded { step: id, receipt, .. } if *id == step.step_id => Some(receipt),
        _ => None,
    });
    let of = did.and_then(|receipt| open_postflight(receipt, world.knows()).ok()).map(|receipt| receipt.of);
    of.is_some_and(|of| of.compiled() == step.spec_hash && of.code_hash == step.execution_contract.code_hash)
}
