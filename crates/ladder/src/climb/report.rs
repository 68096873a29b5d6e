//! The end of a climb: the budget, the second climb, the hashes, and a report free of what the guard flagged.

use super::driver::Driver;
use super::{Climbed, Finding, Findings, Input, budget};
use crate::edits::hash_of;
use crate::repair::read;
use crate::rungs::patch;
use deed_canon::ContentHash;
use deed_diag::{Invariant as _, codes, quote};
use deed_model::{BudgetUse, LadderOutcome, LadderReport, Rung};
use serde_json::Value;

/// The version of reports.
pub(crate) const REPORT_VERSION: &str = "deed/ladder-report/v1";

impl Driver<'_> {
    /// Ends the climb.
    pub(super) fn finish(mut self) -> Climbed {
        self.refuse_unjudged_proposals();
        let budget = self.hold_to_budget();
        self.refuse_unsettled();
        self.count_findings();
        let blocked = self.findings.iter().any(|finding| finding.blocks);
        let outcome = if blocked || self.payload.is_none() { LadderOutcome::Rejected } else { LadderOutcome::Accepted };
        let stopped_by_guard = self.stopped && self.findings.iter().any(|f| f.blocks && f.rung == Rung::L3);
        let (input_hash, read_hash) = self.input_hashes();
        let payload = self.payload.take().filter(|_| !stopped_by_guard);
        if stopped_by_guard {
            self.findings.retain(|finding| finding.rung == Rung::L3);
            // What the guard stopped is in the record of how it came about, too.
            self.changes.clear();
            self.suggestions.clear();
            self.source.repairs.clear();
            self.proposals.clear();
        } else if !self.flagged.is_empty() {
            self.conceal();
        }
        let output_hash = match (&payload, self.changes.is_empty(), self.source.repairs.is_empty()) {
            (Some(_), true, true) => Some(input_hash),
            (Some(payload), ..) => Some(read_hash.unwrap_or_else(|| hash_of(payload))),
            (None, ..) => None,
        };
        let report = LadderReport {
            version: REPORT_VERSION.to_owned(),
            contract: self.cx.ladder.contract.contract.clone(),
            contract_hash: self.cx.ladder.hash,
            phase: self.cx.phase,
            outcome,
            input_hash,
            output_hash,
            changes: self.changes,
            repairs: self.source.repairs,
            suggestions: self.suggestions,
            findings: self.findings,
            rungs: self.records,
            proposals: self.proposals,
            budget,
        };
        Climbed { payload: payload.map(|payload| payload.into_owned()), report }
    }

    /// Records proposals that no rung judged, so that none is dropped silently.
    fn refuse_unjudged_proposals(&mut self) {
        let mut findings = Findings::new(&self.flagged, &self.findings);
        let refused = patch::refuse_unjudged(self.cx, self.judged.clone(), &mut findings);
        self.findings.extend(findings.into_parts().0);
        self.proposals.extend(refused);
    }

    /// Holds the changes to the edit budget.
    fn hold_to_budget(&mut self) -> Option<BudgetUse> {
        let limits = self.cx.ladder.contract.edit_budget.as_ref()?;
        let (used, over) = budget::spend(limits, &self.source, &self.changes);
        for message in over {
            let help = "a payload that needs so much fixing is wrong; look at what made it";
            self.find(Finding::blocking(Rung::L4, codes::EDIT_BUDGET_SPENT, "", message).help(help));
        }
        Some(used)
    }

    /// Refuses a rule that would change its own result again.
    fn refuse_unsettled(&mut self) {
        let Some(change) = self.unsettled_change() else { return };
        let at = change.patch.first().map_or(String::new(), |op| op.path().to_owned());
        let message = format!("{} would change its own result again", quote(&change.rule));
        let help = "give it a condition that no longer holds once it was applied";
        let finding = Finding::blocking(change.rung, codes::RULE_NOT_IDEMPOTENT, &at, message);
        self.find(finding.help(help).rule(&change.rule));
    }

    /// Counts the findings of each rung that are left: some are dropped or added after their rung ran. An exceeded
    /// budget is a finding about the climb as a whole.
    fn count_findings(&mut self) {
        let of_rungs = || self.findings.iter().filter(|finding| finding.code != codes::EDIT_BUDGET_SPENT.as_str());
        for record in self.records.iter_mut().filter(|record| record.rung != Rung::L3) {
            record.findings = of_rungs().filter(|finding| finding.rung == record.rung).count();
        }
    }

    /// The hash of the input, and of the payload as it was read if nothing else was changed. The record of the text has
    /// both.
    fn input_hashes(&self) -> (ContentHash, Option<ContentHash>) {
        if let Some(read) = self.changes.first().filter(|change| change.rung == Rung::L0) {
            return (read.before, Some(read.after).filter(|_| self.changes.len() == 1));
        }
        let hash = match self.source.input {
            Input::Value(value) => hash_of(value),
            Input::Text(text) if self.raw => hash_of(&Value::String(text.to_owned())),
            // Strict text is its value, which is still at hand if nothing was changed.
            Input::Text(text) => match self.payload.as_deref().filter(|_| self.changes.is_empty()) {
                Some(payload) => hash_of(payload),
                None => hash_of(&read(text).ok().invariant("strict text can be read").value),
            },
        };
        (hash, None)
    }

    /// Keeps the report free of what the guard flagged and let pass, in everything that was recorded before that.
    fn conceal(&mut self) {
        let flagged = &self.flagged;
        let changes = self.changes.iter_mut().chain(&mut self.suggestions);
        changes.for_each(|change| flagged.conceal_change(change));
        self.proposals.iter_mut().for_each(|record| flagged.conceal_proposal(record));
        if self.source.repairs.parts().any(|(_, _, inserted)| flagged.is_in(inserted)) {
            self.source.repairs = self.source.repairs.iter().map(|repair| flagged.concealed_repair(repair)).collect();
        }
        self.findings.iter_mut().for_each(|finding| flagged.conceal_finding(finding));
    }
}
