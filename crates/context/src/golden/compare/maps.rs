//! Expectations that are maps: compared by the listed keys.

use super::finding::Findings;
use deed_diag::{Invariant as _, did_you_mean, quote};
use deed_model::{
    ArgConstraint, CompiledContext, EvidenceReason, GoldenExpectation, MemoryReason, RuleVerdict, ToolCheck,
};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

pub(super) fn compare(expect: &GoldenExpectation, context: &CompiledContext<'_>, findings: &mut Findings<'_>) {
    verdicts(expect, context, findings);
    hidden(expect, context, findings);
    arguments(expect, context, findings);
    let ledger = &context.context_ledger;
    let evidence = all_reasons(ledger.evidence.iter().map(|e| (e.evidence_ref.as_ref(), e.reasons.as_slice())));
    let memory = all_reasons(ledger.memory.iter().map(|m| (m.id.as_ref(), m.reasons.as_slice())));
    rejected("rejected_evidence", &expect.rejected_evidence, &evidence, EvidenceReason::as_str, findings);
    rejected("rejected_memory", &expect.rejected_memory, &memory, MemoryReason::as_str, findings);
}

type Words = Vec<&'static str>;

fn words<T: Copy>(values: &[T], word: impl Fn(T) -> &'static str) -> Words {
    values.iter().map(|value| word(*value)).collect()
}

fn listed(words: &[&str]) -> String {
    if words.is_empty() { "nothing".to_owned() } else { words.iter().map(|w| quote(w)).collect::<Vec<_>>().join(", ") }
}

fn verdicts(expect: &GoldenExpectation, context: &CompiledContext<'_>, findings: &mut Findings<'_>) {
    let word = RuleVerdict::as_str;
    let decisions = &context.context_ledger.policy_decisions;
    for (rule, expected) in &expect.verdicts {
        let found = decisions.iter().find(|decision| decision.rule_id == *rule).map(|decision| decision.verdict);
        if found == Some(*expected) {
            continue;
        }
        let message = match found {
            Some(found) => format!("expected {} to `{}` and found `{}`", quote(rule), word(*expected), word(found)),
            None => format!("expected {} to `{}`, and it did not fire", quote(rule), word(*expected)),
        };
        let fired = decisions.iter().map(|decision| decision.rule_id.as_ref());
        findings.differs(&["verdicts", rule], message, did_you_mean(rule, fired));
    }
}

/// Returns the checks that hide each capability of the pack.
pub(in crate::golden) fn tool_checks(context: &CompiledContext<'_>) -> BTreeMap<String, Vec<ToolCheck>> {
    let tools = context.context_ledger.tools.iter();
    let checks = |tool: &deed_model::LedgerCapability<'_>| tool.hidden_by.iter().map(|by| by.check).collect();
    tools.map(|tool| (format!("{}.{}", tool.adapter_id, tool.capability), checks(tool))).collect()
}

/// Returns the bounds in force for each surfaced tool.
pub(in crate::golden) fn tool_bounds<'c>(
    context: &'c CompiledContext<'_>,
) -> BTreeMap<String, Vec<&'c BTreeMap<String, ArgConstraint>>> {
    let mut bounds = BTreeMap::new();
    for entry in &context.manifests.tool_manifest {
        for (capability, metadata) in &entry.capability_metadata {
            let all = metadata.arg_constraints.iter().map(|bound| bound.arguments.as_ref()).collect();
            bounds.insert(format!("{}.{capability}", entry.adapter_id), all);
        }
    }
    bounds
}

fn hidden(expect: &GoldenExpectation, context: &CompiledContext<'_>, findings: &mut Findings<'_>) {
    let found: BTreeMap<String, Words> =
        tool_checks(context).into_iter().map(|(tool, checks)| (tool, words(&checks, ToolCheck::as_str))).collect();
    for (tool, expected) in &expect.hidden {
        let expected = words(expected, ToolCheck::as_str);
        let path = ["hidden", tool.as_str()];
        match found.get(tool) {
            Some(checks) if *checks == expected => {}
            Some(checks) => {
                let (expected, found) = (listed(&expected), listed(checks));
                let message = format!("expected {} to be hidden by {expected} and found {found}", quote(tool));
                findings.differs(&path, message, None);
            }
            None => {
                let message = format!("the pack has no capability {}", quote(tool));
                findings.differs(&path, message, did_you_mean(tool, found.keys().map(String::as_str)));
            }
        }
    }
}

/// Each bound must be among those in force; there may be others.
fn arguments(expect: &GoldenExpectation, context: &CompiledContext<'_>, findings: &mut Findings<'_>) {
    let bounds = tool_bounds(context);
    for (tool, expected) in &expect.arguments {
        let Some(in_force) = bounds.get(tool) else {
            let message = format!("expected bounds on {}, which is not surfaced", quote(tool));
            let help = did_you_mean(tool, bounds.keys().map(String::as_str));
            findings.differs(&["arguments", tool], message, help);
            continue;
        };
        for (argument, bound) in expected {
            let found: Vec<&ArgConstraint> = in_force.iter().filter_map(|all| all.get(argument)).collect();
            if found.contains(&bound) {
                continue;
            }
            let shown: Vec<String> = found.iter().map(|bound| written(bound)).collect();
            let found = if shown.is_empty() { "none".to_owned() } else { shown.join(" and ") };
            let message = format!("expected the bound {} on {} and found {found}", written(bound), quote(argument));
            findings.differs(&["arguments", tool, argument], message, None);
        }
    }
}

fn written(bound: &ArgConstraint) -> String {
    quote(&serde_json::to_string(bound).invariant("a bound is JSON"))
}

/// Returns the reasons by name. An item that was supplied more than once has all reasons against any of its copies, in
/// order.
pub(in crate::golden) fn all_reasons<'c, T: Copy + Ord + 'c>(
    items: impl Iterator<Item = (&'c str, &'c [T])>,
) -> BTreeMap<&'c str, Vec<T>> {
    let mut by_name: BTreeMap<&str, Vec<T>> = BTreeMap::new();
    for (name, reasons) in items {
        match by_name.entry(name) {
            Entry::Vacant(entry) => drop(entry.insert(reasons.to_vec())),
            Entry::Occupied(mut entry) => {
                let all = entry.get_mut();
                all.extend(reasons);
                all.sort_unstable();
                all.dedup();
            }
        }
    }
    by_name
}

fn rejected<T: Copy + PartialEq>(
    name: &str,
    expected: &BTreeMap<String, Vec<T>>,
    found: &BTreeMap<&str, Vec<T>>,
    word: impl Fn(T) -> &'static str,
    findings: &mut Findings<'_>,
) {
    for (item, expected) in expected {
        match found.get(item.as_str()) {
            Some(reasons) if reasons == expected => {}
            Some(reasons) => {
                let (expected, found) = (listed(&words(expected, &word)), listed(&words(reasons, &word)));
                let message = format!("expected {expected} against {} and found {found}", quote(item));
                findings.differs(&[name, item], message, None);
            }
            None => {
                let message = format!("{} was not supplied", quote(item));
                findings.differs(&[name, item], message, did_you_mean(item, found.keys().copied()));
            }
        }
    }
}
