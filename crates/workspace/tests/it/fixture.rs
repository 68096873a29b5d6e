//! A log in memory: transitions are applied as the store applies them, and every event is checked.

use deed_canon::{ChainHead, ContentHash};
use deed_diag::Diagnostic;
use deed_model::{StoredContent, WorkspaceEvent, WorkspaceLogEvent, WorkspaceQuota, WorkspaceSettings};
use deed_workspace::{
    Creation, FilePath, NewFile, Removal, RunFile, RunFiles, WORKSPACE_FORMAT, WorkspaceState, allowed, create, put,
    remove,
};

#[derive(Default)]
pub(crate) struct Log {
    pub(crate) state: WorkspaceState,
    pub(crate) events: Vec<WorkspaceLogEvent>,
}

pub(crate) type Refusal = Vec<Diagnostic>;

impl Log {
    /// A workspace of one person.
    pub(crate) fn new() -> Self {
        Self::with(WorkspaceSettings::default())
    }

    pub(crate) fn with(settings: WorkspaceSettings) -> Self {
        let mut log = Self::default();
        let creation =
            Creation { workspace: "reports", tenant_id: "acme", purpose: None, settings: &settings, actor: "ada" };
        log.append("ada", |state| create(state, creation)).unwrap();
        log
    }

    pub(crate) fn with_quota(bytes: u64, versions: u64) -> Self {
        Self::with(WorkspaceSettings { quota: WorkspaceQuota { bytes, versions }, ..WorkspaceSettings::default() })
    }

    /// Appends what a transition returns, and returns the number of events.
    pub(crate) fn append(
        &mut self,
        actor: &str,
        transition: impl FnOnce(&WorkspaceState) -> Result<Vec<WorkspaceEvent>, Refusal>,
    ) -> Result<usize, Refusal> {
        let events = transition(&self.state)?;
        let count = events.len();
        for event in events {
            let seq = self.events.len() as u64;
            let logged = WorkspaceLogEvent {
                format: WORKSPACE_FORMAT,
                at: format!("2026-11-15T00:00:00.{seq:03}Z"),
                actor: actor.to_owned(),
                event,
            };
            assert_eq!(allowed(&self.state, &logged), Ok(()), "{logged:?}");
            self.state.apply(&ChainHead { seq, hash: ContentHash::of_bytes(&seq.to_be_bytes()) }, &logged);
            self.events.push(logged);
        }
        Ok(count)
    }

    pub(crate) fn put(&mut self, path: &str, text: &str) -> Result<usize, Refusal> {
        self.put_by("ada", path, text, None)
    }

    pub(crate) fn put_by(&mut self, by: &str, path: &str, text: &str, base: Option<u64>) -> Result<usize, Refusal> {
        let path = FilePath::read(path)?;
        let file = NewFile { path, content: content(text), source: None, note: None, base };
        self.append(by, |state| put(state, &[file], by))
    }

    pub(crate) fn remove(&mut self, path: &str) -> Result<usize, Refusal> {
        let path = FilePath::read(path)?;
        self.append("ada", |state| remove(state, Removal { path: &path, reason: "wrong", actor: "ada" }))
    }

    pub(crate) fn begin(&mut self, run_id: &str) -> Result<usize, Refusal> {
        self.append("ada", |state| deed_workspace::begin_run(state, run_id, "monthly", &[], "ada"))
    }

    pub(crate) fn end(&mut self, run_id: &str, files: &[(&str, &str)]) -> Result<usize, Refusal> {
        let files: Vec<RunFile> = files.iter().map(|(path, text)| output(path, text)).collect();
        self.append("ada", |state| {
            let outcome = deed_model::RunOutcome::Succeeded;
            let plan_hash = ContentHash::of_bytes(b"plan");
            deed_workspace::end_run(state, RunFiles { run_id, plan_hash, outcome, files: &files, actor: "ada" })
        })
    }
}

pub(crate) fn content(text: &str) -> StoredContent {
    StoredContent { sha256: ContentHash::of_bytes(text.as_bytes()), size_bytes: text.len() as u64 }
}

fn output(path: &str, text: &str) -> RunFile {
    RunFile {
        artifact: format!("output/{path}"),
        content: content(text),
        step_id: "write".to_owned(),
        receipt_hash: ContentHash::of_bytes(b"receipt"),
    }
}

/// Asserts a refusal with this code and a fix.
#[track_caller]
pub(crate) fn refused<T: std::fmt::Debug>(result: Result<T, Refusal>, code: &str) {
    let found = result.expect_err("this should have been refused");
    assert_eq!(found.iter().map(|found| found.code.as_str()).collect::<Vec<_>>(), [code], "{found:?}");
    assert!(found.iter().all(|found| found.help.is_some()), "{found:?}");
}
