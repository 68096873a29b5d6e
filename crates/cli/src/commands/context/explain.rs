//! `deed context explain`: the reason why each item is in or out.

use super::sources::ContextArgs;
use crate::args::Global;
use crate::output::Success;
use crate::text::writeln;
use clap::Args;
use deed_app::AppError;
use deed_app::registry::without_secret;
use deed_context::{ContextExplanation, ItemExplanation, explain, visible};
use deed_diag::{Diagnostic, codes, did_you_mean, quote};
use std::fmt::Write as _;

/// Explain why every tool, rule, control, evidence and memory item is in or out.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed context explain --pack ./support --request request.yaml --run run.yaml \\
      --only R_REFUND")]
pub(crate) struct Explain {
    #[command(flatten)]
    given: ContextArgs,
    /// Explain only this rule, gate, guardrail, `adapter.capability`, evidence or memory item.
    #[arg(long, value_name = "NAME")]
    only: Option<String>,
}

impl Explain {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let (loaded, report) = self.given.load(global)?;
        let pack = loaded.hydrate()?;
        let context = loaded.compile(&pack)?;
        let mut explained = explain(&pack, loaded.inputs(), &context);
        if let Some(name) = &self.only {
            narrow(&mut explained, name)?;
        }
        let text = text(&explained, self.only.is_some());
        Ok(Success::new(explained, text).report(report))
    }
}

/// Keeps what has a name.
fn narrow(explained: &mut ContextExplanation<'_>, name: &str) -> Result<(), AppError> {
    let whys = explained.tools.iter().chain(&explained.evidence).chain(&explained.memory).map(|w| w.name.clone());
    let controls = explained.controls.iter().map(|c| c.id.to_owned());
    let known: Vec<String> = explained.rules.iter().map(|r| r.rule_id.to_owned()).chain(controls).chain(whys).collect();
    if !known.iter().any(|k| k == name) {
        let name = without_secret("--only", name)?;
        let message = format!("nothing here is called {}", quote(name));
        return Err(AppError::refused(
            Diagnostic::error(codes::NOTHING_TO_EXPLAIN, message)
                .stage("explain")
                .help_opt(did_you_mean(name, known.iter().map(String::as_str))),
        ));
    }
    explained.rules.retain(|r| r.rule_id == name);
    explained.controls.retain(|c| c.id == name);
    for list in [&mut explained.tools, &mut explained.evidence, &mut explained.memory] {
        list.retain(|why| why.name == name);
    }
    Ok(())
}

fn text(explained: &ContextExplanation<'_>, narrowed: bool) -> String {
    let mut out = String::new();
    if !narrowed {
        let _ = writeln!(out, "outcome {}", explained.outcome);
        for reason in &explained.because {
            let _ = writeln!(out, "  {reason}");
        }
    }
    for rule in &explained.rules {
        let spoke = match (rule.branch, rule.verdict) {
            (Some(branch), Some(verdict)) => format!("{}: {}", branch.as_str(), verdict.as_str()),
            _ => "did not fire".to_owned(),
        };
        let _ = writeln!(out, "rule {} ({})  {spoke}", rule.rule_id, rule.bundle_id);
        indented(&mut out, &rule.text);
    }
    for control in &explained.controls {
        let state = if control.active { "active" } else { "not active" };
        let kind = control.kind.as_str();
        let _ = writeln!(out, "{kind} {}  {state}: {}", control.id, control.why);
        indented(&mut out, &control.text);
    }
    whys(&mut out, "tool", &explained.tools);
    whys(&mut out, "evidence", &explained.evidence);
    whys(&mut out, "memory", &explained.memory);
    out
}

fn whys(out: &mut String, label: &str, list: &[ItemExplanation]) {
    for why in list {
        let _ = writeln!(out, "{label} {}  {}", visible(&why.name), if why.included { "in" } else { "out" });
        for reason in &why.reasons {
            let _ = writeln!(out, "  {}", visible(reason));
        }
    }
}

fn indented(out: &mut String, text: &str) {
    for line in text.lines() {
        let _ = writeln!(out, "    {}", visible(line));
    }
}
