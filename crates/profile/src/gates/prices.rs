//! Gate 9, prices: a run with a money budget asks only models whose price is known.

use super::GateInput;
use super::models::check;
use deed_diag::{Diagnostic, codes, quote};
use deed_model::ModelRef;

pub(super) fn run(input: &GateInput<'_>) -> Vec<Diagnostic> {
    if input.profile.budgets.money_micros.is_none() {
        return Vec::new();
    }
    let Some(priced) = input.facts.priced else {
        let message = "prices are not checked: no price table was given";
        let place = input.file.place("/budgets/money_micros");
        return vec![
            Diagnostic::warning(codes::PRICE_MISSING, message).at(place).help("pass one with `--prices FILE`"),
        ];
    };
    let mut findings = Vec::new();
    for placed in input.bindings() {
        let Some(text) = &placed.binding.model_binding_ref else { continue };
        if let Ok(model @ ModelRef::Model { .. }) = check(text)
            && !priced.contains(&model.to_string())
        {
            let message = format!("the model {} has no price, and the profile has a money budget", quote(text));
            findings.push(
                Diagnostic::error(codes::PRICE_MISSING, message)
                    .at(input.file.place(&format!("{}/model_binding_ref", placed.pointer)))
                    .related(input.file.place("/budgets/money_micros"), "the money budget")
                    .help("add its price to the price table, bind another model, or budget `model_tokens` instead"),
            );
        }
    }
    findings
}
