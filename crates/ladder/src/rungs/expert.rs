//! L6, expert: proposals that took understanding, held to the same guardrails as any other. What they change is
//! judged anew by conformance and domain rules. A proposal without a patch is a finding: it names what is wrong where
//! no value can be proposed, and in mode `block` one of severity `error` refuses the payload.

use super::patch::{self, Refusal, is_pointer, sound};
use super::{conformance, domain};
use crate::climb::{Cx, Draft, Finding, Inputs, Output, Superseded, Weight};
use deed_diag::{codes, quote};
use deed_model::{LadderMode, Proposal, ProposedFinding, RuleWeight, Rung};

/// Judges the expert's proposals, and what they change by conformance and domain rules.
pub(crate) fn judge(cx: Cx<'_>, inputs: Inputs<'_>) -> Output {
    let mut draft = Draft::new(inputs);
    patch::judge_proposals(cx, Rung::L6, &mut draft);
    if draft.is_changed() && inputs.mode == LadderMode::Block {
        [Rung::L4, Rung::L5].into_iter().for_each(|rung| draft.findings.supersede(Superseded::Rung(rung)));
        judge_anew(cx, &mut draft, Rung::L4, conformance::check_draft);
        judge_anew(cx, &mut draft, Rung::L5, domain::check_draft);
    }
    draft.into_output()
}

/// Runs a rung over the draft, in its own mode.
fn judge_anew(cx: Cx<'_>, draft: &mut Draft<'_>, rung: Rung, check: fn(Cx<'_>, &mut Draft<'_>)) {
    let (mode, from) = (cx.mode(rung), draft.findings.count());
    if mode != LadderMode::Off {
        check(cx, draft);
    }
    // Findings of a rung in mode `report` refuse nothing.
    if mode == LadderMode::Report {
        draft.findings.soften(from);
    }
}

/// Reports a proposal that is a finding, or returns why it is refused.
pub(crate) fn report(
    cx: Cx<'_>,
    draft: &mut Draft<'_>,
    rung: Rung,
    proposal: &Proposal,
    finding: &ProposedFinding,
) -> Option<Refusal> {
    if let Err(reason) = sound(cx, proposal).and_then(|()| is_finding(draft, rung, proposal, finding)) {
        return Some(Refusal::ForGood(reason));
    }
    let weight = if finding.severity == RuleWeight::Error { Weight::Blocks } else { Weight::Remark };
    let help = Some(proposal.reason.clone()).filter(|reason| !reason.is_empty());
    let found = Finding::blocking(Rung::L6, codes::EXPERT_FINDING, &finding.at, finding.message.clone());
    draft.find(found.help_opt(help).rule(&proposal.id).weight(weight));
    None
}

fn is_finding(draft: &Draft<'_>, rung: Rung, proposal: &Proposal, finding: &ProposedFinding) -> Result<(), String> {
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
    if draft.payload().pointer(&finding.at).is_some() {
        Ok(())
    } else {
        Err(format!("there is no {}", quote(&finding.at)))
    }
}
