//! The port of the rungs that need understanding: proposals come in as data.

use deed_model::{LadderFinding, LadderReport, Proposal, Proposals, Rung};
use serde_json::Value;

/// Whoever proposes fixes of values: a model, a person, or a record of either.
pub trait Proposer {
    /// Proposals for a payload, given what was found so far. Asked by L2 and L6 alone, and never about a payload that
    /// the guard stopped.
    fn propose(&self, rung: Rung, payload: &Value, findings: &[LadderFinding]) -> Vec<Proposal>;

    /// Proposals that are there without being asked for; those that no rung took are written down as such.
    fn given(&self) -> Vec<Proposal> {
        Vec::new()
    }
}

impl Proposer for Proposals {
    fn propose(&self, rung: Rung, _: &Value, _: &[LadderFinding]) -> Vec<Proposal> {
        self.proposals.iter().filter(|proposal| proposal.rung == rung).cloned().collect()
    }

    fn given(&self) -> Vec<Proposal> {
        self.proposals.clone()
    }
}

/// The proposals frozen in a record: whoever climbs with them again needs no model.
pub fn frozen(report: &LadderReport) -> Proposals {
    Proposals { proposals: report.proposals.iter().map(|record| record.proposal.clone()).collect() }
}
