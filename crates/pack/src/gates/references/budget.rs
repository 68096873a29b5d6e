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
                    .help(help(split.parts().map(|(_, n)| n))),
            );
        }
    }
    findings
}

/// Says what the shares sum to, all of them, and how to write them.
fn help<'n>(parts: impl Iterator<Item = &'n serde_json::Number>) -> String {
    let values: Vec<f64> = parts.filter_map(serde_json::Number::as_f64).collect();
    // Rounded to millionths, as the shares are.
    let sum = (values.iter().sum::<f64>() * 1e6).round() / 1e6;
    let outside = values.iter().any(|value| !(0.0..=1.0).contains(value));
    match (sum == 100.0, outside) {
        (true, true) => "they sum to 100: write shares and not percentages, such as 0.3 for 30".to_owned(),
        (false, true) => format!("they sum to {sum}, and each must be between 0 and 1"),
        (_, false) if sum == 1.0 => "they sum to 1, but a share has more than six decimals".to_owned(),
        (_, false) => format!("they sum to {sum}"),
    }
}

fn millionths(number: &serde_json::Number) -> Option<i64> {
    let value = number.as_f64().filter(|v| (0.0..=1.0).contains(v))?;
    let scaled = (value * 1e6).round();
    ((scaled / 1e6) == value).then_some(scaled as i64)
}
