//! A run while it goes: a live view on a terminal, plain lines elsewhere, one JSON line an event on request.

use super::shown;
use crate::output::aside;
use deed_model::{Budget, RunEvent};
use deed_ports::Observer;
use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use std::collections::BTreeMap;
use std::io::{self, IsTerminal};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How much is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Show {
    /// What people want to see.
    People,
    /// Nothing: the result says it all.
    Nothing,
}

/// Shows a run while it goes.
pub(crate) struct View {
    show: Show,
    live: Option<MultiProgress>,
    state: Mutex<State>,
}

struct State {
    began: Instant,
    bars: BTreeMap<String, ProgressBar>,
    started: BTreeMap<String, Instant>,
    /// Progress is shown at most so often where it costs a line.
    told: BTreeMap<String, Instant>,
    head: Option<ProgressBar>,
    done: usize,
    of: usize,
    spent: Budget,
    grant: Budget,
}

impl View {
    /// A view of a run with so many steps, of which some are done before anything is shown.
    pub(crate) fn new(show: Show, steps: usize, done: usize, spent: Budget, grant: Budget) -> Self {
        let live = (show == Show::People && io::stderr().is_terminal()).then(MultiProgress::new);
        let head = live.as_ref().map(|live| {
            let bar = live.add(ProgressBar::new(steps as u64));
            set(&bar, "{elapsed_precise} {bar:24} {pos}/{len} steps {msg}");
            bar.set_position(done as u64);
            bar.enable_steady_tick(Duration::from_millis(200));
            bar
        });
        let state = State {
            began: Instant::now(),
            bars: BTreeMap::new(),
            started: BTreeMap::new(),
            told: BTreeMap::new(),
            head,
            done,
            of: steps,
            spent,
            grant,
        };
        Self { show, live, state: Mutex::new(state) }
    }

    /// Takes the live view away; what was said stays.
    pub(crate) fn close(&self) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        for (_, bar) in std::mem::take(&mut state.bars) {
            bar.finish_and_clear();
        }
        if let Some(head) = state.head.take() {
            head.finish_and_clear();
        }
    }

    fn say(&self, line: &str) {
        match &self.live {
            Some(live) => {
                let _ = live.println(line);
            }
            None => aside(line),
        }
    }
}

fn set(bar: &ProgressBar, template: &str) {
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
}

impl Observer for View {
    fn happened(&self, event: &RunEvent) {
        if self.show == Show::Nothing {
            return;
        }
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        match event {
            RunEvent::StepStarted { step, attempt } => {
                state.started.insert(step.clone(), Instant::now());
                match &self.live {
                    Some(live) => {
                        let bar = live.add(ProgressBar::new_spinner());
                        set(&bar, "  {spinner} {prefix} {msg}");
                        bar.set_prefix(step.clone());
                        bar.enable_steady_tick(Duration::from_millis(120));
                        state.bars.insert(step.clone(), bar);
                    }
                    None if *attempt > 1 => self.say(&format!("  again      {step} (attempt {attempt})")),
                    None => self.say(&format!("  began      {step}")),
                }
            }
            RunEvent::Progress { step, done, total, note } => {
                let of = total.map_or_else(String::new, |total| format!(" of {total}"));
                let note = note.as_ref().map_or_else(String::new, |note| format!(", {}", shown::plain(note)));
                let line = format!("{done}{of}{note}");
                if let Some(bar) = state.bars.get(step) {
                    bar.set_message(line);
                } else {
                    let whole = *total == Some(*done);
                    let due = state.told.get(step).is_none_or(|at| at.elapsed() >= Duration::from_secs(1));
                    if whole || due {
                        state.told.insert(step.clone(), Instant::now());
                        self.say(&format!("  progress   {step}  {line}"));
                    }
                }
            }
            RunEvent::CallEnded { answer } => state.pay(&answer.spent),
            RunEvent::StepSucceeded { step, outputs, spent, remarks, receipt, .. } => {
                state.done += 1;
                state.pay(spent);
                let took = took(&mut state, step);
                let files = shown::count(outputs.len(), "file");
                match shown::reused_from(receipt) {
                    Some(run) => self.say(&format!("  reused     {step}  {files} from {run}")),
                    None => self.say(&format!("  done       {step}  {files}, {took}")),
                }
                for remark in remarks {
                    self.say(&format!("  remark     {step}  {}", shown::plain(remark)));
                }
                if let Some(head) = &state.head {
                    head.set_position(state.done as u64);
                }
            }
            RunEvent::StepFailed { step, failure, again_after_ms, .. } => {
                let took = took(&mut state, step);
                let next = match again_after_ms {
                    Some(ms) => format!("tried again in {ms} ms"),
                    None => "for good".to_owned(),
                };
                let message = shown::plain(&failure.message);
                self.say(&format!("  failed     {step}  {}: {message} ({next}, {took})", failure.code));
            }
            RunEvent::StepParked { step, gate_id, .. } => {
                took(&mut state, step);
                self.say(&format!("  parked     {step}  at {gate_id}"));
            }
            RunEvent::GateOpened { subject, .. } => {
                self.say(&format!(
                    "  asked      {}  for {}: {}",
                    subject.gate_id,
                    subject.approver_role,
                    shown::in_a_line(&subject.question)
                ));
            }
            RunEvent::GateDecided { signed } => {
                let approval = &signed.approval;
                let word = match approval.decision {
                    deed_model::GateDecision::Approved => "approved",
                    deed_model::GateDecision::Rejected => "rejected",
                };
                self.say(&format!("  {word:<10} {}  by {} as {}", approval.gate_id, approval.approver, approval.role));
            }
            RunEvent::CancelRequested { by, .. } => self.say(&format!("  cancelled  by {by}")),
            RunEvent::Ended { outcome, why } => {
                let why = why.as_ref().map_or_else(String::new, |why| format!(": {}", shown::plain(why)));
                let seconds = state.began.elapsed().as_secs_f64();
                let word = outcome.as_str();
                self.say(&format!("  {word:<10} {} of {} steps, {seconds:.1} s{why}", state.done, state.of));
            }
            RunEvent::Submitted { .. }
            | RunEvent::Taken { .. }
            | RunEvent::Preflighted { .. }
            | RunEvent::CallBegan { .. }
            | RunEvent::CallRefused { .. }
            | RunEvent::Egress { .. }
            | RunEvent::ApprovalUsed { .. }
            | RunEvent::GateLapsed { .. }
            | RunEvent::Checkpointed { .. }
            | RunEvent::Sealed { .. } => {}
        }
    }
}

impl State {
    /// What was spent is shown beside what there is.
    fn pay(&mut self, spent: &Budget) {
        self.spent = self.spent.plus(*spent);
        if let Some(head) = &self.head {
            head.set_message(shown::budget(&self.spent, &self.grant));
        }
    }
}

fn took(state: &mut State, step: &str) -> String {
    if let Some(bar) = state.bars.remove(step) {
        bar.finish_and_clear();
    }
    let took = state.started.remove(step).map(|at| at.elapsed()).unwrap_or_default();
    match took.as_millis() {
        ms if ms < 1000 => format!("{ms} ms"),
        _ => format!("{:.1} s", took.as_secs_f64()),
    }
}
