//! The fixture of a case: a candidate, an empty workspace, and the receiver of effects.

use crate::conformance::process::Process;
use crate::conformance::scenario::{ROLE, Scenario};
use crate::conformance::task::{Order, Task};
use crate::conformance::watch::Watch;
use crate::conformance::{Candidate, approval, sound};
use crate::loopback::Effects;
use deed_canon::ContentHash;
use deed_model::{ArtifactRecord, GateDecision, GateSubject, RunEvent, RunOutcome, RunRequest, SignedApproval};
use deed_ports::{BlobRead, Created, Engine, JournalEntry, JournalRead, Standing};
use std::collections::BTreeMap;
use std::io::Read;
use std::sync::Arc;
use tempfile::TempDir;

pub(crate) struct Fixture<'c> {
    candidate: &'c dyn Candidate,
    workspace: TempDir,
    journal: Box<dyn JournalRead>,
    blobs: Box<dyn BlobRead>,
    pub(crate) effects: Effects,
}

impl<'c> Fixture<'c> {
    pub(crate) fn new(candidate: &'c dyn Candidate) -> Self {
        let workspace = tempfile::tempdir().unwrap();
        let (journal, blobs) = (candidate.journal(workspace.path()), candidate.blobs(workspace.path()));
        Self { candidate, workspace, journal, blobs, effects: Effects::by_path() }
    }

    /// Opens an engine, as a new process does.
    pub(crate) fn open(&self) -> Arc<dyn Engine> {
        self.candidate.open(self.workspace.path())
    }

    pub(crate) fn request(&self, scenario: &Scenario) -> RunRequest {
        self.candidate.request(self.workspace.path(), scenario)
    }

    /// Submits a new run.
    pub(crate) fn submit(&self, scenario: &Scenario) {
        let created = self.open().submit(&self.request(scenario)).unwrap();
        assert_eq!(created, Created::New);
    }

    /// Starts a process that is ready for its task.
    pub(crate) fn process(&self, task: Task) -> Process {
        Process::ready(&Order { workspace: self.workspace.path().to_owned(), task })
    }

    /// Starts a process that drives a run.
    pub(crate) fn driver(&self, run: &str) -> Process {
        let mut process = self.process(Task::Drive { run_id: run.to_owned(), stop_at: None });
        process.go();
        process
    }

    /// Drives a run here, and asserts that a new engine reports the same standing.
    #[track_caller]
    pub(crate) fn drive(&self, run: &str) -> Standing {
        let standing = self.open().drive(run, Watch::new()).unwrap();
        assert_eq!(self.standing(run), standing);
        standing
    }

    /// The standing of a run, as a new engine reports it.
    #[track_caller]
    pub(crate) fn standing(&self, run: &str) -> Standing {
        self.open().standing(run).unwrap()
    }

    pub(crate) fn entries(&self, run: &str) -> Vec<JournalEntry> {
        self.journal.events(run, 0).unwrap()
    }

    pub(crate) fn events(&self, run: &str) -> Vec<RunEvent> {
        self.entries(run).into_iter().map(|entry| entry.record.event).collect()
    }

    /// The number of started attempts, by step.
    pub(crate) fn begun(&self, run: &str) -> BTreeMap<String, usize> {
        let mut begun = BTreeMap::new();
        for event in self.events(run) {
            if let RunEvent::StepStarted { step, .. } = event {
                *begun.entry(step).or_default() += 1;
            }
        }
        begun
    }

    /// The number of events that satisfy a condition.
    pub(crate) fn count(&self, run: &str, of: impl Fn(&RunEvent) -> bool) -> usize {
        self.events(run).iter().filter(|event| of(event)).count()
    }

    /// The one subject that waits for a decision.
    #[track_caller]
    pub(crate) fn question(&self, run: &str) -> GateSubject {
        match self.standing(run) {
            Standing::Waiting(asked) if asked.len() == 1 => asked.into_iter().next().unwrap(),
            other => panic!("one question is asked, and not {other:?}"),
        }
    }

    /// A decision of the role that is asked.
    pub(crate) fn signed(&self, subject: &GateSubject, decision: GateDecision) -> SignedApproval {
        self.signed_as(subject, decision, ROLE)
    }

    pub(crate) fn signed_as(&self, subject: &GateSubject, decision: GateDecision, role: &str) -> SignedApproval {
        // The time of the last event of the journal.
        let now = self.entries(&subject.run_id).pop().unwrap().record.at;
        approval::sign(subject, decision, role, &now, &self.candidate.key(self.workspace.path()))
    }

    /// Approves the open gate.
    #[track_caller]
    pub(crate) fn approve(&self, run: &str) {
        let signed = self.signed(&self.question(run), GateDecision::Approved);
        self.open().decide(run, signed).unwrap();
    }

    /// The hashes of all outputs of a run, by path.
    pub(crate) fn made(&self, run: &str) -> BTreeMap<String, ContentHash> {
        let whole = |file: ArtifactRecord| {
            let mut bytes = Vec::new();
            self.blobs.open(&file.sha256).unwrap().read_to_end(&mut bytes).unwrap();
            assert_eq!(ContentHash::of_bytes(&bytes), file.sha256, "{}", file.path);
            (file.path, file.sha256)
        };
        let outputs = |event| match event {
            RunEvent::StepSucceeded { outputs, .. } => outputs,
            _ => Vec::new(),
        };
        self.events(run).into_iter().flat_map(outputs).map(whole).collect()
    }

    /// Asserts everything that must hold of an ended run.
    #[track_caller]
    pub(crate) fn ended(&self, run: &str, outcome: RunOutcome) {
        let events = self.events(run);
        assert_eq!(sound::ended(&events), Ok(outcome), "{run}: {}", serde_json::to_string_pretty(&events).unwrap());
        assert_eq!(self.standing(run), Standing::Ended(outcome));
        let verified = self.journal.verify().unwrap();
        assert!(verified.is_ok(), "{verified:?}");
        let complaints = self.candidate.complaints(self.workspace.path(), run);
        assert!(complaints.is_empty(), "{run}: {complaints:#?}");
    }

    /// Drives a run here, and asserts that it succeeds.
    #[track_caller]
    pub(crate) fn succeeds(&self, run: &str) {
        let standing = self.drive(run);
        self.ended(run, RunOutcome::Succeeded);
        assert_eq!(standing, Standing::Ended(RunOutcome::Succeeded));
    }

    /// Asserts that nothing is written to a run during an operation.
    #[track_caller]
    pub(crate) fn unchanged<T>(&self, run: &str, what: impl FnOnce() -> T) -> T {
        let before = self.entries(run);
        let result = what();
        assert_eq!(self.entries(run), before);
        result
    }
}
