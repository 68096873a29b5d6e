//! The context of a climb, and the inputs of a rung.

use super::{Findings, Source};
use crate::flagged::Flagged;
use crate::ladder::Ladder;
use crate::port::Proposer;
use crate::rungs::vector::Likeness;
use deed_imprint::Expected;
use deed_model::{LadderChange, LadderFinding, LadderMode, Phase, Rung};
use serde_json::Value;

use super::draft::Deferred;

/// The contract, the port and the cache that every rung of a climb uses.
#[derive(Clone, Copy)]
pub(crate) struct Cx<'c> {
    pub(crate) ladder: &'c Ladder,
    pub(crate) phase: Phase,
    pub(crate) proposer: &'c dyn Proposer,
    /// The similarities of names, each computed once.
    pub(crate) likeness: &'c Likeness,
}

impl<'c> Cx<'c> {
    /// The mode of a rung in this phase.
    pub(crate) fn mode(self, rung: Rung) -> LadderMode {
        self.ladder.mode(self.phase, rung)
    }

    /// The part of the schema for a place of the payload.
    pub(crate) fn expected(self, payload: &Value, at: &str) -> Expected<'c> {
        self.ladder.imprint.expected().along(payload, at)
    }

    /// Returns whether a payload satisfies the schema. One that the schema cannot judge does not; conformance reports
    /// why.
    pub(crate) fn is_valid(self, payload: &Value) -> bool {
        self.ladder.imprint.schema().is_valid(payload).unwrap_or(false)
    }
}

/// The inputs of a rung: the payload, and the outputs of earlier rungs.
#[derive(Clone, Copy)]
pub(crate) struct Inputs<'c> {
    pub(crate) payload: &'c Value,
    /// Whether the payload satisfies the schema, once a rung asked.
    pub(crate) valid: Option<bool>,
    /// The mode that the rung runs in.
    pub(crate) mode: LadderMode,
    pub(crate) pass: Pass,
    /// The output of the rung for text.
    pub(crate) source: &'c Source<'c>,
    /// The output of the guard.
    pub(crate) flagged: &'c Flagged,
    /// The changes of earlier rungs.
    pub(crate) changes: &'c [LadderChange],
    /// The findings of earlier rungs.
    pub(crate) findings: &'c [LadderFinding],
    /// The rules that earlier passes deferred.
    pub(crate) deferred: &'c Deferred,
}

impl<'c> Inputs<'c> {
    /// A sink for the findings of the rung.
    pub(crate) fn sink(self) -> Findings<'c> {
        Findings::new(self.flagged, self.findings)
    }
}

/// The progress of the rungs below conformance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pass {
    /// Names and values may still change, so rules that depend on them wait.
    First,
    /// Nothing changes but what waited for that.
    Later,
}
