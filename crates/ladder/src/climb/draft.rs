//! The draft that a rung works on, and the output that it becomes.
//!
//! The payload of the climb is borrowed and copied at the first change, so a rung that changes nothing costs nothing, and
//! the driver undoes a rung by dropping its output.

use super::{Cx, Finding, Findings, Inputs, Superseded};
use crate::edits::{self, Cause};
use crate::flagged::Flagged;
use crate::rungs::defaults::Held;
use crate::undo::take_back;
use deed_diag::invariant;
use deed_model::{LadderChange, LadderFinding, ProposalRecord};
use serde_json::Value;
use std::collections::BTreeSet;

/// The output of a rung.
#[derive(Default)]
pub(crate) struct Output {
    /// The payload as the rung would leave it; none if it changes nothing.
    pub(crate) payload: Option<Value>,
    /// The changes that lead to it, in order.
    pub(crate) changes: Vec<LadderChange>,
    /// Whether the payload, as the rung would leave it, satisfies the schema; none if the rung did not ask.
    pub(crate) valid: Option<bool>,
    /// The findings.
    pub(crate) findings: Vec<LadderFinding>,
    /// Earlier findings that they replace.
    pub(crate) superseded: Vec<Superseded>,
    /// The proposals that the rung judged, with their verdicts.
    pub(crate) proposals: Vec<ProposalRecord>,
    /// Everything flagged so far; none unless the rung is the guard and found something.
    pub(crate) flagged: Option<Flagged>,
    /// Rules that the rung applied or left to a later pass.
    pub(crate) deferred: Deferred,
    /// The defaults that are held back now; none if the rung does not decide about defaults.
    pub(crate) held: Option<Vec<Held>>,
}

impl Output {
    /// An output of findings alone.
    pub(crate) fn of_findings(findings: Findings<'_>) -> Self {
        let (findings, superseded) = findings.into_parts();
        Self { findings, superseded, ..Self::default() }
    }
}

/// Rules that wait for values that rungs above them leave.
#[derive(Debug, Default)]
pub(crate) struct Deferred {
    /// Transforms that were applied, by rule and place.
    pub(crate) applied: BTreeSet<(usize, String)>,
    /// Transforms that wait, by rule and place.
    pub(crate) waiting: BTreeSet<(usize, String)>,
    /// Whether any rule waits.
    pub(crate) any: bool,
}

impl Deferred {
    pub(super) fn absorb(&mut self, other: Self) {
        self.applied.extend(other.applied);
        self.waiting.extend(other.waiting);
        self.any |= other.any;
    }
}

/// The payload as a rung changes it, with a record of each change and the findings.
pub(crate) struct Draft<'c> {
    pub(crate) inputs: Inputs<'c>,
    edited: Option<Value>,
    valid: Option<bool>,
    changes: Vec<LadderChange>,
    pub(crate) findings: Findings<'c>,
    pub(crate) proposals: Vec<ProposalRecord>,
}

impl<'c> Draft<'c> {
    pub(crate) fn new(inputs: Inputs<'c>) -> Self {
        Self {
            inputs,
            edited: None,
            valid: inputs.valid,
            changes: Vec::new(),
            findings: inputs.sink(),
            proposals: Vec::new(),
        }
    }

    /// The payload with the changes so far.
    pub(crate) fn payload(&self) -> &Value {
        self.edited.as_ref().unwrap_or(self.inputs.payload)
    }

    /// Returns whether the payload with the changes so far satisfies the schema.
    pub(crate) fn is_valid(&mut self, cx: Cx<'_>) -> bool {
        let valid = self.valid.unwrap_or_else(|| cx.is_valid(self.payload()));
        self.valid = Some(valid);
        valid
    }

    /// Returns whether a place may be changed and shown: the guard flagged nothing there.
    pub(crate) fn is_free(&self, at: &str) -> bool {
        self.inputs.flagged.is_free(at)
    }

    /// The changes of the climb so far: those of earlier rungs, then the rung's own.
    pub(crate) fn all_changes(&self) -> impl Iterator<Item = &LadderChange> {
        self.inputs.changes.iter().chain(&self.changes)
    }

    /// Returns whether the rung changed anything.
    pub(crate) fn is_changed(&self) -> bool {
        !self.changes.is_empty()
    }

    pub(crate) fn find(&mut self, finding: Finding<'_>) {
        self.findings.add(finding);
    }

    /// Puts a value in the place of another; false if there is no such place.
    pub(crate) fn replace(&mut self, at: &str, value: Value, cause: Cause<'_>) -> bool {
        let change = self.attempt(at, value, cause);
        self.keep_opt(change)
    }

    /// Gives a key of an object another name; false if there is no such key, or the other is taken.
    pub(crate) fn rename(&mut self, object: &str, (from, to): (&str, &str), cause: Cause<'_>) -> bool {
        let change = edits::rename(self.edited(), object, from, to, cause);
        self.keep_opt(change)
    }

    /// Adds a key to an object; false if there is no such object, or the key is there.
    pub(crate) fn add(&mut self, at: &str, value: Value, cause: Cause<'_>) -> bool {
        let change = edits::add(self.edited(), at, value, cause);
        self.keep_opt(change)
    }

    /// Removes a key from an object; false if there is no such key.
    pub(crate) fn remove(&mut self, at: &str, cause: Cause<'_>) -> bool {
        let change = self.attempt_removal(at, cause);
        self.keep_opt(change)
    }

    /// Replaces a value on trial: the change must be kept or taken back.
    pub(crate) fn attempt(&mut self, at: &str, value: Value, cause: Cause<'_>) -> Option<LadderChange> {
        edits::replace(self.edited(), at, value, cause)
    }

    /// Removes a key on trial: the change must be kept or taken back.
    pub(crate) fn attempt_removal(&mut self, at: &str, cause: Cause<'_>) -> Option<LadderChange> {
        edits::remove(self.edited(), at, cause)
    }

    /// Keeps a change that was made on trial.
    pub(crate) fn keep(&mut self, change: LadderChange) {
        self.changes.push(change);
        self.valid = None;
    }

    /// Takes back changes that were made on trial, last to first.
    pub(crate) fn take_back(&mut self, changes: &[LadderChange]) {
        let undone = take_back(self.edited(), changes);
        invariant!(undone, "a change on trial can be taken back");
    }

    fn keep_opt(&mut self, change: Option<LadderChange>) -> bool {
        let made = change.is_some();
        change.into_iter().for_each(|change| self.keep(change));
        made
    }

    fn edited(&mut self) -> &mut Value {
        self.edited.get_or_insert_with(|| self.inputs.payload.clone())
    }

    /// The output of the rung.
    pub(crate) fn into_output(self) -> Output {
        let (findings, superseded) = self.findings.into_parts();
        Output {
            payload: self.edited.filter(|_| !self.changes.is_empty()),
            changes: self.changes,
            valid: self.valid,
            findings,
            superseded,
            proposals: self.proposals,
            ..Output::default()
        }
    }
}
