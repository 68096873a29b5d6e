//! Success criteria of steps and of the mission, as conditions that a machine can check.

use super::Inputs;
use crate::criteria::{Facts, Fault, understand};
use crate::lower::cx::{Cx, Step};
use crate::lower::findings::{At, Finding, Findings};
use deed_diag::{codes, quote};
use deed_model::{Condition, ConditionCheck, Criterion};

/// The success conditions of a step.
pub(super) fn of_step(cx: Cx<'_>, inputs: Inputs<'_>, step: Step<'_>, findings: &mut Findings<'_>) -> Vec<Condition> {
    let facts = facts(cx, inputs, step);
    let at = step.at().key("success_criteria");
    let conditions = understood(&step.authored.success_criteria, &facts, &at, findings);
    if let Some(message) = contradiction(&conditions) {
        let finding = Finding::error(at, codes::NOT_CHECKABLE, message);
        findings.add(finding.help("no number of rows satisfies both; change one of them"));
    }
    if step.authored.success_criteria.is_empty() && step.authored.adapter.is_none() {
        let message = "nothing says when it has succeeded";
        let finding = Finding::warning(step.at(), codes::SUCCESS_CRITERIA_MISSING, message);
        findings.add(finding.help("its outputs are checked all the same; say more under `success_criteria`"));
    }
    conditions
}

/// Checks the criteria of the mission, which may speak of what any step writes.
pub(super) fn check_mission(cx: Cx<'_>, inputs: Inputs<'_>, findings: &mut Findings<'_>) {
    let mut facts = Facts { whole: true, ..Facts::default() };
    cx.steps().for_each(|step| add_files(&mut facts, cx, inputs, step));
    let at = At::plan("/mission/success_criteria");
    understood(&cx.plan.mission.success_criteria, &facts, &at, findings);
}

fn understood(criteria: &[Criterion], facts: &Facts<'_>, at: &At, findings: &mut Findings<'_>) -> Vec<Condition> {
    let mut conditions = Vec::new();
    for (position, criterion) in criteria.iter().enumerate() {
        match understand(criterion, facts) {
            Ok(understood) => conditions.extend(understood),
            Err(fault) => findings.add(refuse(at.item(position), criterion, fault)),
        }
    }
    conditions
}

fn refuse(at: At, criterion: &Criterion, fault: Fault) -> Finding {
    let at = match (criterion, fault.part) {
        (Criterion::Sentence(_), _) | (Criterion::Condition(_), None) => at,
        (Criterion::Condition(_), Some(part)) => at.key(part),
    };
    let code = if fault.unknown { codes::UNKNOWN_FACT_IN_CONDITION } else { codes::NOT_CHECKABLE };
    Finding::error(at, code, fault.message).help_opt(fault.help)
}

/// Facts that are known once a step has run.
fn facts<'s>(cx: Cx<'s>, inputs: Inputs<'s>, step: Step<'s>) -> Facts<'s> {
    let mut facts = Facts::default();
    add_files(&mut facts, cx, inputs, step);
    for output in inputs.bindings.offers.of_step(step.index) {
        facts.outputs.entry(output.slot.as_str()).or_default().push(cx.catalog.kind(output.kind.as_str()));
    }
    for read in inputs.adapters.of_step(step.index) {
        let authored = read.input.authored;
        let kind = read.arrival.as_ref().and_then(|arrival| cx.catalog.kind(arrival.kind.as_str()));
        facts.inputs.entry(authored.slot.as_str()).or_default().push(kind);
        if read.arrival.is_none() && authored.required {
            facts.unbound.insert(authored.slot.as_str());
        }
    }
    facts
}

fn add_files<'s>(facts: &mut Facts<'s>, cx: Cx<'s>, inputs: Inputs<'s>, step: Step<'s>) {
    for (path, contract) in &inputs.outputs.of_step(step.index).contracts {
        facts.files.insert(path.as_str(), cx.catalog.kind(contract.kind_key.as_str()));
        if contract.entity_schema_id.is_some() {
            facts.described.insert(path);
        }
    }
    facts.doubtful.extend(step.authored.expected_outputs.iter().map(|expected| expected.path.as_str()));
    facts.doubtful.extend(inputs.wiring.of_step(step.index).writes.iter().map(|(path, _)| path.as_str()));
}

/// Two conditions on the rows of one file that no file can meet.
fn contradiction(conditions: &[Condition]) -> Option<String> {
    let of = |check: ConditionCheck| conditions.iter().filter(move |condition| condition.check == check);
    of(ConditionCheck::RowsAtLeast).find_map(|least| {
        let most = of(ConditionCheck::RowsAtMost).find(|most| most.path == least.path && most.count < least.count)?;
        let (least_rows, most_rows) = (least.count?, most.count?);
        let path = quote(least.path.as_deref()?);
        Some(format!("{path} is to have at least {least_rows} rows and at most {most_rows}"))
    })
}
