//! A run under test: submitted, driven, looked into.

use super::plans::compile;
use super::{Watch, World, key};
use deed_canon::{Envelope, Statement};
use deed_model::{
    Approval, Budget, CallOutcome, CompiledPlan, ForkedFrom, GateDecision, GateSubject, PostflightReceipt, RunEvent,
    RunOptions, RunOutcome, SignedApproval, StepCode, StepFailure,
};
use deed_ports::{BlobRead, Created, Engine, EngineError, JournalRead, Standing};
use deed_runtime::{Decided, DecisionRefusal, LocalEngine, RunState, StepStatus, Submission, decide, prepare};
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::Read;
use std::sync::Arc;

pub struct Run<'w> {
    pub world: &'w World,
    pub engine: LocalEngine,
    pub id: String,
    pub plan: CompiledPlan,
}

/// The optional parts of a submission.
#[derive(Default)]
pub struct Asking<'a> {
    pub options: RunOptions,
    pub id: Option<&'a str>,
    pub forked: Option<ForkedFrom>,
    pub grant: Option<Budget>,
    pub private: &'a [std::path::PathBuf],
}

impl World {
    /// Submits a plan; what the world was given are its inputs.
    pub fn submit(&self, plan: &Value) -> Run<'_> {
        self.submit_as(plan, Asking::default())
    }

    pub fn submit_as(&self, plan: &Value, asking: Asking<'_>) -> Run<'_> {
        // A run is named by its content and the time.
        self.clock.pass(1);
        let (run, created) = self.try_submit(self.engine(), plan, asking).unwrap();
        assert_eq!(created, Created::New);
        run
    }

    pub fn try_submit(
        &self,
        engine: LocalEngine,
        plan: &Value,
        asking: Asking<'_>,
    ) -> Result<(Run<'_>, Created), EngineError> {
        let lowered = compile(plan);
        let (plan, code): (CompiledPlan, BTreeMap<String, StepCode>) = (lowered.compiled.unwrap(), lowered.code);
        let input = self.path("input");
        let submission = Submission {
            plan: &plan,
            code: &code,
            code_places: Default::default(),
            input: input.exists().then_some(input.as_path()),
            links: deed_runtime::Links::Refuse,
            private: asking.private,
            grant: asking.grant,
            options: asking.options,
            actor: "ada",
            run_id: asking.id,
            candidate: None,
            profile: self.judge.as_ref().map(|(snapshot, _)| snapshot),
            models: self.judge.as_ref().map(|(_, models)| models),
            workspace: None,
            forked: asking.forked,
        };
        let request = prepare(engine.world(), &submission)?;
        let created = engine.submit(&request)?;
        Ok((Run { world: self, engine, id: request.run_id, plan }, created))
    }

    /// Submits and drives a plan.
    pub fn run(&self, plan: &Value) -> Run<'_> {
        let run = self.submit(plan);
        run.drive();
        run
    }
}

impl Run<'_> {
    pub fn drive(&self) -> Standing {
        self.drive_watched(Watch::new())
    }

    pub fn drive_watched(&self, watch: Arc<Watch>) -> Standing {
        self.engine.drive(&self.id, watch).unwrap()
    }

    /// The run in the hands of a process that has just begun.
    pub fn reopen(&self) -> Run<'_> {
        Run { world: self.world, engine: self.world.engine(), id: self.id.clone(), plan: self.plan.clone() }
    }

    pub fn state(&self) -> RunState {
        self.engine.load(&self.id).unwrap().1
    }

    pub fn events(&self) -> Vec<RunEvent> {
        self.engine.load(&self.id).unwrap().0.into_iter().map(|entry| entry.record.event).collect()
    }

    /// All that was written down, as text.
    pub fn journal(&self) -> String {
        let events = self.events();
        let mut text = serde_json::to_string(&events).unwrap();
        for event in &events {
            for envelope in envelopes(event) {
                text.push_str(&serde_json::to_string(&opened(&envelope).predicate).unwrap());
            }
        }
        text
    }

    pub fn outcome(&self) -> Option<RunOutcome> {
        self.state().ended
    }

    #[track_caller]
    pub fn succeeded(&self) -> &Self {
        let state = self.state();
        assert_eq!(state.ended, Some(RunOutcome::Succeeded), "{:?}: {:#?}", state.why, state.steps);
        assert_eq!(self.world.staged(), Vec::<std::path::PathBuf>::new());
        self
    }

    /// Returns the failure of a step.
    #[track_caller]
    pub fn failure(&self, step: &str) -> StepFailure {
        match &self.state().step(step).expect("the step began").status {
            StepStatus::Failed { failure } => failure.clone(),
            other => panic!("{step} is {other:?}"),
        }
    }

    /// Returns the bytes of an output.
    #[track_caller]
    pub fn output(&self, path: &str) -> Vec<u8> {
        let state = self.state();
        let (record, _) = state.artifact(path).expect("the file is there");
        let mut bytes = Vec::new();
        self.engine.world().blobs.open(&record.sha256).unwrap().read_to_end(&mut bytes).unwrap();
        bytes
    }

    #[track_caller]
    pub fn json(&self, path: &str) -> Value {
        serde_json::from_slice(&self.output(path)).unwrap()
    }

    /// Hashes of all that was made, by path.
    pub fn made(&self) -> BTreeMap<String, String> {
        let state = self.state();
        state
            .artifacts()
            .filter(|(_, step)| step.is_some())
            .map(|(a, _)| (a.path.clone(), a.sha256.to_string()))
            .collect()
    }

    /// The receipt of the last attempt of a step that has one.
    #[track_caller]
    pub fn receipt(&self, step: &str) -> PostflightReceipt {
        let mut receipts = self.events().into_iter().filter_map(|event| match event {
            RunEvent::StepSucceeded { step: of, receipt, .. } if of == step => Some(receipt),
            RunEvent::StepFailed { step: of, receipt, .. } if of == step => receipt,
            _ => None,
        });
        let envelope = receipts.next_back().expect("a receipt");
        serde_json::from_value(opened(&envelope).predicate).unwrap()
    }

    /// Results of calls, in the order of the journal.
    pub fn answers(&self) -> Vec<CallOutcome> {
        let ended = |event| match event {
            RunEvent::CallEnded { answer } => Some(answer.outcome),
            _ => None,
        };
        self.events().into_iter().filter_map(ended).collect()
    }

    /// What is asked.
    #[track_caller]
    pub fn question(&self) -> GateSubject {
        let open: Vec<GateSubject> =
            self.state().gates.into_values().filter(|gate| gate.is_open()).map(|gate| gate.subject).collect();
        assert_eq!(open.len(), 1, "{open:?}");
        open.into_iter().next().unwrap()
    }

    /// Answers what is asked.
    pub fn answer(&self, decision: GateDecision, role: &str) -> Result<SignedApproval, DecisionRefusal> {
        let now_ms = self.engine.now_ms(&self.id).unwrap();
        let open: Vec<GateSubject> = self.state().open_gates().map(|gate| gate.subject.clone()).collect();
        let of_role = open.into_iter().find(|subject| subject.approver_role == role);
        decide(
            &of_role.unwrap_or_else(|| self.question()),
            &Decided { decision, role, approver: "grace", authority: None, now_ms, note: None },
            &key(),
        )
    }

    /// Approves what is asked.
    #[track_caller]
    pub fn approve(&self, role: &str) -> Approval {
        let signed = self.answer(GateDecision::Approved, role).unwrap();
        let approval = signed.approval.clone();
        self.engine.decide(&self.id, signed).unwrap();
        approval
    }

    /// Everything that the run left holds when it is looked at again.
    #[track_caller]
    pub fn verified(&self) -> &Self {
        let (entries, _) = self.engine.load(&self.id).unwrap();
        let blobs: &dyn BlobRead = &*self.world.store();
        let public = key().public();
        let found =
            deed_runtime::reverify(&entries, &self.plan, blobs, &|id| (*id == public.id()).then(|| public.clone()));
        assert!(!found.checked.is_empty() && !found.not_derived.is_empty());
        for one in &found.checked {
            assert!(one.holds, "{one:?}");
        }
        assert!(self.world.store().verify().unwrap().is_ok());
        self
    }

    /// Counts events.
    pub fn count(&self, of: impl Fn(&RunEvent) -> bool) -> usize {
        self.events().iter().filter(|event| of(event)).count()
    }
}

fn envelopes(event: &RunEvent) -> Vec<Envelope> {
    match event {
        RunEvent::Preflighted { receipt, .. } | RunEvent::StepSucceeded { receipt, .. } => vec![receipt.clone()],
        RunEvent::StepFailed { receipt, .. } => receipt.iter().cloned().collect(),
        RunEvent::Sealed { seal } => vec![seal.clone()],
        _ => Vec::new(),
    }
}

fn opened(envelope: &Envelope) -> Statement {
    let public = key().public();
    Statement::open(envelope, |id| (*id == public.id()).then(|| public.clone())).unwrap().0
}
