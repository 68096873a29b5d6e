//! The models that a price table has a price for.

use crate::error::AppError;
use crate::files;
use deed_canon::Pointer;
use deed_diag::{Diagnostic, Document, Report, codes, quote};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;

/// Reads the names of the models that a price table has a price for: a list under `models`, as `price-table.v1` has it, or an
/// object by model. A price of zero has to say that the model is free, because a budget of money would not bind it.
///
/// # Errors
/// The file cannot be read, has no `models`, or a price is zero.
pub fn priced_models(path: &Path) -> Result<BTreeSet<String>, AppError> {
    let document = files::document(path)?;
    let mut report = Report::default();
    report.add_source(document.source().clone());
    let Some(prices) = prices(&document) else {
        let found = Diagnostic::error(codes::MISSING_FIELD, "a price table has a list or an object `models`");
        let help = "write `models: [{ model: \"openai:gpt-5.2\", input: 1250000, output: 10000000 }]`";
        report.push(found.stage("prices").at(document.place("")).help(help));
        return Err(report.into());
    };
    for (model, pointer, price) in &prices {
        let is_free = price.get("free") == Some(&Value::Bool(true));
        let zero = ["input", "output"].into_iter().find(|part| price.get(part).and_then(Value::as_u64) == Some(0));
        if let Some(part) = zero.filter(|_| !is_free) {
            let message = format!("the {part} price of {} is zero, and it is not marked as free", quote(model));
            let found = Diagnostic::error(codes::PRICE_OF_ZERO, message).stage("prices");
            let place = document.place(&Pointer::push(pointer, part));
            report.push(found.at(place).help("write its price for a million tokens, or `free: true` beside it"));
        }
    }
    match report.has_errors() {
        true => Err(report.into()),
        false => Ok(prices.into_iter().map(|(model, _, _)| model).collect()),
    }
}

/// Returns each model with the pointer of its price and the price.
fn prices(document: &Document) -> Option<Vec<(String, String, &Value)>> {
    match document.value().get("models")? {
        Value::Object(models) => {
            let priced = models.iter().map(|(model, price)| (model.clone(), Pointer::push("/models", model), price));
            Some(priced.collect())
        }
        Value::Array(models) => {
            let priced = models.iter().enumerate().map(|(index, price)| {
                let model = price.get("model")?.as_str()?.to_owned();
                Some((model, format!("/models/{index}"), price))
            });
            priced.collect()
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
    }
}
