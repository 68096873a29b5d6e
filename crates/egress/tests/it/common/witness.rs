//! A witness that remembers everything and does what it is told.

use deed_egress::{BeginOutcome, FetchError, Outgoing, Stop, StopClass, StoredResponse, Witness};
use deed_model::{EgressDecision, EgressVerdict};
use std::any::Any;
use std::sync::Mutex;

type HeldAnswer = (String, Result<StoredResponse, FetchError>);
type Begin = Box<dyn Fn(&Outgoing) -> Option<Result<BeginOutcome, Stop>> + Send + Sync>;

#[derive(Default)]
pub struct Book {
    pub decisions: Mutex<Vec<EgressDecision>>,
    pub begun: Mutex<Vec<Outgoing>>,
    pub ended: Mutex<Vec<HeldAnswer>>,
    /// The words of panics that were reported.
    pub panics: Mutex<Vec<String>>,
    /// What `begin` says instead of `Go`.
    pub begin: Option<Begin>,
    /// What `decided` says of what is allowed or learned.
    pub veto: Option<Stop>,
    /// What `end` says.
    pub at_end: Option<Stop>,
}

pub fn stop(class: StopClass) -> Stop {
    Stop { class, message: format!("stopped by the witness: {class:?}") }
}

impl Book {
    pub fn verdicts(&self) -> Vec<EgressVerdict> {
        self.decisions.lock().unwrap().iter().map(|decision| decision.verdict).collect()
    }

    /// All verdicts but those on tunnels that were opened.
    pub fn inner_verdicts(&self) -> Vec<EgressVerdict> {
        let opened = |d: &&EgressDecision| d.method == "CONNECT" && d.verdict == EgressVerdict::Allowed;
        self.decisions.lock().unwrap().iter().filter(|d| !opened(d)).map(|decision| decision.verdict).collect()
    }

    pub fn last(&self) -> EgressDecision {
        self.decisions.lock().unwrap().last().cloned().expect("a decision")
    }

    pub fn ended(&self) -> Vec<HeldAnswer> {
        self.ended.lock().unwrap().clone()
    }

    /// A witness that has `begin` say something.
    pub fn beginning(begin: impl Fn(&Outgoing) -> Option<Result<BeginOutcome, Stop>> + Send + Sync + 'static) -> Self {
        Self { begin: Some(Box::new(begin)), ..Self::default() }
    }
}

impl Witness for Book {
    fn decided(&self, decision: &EgressDecision) -> Result<(), Stop> {
        self.decisions.lock().unwrap().push(decision.clone());
        match (&self.veto, decision.verdict) {
            (Some(stop), EgressVerdict::Allowed | EgressVerdict::Learned) => Err(stop.clone()),
            _ => Ok(()),
        }
    }

    fn begin(&self, call: &Outgoing) -> Result<BeginOutcome, Stop> {
        let mut begun = self.begun.lock().unwrap();
        begun.push(call.clone());
        let said = self.begin.as_ref().and_then(|begin| begin(call));
        said.unwrap_or_else(|| Ok(BeginOutcome::Go { idempotency_key: format!("key-{}", begun.len()) }))
    }

    fn end(&self, key: &str, answer: &Result<StoredResponse, FetchError>) -> Result<(), Stop> {
        self.ended.lock().unwrap().push((key.to_owned(), answer.clone()));
        self.at_end.clone().map_or(Ok(()), Err)
    }

    fn broke(&self, panic: &(dyn Any + Send)) {
        let words = panic.downcast_ref::<&str>().map_or("?", |words| *words);
        self.panics.lock().unwrap().push(words.to_owned());
    }
}
