//! `deed context sweep`: the same compile with one or two values varied.

use super::sources::ContextArgs;
use crate::args::Global;
use crate::output::Success;
use crate::text::{count, writeln};
use clap::Args;
use deed_app::AppError;
use deed_app::contexts::{SweepPoint, Variation};
use deed_app::registry::without_secret;
use deed_context::visible;
use deed_diag::{Diagnostic, codes};
use std::fmt::Write as _;

/// Compile with one or two values varied, and print where the result changes.
#[derive(Debug, Args)]
#[command(override_usage = "deed context sweep [OPTIONS] --request <FILE> --run <FILE> \\
       --vary <PATH=VALUES>")]
#[command(after_help = "Examples:
  deed context sweep --pack ./support --request request.yaml --run run.yaml \\
      --vary request.context.refund_amount=0..9000..500
  deed context sweep --pack ./support --request request.yaml --run run.yaml \\
      --vary user.role=agent,lead --all
  deed context sweep --pack ./support --request request.yaml --run run.yaml \\
      --vary user.role=agent,lead \\
      --vary request.context.refund_amount=0..9000..500")]
pub(crate) struct Sweep {
    #[command(flatten)]
    given: ContextArgs,
    /// Path and its values: PATH=FROM..TO, PATH=FROM..TO..STEP or PATH=A,B,C; twice for every combination of two.
    #[arg(long, value_name = "PATH=VALUES", required = true)]
    vary: Vec<String>,
    /// Print every point.
    #[arg(long)]
    all: bool,
}

/// The most values that are varied at once.
const MOST_VARIED: usize = 2;

/// The digits of a hash that are shown.
const SHOWN_OF_A_HASH: usize = 12;

impl Sweep {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        if self.vary.len() > MOST_VARIED {
            let message = "more than two values are varied";
            let diagnostic = Diagnostic::error(codes::USAGE, message).stage("usage");
            return Err(AppError::usage(diagnostic.help("vary two, and set the others with `--set`")));
        }
        let vary = self.vary.iter().map(|text| Variation::parse(without_secret("--vary", text)?));
        let vary = vary.collect::<Result<Vec<_>, _>>()?;
        let (loaded, report) = self.given.load_varied(global, &vary)?;
        let pack = loaded.hydrate()?;
        let mut sweep = loaded.sweep(&pack, &vary)?;
        let count = sweep.points.len();
        let counted = |change: fn(&SweepPoint) -> bool| sweep.points.iter().skip(1).filter(|one| change(one)).count();
        let (changes, hashes) = (counted(|point| point.changed), counted(|point| point.hash_changed));
        if !self.all {
            sweep.points.retain(|point| point.changed);
        }
        let mut text = String::new();
        for point in &sweep.points {
            line(&mut text, point, self.all);
        }
        let plural = |count: usize| if count == 1 { "change" } else { "changes" };
        let read = if hashes == 0 && count > 1 { ": nothing that is compiled depends on it" } else { "" };
        let remark = format!(
            "{count} points, {changes} {} of the decision, {hashes} {} of the hash{read}",
            plural(changes),
            plural(hashes)
        );
        Ok(Success::new(sweep, text).remark(remark).report(report))
    }
}

/// One point. Its hash is shown beside every other point: of those that differ it always differs.
fn line(out: &mut String, point: &SweepPoint, all: bool) {
    let outcome = match &point.code {
        Some(code) => format!("{} {code}", point.outcome),
        None => point.outcome.clone(),
    };
    let hash = point.compiled_context_hash.as_deref().filter(|_| all).and_then(|hash| hash.strip_prefix("sha256:"));
    let mut parts = vec![count(point.tools.len(), "tool")];
    parts.extend(point.gates.iter().map(|gate| format!("gate {gate}")));
    parts.extend(point.rules.iter().map(|rule| format!("rule {rule}")));
    parts.extend(point.insufficient.iter().map(|key| format!("evidence for {key} missing")));
    parts.extend(hash.and_then(|hash| hash.get(..SHOWN_OF_A_HASH)).map(|hash| format!("hash {hash}")));
    let values: Vec<String> = point.values.iter().map(|value| format!("{:<12}", visible(&value.to_string()))).collect();
    let _ = writeln!(out, "{} {outcome:<15} {}", values.join(" "), visible(&parts.join(", ")));
}
