//! Prepares a run that stopped, waits or was interrupted to be driven again.

use super::environment::{MachineOptions, RunEnvironment};
use super::head::{self, Head};
use super::load::{LoadedRun, load, require_plan, store_error};
use super::status::resume_command;
use crate::catalog;
use crate::error::AppError;
use crate::session::Session;
use crate::workspaces::{self, ProjectDirectory};
use deed_diag::{Diagnostic, Report, codes};
use deed_model::CompiledPlan;
use deed_ports::{ApproverStanding, Directory as _};
use deed_runtime::RunState;
use std::path::PathBuf;
use tracing::info_span;

/// A run that can be driven again.
#[derive(Debug)]
pub struct Resumed {
    /// The engine.
    pub environment: RunEnvironment,
    /// The run.
    pub run_id: String,
    /// Its compiled plan.
    pub plan: CompiledPlan,
    /// Its state.
    pub state: RunState,
    /// Warnings about the types that it reads.
    pub warnings: Report,
}

/// Prepares a run to be driven again.
///
/// # Errors
/// There is no such run, the actor is no person of its workspace, it lacks a head, or it was started with options that are not given now (D2073): nothing was
/// changed then.
pub fn resume(
    session: &Session,
    run: &str,
    heads: &[Head],
    machine: &MachineOptions,
    catalog_folders: &[PathBuf],
) -> Result<Resumed, AppError> {
    let _span = info_span!("resume", run).entered();
    let (_, store, loaded) = load(session, run)?;
    workspaces::by_member(session, loaded.state.request.as_ref())?;
    let plan = require_plan(&store, &loaded.state)?;
    let contains = |run: Option<&str>, head: &_| store.contains(run, head).map_err(|error| store_error(&error));
    head::extends(heads, Some(&loaded.run_id), contains)?;
    machine.approvable(&plan)?;
    if loaded.state.ended.is_none() {
        equipped(&loaded, machine)?;
        entitled(session, &loaded, machine)?;
    }
    let (catalog, warnings) = catalog::for_run(session, catalog_folders, &loaded.state)?;
    drop(store);
    let workspace = loaded.state.request.as_ref().and_then(|request| request.workspace.as_ref());
    let environment = RunEnvironment::open_in(session, catalog, machine, workspace)?;
    if let Some(request) = &loaded.state.request {
        workspaces::began(session, request)?;
    }
    environment.accept_rollback(&loaded.run_id, machine)?;
    Ok(Resumed { environment, run_id: loaded.run_id, plan, state: loaded.state, warnings })
}

/// Refuses roles to approve beforehand that the actor does not hold in the workspace of the run: their gates would wait as if
/// nothing had been said.
fn entitled(session: &Session, loaded: &LoadedRun, machine: &MachineOptions) -> Result<(), AppError> {
    let Some(of) = loaded.state.request.as_ref().and_then(|request| request.workspace.as_ref()) else { return Ok(()) };
    let actor = session.stamp()?.actor;
    let directory = ProjectDirectory::new(session.home()?.workspaces());
    for role in &machine.approve {
        if let ApproverStanding::Lacks { why, help } = directory.standing(&of.workspace, &actor, role) {
            let message = format!("`--approve {role}` has no effect: {why}");
            return Err(AppError::refused(Diagnostic::error(codes::ROLE_NOT_HELD, message).stage("gates").help(help)));
        }
    }
    Ok(())
}

/// Refuses to continue without what the run was started with: what lacks would be found when a step has begun.
fn equipped(loaded: &LoadedRun, machine: &MachineOptions) -> Result<(), AppError> {
    let Some(options) = loaded.state.request.as_ref().map(|request| &request.options) else { return Ok(()) };
    let given = machine.names();
    let lacking = options.resolve.iter().filter(|name| !given.contains(name));
    let mut lacking: Vec<String> = lacking.map(|name| format!("--resolve {name}=ADDRESS")).collect();
    if options.extra_roots && !machine.extra_roots() {
        lacking.push("--ca FILE".to_owned());
    }
    if lacking.is_empty() {
        return Ok(());
    }
    let run_id = &loaded.run_id;
    let message = format!("run `{run_id}` was started with `{}`, which is not given now", lacking.join(" "));
    let help = format!("nothing was run; give it again: `{}`", resume_command(run_id, Some(options)));
    Err(AppError::refused(Diagnostic::error(codes::RESUME_OPTIONS_MISSING, message).stage("run").help(help)))
}
