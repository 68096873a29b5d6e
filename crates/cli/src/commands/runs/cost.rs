//! `deed runs cost`: what the models of a run cost, by consumer, step and model.

use crate::args::Global;
use crate::output::Success;
use clap::Args;
use deed_app::AppError;
use deed_app::runs::{CostSum, RunCost, cost};
use std::fmt::Write as _;

/// Print what the models of a run cost, in money and tokens, and what a replay saved.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed runs cost last
  deed runs cost week-46 --json")]
pub(crate) struct Cost {
    /// Run: its name, a unique prefix of it, or `last`.
    #[arg(value_name = "RUN")]
    run: String,
}

impl Cost {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let found = cost(&global.session(), &self.run)?;
        let text = shown(&found);
        Ok(Success::new(found, text))
    }
}

fn shown(found: &RunCost) -> String {
    if found.calls.is_empty() {
        return format!("{}  no model was asked\n", found.run_id);
    }
    let mut out = String::new();
    for row in &found.rows {
        let place = format!("{}  {}  {}", row.consumer_key, row.step, row.model);
        let _ = writeln!(out, "{place}\n  {}", sum(&row.sum, found.currency.as_deref()));
    }
    if found.rows.len() > 1 {
        let _ = writeln!(out, "all\n  {}", sum(&found.total, found.currency.as_deref()));
    }
    out
}

fn sum(sum: &CostSum, currency: Option<&str>) -> String {
    let counts = [
        ("asked", sum.asked),
        ("replayed", sum.replayed),
        ("failed", sum.failed),
        ("without an end", sum.open),
        ("lost", sum.lost),
    ];
    let counts: Vec<String> =
        counts.iter().filter(|(_, count)| *count > 0).map(|(word, count)| format!("{count} {word}")).collect();
    let usage = &sum.usage;
    let cached = usage.cached_read.saturating_add(usage.cached_write);
    let input = usage.input.saturating_add(usage.image);
    let mut out = format!(
        "{}; {} tokens ({input} input, {cached} cached, {} output, {} reasoning)",
        counts.join(", "),
        sum.tokens,
        usage.output,
        usage.reasoning,
    );
    if let Some(currency) = currency {
        let _ = write!(out, "; {}", money(sum.money_micros, currency));
    }
    if sum.replayed > 0 {
        let saved = currency.map_or_else(String::new, |currency| format!("{} and ", money(sum.saved_micros, currency)));
        let _ = write!(out, "; saved {saved}{} tokens", sum.saved_tokens);
    }
    out
}

/// Money in units of the currency.
fn money(micros: u64, currency: &str) -> String {
    format!("{}.{:06} {currency}", micros / 1_000_000, micros % 1_000_000)
}
