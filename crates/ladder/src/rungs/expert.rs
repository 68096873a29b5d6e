//! L6, expert: proposals that took understanding, held to the same guardrails as any other. What they mend is
//! judged anew by conformance and domain rules.

use super::{conformance, domain, patch};
use crate::climb::Climb;
use deed_model::{LadderMode, Rung};

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

/// Findings of a rung in mode `report` refuse nothing.
fn soften(climb: &mut Climb<'_>, from: usize, mode: LadderMode) {
    if mode == LadderMode::Report {
        climb.findings.iter_mut().skip(from).for_each(|finding| finding.blocks = false);
    }
}
