//! Budget splits: for existing intents, and exact.

use super::super::GateInput;
use super::{Names, declared};
use crate::pointer::pointer;
use deed_diag::{Diagnostic, codes, quote};

pub(super) fn check(input: &GateInput<'_>, names: &Names<'_>) -> Vec<Diagnostic> {
    let document = &input.bundle.document;
    let Some(layer) = &input.pack.budget_layer else { return Vec::new() };
    let mut findings = Vec::new();
    for (intent, split) in &layer.splits {
        let at = pointer!("budget_layer", "splits", intent);
        if !names.intents.contains(intent.as_str()) {
            findings.push(
                Diagnostic::error(
                    codes::UNKNOWN_INTENT,
                    format!("the split is for {}, which is not an intent of the pack", quote(intent)),
                )
                .at(document.key_place(&at))
                .help(declared(intent, names.intents.iter().copied(), "evaluation_layer.eval_targets")),
            );
        }
        // Shares are exact decimals, summed in millionths, so that 0.1 + 0.2 + 0.7 is 1.
        let parts: Vec<Option<i64>> = split.parts().map(|(_, n)| millionths(n)).collect();
        let sum: i64 = parts.iter().flatten().sum();
        if parts.contains(&None) || sum != 1_000_000 {
            findings.push(
                Diagnostic::error(codes::BUDGET_SPLIT, "the shares of a split must be decimals that sum to 1")
                    .at(document.key_place(&at))
                    .help(format!("they sum to {}", sum as f64 / 1e6)),
            );
        }
    }
    findings
}

fn millionths(number: &serde_json::Number) -> Option<i64> {
    let value = number.as_f64().filter(|v| (0.0..=1.0).contains(v))?;
    let scaled = (value * 1e6).round();
    ((scaled / 1e6) == value).then_some(scaled as i64)
}
