//! `deed workspace show`: a workspace, and what is in force for its runs.

use super::choice::WorkspaceArgs;
use super::list::WorkspaceSummary;
use crate::args::Global;
use crate::commands::execution::shown::ShownHead;
use crate::output::Success;
use crate::text::{count, writeln};
use clap::Args;
use deed_app::AppError;
use deed_app::workspaces::{ShownWorkspace, show};
use deed_model::{ModelSettings, SecretSource, WorkspacePerson, WorkspaceSettings};
use deed_reach::in_words;
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt::Write as _;

/// Runs that are listed.
const RUNS: usize = 10;

/// Show a workspace: what its runs use and are held to, its people and its latest runs.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed workspace show
  deed workspace show --workspace reports --json")]
pub(crate) struct Show {
    #[command(flatten)]
    workspace: WorkspaceArgs,
}

/// A workspace.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct WorkspaceData {
    /// The workspace in short.
    summary: WorkspaceSummary,
    /// The tenant.
    tenant_id: String,
    /// The time of its creation.
    created_at: String,
    /// The person who created it.
    created_by: String,
    /// The profile of runs that name none.
    #[serde(skip_serializing_if = "Option::is_none")]
    profile: Option<ProfileInForce>,
    /// The settings.
    settings: WorkspaceSettings,
    /// The people.
    people: Vec<WorkspacePerson>,
    /// The bytes of all versions; equal content counts once.
    bytes: u64,
    /// The number of all versions.
    versions: u64,
    /// The number of its memories.
    memories: u64,
    /// The latest runs, the newest first.
    runs: Vec<WorkspaceRun>,
    /// The number of all runs.
    runs_total: u64,
    /// The end of its log.
    head: Option<ShownHead>,
}

/// The profile of runs that name none.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ProfileInForce {
    /// The profile.
    profile: String,
    /// Why it is in force: bound to the `workspace`, its `default`, or bound to the `tenant`.
    origin: String,
}

/// A run of a workspace.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct WorkspaceRun {
    /// The run.
    run_id: String,
    /// The name of its plan.
    plan: String,
    /// The time of its submission.
    at: String,
    /// Its outcome; null where it has not ended, or its outputs were not written yet.
    outcome: Option<String>,
    /// The number of files that it wrote.
    files: u64,
}

impl Show {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let shown = show(&global.session(), &self.workspace.choice())?;
        let text = text(&shown);
        let run = |run: &deed_app::workspaces::RunSummary| WorkspaceRun {
            run_id: run.run_id.clone(),
            plan: run.plan.clone(),
            at: run.at.clone(),
            outcome: run.outcome.map(str::to_owned),
            files: run.files,
        };
        let origin = |(profile, origin): (String, &str)| ProfileInForce { profile, origin: origin.to_owned() };
        let data = WorkspaceData {
            summary: WorkspaceSummary::of(&shown.listed),
            runs: shown.runs.iter().take(RUNS).map(run).collect(),
            runs_total: shown.runs.len() as u64,
            tenant_id: shown.tenant_id,
            created_at: shown.created_at,
            created_by: shown.created_by,
            profile: shown.profile.map(origin),
            settings: shown.settings,
            people: shown.people,
            bytes: shown.bytes,
            versions: shown.versions,
            memories: shown.memories,
            head: shown.head.map(|head| ShownHead { seq: head.seq, hash: head.hash.to_string() }),
        };
        Ok(Success::new(data, text))
    }
}

fn text(shown: &ShownWorkspace) -> String {
    let mut out = String::new();
    let listed = &shown.listed;
    let in_use = if listed.in_use { "  (in use)" } else { "" };
    let _ = writeln!(out, "workspace {}{in_use}", listed.name);
    if let Some(purpose) = &listed.purpose {
        let _ = writeln!(out, "  purpose   {purpose}");
    }
    let _ = writeln!(out, "  created   {} by {}, tenant {}", shown.created_at, shown.created_by, shown.tenant_id);
    let (people, agents) = listed.files;
    let (versions, bytes) = (count(shown.versions, "version"), count(shown.bytes, "byte"));
    let _ = writeln!(out, "  files     {people} of people, {agents} of agents; {versions}, {bytes}");
    let _ = writeln!(out, "  memory    {}", count(shown.memories, "memory").replace("memorys", "memories"));
    match &shown.profile {
        Some((profile, "workspace")) => drop(writeln!(out, "  profile   {profile}, bound to the workspace")),
        Some((profile, "tenant")) => drop(writeln!(out, "  profile   {profile}, bound to the tenant")),
        Some((profile, _)) => drop(writeln!(out, "  profile   {profile}, the default of the workspace")),
        None => out.push_str("  profile   none\n"),
    }
    out.push_str(&settings_text(&WorkspaceSettings { default_profile: None, ..shown.settings.clone() }));
    if let Some(models) = &shown.models {
        out.push_str(&limits_text(models));
    }
    for person in &shown.people {
        let _ = writeln!(out, "  person    {}", person_line(person));
    }
    if shown.people.len() == 1 {
        out.push_str("  approver  the only person decides at every gate, and approvals say so\n");
    }
    for run in shown.runs.iter().take(RUNS) {
        let outcome = run.outcome.unwrap_or("not settled");
        let files = if run.files > 0 { format!(", wrote {}", count(run.files, "file")) } else { String::new() };
        let _ = writeln!(out, "  run       {}  {}  {outcome}{files}", run.run_id, run.plan);
    }
    if let Some(head) = &shown.head {
        let _ = writeln!(out, "  head      {}", head.hash);
    }
    out
}

/// A person in a line.
pub(crate) fn person_line(person: &WorkspacePerson) -> String {
    let roles: Vec<&str> = person.roles.iter().map(String::as_str).collect();
    let roles = if roles.is_empty() { "no role".to_owned() } else { roles.join(", ") };
    let name = person.name.as_ref().map(|name| format!(" ({name})")).unwrap_or_default();
    format!("{}{name}: {roles}", person.person_id)
}

/// Settings in lines.
pub(super) fn settings_text(settings: &WorkspaceSettings) -> String {
    let mut out = String::new();
    if let Some(profile) = &settings.default_profile {
        let _ = writeln!(out, "  profile   {profile}");
    }
    if let Some(pack) = &settings.default_pack {
        let environment = pack.environment.as_ref().map(|name| format!(" of {name}")).unwrap_or_default();
        let _ = writeln!(out, "  pack      {}{environment}", pack.pack);
    }
    for (name, source) in &settings.secrets {
        let source = match source {
            SecretSource::Project => "of the project".to_owned(),
            SecretSource::File { file } => format!("from the file {file}"),
            SecretSource::Environment { variable } => format!("from the variable {variable}"),
        };
        let _ = writeln!(out, "  secret    {name} {source}");
    }
    let quota = &settings.quota;
    let _ = writeln!(out, "  quota     {}, {}", count(quota.bytes, "byte"), count(quota.versions, "version"));
    out
}

/// The limits of a workspace in lines.
fn limits_text(models: &ModelSettings) -> String {
    let mut out = String::new();
    let limits = &models.limits;
    match limits.egress.as_deref() {
        Some([]) => out.push_str("  limit     no egress\n"),
        Some(rules) => {
            for rule in rules {
                let _ = writeln!(out, "  limit     egress {}", in_words(rule));
            }
        }
        None => {}
    }
    for (name, limit) in [
        ("steps", limits.max_steps),
        ("tool calls", limits.tool_calls),
        ("model tokens", limits.model_tokens),
        ("money in micros", limits.money_micros),
    ] {
        if let Some(limit) = limit {
            let _ = writeln!(out, "  limit     {limit} {name}");
        }
    }
    out
}
