//! Compiles a plan and submits it as a run.

use super::candidate;
use super::environment::{MachineOptions, RunEnvironment};
use super::load::{engine_error, resolve_name, store};
use super::{models, profile, workspace};
use crate::catalog;
use crate::error::AppError;
use crate::packs;
use crate::plans::{self, PlanSource};
use crate::session::Session;
use crate::workspaces::{self, Member, WorkspaceChoice};
use deed_diag::{Diagnostic, Document, Report, codes, did_you_mean};
use deed_model::{Budget, CompiledPlan, ForkedFrom, PackUse, RunOptions, RunRequest};
use deed_ports::Engine as _;
use deed_runtime::{Links, Submission, from_on, linked_inputs, prepare};
use std::path::{Path, PathBuf};
use tracing::info_span;

/// A run to submit.
#[derive(Debug, Clone, Default)]
pub struct RunSource {
    /// The plan, and what it is compiled with.
    pub plan: PlanSource,
    /// The folder with the mission's inputs; the folder `input` beside the plan otherwise, if there is one.
    pub input: Option<PathBuf>,
    /// Accept inputs that are links out of that folder.
    pub follow_links: bool,
    /// The workspace of the run.
    pub workspace: WorkspaceChoice,
    /// Inputs with references to versions of files of the workspace: `input/hours.csv`, `people/hours.csv@2`.
    pub files: Vec<(String, String)>,
    /// The profile that governs the run: a shipped one, a version of the registry, or a file; the one that is bound otherwise.
    pub profile: Option<String>,
    /// The budget of the whole run.
    pub grant: Budget,
    /// A name for the run. The same name with the same content is the same run.
    pub run_id: Option<String>,
    /// An earlier run, and the step from which on everything is done anew.
    pub fork: Option<(String, String)>,
    /// Options of the run. Names of addresses and certificates are filled in from `machine`.
    pub options: RunOptions,
    /// Settings of the machine.
    pub machine: MachineOptions,
}

/// A run that was submitted and can be driven.
#[derive(Debug)]
pub struct Submitted {
    /// The engine that it was submitted to.
    pub environment: RunEnvironment,
    /// The run.
    pub request: RunRequest,
    /// Its compiled plan.
    pub plan: CompiledPlan,
    /// Warnings of the compile.
    pub warnings: Report,
    /// What the workspace of the run decided, in lines for people.
    pub governed: Vec<String>,
    /// Inputs that are links out of the folder of inputs, each with the file that it leads to.
    pub links: Vec<(String, PathBuf)>,
    /// For a fork: calls with effects that earlier runs made in the steps that are done anew, each run with their number.
    pub sent_before: Vec<(String, usize)>,
}

/// Compiles a plan and submits it.
///
/// # Errors
/// The plan is refused, an input is missing or faulty, or the run does not fit its grant. Nothing has run then.
pub fn submit(session: &Session, source: &RunSource) -> Result<Submitted, AppError> {
    let _span = info_span!("submit", run = source.run_id.as_deref()).entered();
    let (catalog, type_warnings) = catalog::open(session, &source.plan.catalog_folders)?;
    let mut found = Report::default();
    let member = Member::of(session, &source.workspace, &source.machine.approve)?;
    if let Some(member) = &member {
        found.merge(member.warnings());
    }
    let run_id = source.run_id.as_deref();
    let profile = profile::resolved(session, source.profile.as_deref(), run_id, member.as_ref(), &mut found)?;
    let read = plans::document(&source.plan.path);
    let (document, candidate) = candidate::judged(&source.plan.path, read, profile.as_ref())?;
    refuse_compiled(&document)?;
    let default_pack = member.as_ref().and_then(Member::pack).filter(|_| source.plan.pack.is_none());
    let pack = plans::gates(session, source.plan.pack.as_ref().or(default_pack.as_ref()))?;
    let lowered = plans::lowered(&document, &source.plan.path, &catalog, &pack);
    let mut warnings = lowered.report;
    warnings.merge(type_warnings);
    let Some(plan) = lowered.compiled else { return Err(warnings.into()) };
    warnings.merge(found);
    if let Some(snapshot) = &profile {
        profile::held(&plan, snapshot)?;
    }
    source.machine.approvable(&plan)?;
    let workspace = workspace::frozen(session, member.as_ref(), &plan, source)?;
    let environment = RunEnvironment::open_in(session, catalog, &source.machine, workspace.as_ref())?;
    let forked = match &source.fork {
        Some((run, step)) => Some(ForkedFrom { run_id: earlier(session, run)?, step: step.clone(), first: None }),
        None => None,
    };
    let input = source.input.clone().or_else(|| input_beside(&source.plan.path).filter(|_| member.is_none()));
    let machine = &source.machine;
    let actor = session.stamp()?.actor;
    let asked =
        profile.as_ref().map(|snapshot| models::frozen(session, &plan, snapshot, pack.classification, &mut warnings));
    let asked_models = asked.transpose()?.flatten();
    let (grant, asked) = workspace::narrowed(member.as_ref(), profile.as_ref(), source);
    let submission = Submission {
        plan: &plan,
        code: &lowered.code,
        code_places: plans::code_places(&document, &source.plan.path, &lowered.code),
        input: input.as_deref(),
        private: &[environment.home.root().to_owned()],
        links: if source.follow_links { Links::Follow } else { Links::Refuse },
        grant: Some(grant),
        options: RunOptions {
            resolve: machine.names(),
            extra_roots: machine.extra_roots(),
            classification: pack.classification,
            ..asked
        },
        actor: &actor,
        run_id: source.run_id.as_deref(),
        profile: profile.as_ref(),
        candidate: candidate.as_ref(),
        models: asked_models.as_ref(),
        workspace: workspace.as_ref(),
        forked,
    };
    let links = match &input {
        Some(folder) if source.follow_links => linked_inputs(&plan, folder),
        _ => Vec::new(),
    };
    let request = prepare(environment.engine.world(), &submission).map_err(engine_error)?;
    environment.accept_rollback(&request.run_id, machine)?;
    environment.engine.submit(&request).map_err(engine_error)?;
    workspaces::began(session, &request)?;
    if let Some(used) = &pack.used {
        let by = PackUse::Run { run_id: request.run_id.clone() };
        warnings.merge(packs::observe(session, used, &by)?);
    }
    let sent_before = sent_before(&environment, &request, &plan)?;
    let governed = workspace::governed(member.as_ref(), default_pack.as_ref(), source, &request);
    Ok(Submitted { environment, request, plan, warnings, governed, links, sent_before })
}

/// Calls with effects that earlier runs made in the steps that a fork does anew, each run with their number.
fn sent_before(
    environment: &RunEnvironment,
    request: &RunRequest,
    plan: &CompiledPlan,
) -> Result<Vec<(String, usize)>, AppError> {
    let Some(fork) = &request.forked else { return Ok(Vec::new()) };
    let again = from_on(plan, &fork.step);
    environment.engine.sent_before(request, plan, &again).map_err(engine_error)
}

/// Refuses a plan that was compiled: it names code by hashes, and no code is beside it.
fn refuse_compiled(document: &Document) -> Result<(), AppError> {
    if document.value().get("plan_hash").is_none() {
        return Ok(());
    }
    let message = "this is a compiled plan, which names its code by hashes alone";
    let diagnostic = Diagnostic::error(codes::NOT_A_RUNNABLE_PLAN, message).stage("run").at(document.place(""));
    Err(AppError::refused(diagnostic.help("name the plan that it was compiled from")))
}

/// The folder `input` beside a plan.
pub(super) fn input_beside(plan: &Path) -> Option<PathBuf> {
    let folder = plan.parent().filter(|_| plan != Path::new("-"))?.join("input");
    folder.is_dir().then_some(folder)
}

fn earlier(session: &Session, run: &str) -> Result<String, AppError> {
    match store(session)?.1 {
        Some(store) => resolve_name(&store, run),
        None => Ok(run.to_owned()),
    }
}

/// Parses a budget written as `wall_seconds=600` and so on.
///
/// # Errors
/// A part is unknown, or its amount is not a whole number below 2^53.
pub fn parse_budget(parts: &[String]) -> Result<Budget, AppError> {
    let mut budget = Budget::default();
    for part in parts {
        let refuse = |message: String, help: String| {
            AppError::usage(Diagnostic::error(codes::BAD_BUDGET_OPTION, message).stage("run").help(help))
        };
        let no_part = |name: &str| {
            let names: Vec<&str> = Budget::default().parts().into_iter().map(|(name, _)| name).collect();
            let like = did_you_mean(name, names.iter().copied()).map_or_else(String::new, |like| format!("; {like}"));
            let help = format!("write `wall_seconds=600`; there are {}{like}", names.join(", "));
            refuse(format!("{} is not a part of a budget", deed_diag::quote(part)), help)
        };
        let (name, amount) = part.split_once('=').ok_or_else(|| no_part(part))?;
        let known = Budget::default().parts().iter().any(|(known, _)| *known == name);
        if !known {
            return Err(no_part(name));
        }
        let amount = amount.parse::<u64>().ok().filter(|amount| *amount < 1 << 53).ok_or_else(|| {
            let message = format!("{} is not an amount of `{name}`", deed_diag::quote(amount));
            refuse(message, "amounts are whole numbers from 0 to 9007199254740991".to_owned())
        })?;
        if !budget.set(name, amount) {
            return Err(no_part(name));
        }
    }
    Ok(budget)
}
