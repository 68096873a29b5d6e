//! `deed context compile`: everything that a model would see.

use super::sources::ContextArgs;
use crate::args::Global;
use crate::output::Success;
use crate::terminal::{Stream, is_terminal};
use crate::text::writeln;
use clap::Args;
use deed_app::AppError;
use deed_app::contexts::read_compiled;
use deed_context::{PrefixChange, compare_prefix, render_prompt, visible};
use deed_model::{Bucket, CompiledContext, EvidenceStatus, ItemStatus, PackNaming, PackSource, Verdict};
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt::Write as _;
use std::path::PathBuf;

/// Compile a request under a pack: prompt, tools, controls, budget and ledger.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed context compile --pack ./support --request request.yaml --run run.yaml
  deed context compile --pack ctxpack.support@1.0.0 --request request.yaml \\
      --run run.yaml --prompt")]
pub(crate) struct Compile {
    #[command(flatten)]
    given: ContextArgs,
    /// Print only the prompt, its stable part first.
    #[arg(long, conflicts_with = "json")]
    prompt: bool,
    /// Earlier compile as JSON, to name the block that broke the stable prefix.
    #[arg(long, value_name = "FILE")]
    earlier: Option<PathBuf>,
}

/// A compiled context; with `--earlier` also how its stable prefix compares.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum CompiledData<'c> {
    /// The context, and the comparison.
    Compared {
        /// The compiled context.
        compiled_context: Box<CompiledContext<'c>>,
        /// The part of the earlier prefix that it shares.
        prefix_change: PrefixChange<'c>,
    },
    /// The compiled context.
    Context(Box<CompiledContext<'c>>),
}

impl Compile {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let (loaded, report) = self.given.load(global)?;
        let earlier = self.earlier.as_deref().map(read_compiled).transpose()?;
        let pack = loaded.hydrate()?;
        let context = loaded.compile(&pack)?;
        let prefix = earlier.as_ref().map(|earlier| compare_prefix(earlier, &context));
        let text = match self.prompt {
            true => format!("{}\n", render_prompt(&context.compiled_prompt)),
            false => summary(&context, prefix.as_ref()),
        };
        let remark = remark(&context);
        let data = match prefix {
            Some(prefix_change) => CompiledData::Compared { compiled_context: context, prefix_change },
            None => CompiledData::Context(context),
        };
        let mut success = Success::new(data, text).report(report).remark(remark);
        success.document = self.prompt;
        // A file or a program gets the prompt byte for byte; a terminal is never sent what would move its cursor.
        Ok(if self.prompt && !is_terminal(Stream::Stdout) { success.exact() } else { success })
    }
}

/// Returns what has to be done with a compiled context, in one line.
fn remark(context: &CompiledContext<'_>) -> &'static str {
    match context.outcome {
        Verdict::Compiled => "compiled",
        Verdict::MustEscalate => "compiled, and must escalate: a person decides before anything is done",
        Verdict::MustRefuse => "compiled, and must refuse: nothing above read_only may run",
    }
}

pub(super) fn summary(context: &CompiledContext<'_>, prefix: Option<&PrefixChange<'_>>) -> String {
    let ledger = &context.context_ledger;
    let mut out = String::new();
    let _ = writeln!(out, "outcome    {}", context.outcome);
    let _ = writeln!(out, "pack       {}{}", ledger.pack.reference, origin(&ledger.pack_source));
    for overlay in &ledger.overlays {
        let _ = writeln!(out, "overlay    {}", overlay.reference);
    }
    let _ = writeln!(out, "intent     {}", ledger.intent.id);
    let _ = writeln!(out, "as of      {}", ledger.as_of.as_deref().unwrap_or_default());
    for decision in &ledger.policy_decisions {
        let why = decision.error.as_ref().map_or_else(String::new, |error| format!(": {}", visible(error)));
        let _ = writeln!(out, "rule       {} ({}{why})", decision.rule_id, decision.verdict.as_str());
    }
    for rule in &ledger.rules_by_call {
        let _ = writeln!(out, "rule       {rule} (depends on the call)");
    }
    controls(&mut out, context);
    for tool in &ledger.tools {
        let hidden: Vec<&str> = tool.hidden_by.iter().map(|h| h.check.as_str()).collect();
        let fate = if tool.surfaced { String::new() } else { format!("  hidden by {}", hidden.join(", ")) };
        let _ = writeln!(out, "tool       {}.{} ({}){fate}", tool.adapter_id, tool.capability, tool.declared_mode);
    }
    for decision in &context.decisions {
        let open = decision.required_evidence.iter().filter(|required| required.status != EvidenceStatus::Met);
        let open: Vec<String> =
            open.map(|required| format!("{} {}", required.name, required.status.as_str())).collect();
        let state = if open.is_empty() { "evidence sufficient".to_owned() } else { open.join(", ") };
        let _ = writeln!(out, "decision   {} by {}: {}", decision.decision_key, decision.owner_role, visible(&state));
    }
    for item in &ledger.evidence {
        let reasons: Vec<&str> = item.reasons.iter().map(|r| r.as_str()).collect();
        let _ = writeln!(out, "evidence   {}{}", visible(&item.evidence_ref), fate(item.status, &reasons));
    }
    for item in &ledger.memory {
        let reasons: Vec<&str> = item.reasons.iter().map(|r| r.as_str()).collect();
        let origin = item.origin.map_or_else(String::new, |origin| format!(" ({})", origin.as_str()));
        let _ = writeln!(out, "memory     {}{origin}{}", visible(&item.id), fate(item.status, &reasons));
    }
    budget(&mut out, context);
    for redaction in ledger.redactions.iter().filter(|r| r.count > 0) {
        let _ = writeln!(out, "redacted   {} ({})", redaction.rule, redaction.count);
    }
    let neutral = ledger.neutralized;
    for (what, count) in [
        ("invisible characters", neutral.invisible),
        ("bidirectional controls", neutral.bidi),
        ("control characters", neutral.control),
        ("imitated fences", neutral.fence),
    ] {
        if count > 0 {
            let _ = writeln!(out, "escaped    {what} ({count})");
        }
    }
    for notice in &ledger.notices {
        let _ = writeln!(out, "note       {}  {}", notice.code, visible(&notice.message));
    }
    let stable = &ledger.stable_prefix;
    let _ = writeln!(out, "prefix     {} tokens  {}", stable.tokens, stable.hash);
    if let Some(change) = prefix {
        let _ = match &change.broken_by {
            None => writeln!(out, "           the same as the earlier one"),
            Some(part) => {
                writeln!(out, "           broken by {part} after {} of {}", change.shared_tokens, change.tokens)
            }
        };
    }
    if let Some(hash) = ledger.compiled_context_hash {
        let _ = writeln!(out, "hash       {hash}");
    }
    out
}

/// Returns the origin of the pack and the party that named it, where that was not the request.
fn origin(source: &PackSource) -> String {
    let origin = source.origin.map_or_else(String::new, |origin| format!(" ({origin})"));
    match &source.named_by {
        Some(PackNaming::Caller) => format!("{origin}, named by the caller: the request pins none"),
        Some(PackNaming::Environment { environment }) => format!("{origin}, pinned in {environment}"),
        Some(PackNaming::Workspace { workspace, environment }) => {
            let pinned = environment.as_ref().map_or_else(String::new, |name| format!(", pinned in {name}"));
            format!("{origin}, the default of the workspace {workspace}: the request pins none{pinned}")
        }
        Some(PackNaming::Request) | None => origin,
    }
}

fn fate(status: ItemStatus, reasons: &[&str]) -> String {
    match status {
        ItemStatus::Kept => String::new(),
        ItemStatus::Dropped => "  dropped: no room".to_owned(),
        ItemStatus::Rejected => format!("  rejected: {}", reasons.join(", ")),
    }
}

fn controls(out: &mut String, context: &CompiledContext<'_>) {
    let controls = &context.runtime_controls;
    for (label, list) in [
        ("refuse on ", &controls.must_refuse),
        ("escalate  ", &controls.must_escalate),
        ("gate      ", &controls.approval_gates_active),
    ] {
        for item in list {
            let _ = writeln!(out, "{label} {item}");
        }
    }
    for demand in &controls.approvals {
        let role = demand.gate.required_approver_role.as_deref().unwrap_or("a person");
        let until = demand.expires_at.as_deref().map(|at| format!(", valid until {at}")).unwrap_or_default();
        let call = if demand.depends_on_call { ", depending on the call" } else { "" };
        let _ = writeln!(out, "ask        {role} at {}{until}{call}", demand.gate.gate_id);
    }
}

fn budget(out: &mut String, context: &CompiledContext<'_>) {
    let report = &context.budget_report;
    let head = report.head_tokens;
    let _ = writeln!(out, "budget     head {} of {}", head.sum(), report.tokens_total);
    for bucket in Bucket::ALL {
        let (used, given) = (report.tokens_used_by_bucket.get(bucket), report.tokens_allocated.get(bucket));
        let cut = if report.bucket_truncations.contains_key(&bucket) { "  truncated" } else { "" };
        let _ = writeln!(out, "           {bucket} {used} of {given}{cut}");
    }
    for block in &report.dropped_blocks {
        let kept = if block.exact { "kept with" } else { "surely kept with" };
        let _ =
            writeln!(out, "dropped    {} ({} tokens): {kept} {}", block.block_id, block.tokens, block.smallest_budget);
    }
    for warning in &report.warnings {
        let _ = writeln!(out, "           {warning}");
    }
}
