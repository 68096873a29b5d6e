//! `deed context whatif`: the changes that another pack would make to recorded requests.

use super::sources::assignments;
use crate::args::Global;
use crate::output::Success;
use crate::text::{self, writeln};
use clap::Args;
use deed_app::AppError;
use deed_app::contexts::what_if;
use deed_app::packs::PackChoice;
use deed_context::{GateVerdict, RequestComparison, WhatIf, visible};
use deed_diag::{Diagnostic, Invariant as _, codes};
use std::fmt::Write as _;
use std::path::PathBuf;

/// Recompile recorded requests with another pack and judge it by the release gates.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed context whatif recorded --pack ./support
  deed context whatif recorded --pack ./support \\
      --set request.context.refund_amount=4200")]
pub(crate) struct Whatif {
    /// Folder of recorded compiles, or one of them.
    #[arg(value_name = "DIR")]
    path: PathBuf,
    /// Pack to try: a published version, a folder such as ./support, or with --env an id.
    #[arg(long, value_name = "REF|DIR|ID")]
    pack: String,
    /// Try the version and the overlays that this environment has pinned.
    #[arg(long = "env", value_name = "NAME")]
    environment: Option<String>,
    /// Set a value in every recorded request before both packs compile it, such as request.context.amount=4200; repeatable.
    #[arg(long = "set", value_name = "PATH=VALUE")]
    set: Vec<String>,
}

impl Whatif {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let pack = PackChoice { pack: self.pack.clone(), environment: self.environment.clone() };
        let (result, mut report) = what_if(&global.session(), &self.path, &pack, &assignments(&self.set)?)?;
        for gate in result.gates.iter().filter(|gate| gate.verdict == GateVerdict::Failed) {
            let delta = gate.delta.invariant("a gate that failed was measured");
            let message = format!("`{}` gets worse by {delta:.4}, and {} is allowed", gate.metric, gate.max_delta);
            let help = format!("measured: {}; the changed requests are on standard output", gate.measured);
            report.push(Diagnostic::error(codes::RELEASE_GATE_FAILED, message).stage("whatif").help(help));
        }
        if result.broken > 0 {
            let message = format!("{} of {} requests compiled and would be refused", result.broken, result.requests);
            let help = "the codes are beside them on standard output";
            report.push(Diagnostic::error(codes::RECORDED_REQUESTS_REFUSED, message).stage("whatif").help(help));
        }
        let found = !result.passes();
        let remark = match (found, result.unproven.len()) {
            (true, _) => "refused: a release gate fails, or requests that compiled would not".to_owned(),
            (false, 0) => "passed: every gate that can be judged holds".to_owned(),
            (false, count) => format!(
                "passed: every gate that can be judged holds; {count} {} not proven to tighten, which `deed pack ci` refuses",
                if count == 1 { "change is" } else { "changes are" }
            ),
        };
        let text = text(&result);
        let success = Success::new(result, text).report(report).remark(remark);
        Ok(Success { found, ..success })
    }
}

fn text(result: &WhatIf) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "candidate  {}", result.candidate);
    let _ = writeln!(out, "requests   {}, {} would change", result.requests, result.changed.len());
    for compared in &result.changed {
        let _ = write!(out, "{}", changed(compared));
    }
    let (before, after) = (result.tokens_before, result.tokens_after);
    let _ = writeln!(out, "tokens     {before} -> {after}");
    let _ = writeln!(out, "truncated  {} blocks more than before", result.truncated_more);
    let _ = writeln!(out, "stricter   {}", result.tightened);
    for gate in &result.gates {
        let verdict = match gate.verdict {
            GateVerdict::Passed => "passed",
            GateVerdict::Failed => "failed",
            GateVerdict::NotJudged => "not judged",
        };
        let delta = gate.delta.map_or_else(String::new, |d| format!(" {d:+.4}, at most {:+.4}", gate.max_delta));
        let _ = writeln!(out, "gate       {} {verdict}{delta} ({})", gate.metric, gate.measured);
    }
    for change in &result.unproven {
        let at = change.pointer.as_deref().unwrap_or_default();
        let (code, metric, what) = (&change.code, change.metric, visible(&change.what));
        let _ = writeln!(out, "unproven   {code} {metric} since {}: {what} ({at})", change.base);
    }
    out
}

fn changed(compared: &RequestComparison) -> String {
    let mut out = text::line(format_args!("{}  {}", visible(&compared.source_ref), compared.packet_id));
    if let Some(shift) = &compared.outcome {
        let _ = writeln!(out, "  outcome   {} -> {}", shift.before, shift.after);
    }
    for (rule, shift) in &compared.verdicts {
        let _ = writeln!(out, "  verdict   {rule}: {} -> {}", shift.before, shift.after);
    }
    for (name, shift) in &compared.modes {
        let _ = writeln!(out, "  mode      {name}: {} -> {}", shift.before, shift.after);
    }
    for (label, list) in [
        ("tool +   ", &compared.tools_gained),
        ("tool -   ", &compared.tools_lost),
        ("gate +   ", &compared.gates_gained),
        ("gate -   ", &compared.gates_lost),
        ("gated    ", &compared.tool_gates_gained),
        ("ungated  ", &compared.tool_gates_lost),
        ("bounds   ", &compared.bounds_changed),
        ("terms    ", &compared.gate_terms_changed),
        ("control +", &compared.controls_gained),
        ("control -", &compared.controls_lost),
        ("data +   ", &compared.items_gained),
        ("data -   ", &compared.items_lost),
        ("rule +   ", &compared.obligations_gained),
        ("rule -   ", &compared.obligations_lost),
        ("redacts +", &compared.redactions_gained),
        ("redacts -", &compared.redactions_lost),
        ("dropped +", &compared.blocks_lost),
        ("dropped -", &compared.blocks_gained),
        ("decision ", &compared.decisions_changed),
        ("changed  ", &compared.places_changed),
        ("no overlay", &compared.missing_overlays),
    ] {
        if !list.is_empty() {
            let _ = writeln!(out, "  {label} {}", visible(&list.join(", ")));
        }
    }
    for change in &compared.prompt {
        let _ = writeln!(out, "  prompt    {}", change.part);
        for (sign, text) in [('-', &change.before), ('+', &change.after)] {
            if let Some(text) = text {
                let _ = writeln!(out, "    {sign} {}", visible(text));
            }
        }
    }
    if compared.tokens_before != compared.tokens_after {
        let _ = writeln!(out, "  tokens    {} -> {}", compared.tokens_before, compared.tokens_after);
    }
    out
}
