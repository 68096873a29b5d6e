//! The end of a run: its verified outputs become versions of files of agents, all at once.

use super::put::{apply, contents};
use super::{fits, next_version};
use crate::fold::WorkspaceState;
use crate::names::refused;
use crate::order::successor;
use crate::path::{FilePath, agents_path};
use deed_canon::ContentHash;
use deed_diag::{Diagnostic, codes};
use deed_model::{FileOrigin, FileSuccessor, RunOutcome, StoredContent, WorkspaceEvent};

/// An output of a run, whose receipts were verified.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunFile {
    /// The path in the run, below `output/`.
    pub artifact: String,
    /// The content, which is stored.
    pub content: StoredContent,
    /// The step.
    pub step_id: String,
    /// The hash of its signed receipt.
    pub receipt_hash: ContentHash,
}

/// A run that ended.
#[derive(Debug, Clone, Copy)]
pub struct RunFiles<'r> {
    /// The run.
    pub run_id: &'r str,
    /// The hash of its compiled plan.
    pub plan_hash: ContentHash,
    /// The outcome.
    pub outcome: RunOutcome,
    /// Its outputs; none unless it succeeded.
    pub files: &'r [RunFile],
    /// The actor who drove it to its end.
    pub actor: &'r str,
}

/// Records the end of a run together with its outputs, once: a run that is resumed does not write twice.
///
/// A live file that is in the way of an output, in another spelling or in place of a folder, is removed in the same
/// operation; its versions stay. An output that a run wrote which was submitted later stays the newest: the version of this
/// run is kept behind it.
///
/// # Errors
/// The run is not one of the workspace, an output has no path there, or the quota is exceeded.
pub fn end_run(state: &WorkspaceState, ended: RunFiles<'_>) -> Result<Vec<WorkspaceEvent>, Vec<Diagnostic>> {
    let Some(run) = state.run(ended.run_id) else {
        let message = format!("the run `{}` is not one of the workspace `{}`", ended.run_id, state.workspace);
        return Err(refused(codes::RUN_NOT_OF_WORKSPACE, message, "`deed runs show` names the workspace of a run"));
    };
    if run.ended.is_some() {
        return Ok(Vec::new());
    }
    let mut after = state.clone();
    let mut events = Vec::new();
    for file in ended.files {
        let Some(path) = agents_path(&run.plan, &file.artifact) else { continue };
        written(&mut after, &path?, &ended, file, &mut events);
    }
    fits(state, contents(&events))?;
    let files = contents(&events).count() as u64;
    events.push(WorkspaceEvent::RunEnded { run_id: ended.run_id.to_owned(), outcome: ended.outcome, files });
    Ok(events)
}

/// Writes one output: behind the one of a later run, or else after what is in its way was removed.
fn written(
    after: &mut WorkspaceState,
    path: &FilePath,
    ended: &RunFiles<'_>,
    file: &RunFile,
    events: &mut Vec<WorkspaceEvent>,
) {
    let superseded_by = successor(after, ended.run_id, path);
    let own = next_version(after, path.text());
    let in_the_way = after.in_the_way(path.text(), path.folded());
    let others: Vec<String> = match superseded_by {
        Some(_) => Vec::new(),
        None => in_the_way.into_iter().map(str::to_owned).collect(),
    };
    for other in others {
        let version = next_version(after, &other);
        let reason = format!("`{}` of run `{}` takes its place", path.text(), ended.run_id);
        let by = FileSuccessor { path: path.text().to_owned(), version: own, run_id: ended.run_id.to_owned() };
        let event = WorkspaceEvent::FileRemoved { path: other, version, reason, replaced_by: Some(by) };
        apply(after, &event, ended.actor);
        events.push(event);
    }
    let event = WorkspaceEvent::FileWritten {
        path: path.text().to_owned(),
        version: own,
        content: file.content,
        origin: FileOrigin::Run {
            run_id: ended.run_id.to_owned(),
            plan_hash: ended.plan_hash,
            step_id: file.step_id.clone(),
            artifact: file.artifact.clone(),
            receipt_hash: file.receipt_hash,
        },
        superseded_by,
    };
    apply(after, &event, ended.actor);
    events.push(event);
}
