//! Workspaces as they are listed and shown.

use super::choice::{WorkspaceChoice, in_use};
use super::open::{OpenWorkspace, chosen, named, names};
use crate::error::AppError;
use crate::memory;
use crate::profiles;
use crate::registry;
use crate::session::Session;
use deed_canon::ChainHead;
use deed_model::{ModelSettings, ProfileScope, WorkspacePerson, WorkspaceSettings};
use deed_workspace::{Area, WorkspaceState};

/// A workspace of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedWorkspace {
    /// The name.
    pub name: String,
    /// The kind of work that it is for.
    pub purpose: Option<String>,
    /// True if it is in use.
    pub in_use: bool,
    /// The number of its people.
    pub people: u64,
    /// The number of its live files of people, and of agents.
    pub files: (u64, u64),
}

/// A run of a workspace, in short.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunSummary {
    /// The run.
    pub run_id: String,
    /// The name of its plan.
    pub plan: String,
    /// The time of its submission.
    pub at: String,
    /// Its outcome; none if it has not ended, or its outputs were not written yet.
    pub outcome: Option<&'static str>,
    /// The number of files that it wrote.
    pub files: u64,
}

/// A workspace with everything that governs its runs.
#[derive(Debug, Clone)]
pub struct ShownWorkspace {
    /// The workspace in short.
    pub listed: ListedWorkspace,
    /// The tenant.
    pub tenant_id: String,
    /// The time of its creation.
    pub created_at: String,
    /// The person who created it.
    pub created_by: String,
    /// The settings.
    pub settings: WorkspaceSettings,
    /// The settings of models and the limits, typed.
    pub models: Option<ModelSettings>,
    /// The profile of runs that name none, and its origin: `workspace`, `default` or `tenant`.
    pub profile: Option<(String, &'static str)>,
    /// The people.
    pub people: Vec<WorkspacePerson>,
    /// The bytes of all versions.
    pub bytes: u64,
    /// The number of all versions.
    pub versions: u64,
    /// The number of its memories.
    pub memories: u64,
    /// The runs, the newest first.
    pub runs: Vec<RunSummary>,
    /// The end of its log.
    pub head: Option<ChainHead>,
}

/// Lists the workspaces of the home, by name.
///
/// # Errors
/// There is no home, or a log cannot be read.
pub fn list(session: &Session) -> Result<Vec<ListedWorkspace>, AppError> {
    let current = in_use(session)?;
    let names = names(&session.home()?)?;
    // A folder whose creation a crash interrupted is no workspace yet.
    let opened = names.iter().filter_map(|name| match named(session, name) {
        Err(error) if is_unknown(&error) => None,
        opened => Some(opened),
    });
    opened.map(|opened| listed(&opened?, current.as_deref())).collect()
}

/// Returns the default profiles of the workspaces of the home, each with the name of its workspace.
///
/// # Errors
/// There is no home, or a log cannot be read.
pub(crate) fn defaults(session: &Session) -> Result<Vec<(String, String)>, AppError> {
    let mut defaults = Vec::new();
    for name in names(&session.home()?)? {
        let opened = match named(session, &name) {
            Err(error) if is_unknown(&error) => continue,
            opened => opened?,
        };
        defaults.extend(opened.state()?.settings.default_profile.clone().map(|profile| (name, profile)));
    }
    Ok(defaults)
}

fn is_unknown(error: &AppError) -> bool {
    error.report.diagnostics().iter().any(|found| found.code == deed_diag::codes::WORKSPACE_NOT_FOUND)
}

fn listed(opened: &OpenWorkspace, current: Option<&str>) -> Result<ListedWorkspace, AppError> {
    let state = opened.state()?;
    let files = |area: Area| {
        let folder = format!("{}/", area.as_str());
        state.files().filter(|file| file.is_live() && file.path.starts_with(&folder)).count() as u64
    };
    Ok(ListedWorkspace {
        name: opened.name.clone(),
        purpose: state.purpose.clone(),
        in_use: current == Some(opened.name.as_str()),
        people: state.people().count() as u64,
        files: (files(Area::People), files(Area::Agents)),
    })
}

/// Shows a workspace with what is in force for its runs.
///
/// # Errors
/// There is no such workspace, or its log cannot be read.
pub fn show(session: &Session, choice: &WorkspaceChoice) -> Result<ShownWorkspace, AppError> {
    let opened = chosen(session, choice)?;
    let state = opened.state()?;
    let mut runs: Vec<RunSummary> = state
        .runs()
        .map(|run| RunSummary {
            run_id: run.run_id.clone(),
            plan: run.plan.clone(),
            at: run.at.clone(),
            outcome: run.ended.map(|(outcome, _)| outcome.as_str()),
            files: run.ended.map_or(0, |(_, files)| files),
        })
        .collect();
    runs.sort_by(|a, b| (&b.at, &b.run_id).cmp(&(&a.at, &a.run_id)));
    Ok(ShownWorkspace {
        listed: listed(&opened, in_use(session)?.as_deref())?,
        tenant_id: state.tenant_id.clone(),
        created_at: state.created_at.clone(),
        created_by: state.created_by.clone(),
        models: state.settings.model_settings.as_deref().cloned(),
        profile: profile(session, &opened.name, &state)?,
        settings: state.settings.clone(),
        people: state.people().cloned().collect(),
        bytes: state.bytes(),
        versions: state.versions(),
        memories: memory::count_in(&opened.home.workspace_memory(&opened.name))?,
        runs,
        head: opened.store.head().map_err(registry::error)?,
    })
}

/// The profile of runs that name none: bound to the workspace, its default, or bound to the tenant.
fn profile(
    session: &Session,
    workspace: &str,
    state: &WorkspaceState,
) -> Result<Option<(String, &'static str)>, AppError> {
    let registered = profiles::registered(session)?;
    let bound = |scope: &ProfileScope| registered.bound(scope).map(|record| record.profile_ref.to_string());
    let own = bound(&ProfileScope::Workspace { workspace: workspace.to_owned() }).map(|found| (found, "workspace"));
    let default = state.settings.default_profile.clone().map(|found| (found, "default"));
    let tenant = ProfileScope::Tenant { tenant_id: session.home()?.config.tenant };
    Ok(own.or(default).or_else(|| bound(&tenant).map(|found| (found, "tenant"))))
}
