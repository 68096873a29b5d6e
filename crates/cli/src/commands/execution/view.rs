//! A run while it is driven: a live view on a terminal, lines elsewhere.

use super::shown;
use crate::conceal;
use crate::output::aside;
use crate::terminal::{self, Stream};
use deed_model::{Budget, RunEvent, RunOutcome, StepFailure};
use deed_ports::Observer;
use deed_runtime::remarks_on;
use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The audience of the view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Show {
    /// People: lines or a live view.
    People,
    /// Programs: nothing, since the result has everything.
    Nothing,
}

/// Shows a run while it goes.
pub(crate) struct View {
    show: Show,
    live: Option<MultiProgress>,
    once: bool,
    state: Mutex<State>,
}

struct State {
    began: Instant,
    bars: BTreeMap<String, ProgressBar>,
    started: BTreeMap<String, Instant>,
    /// Progress is shown at most so often where it costs a line.
    reported: BTreeMap<String, Instant>,
    /// Steps whose end was shown.
    shown: BTreeSet<String>,
    head: Option<ProgressBar>,
    done: usize,
    of: usize,
    spent: Budget,
    grant: Budget,
}

impl View {
    /// A view of a run with so many steps, of which some are done before anything is shown.
    pub(crate) fn new(show: Show, steps: usize, done: usize, spent: Budget, grant: Budget) -> Self {
        let terminal = show == Show::People && terminal::is_terminal(Stream::Stderr);
        let live = (terminal && !terminal::is_dumb()).then(MultiProgress::new);
        // What is shown while the run goes is not repeated at its end, where both go to the same terminal.
        let once = terminal && terminal::is_terminal(Stream::Stdout);
        let head = live.as_ref().map(|live| {
            let bar = live.add(ProgressBar::new(steps as u64));
            set(&bar, "{elapsed_precise} {bar:24} {pos}/{len} {prefix} {msg}");
            bar.set_prefix(if steps == 1 { "step" } else { "steps" });
            bar.set_position(done as u64);
            bar.enable_steady_tick(Duration::from_millis(200));
            bar
        });
        let state = State {
            began: Instant::now(),
            bars: BTreeMap::new(),
            started: BTreeMap::new(),
            reported: BTreeMap::new(),
            shown: BTreeSet::new(),
            head,
            done,
            of: steps,
            spent,
            grant,
        };
        Self { show, live, once, state: Mutex::new(state) }
    }

    /// Returns the steps that were shown and need not be shown again.
    pub(crate) fn printed(&self) -> BTreeSet<String> {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if self.once { state.shown.clone() } else { BTreeSet::new() }
    }

    /// Removes the live view; the lines that were printed stay.
    pub(crate) fn close(&self) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        for (_, bar) in std::mem::take(&mut state.bars) {
            bar.finish_and_clear();
        }
        if let Some(head) = state.head.take() {
            head.finish_and_clear();
        }
    }

    /// Prints a line: a state, and what it is about.
    fn say(&self, word: &str, about: &str) {
        let line = format!("  {} {about}", terminal::state(Stream::Stderr, &format!("{word:<10}")));
        match &self.live {
            Some(live) => {
                let _ = live.println(conceal::text(&terminal::fit(Stream::Stderr, &line)));
            }
            None => aside(&line),
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
            RunEvent::StepStarted { step, attempt } => self.started(&mut state, step, *attempt),
            RunEvent::Progress { step, done, total, note } => {
                self.progressed(&mut state, step, (*done, *total), note.as_deref());
            }
            RunEvent::CallEnded { answer } => state.pay(&answer.spent),
            RunEvent::StepSucceeded { step, outputs, spent, remarks, receipt, .. } => {
                state.succeeded(step, spent);
                let took = took(&mut state, step);
                let files = shown::count(outputs.len(), "file");
                match shown::reused_from(receipt) {
                    Some(run) => self.say("reused", &format!("{step}  {files} from {run}")),
                    None => self.say("done", &format!("{step}  {files}, {took}")),
                }
                for remark in remarks {
                    self.say("remark", &format!("{step}  {}", shown::plain(remark)));
                }
            }
            RunEvent::StepFailed { step, failure, again_after_ms, .. } => {
                let took = took(&mut state, step);
                self.failed(step, failure, *again_after_ms, &took);
            }
            RunEvent::StepParked { step, gate_id, .. } => {
                took(&mut state, step);
                self.say("parked", &format!("{step}  at {gate_id}"));
            }
            RunEvent::GateOpened { subject, .. } => {
                let question = shown::in_a_line(&subject.question);
                // The text at the end shows a gate that waits, whole.
                if !self.once {
                    self.say("asked", &format!("{}  for {}: {question}", subject.gate_id, subject.approver_role));
                }
            }
            RunEvent::GateDecided { signed } => {
                let approval = &signed.approval;
                let word = approval.decision.as_str();
                self.say(word, &format!("{}  by {} as {}", approval.gate_id, approval.approver, approval.role));
            }
            RunEvent::CancelRequested { by, .. } => self.say("cancelled", &format!("by {by}")),
            RunEvent::Ended { outcome, why } => self.ended(&state, *outcome, why.as_deref()),
            RunEvent::Validated { validation, .. } => {
                for remark in remarks_on(validation) {
                    self.say("remark", &shown::plain(&remark));
                }
            }
            RunEvent::Submitted { .. }
            | RunEvent::Taken { .. }
            | RunEvent::Preflighted { .. }
            | RunEvent::CallBegan { .. }
            | RunEvent::CallRefused { .. }
            | RunEvent::ModelCallBegan { .. }
            | RunEvent::ModelAttempted { .. }
            | RunEvent::ModelCallEnded { .. }
            | RunEvent::Distilled { .. }
            | RunEvent::Egress { .. }
            | RunEvent::ApprovalUsed { .. }
            | RunEvent::GateLapsed { .. }
            | RunEvent::Checkpointed { .. }
            | RunEvent::Sealed { .. } => {}
        }
    }
}

/// What is shown of an event.
impl View {
    fn started(&self, state: &mut State, step: &str, attempt: u32) {
        state.started.insert(step.to_owned(), Instant::now());
        match &self.live {
            Some(live) => {
                let bar = live.add(ProgressBar::new_spinner());
                set(&bar, "  {spinner} {prefix} {msg}");
                bar.set_prefix(step.to_owned());
                bar.enable_steady_tick(Duration::from_millis(120));
                state.bars.insert(step.to_owned(), bar);
            }
            None if attempt > 1 => self.say("retry", &format!("{step} (attempt {attempt})")),
            None => self.say("began", step),
        }
    }

    /// Shows progress at the bar of its step, or on a line if the last one is a second old or it is the end.
    fn progressed(&self, state: &mut State, step: &str, (done, total): (u64, Option<u64>), note: Option<&str>) {
        let of = total.map_or_else(String::new, |total| format!(" of {total}"));
        let note = note.map_or_else(String::new, |note| format!(", {}", shown::plain(note)));
        let line = format!("{done}{of}{note}");
        if let Some(bar) = state.bars.get(step) {
            bar.set_message(line);
            return;
        }
        let whole = total == Some(done);
        let due = state.reported.get(step).is_none_or(|at| at.elapsed() >= Duration::from_secs(1));
        if whole || due {
            state.reported.insert(step.to_owned(), Instant::now());
            self.say("progress", &format!("{step}  {line}"));
        }
    }

    /// Shows a failure. The text at the end shows a step that has failed with its cause and what to do about it.
    fn failed(&self, step: &str, failure: &StepFailure, again_after_ms: Option<u64>, took: &str) {
        let next = match again_after_ms {
            Some(ms) => format!("retried in {ms} ms"),
            None => "not retried".to_owned(),
        };
        if !self.once || again_after_ms.is_some() {
            let message = shown::plain(&failure.message);
            self.say("failed", &format!("{step}  {}: {message} ({next}, {took})", failure.code));
        }
    }

    fn ended(&self, state: &State, outcome: RunOutcome, why: Option<&str>) {
        let why = why.map_or_else(String::new, |why| format!(": {}", shown::plain(why)));
        let seconds = state.began.elapsed().as_secs_f64();
        let of = shown::count(state.of, "step");
        let succeeded = if outcome == RunOutcome::Succeeded { "" } else { " succeeded" };
        self.say(outcome.as_str(), &format!("{} of {of}{succeeded}, {seconds:.1} s{why}", state.done));
    }
}

impl State {
    /// Counts a step that succeeded. Called before its line, which draws the bar anew: a redraw that comes too soon
    /// after it is left out.
    fn succeeded(&mut self, step: &str, spent: &Budget) {
        self.done += 1;
        if let Some(head) = &self.head {
            head.set_position(self.done as u64);
        }
        self.shown.insert(step.to_owned());
        self.pay(spent);
    }

    /// Adds to what was spent, and shows it beside the grant.
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
    // A step that this process did not start has taken no time here.
    let took = state.started.remove(step).map_or(Duration::ZERO, |at| at.elapsed());
    match took.as_millis() {
        ms if ms < 1000 => format!("{ms} ms"),
        _ => format!("{:.1} s", took.as_secs_f64()),
    }
}
