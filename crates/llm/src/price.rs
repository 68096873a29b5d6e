//! Prices: the worst case that is reserved before a call, and the cost that is committed after it.

use deed_diag::Invariant as _;
use deed_model::{MessagePart, ModelCall, ModelId, ModelPrice, ModelUsage, PriceTable};
use std::collections::BTreeSet;
use thiserror::Error;

/// The most tokens that an image takes, where the price does not say.
const TOKENS_PER_IMAGE: u64 = 16_384;

/// A fault of a price table.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PriceFault {
    /// The format is unknown.
    #[error("the price table has the format {0}, and only 1 is known")]
    Format(u32),
    /// A price is zero and the model is not marked as free.
    #[error("the price of `{0}` is zero, and it is not marked as free")]
    Zero(ModelId),
    /// A model has two prices.
    #[error("`{0}` has two prices")]
    Twice(ModelId),
}

/// Returns the price table that is part of the program.
pub fn builtin_prices() -> PriceTable {
    serde_json::from_str(include_str!("../data/prices.json")).invariant("the embedded price table is read by a test")
}

/// Checks a price table.
///
/// # Errors
/// The first fault.
pub fn check_prices(table: &PriceTable) -> Result<(), PriceFault> {
    if table.format != 1 {
        return Err(PriceFault::Format(table.format));
    }
    let mut seen = BTreeSet::new();
    for price in &table.models {
        if !price.free && (price.input == 0 || price.output == 0) {
            return Err(PriceFault::Zero(price.model.clone()));
        }
        if !seen.insert(&price.model) {
            return Err(PriceFault::Twice(price.model.clone()));
        }
    }
    Ok(())
}

/// Returns the price of a model.
pub fn price_of<'t>(table: &'t PriceTable, model: &ModelId) -> Option<&'t ModelPrice> {
    table.models.iter().find(|price| price.model == *model)
}

/// Returns the most that a call can cost: all input at its dearest price, all images, and all of `max_tokens`.
pub fn worst_case(price: &ModelPrice, call: &ModelCall, input_tokens: u64) -> u64 {
    let image_tokens = images(call).saturating_mul(price.tokens_per_image.unwrap_or(TOKENS_PER_IMAGE));
    // What has no price of its own costs as much as other input, or output.
    let cached = [price.cached_read, price.cached_write].map(|own| own.unwrap_or(price.input));
    let dearest = cached.into_iter().fold(price.input, u64::max);
    let image_price = price.image.unwrap_or(price.input).max(dearest);
    let output = price.output.max(price.reasoning.unwrap_or(price.output));
    micros(&[(input_tokens, dearest), (image_tokens, image_price), (u64::from(call.parameters.max_tokens), output)])
}

/// Returns the most tokens that a call can take: all input, all images, and all of `max_tokens`.
pub fn worst_tokens(price: Option<&ModelPrice>, call: &ModelCall, input_tokens: u64) -> u64 {
    let per_image = price.and_then(|price| price.tokens_per_image).unwrap_or(TOKENS_PER_IMAGE);
    let images = images(call).saturating_mul(per_image);
    input_tokens.saturating_add(images).saturating_add(u64::from(call.parameters.max_tokens))
}

/// Returns the number of images in a call.
fn images(call: &ModelCall) -> u64 {
    let parts = call.messages.iter().flat_map(|message| &message.parts);
    parts.filter(|part| matches!(part, MessagePart::Image { .. })).count() as u64
}

/// Returns the cost of a reply by its usage.
pub fn actual_cost(price: &ModelPrice, usage: &ModelUsage) -> u64 {
    micros(&[
        (usage.input, price.input),
        (usage.cached_read, price.cached_read.unwrap_or(price.input)),
        (usage.cached_write, price.cached_write.unwrap_or(price.input)),
        (usage.image, price.image.unwrap_or(price.input)),
        (usage.output, price.output),
        (usage.reasoning, price.reasoning.unwrap_or(price.output)),
    ])
}

/// Adds up tokens at prices for a million, rounded up once.
fn micros(items: &[(u64, u64)]) -> u64 {
    let sum =
        items.iter().map(|(tokens, price)| u128::from(*tokens) * u128::from(*price)).fold(0, u128::saturating_add);
    u64::try_from(sum.div_ceil(1_000_000)).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_embedded_table_is_sound_and_zero_needs_a_mark() {
        let mut table = builtin_prices();
        assert_eq!(check_prices(&table), Ok(()));
        let first = table.models[0].clone();
        table.models[0].input = 0;
        assert_eq!(check_prices(&table), Err(PriceFault::Zero(first.model.clone())));
        table.models[0].free = true;
        assert_eq!(check_prices(&table), Ok(()));
        table.models.push(first.clone());
        assert_eq!(check_prices(&table), Err(PriceFault::Twice(first.model)));
    }

    proptest! {
        #[test]
        fn no_usage_within_the_bounds_costs_more_than_the_worst_case(
            prices in prop::array::uniform6(1_u64..100_000_000), split in prop::array::uniform5(0_u64..100_000), most in 1_u32..100_000,
        ) {
            let [input, output, read, write, reasoning, image] = prices;
            let price = ModelPrice {
                model: "a:b".parse().unwrap(), input, output, cached_read: Some(read), cached_write: Some(write),
                reasoning: Some(reasoning), image: Some(image), tokens_per_image: None, free: false,
            };
            let [a, b, c, d, _] = split;
            let thought = d.min(u64::from(most));
            let usage = ModelUsage { input: a, cached_read: b, cached_write: c, image: 0, output: u64::from(most) - thought, reasoning: thought };
            let call: ModelCall = serde_json::from_value(serde_json::json!({
                "consumer_key": "operator_router", "model": "a:b", "messages": [], "parameters": {"max_tokens": most},
            })).unwrap();
            prop_assert!(actual_cost(&price, &usage) <= worst_case(&price, &call, a + b + c));
        }
    }
}
