//! A run of a workspace: what the workspace gives it, and what is frozen with it.

use super::choice::{WorkspaceChoice, resolved};
use super::open::named;
use super::settle::{Unsettled, settle};
use super::{findings, refused};
use crate::error::AppError;
use crate::packs::PackChoice;
use crate::profiles;
use crate::registry::report_of;
use crate::runs::{load, store, store_error};
use crate::session::Session;
use deed_diag::{Diagnostic, Report, codes, did_you_mean, quote};
use deed_model::{CompiledPlan, FrozenWorkspace, IoContract, ModelSettings, OutputRole, ProfileScope, WorkspaceInput};
use deed_profile::SettingsFile;
use deed_workspace::{FileRef, Standing, VersionRef, WorkspaceState, agents_path, input_path, resolve, standing};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::rc::Rc;

/// The workspace that a run is submitted in.
#[derive(Debug)]
pub(crate) struct Member {
    name: String,
    state: Rc<WorkspaceState>,
    pub(super) settings: Option<SettingsFile>,
    bound: Option<(String, &'static str)>,
    unsettled: Vec<Unsettled>,
}

/// Where the inputs of a run come from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct InputSources<'s> {
    /// A folder that has all inputs which `files` does not name.
    pub(crate) folder: Option<&'s Path>,
    /// Inputs with references to versions of files.
    pub(crate) files: &'s [(String, String)],
    /// The run that it is forked from.
    pub(crate) fork: Option<&'s str>,
    /// The folder `input` beside the plan, for hints.
    pub(crate) beside: Option<&'s Path>,
}

impl Member {
    /// Opens the workspace that is chosen for a run, if one is. Runs that a killed process left are settled first.
    ///
    /// # Errors
    /// There is no such workspace, the actor is no person of it, or does not hold a role that they approve in beforehand.
    pub(crate) fn of(
        session: &Session,
        choice: &WorkspaceChoice,
        approve: &[String],
    ) -> Result<Option<Self>, AppError> {
        let Some(name) = resolved(session, choice)? else { return Ok(None) };
        let opened = named(session, &name)?;
        let actor = session.stamp()?.actor;
        let state = opened.state()?;
        if state.person(&actor).is_none() {
            let message = format!("{} is no person of the workspace `{name}`", quote(&actor));
            let help = "an owner adds them with `deed people add`; `--no-workspace` runs outside of it";
            return Err(refused(codes::NOT_A_PERSON_OF_WORKSPACE, message, help));
        }
        for role in approve {
            if let Standing::Lacks { why, help } = standing(&state, &actor, role) {
                return Err(refused(codes::ROLE_NOT_HELD, why, help));
            }
        }
        let unsettled = settle(session, &opened)?;
        let state = opened.state()?;
        let settings = state.settings.model_settings.as_ref().map(|models| settings_file(&name, models)).transpose()?;
        let scope = ProfileScope::Workspace { workspace: name.clone() };
        let bound = profiles::registered(session)?.bound(&scope).map(|record| record.profile_ref.to_string());
        let default = state.settings.default_profile.clone();
        let bound = bound.map(|bound| (bound, "bound to the workspace"));
        let bound = bound.or_else(|| default.map(|default| (default, "the default of the workspace")));
        Ok(Some(Self { name, state, settings, bound, unsettled }))
    }

    /// The name of the workspace.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Warnings about runs of the workspace that could not be settled.
    pub(crate) fn warnings(&self) -> Report {
        report_of(self.unsettled.iter().map(Unsettled::found).collect())
    }

    /// The pack of runs that name none.
    pub(crate) fn pack(&self) -> Option<PackChoice> {
        let default = self.state.settings.default_pack.clone();
        default.map(|default| PackChoice { pack: default.pack, environment: default.environment })
    }

    /// The profile of runs that name none, and why it is: it is bound to the workspace, or its default.
    pub(crate) fn profile(&self) -> Option<(&str, &'static str)> {
        self.bound.as_ref().map(|(profile, why)| (profile.as_str(), *why))
    }

    /// The settings of the workspace, as a level of the profile chain.
    pub(crate) fn settings(&self) -> Option<&SettingsFile> {
        self.settings.as_ref()
    }

    /// Freezes the workspace for a run: every input that it supplies is resolved to a version.
    ///
    /// # Errors
    /// An input is missing, or a reference cannot be resolved.
    pub(crate) fn freeze(
        &self,
        session: &Session,
        plan: &CompiledPlan,
        sources: InputSources<'_>,
    ) -> Result<FrozenWorkspace, AppError> {
        // What the run writes has to have a path.
        for path in plan.steps.iter().flat_map(|step| &step.io_contract.write_paths) {
            agents_path(&plan.plan, &path.replace('*', "x")).transpose().map_err(findings)?;
        }
        self.placed(plan)?;
        let paths: BTreeSet<&String> =
            plan.steps.iter().flat_map(|step| &step.io_contract.read_paths).filter(|path| is_input(path)).collect();
        let mut wanted = named_files(&paths, sources.files)?;
        let earlier = if sources.folder.is_none() { self.of_fork(session, sources.fork)? } else { BTreeMap::new() };
        if sources.folder.is_none() {
            for path in &paths {
                let frozen = earlier.get(*path).cloned();
                let latest = || {
                    Ok::<_, AppError>(FileRef {
                        path: input_path(path).map_err(findings)?,
                        version: VersionRef::Latest,
                    })
                };
                if !wanted.contains_key(*path) {
                    let of = frozen.map_or_else(latest, Ok)?;
                    wanted.insert((*path).clone(), (of, false));
                }
            }
        }
        self.settled(&wanted)?;
        let (mut inputs, mut missing) = (Vec::new(), Vec::new());
        for (input, (reference, is_named)) in wanted {
            match resolve(&self.state, &reference) {
                Ok((record, version, content)) => inputs.push(WorkspaceInput {
                    input,
                    path: record.path.clone(),
                    version: version.version,
                    sha256: content.sha256,
                    size_bytes: content.size_bytes,
                }),
                Err(found) if is_named => return Err(findings(found)),
                Err(_) if is_optional(plan, &input) && self.state.file(reference.path.text()).is_none() => {}
                Err(found) => missing.push((input, reference, found)),
            }
        }
        if !missing.is_empty() {
            return Err(self.lacking(&missing, sources.beside));
        }
        self.stored(session, &inputs)?;
        Ok(FrozenWorkspace { workspace: self.name.clone(), inputs, secrets: self.state.settings.secrets.clone() })
    }

    /// Refuses a plan whose outputs would take the place of other files, in another spelling or as a file in place of a folder:
    /// nothing has run yet, so that nothing is lost by refusing. Names that only the run decides on are not known here.
    fn placed(&self, plan: &CompiledPlan) -> Result<(), AppError> {
        let steps = plan.steps.iter().map(|step| &step.io_contract);
        let kept =
            steps.flat_map(|io| io.write_paths.iter().filter(|path| !path.contains('*') && !is_between(io, path)));
        for (output, path) in kept.filter_map(|output| Some((output, agents_path(&plan.plan, output)?))) {
            let path = path.map_err(findings)?;
            if let Some(other) = self.state.in_the_way(path.text(), path.folded()).first() {
                let (own, text) = (quote(output), path.text());
                let message = format!(
                    "{own} would be `{text}`, which cannot be beside `{other}`: some systems take one for the other"
                );
                let help = format!(
                    "name the output as the file is, or remove the file: `deed files remove {other} --reason TEXT`"
                );
                return Err(refused(codes::WORKSPACE_PATH_TAKEN, message, help));
            }
        }
        Ok(())
    }

    /// Refuses a plan that would read the newest version of what a run wrote that could not be settled: it would read an older
    /// one.
    fn settled(&self, wanted: &Wanted) -> Result<(), AppError> {
        let newest = |(_, (reference, _)): &(&String, &(FileRef, bool))| reference.version == VersionRef::Latest;
        for (input, (reference, _)) in wanted.iter().filter(newest) {
            let writes = |run: &&Unsettled| {
                let folder = agents_path(&run.plan, "output/x");
                let folder = folder.and_then(Result::ok).map(|path| path.folded().trim_end_matches('x').to_owned());
                run.has_outputs && folder.is_some_and(|folder| reference.path.folded().starts_with(&folder))
            };
            if let Some(run) = self.unsettled.iter().find(writes) {
                let found = run.found();
                let message = format!("{} would be an older version: {}", quote(input), found.message);
                let named = format!("`--file {input}={}@VERSION` reads an earlier version", reference.path.text());
                let help = found.help.map_or_else(|| named.clone(), |help| format!("{help}; {named}"));
                return Err(refused(codes::RUN_NOT_SETTLED, message, help));
            }
        }
        Ok(())
    }

    /// The versions that the run read which this one is forked from: a fork reads the same inputs.
    fn of_fork(&self, session: &Session, fork: Option<&str>) -> Result<BTreeMap<String, FileRef>, AppError> {
        let Some(run) = fork else { return Ok(BTreeMap::new()) };
        let (_, _, loaded) = load(session, run)?;
        let workspace = loaded.state.request.and_then(|request| request.workspace);
        let frozen = workspace.filter(|frozen| frozen.workspace == self.name);
        let inputs = frozen.into_iter().flat_map(|frozen| frozen.inputs);
        let reference = |input: WorkspaceInput| {
            let path = deed_workspace::FilePath::read(&input.path).map_err(findings)?;
            Ok::<_, AppError>((input.input, FileRef { path, version: VersionRef::Number(input.version) }))
        };
        inputs.map(reference).collect()
    }

    /// Checks that the content of the inputs is stored, before anything starts.
    fn stored(&self, session: &Session, inputs: &[WorkspaceInput]) -> Result<(), AppError> {
        if inputs.is_empty() {
            return Ok(());
        }
        let Some(store) = store(session)?.1 else {
            let message = format!("the content of the files of the workspace `{}` is not there", self.name);
            return Err(refused(
                codes::STORED_FILE_MISSING,
                message,
                "restore the folder `runs` of the home from a backup",
            ));
        };
        inputs
            .iter()
            .try_for_each(|input| store.check_blob(&input.sha256).map(drop).map_err(|error| store_error(&error)))
    }

    fn lacking(&self, missing: &[(String, FileRef, Vec<Diagnostic>)], beside: Option<&Path>) -> AppError {
        const MOST: usize = 20;
        let one = |(input, reference, _): &(String, FileRef, Vec<Diagnostic>)| {
            format!("{} ({})", quote(input), quote(reference.path.text()))
        };
        let mut all: Vec<String> = missing.iter().take(MOST).map(one).collect();
        if missing.len() > MOST {
            all.push(format!("{} more", missing.len() - MOST));
        }
        let why = missing.first().and_then(|(_, _, found)| found.first()).map(|found| found.message.clone());
        let message = format!("the workspace `{}` lacks inputs of the plan: {}", self.name, all.join(", "));
        let mut help = vec!["upload them with `deed files put FILE PATH`".to_owned()];
        if let Some(beside) = beside {
            help.push(format!("`--input {}` takes the inputs from the folder beside the plan", beside.display()));
        }
        help.push("`--file INPUT=PATH` names a file for an input".to_owned());
        let diagnostic = Diagnostic::error(codes::INPUT_NOT_IN_WORKSPACE, message).stage("workspace");
        let because = why.map(|why| format!("{why}; ")).unwrap_or_default();
        AppError::refused(diagnostic.help(format!("{because}{}", help.join("; "))))
    }
}

/// Returns whether an output is for other steps only, and is not delivered.
fn is_between(io: &IoContract, path: &str) -> bool {
    io.outputs.iter().any(|output| output.path == path && output.role == OutputRole::Intermediate)
}

/// Returns the default pack of the workspace that is chosen, with its name; none without a workspace, and for one that has none.
///
/// # Errors
/// There is no such workspace, or its log cannot be read.
pub(crate) fn default_pack(
    session: &Session,
    choice: &WorkspaceChoice,
) -> Result<Option<(String, PackChoice)>, AppError> {
    match resolved(session, choice)? {
        Some(name) => {
            let default = named(session, &name)?.state()?.settings.default_pack.clone();
            Ok(default.map(|default| (name, PackChoice { pack: default.pack, environment: default.environment })))
        }
        None => Ok(None),
    }
}

fn is_input(path: &str) -> bool {
    path.starts_with("input/")
}

/// Reads a stored level of the chain again.
fn settings_file(name: &str, models: &ModelSettings) -> Result<SettingsFile, AppError> {
    let value = serde_json::to_value(models).map_err(AppError::internal)?;
    let bytes = serde_json::to_vec(&stated(value)).map_err(AppError::internal)?;
    Ok(SettingsFile::read(&format!("workspace:{name}.json"), &bytes)?)
}

/// A value without members that are null: an author states a setting or leaves it out.
fn stated(value: Value) -> Value {
    match value {
        Value::Object(members) => {
            let members = members.into_iter().filter(|(_, member)| !member.is_null());
            Value::Object(members.map(|(name, member)| (name, stated(member))).collect())
        }
        Value::Array(items) => Value::Array(items.into_iter().map(stated).collect()),
        other => other,
    }
}

type Wanted = BTreeMap<String, (FileRef, bool)>;

/// The inputs for which the caller names a file.
fn named_files(paths: &BTreeSet<&String>, files: &[(String, String)]) -> Result<Wanted, AppError> {
    let mut wanted = Wanted::new();
    for (input, reference) in files {
        let whole = if is_input(input) { input.clone() } else { format!("input/{input}") };
        let whole = deed_plan::composed(&whole).into_owned();
        if !paths.contains(&whole) {
            let like = did_you_mean(&whole, paths.iter().map(|path| path.as_str()));
            let message = format!("no step of the plan reads {}", quote(&whole));
            let help = like.unwrap_or_else(|| "`deed plan explain` lists what its steps read".to_owned());
            return Err(refused(codes::UNREAD_WORKSPACE_FILE, message, help));
        }
        let reference = FileRef::read(reference).map_err(findings)?;
        if wanted.insert(whole.clone(), (reference, true)).is_some() {
            let message = format!("two files are named for {}", quote(&whole));
            return Err(refused(codes::UNREAD_WORKSPACE_FILE, message, "name one"));
        }
    }
    Ok(wanted)
}

/// Returns whether no step requires an input.
fn is_optional(plan: &CompiledPlan, path: &str) -> bool {
    let inputs = plan.steps.iter().flat_map(|step| &step.io_contract.inputs);
    let mut of = inputs.filter(|input| input.path.as_deref() == Some(path)).peekable();
    of.peek().is_some() && of.all(|input| !input.required)
}
