//! The driver of a climb: it runs each rung in its mode, records its output, and undoes what may not stay.

use super::draft::{Deferred, Output};
use super::{Cx, Finding, Findings, Input, Inputs, Pass, Source};
use crate::flagged::Flagged;
use crate::reading::Entry;
use crate::rungs::defaults::{self, Held};
use crate::rungs::schema::Read;
use deed_diag::{codes, quote};
use deed_model::{LadderChange, LadderFinding, LadderMode, ProposalRecord, Rung, RungRecord, RungStatus};
use serde_json::Value;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// A rung above the reading.
pub(super) type Run = fn(Cx<'_>, Inputs<'_>) -> Output;

/// How often a fix may make another one possible for a rung below it.
const MOST_ROUNDS: usize = 8;

/// A climb in progress. Rungs see parts of it as their [`Inputs`]; it alone is changed.
pub(super) struct Driver<'c> {
    pub(super) cx: Cx<'c>,
    pub(super) source: Source<'c>,
    /// Whether the text is not JSON as it stands.
    pub(super) raw: bool,
    /// The payload; none before it was read, and if it cannot be.
    pub(super) payload: Option<Cow<'c, Value>>,
    /// Whether the payload satisfies the schema, once that was asked.
    valid: Option<bool>,
    pub(super) flagged: Flagged,
    pub(super) pass: Pass,
    pub(super) deferred: Deferred,
    /// Defaults that are held back while an unknown key may be the missing one.
    held: Vec<Held>,
    pub(super) changes: Vec<LadderChange>,
    pub(super) suggestions: Vec<LadderChange>,
    pub(super) findings: Vec<LadderFinding>,
    pub(super) proposals: Vec<ProposalRecord>,
    /// The number of proposals that each rung judged.
    pub(super) judged: BTreeMap<Rung, usize>,
    pub(super) records: Vec<RungRecord>,
    pub(super) stopped: bool,
}

/// The lengths of the record before a rung ran.
#[derive(Clone, Copy)]
struct Mark {
    changes: usize,
    suggestions: usize,
    findings: usize,
}

/// The result of taking the output of a rung.
struct Taken {
    status: RungStatus,
    /// The position of its first finding.
    first: usize,
}

impl<'c> Driver<'c> {
    /// A climb whose input is still to be read.
    pub(super) fn new(cx: Cx<'c>, input: Input<'c>) -> Self {
        Self {
            cx,
            source: Source::new(input),
            raw: false,
            payload: None,
            valid: None,
            flagged: Flagged::default(),
            pass: Pass::First,
            deferred: Deferred::default(),
            held: Vec::new(),
            changes: Vec::new(),
            suggestions: Vec::new(),
            findings: Vec::new(),
            proposals: Vec::new(),
            judged: BTreeMap::new(),
            records: Vec::with_capacity(12),
            stopped: false,
        }
    }

    /// A climb over a value, above the reading.
    pub(super) fn over(cx: Cx<'c>, value: &'c Value) -> Self {
        Self { payload: Some(Cow::Borrowed(value)), ..Self::new(cx, Input::Value(value)) }
    }

    /// Runs the guard over the input.
    pub(super) fn enter(&mut self, entry: &Entry<'c>, run: fn(Cx<'_>, &Entry<'_>) -> Output) {
        self.record(Rung::L3, |driver, mode| match mode {
            LadderMode::Off => RungStatus::Off,
            LadderMode::Block | LadderMode::Report => {
                let output = run(driver.cx, entry);
                driver.take(Rung::L3, mode, output).status
            }
        });
    }

    /// Runs the rung for text, which gives the climb its payload. No contract turns it off.
    pub(super) fn read(&mut self, entry: Entry<'c>, run: fn(Cx<'_>, LadderMode, Entry<'c>, &Flagged) -> Read<'c>) {
        self.raw = entry.is_raw();
        self.record(Rung::L0, |driver, mode| {
            if driver.stopped {
                driver.payload = entry.into_payload();
                return RungStatus::NotReached;
            }
            let Read { payload, valid, source, output } = run(driver.cx, mode, entry, &driver.flagged);
            (driver.payload, driver.valid, driver.source) = (payload, valid, source);
            driver.take(Rung::L0, mode, output).status
        });
    }

    /// Runs a rung in its mode, and records its result.
    pub(super) fn rung(&mut self, rung: Rung, run: Run) {
        self.record(rung, |driver, mode| match driver.inputs(mode) {
            None => RungStatus::NotReached,
            Some(_) if mode == LadderMode::Off => RungStatus::Off,
            Some(inputs) => {
                let output = run(driver.cx, inputs);
                driver.take(rung, mode, output).status
            }
        });
    }

    /// A fix may make another one possible for a rung below it, as text that is parsed has names that are synonyms. So
    /// the rungs that need no model are run until nothing changes.
    pub(super) fn repeat(&mut self, rungs: &[(Rung, Run)]) {
        let mut changes = self.changes.iter().filter(|change| change.rung != Rung::L0).count();
        for _ in 0..MOST_ROUNDS {
            let settled = changes == 0;
            if self.stopped || (settled && !(self.deferred.any && self.pass == Pass::First)) {
                return;
            }
            // Rules that wait for values are evaluated once nothing else changes.
            let late = settled;
            if late {
                self.pass = Pass::Later;
            }
            changes = 0;
            for (rung, run) in rungs {
                let mode = self.cx.mode(*rung);
                // Conditional defaults are only now evaluated, in mode `report` too.
                let suggests = late && *rung == Rung::L0d && mode == LadderMode::Report;
                if mode == LadderMode::Block || suggests {
                    changes += self.run_again(*rung, mode, *run);
                }
            }
        }
    }

    /// Runs a rung once more, and returns how many changes it made.
    fn run_again(&mut self, rung: Rung, mode: LadderMode, run: Run) -> usize {
        let Some(inputs) = self.inputs(mode) else { return 0 };
        let output = run(self.cx, inputs);
        let mark = self.mark();
        let Taken { status, first } = self.take(rung, mode, output);
        self.drop_repeated(first);
        let (made, found) = self.since(mark);
        if let Some(record) = self.records.iter_mut().rev().find(|record| record.rung == rung) {
            record.changes += made;
            record.findings += found;
            let found = found > 0 && record.status == RungStatus::Passed;
            record.status = if made > 0 || found { status } else { record.status };
        }
        made
    }

    /// Refuses defaults that no later rung made unnecessary.
    pub(super) fn refuse_held_defaults(&mut self) {
        if self.held.is_empty() || self.stopped {
            return;
        }
        let held = std::mem::take(&mut self.held);
        self.source.withheld = held.iter().map(|held| held.at.clone()).collect();
        let mut findings = Findings::new(&self.flagged, &self.findings);
        defaults::refuse_held(self.cx.mode(Rung::L0d), held, &mut findings);
        self.findings.extend(findings.into_parts().0);
        let record = self.records.iter_mut().find(|record| record.rung == Rung::L0d);
        if let Some(record) = record.filter(|record| record.status == RungStatus::Passed) {
            record.status = RungStatus::Found;
        }
    }

    /// Returns whether the payload as it stands would be accepted.
    pub(super) fn is_accepted(&self) -> bool {
        let valid = || self.payload.as_deref().is_some_and(|payload| self.cx.is_valid(payload));
        self.valid.unwrap_or_else(valid) && !self.findings.iter().any(|finding| finding.blocks)
    }

    /// The inputs of the next rung; none if the climb was stopped.
    fn inputs(&self, mode: LadderMode) -> Option<Inputs<'_>> {
        let payload = self.payload.as_deref().filter(|_| !self.stopped)?;
        Some(Inputs {
            payload,
            valid: self.valid,
            mode,
            pass: self.pass,
            source: &self.source,
            flagged: &self.flagged,
            changes: &self.changes,
            findings: &self.findings,
            deferred: &self.deferred,
        })
    }

    /// Runs a rung, and records its status with the number of its changes and findings.
    fn record(&mut self, rung: Rung, run: impl FnOnce(&mut Self, LadderMode) -> RungStatus) {
        let (mode, mark) = (self.cx.mode(rung), self.mark());
        let status = run(self, mode);
        let (changes, findings) = self.since(mark);
        self.records.push(RungRecord { rung, mode, status, changes, findings });
    }

    fn mark(&self) -> Mark {
        Mark { changes: self.changes.len(), suggestions: self.suggestions.len(), findings: self.findings.len() }
    }

    /// The changes and findings since a mark. A rung may replace more findings than it makes.
    fn since(&self, mark: Mark) -> (usize, usize) {
        (self.changes.len() - mark.changes, self.findings.len().saturating_sub(mark.findings))
    }

    /// Drops the findings that an output replaces; returns where its own begin.
    fn supersede(&mut self, output: &Output) -> usize {
        if !output.superseded.is_empty() {
            self.findings.retain(|finding| !output.superseded.iter().any(|superseded| superseded.covers(finding)));
        }
        self.findings.len()
    }

    /// Takes the output of a rung: keeps its changes, turns them into suggestions, or undoes them.
    fn take(&mut self, rung: Rung, mode: LadderMode, output: Output) -> Taken {
        let mark = self.mark();
        let first = self.supersede(&output);
        let Output { payload, changes, valid, findings, proposals, flagged, deferred, held, .. } = output;
        *self.judged.entry(rung).or_default() += proposals.len();
        self.proposals.extend(proposals);
        self.deferred.absorb(deferred);
        self.flagged = flagged.unwrap_or(std::mem::take(&mut self.flagged));
        self.held = held.unwrap_or(std::mem::take(&mut self.held));
        self.findings.extend(findings);
        if mode == LadderMode::Report {
            // Without a payload there is nothing to continue with, however lenient the mode.
            let lenient = self.findings.iter_mut().skip(first).filter(|finding| finding.rung != Rung::L0);
            lenient.for_each(|finding| finding.blocks = false);
            self.suggestions.extend(changes);
        } else if let Some(payload) = payload {
            self.change(rung, payload, changes, valid);
        } else {
            // The rung for text brings its payload itself, and records how it was read.
            self.changes.extend(changes);
            self.valid = valid.or(self.valid);
        }
        Taken { status: self.status(rung, mark, first), first }
    }

    /// Keeps the changes of a rung, unless they make a valid payload invalid: no rung below conformance may.
    fn change(&mut self, rung: Rung, payload: Value, changes: Vec<LadderChange>, valid: Option<bool>) {
        if rung >= Rung::L4 {
            self.keep(payload, changes, valid);
            return;
        }
        let valid = valid.unwrap_or_else(|| self.cx.is_valid(&payload));
        let was_valid = |driver: &Self| driver.payload.as_deref().is_some_and(|payload| driver.cx.is_valid(payload));
        if valid || !self.valid.unwrap_or_else(|| was_valid(self)) {
            self.keep(payload, changes, Some(valid));
            return;
        }
        self.valid = Some(true);
        let rules: BTreeSet<&str> = changes.iter().map(|change| change.rule.as_str()).collect();
        let rules: Vec<String> = rules.into_iter().map(quote).collect();
        let message =
            format!("its changes would make a valid payload invalid and were taken back: {}", rules.join(", "));
        let new: Vec<LadderChange> = changes.into_iter().filter(|change| !self.suggestions.contains(change)).collect();
        self.suggestions.extend(new);
        self.find(
            Finding::remark(rung, codes::CHANGE_WOULD_INVALIDATE, "", message).help("mend the rule, or the schema"),
        );
    }

    fn keep(&mut self, payload: Value, changes: Vec<LadderChange>, valid: Option<bool>) {
        self.payload = Some(Cow::Owned(payload));
        self.changes.extend(changes);
        self.valid = valid;
    }

    /// The status of a rung, from what it added to the record. The guard and the rung for text stop the climb.
    fn status(&mut self, rung: Rung, mark: Mark, first: usize) -> RungStatus {
        let blocks = self.findings.iter().skip(first).any(|finding| finding.blocks);
        let changed = self.changes.len() > mark.changes;
        let found = self.findings.len() > mark.findings || self.suggestions.len() > mark.suggestions;
        match (blocks, changed, found) {
            (true, ..) if matches!(rung, Rung::L3 | Rung::L0) => {
                self.stopped = true;
                RungStatus::Stopped
            }
            (_, true, _) => RungStatus::Changed,
            (_, false, true) => RungStatus::Found,
            (_, false, false) => RungStatus::Passed,
        }
    }

    /// Drops findings from a position on that were made before.
    fn drop_repeated(&mut self, from: usize) {
        let new = self.findings.split_off(from.min(self.findings.len()));
        let key = |finding: &LadderFinding| {
            (finding.rung, finding.code.clone(), finding.pointer.clone(), finding.message.clone())
        };
        let mut known: BTreeSet<_> = self.findings.iter().map(key).collect();
        self.findings.extend(new.into_iter().filter(|finding| known.insert(key(finding))));
    }

    /// Adds a finding of the driver's own.
    pub(super) fn find(&mut self, finding: Finding<'_>) {
        self.findings.push(self.flagged.concealed_finding(finding));
    }
}
