//! The workspace of a run: the versions that it reads, the approvals in it, and what became of its outputs.

use super::shown::plain;
use crate::text::writeln;
use deed_app::AppError;
use deed_app::runs::Lapse;
use deed_app::workspaces::{KeptFile, RunOutputs};
use deed_model::{ApproverAuthority, FileSuccessor, GateDecision};
use deed_runtime::RunState;
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt::Write as _;

/// A file that a run wrote to its workspace.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct KeptFileData {
    /// The path in the workspace.
    path: String,
    /// The version.
    version: u64,
    /// The version that stays the newest, since its run was submitted later.
    #[serde(skip_serializing_if = "Option::is_none")]
    superseded_by: Option<FileSuccessor>,
    /// The files whose place it took, each with the version that says so.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    replaced: Vec<ReplacedFile>,
}

/// A file whose place an output took.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ReplacedFile {
    /// The path.
    pub(crate) path: String,
    /// The version that says so.
    pub(crate) version: u64,
}

impl ReplacedFile {
    /// The data of a file and the version that says so.
    pub(crate) fn of((path, version): &(String, u64)) -> Self {
        Self { path: path.clone(), version: *version }
    }
}

impl KeptFileData {
    /// The data of a file.
    pub(super) fn of(file: &KeptFile) -> Self {
        Self {
            path: file.path.clone(),
            version: file.version,
            superseded_by: file.superseded_by.clone(),
            replaced: file.replaced.iter().map(ReplacedFile::of).collect(),
        }
    }
}

/// The reason why outputs are not in their workspace.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct NotKept {
    /// The code.
    code: String,
    /// The reason.
    why: String,
    /// The fix.
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<String>,
}

impl NotKept {
    /// The first reason of an error.
    pub(super) fn of(error: &AppError) -> Option<Self> {
        let first = error.report.diagnostics().first()?;
        Some(Self { code: first.code.to_string(), why: first.message.clone(), help: first.help.clone() })
    }
}

/// A file that a run wrote, in a line: what it took the place of, or what stays the newest.
pub(crate) fn kept_line(file: &KeptFile) -> String {
    let mut line = format!("{}@{}", file.path, file.version);
    if let Some(by) = &file.superseded_by {
        line.push_str(&format!("  behind {}", superseding(by, &file.path)));
    }
    for (path, version) in &file.replaced {
        line.push_str(&format!("  in place of {path}, which is removed in its version {version}"));
    }
    line
}

/// The version that stays the newest, in words.
pub(crate) fn superseding(by: &FileSuccessor, path: &str) -> String {
    let other = if by.path == path { format!("version {}", by.version) } else { format!("{}@{}", by.path, by.version) };
    format!("{other} of run {}, which was submitted later and stays the newest", by.run_id)
}

/// An approval or a question that lapsed.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct LapseData {
    /// The gate.
    gate: String,
    /// The time; null where it lapses when the run is resumed.
    at: Option<String>,
    /// The approver, where it was decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    approver: Option<String>,
    /// The reason.
    why: String,
}

impl LapseData {
    /// The data of a lapse.
    pub(crate) fn of(lapse: &Lapse) -> Self {
        let Lapse { gate_id, at, approver, why } = lapse;
        Self { gate: gate_id.clone(), at: at.clone(), approver: approver.clone(), why: why.clone() }
    }
}

/// A lapse in a line: an approval or a question, when and why.
pub(crate) fn lapse_line(lapse: &Lapse) -> String {
    let what = match &lapse.approver {
        Some(approver) => format!("the approval by {}", plain(approver)),
        None => "the question".to_owned(),
    };
    let when = match &lapse.at {
        Some(at) => format!("lapsed at {at}"),
        None => "lapses when the run is resumed, and the gate asks again".to_owned(),
    };
    format!("{what} {when}: {}", plain(&lapse.why))
}

/// What became of the outputs of a run, in lines.
pub(super) fn outputs(outputs: Option<&RunOutputs>) -> String {
    let mut out = String::new();
    match outputs {
        Some(RunOutputs::Kept(kept)) => {
            for file in &kept.files {
                let _ = writeln!(out, "  wrote {}", kept_line(file));
            }
        }
        Some(RunOutputs::NotKept(error)) => {
            let why = NotKept::of(error);
            let said = why.as_ref().map_or("for an unknown reason", |why| why.why.as_str());
            let _ = writeln!(out, "  its outputs are not in the workspace: {}", plain(said));
            if let Some(help) = why.and_then(|why| why.help) {
                let _ = writeln!(out, "    help: {}", plain(&help));
            }
        }
        None => {}
    }
    out
}

/// The workspace of a run; nothing for a run outside of workspaces.
pub(super) fn text(state: &RunState) -> String {
    let mut out = String::new();
    let Some(of) = state.request.as_ref().and_then(|request| request.workspace.as_ref()) else { return out };
    let _ = writeln!(out, "  workspace {}", of.workspace);
    for input in &of.inputs {
        let _ = writeln!(out, "  reads {} as {}@{}", input.input, input.path, input.version);
    }
    let decided = state.gates.values().filter_map(|gate| gate.decided.as_ref()).map(|signed| &signed.approval);
    for approval in decided.filter(|approval| approval.decision == GateDecision::Approved) {
        let authority = match approval.authority {
            Some(ApproverAuthority::SolePerson) => ", the only person of the workspace and its own approver",
            Some(ApproverAuthority::Directory) | None => "",
        };
        let _ =
            writeln!(out, "  {} approved by {} as {}{authority}", approval.gate_id, approval.approver, approval.role);
    }
    out
}
