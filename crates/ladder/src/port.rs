//! The port of the rungs that need understanding: proposals come in as data.

use deed_model::{LadderFinding, LadderReport, Proposal, Proposals, Rung};
use serde_json::Value;

/// Whoever proposes fixes of values: a model, a person, or a record of either.
pub trait Proposer {
    /// Proposals for a payload, given what was found so far.
    fn propose(&self, rung: Rung, payload: &Value, findings: &[LadderFinding]) -> Vec<Proposal>;
}

impl Proposer for Proposals {
    fn propose(&self, rung: Rung, _: &Value, _: &[LadderFinding]) -> Vec<Proposal> {
        self.proposals.iter().filter(|proposal| proposal.rung == rung).cloned().collect()
    }
}

/// The proposals frozen in a record: whoever climbs with them again needs no model.
pub fn frozen(report: &LadderReport) -> Proposals {
    Proposals { proposals: report.proposals.iter().map(|record| record.proposal.clone()).collect() }
}
