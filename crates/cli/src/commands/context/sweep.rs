//! `deed context sweep`: the same compile with one value varied.

use super::sources::ContextArgs;
use crate::args::Global;
use crate::output::Success;
use crate::text::writeln;
use clap::Args;
use deed_app::AppError;
use deed_app::contexts::{SweepPoint, Variation};
use deed_app::registry::without_secret;
use deed_context::visible;
use std::fmt::Write as _;

/// Compile with one value varied, and print where the outcome, the tools or the gates change.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed context sweep --pack ./support --request request.yaml --run run.yaml --vary request.context.refund_amount=0..9000..500
  deed context sweep --pack ./support --request request.yaml --run run.yaml --vary user.role=agent,lead --all")]
pub(crate) struct Sweep {
    #[command(flatten)]
    given: ContextArgs,
    /// Path and its values: PATH=FROM..TO, PATH=FROM..TO..STEP or PATH=A,B,C.
    #[arg(long, value_name = "PATH=VALUES")]
    vary: String,
    /// Print every point.
    #[arg(long)]
    all: bool,
}

impl Sweep {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let variation = Variation::parse(without_secret("--vary", &self.vary)?)?;
        let (loaded, report) = self.given.load(global)?;
        let pack = loaded.hydrate()?;
        let mut sweep = loaded.sweep(&pack, &variation)?;
        let (count, changes) = (sweep.points.len(), sweep.points.iter().filter(|point| point.changed).count());
        if !self.all {
            sweep.points.retain(|point| point.changed);
        }
        let mut text = String::new();
        for point in &sweep.points {
            line(&mut text, point);
        }
        let changes = changes.saturating_sub(1);
        let plural = if changes == 1 { "change" } else { "changes" };
        let remark = format!("{count} points, {changes} {plural}");
        Ok(Success::new(sweep, text).remark(remark).report(report))
    }
}

fn line(out: &mut String, point: &SweepPoint) {
    let outcome = match &point.code {
        Some(code) => format!("{} {code}", point.outcome),
        None => point.outcome.clone(),
    };
    let mut parts = vec![format!("{} tools", point.tools.len())];
    parts.extend(point.gates.iter().map(|gate| format!("gate {gate}")));
    parts.extend(point.rules.iter().map(|rule| format!("rule {rule}")));
    parts.extend(point.insufficient.iter().map(|key| format!("evidence for {key} missing")));
    let _ = writeln!(out, "{:<12} {outcome:<15} {}", visible(&point.value.to_string()), visible(&parts.join(", ")));
}
