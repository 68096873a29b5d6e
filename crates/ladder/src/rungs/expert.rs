//! L6, expert: proposals that took understanding, held to the same guardrails as any other. What they change is
//! judged anew by conformance and domain rules. A proposal without a patch is a finding: it names what is wrong where
//! no value can be proposed, and in mode `block` one of severity `error` refuses the payload.

use super::patch::{self, Refusal, is_pointer, sound};
use super::{conformance, domain};
use crate::climb::{Climb, Weight};
use deed_diag::{codes, quote};
use deed_model::{LadderMode, Proposal, ProposedFinding, RuleWeight, Rung};

pub(crate) fn run(climb: &mut Climb<'_>) {
    let before = climb.changes.len();
    patch::proposals(climb, Rung::L6);
    if climb.changes.len() == before || climb.mode != LadderMode::Block {
        return;
    }
    let mode = |rung: Rung| climb.ladder.mode(climb.phase, rung);
    let (conforming, ruled) = (mode(Rung::L4), mode(Rung::L5));
    climb.forget(&[Rung::L4, Rung::L5]);
    let from = climb.findings.len();
    if conforming != LadderMode::Off {
        conformance::check(climb);
        soften(climb, from, conforming);
    }
    let from = climb.findings.len();
    if ruled != LadderMode::Off {
        domain::run(climb);
        soften(climb, from, ruled);
    }
}

/// Writes down a proposal that is a finding; or says why it is none.
pub(crate) fn report(
    climb: &mut Climb<'_>,
    rung: Rung,
    proposal: &Proposal,
    finding: &ProposedFinding,
) -> Option<Refusal> {
    if let Err(reason) = sound(climb, proposal).and_then(|()| is_finding(climb, rung, proposal, finding)) {
        return Some(Refusal::ForGood(reason));
    }
    let weight = if finding.severity == RuleWeight::Error { Weight::Blocks } else { Weight::Remark };
    let help = Some(proposal.reason.clone()).filter(|reason| !reason.is_empty());
    climb.find(Rung::L6, codes::EXPERT_FINDING, &finding.at, finding.message.clone(), help, Some(&proposal.id), weight);
    None
}

fn is_finding(climb: &Climb<'_>, rung: Rung, proposal: &Proposal, finding: &ProposedFinding) -> Result<(), String> {
    if rung != Rung::L6 {
        return Err("findings are L6's alone".to_owned());
    }
    if !proposal.patch.is_empty() {
        return Err("it has a patch and a finding; propose each on its own".to_owned());
    }
    if finding.message.trim().is_empty() {
        return Err("its finding says nothing".to_owned());
    }
    if !is_pointer(&finding.at) {
        return Err(format!("{} is no JSON pointer", quote(&finding.at)));
    }
    let there = climb.payload.as_ref().is_some_and(|payload| payload.pointer(&finding.at).is_some());
    if there { Ok(()) } else { Err(format!("there is no {}", quote(&finding.at))) }
}

/// Findings of a rung in mode `report` refuse nothing.
fn soften(climb: &mut Climb<'_>, from: usize, mode: LadderMode) {
    if mode == LadderMode::Report {
        climb.findings.iter_mut().skip(from).for_each(|finding| finding.blocks = false);
    }
}
