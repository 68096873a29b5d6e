//! Expectations that are lists: compared as wholes, in order.

use super::finding::Findings;
use deed_diag::quote;
use deed_model::{CompiledContext, GoldenExpectation, ItemStatus};
use std::borrow::Cow;

pub(super) fn compare(expect: &GoldenExpectation, context: &CompiledContext<'_>, findings: &mut Findings<'_>) {
    let (ledger, controls, manifests) = (&context.context_ledger, &context.runtime_controls, &context.manifests);
    let mut list = |name: &str, expected: &Option<Vec<String>>, found: Vec<&str>| {
        if let Some(expected) = expected {
            entry(&[name], expected, &found, findings);
        }
    };
    let kept = ledger.memory.iter().filter(|m| m.status == ItemStatus::Kept);
    list("rules", &expect.rules, ledger.policy_decisions.iter().map(|d| d.rule_id.as_ref()).collect());
    list("evidence", &expect.evidence, manifests.evidence_manifest.iter().map(|e| e.evidence_ref.as_ref()).collect());
    list("memory", &expect.memory, kept.map(|m| m.id.as_ref()).collect());
    list("must_refuse", &expect.must_refuse, texts(&controls.must_refuse));
    list("must_escalate", &expect.must_escalate, texts(&controls.must_escalate));
    list("approval_gates_active", &expect.approval_gates_active, texts(&controls.approval_gates_active));
    list("redaction_rules_active", &expect.redaction_rules_active, texts(&controls.redaction_rules_active));
    let blocks = context.compiled_prompt.context_blocks.iter();
    list("blocks", &expect.blocks, blocks.map(|b| b.block_id.as_ref()).collect());
    let names = tool_names(context);
    list("tools", &expect.tools, names.iter().map(String::as_str).collect());
}

/// Returns the surfaced tools, in order.
pub(in crate::golden) fn tool_names(context: &CompiledContext<'_>) -> Vec<String> {
    let tools = context.manifests.tool_manifest.iter();
    let names = |entry: &deed_model::ToolEntry<'_>| {
        let names = entry.capabilities.iter().map(|capability| format!("{}.{capability}", entry.adapter_id));
        names.collect::<Vec<_>>()
    };
    tools.flat_map(names).collect()
}

fn texts<'c>(list: &'c [Cow<'_, str>]) -> Vec<&'c str> {
    list.iter().map(Cow::as_ref).collect()
}

/// Compares one list. The message tells the difference, the help what was found.
pub(super) fn entry(path: &[&str], expected: &[String], found: &[&str], findings: &mut Findings<'_>) {
    if expected.iter().map(String::as_str).eq(found.iter().copied()) {
        return;
    }
    let missing: Vec<&str> = expected.iter().map(String::as_str).filter(|name| !found.contains(name)).collect();
    let extra: Vec<&str> = found.iter().copied().filter(|name| !expected.iter().any(|e| e == name)).collect();
    let name = path.join(".");
    let message = match (missing.as_slice(), extra.as_slice()) {
        ([], []) => format!("`{name}`: found the same in another order or number"),
        (missing, []) => format!("`{name}`: expected and not found: {}", some(missing)),
        ([], extra) => format!("`{name}`: found and not expected: {}", some(extra)),
        (missing, extra) => format!("`{name}`: expected {} and found {}", some(missing), some(extra)),
    };
    let all = if found.is_empty() { "nothing".to_owned() } else { format!("[{}]", found.join(", ")) };
    findings.differs(path, message, Some(format!("found in all: {all}")));
}

/// Returns the first few names: more would not help.
fn some(names: &[&str]) -> String {
    const MOST: usize = 3;
    let shown: Vec<String> = names.iter().take(MOST).map(|name| quote(name)).collect();
    match names.len().saturating_sub(MOST) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}
