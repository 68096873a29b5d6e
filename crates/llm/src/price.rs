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
        let long_is_zero = price.long.as_ref().is_some_and(|long| long.input == 0 || long.output == 0);
        if !price.free && (price.input == 0 || price.output == 0 || long_is_zero) {
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

/// The prices that hold for one call, in millionths for a million tokens.
#[derive(Clone, Copy)]
struct Rates {
    input: u64,
    cached_read: u64,
    cached_write: u64,
    image: u64,
    output: u64,
    reasoning: u64,
}

impl Rates {
    /// The prices of a call with so much input. What has no price of its own costs as much as other input, or output.
    fn of(price: &ModelPrice, input_tokens: u64) -> Self {
        let base = Self {
            input: price.input,
            cached_read: price.cached_read.unwrap_or(price.input),
            cached_write: price.cached_write.unwrap_or(price.input),
            image: price.image.unwrap_or(price.input),
            output: price.output,
            reasoning: price.reasoning.unwrap_or(price.output),
        };
        match price.long.as_ref().filter(|long| input_tokens > long.above) {
            None => base,
            Some(long) => Self {
                input: long.input,
                cached_read: long.cached_read.unwrap_or(long.input),
                cached_write: long.cached_write.unwrap_or(long.input),
                image: price.image.unwrap_or(long.input).max(long.input),
                output: long.output,
                reasoning: price.reasoning.unwrap_or(long.output).max(long.output),
            },
        }
    }

    /// The dearer of each.
    fn dearest(self, other: Self) -> Self {
        Self {
            input: self.input.max(other.input),
            cached_read: self.cached_read.max(other.cached_read),
            cached_write: self.cached_write.max(other.cached_write),
            image: self.image.max(other.image),
            output: self.output.max(other.output),
            reasoning: self.reasoning.max(other.reasoning),
        }
    }
}

/// Returns the most that a call can cost: all input at its dearest price, all images, and all of `max_tokens`.
pub fn worst_case(price: &ModelPrice, call: &ModelCall, input_tokens: u64) -> u64 {
    let image_tokens = images(call).saturating_mul(price.tokens_per_image.unwrap_or(TOKENS_PER_IMAGE));
    // The input may turn out to be shorter than it was counted.
    let rates = Rates::of(price, 0).dearest(Rates::of(price, input_tokens.saturating_add(image_tokens)));
    let input = rates.input.max(rates.cached_read).max(rates.cached_write);
    let output = rates.output.max(rates.reasoning);
    let most = u64::from(call.parameters.max_tokens);
    micros(&[(input_tokens, input), (image_tokens, rates.image.max(input)), (most, output)])
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
    let parts = [usage.input, usage.cached_read, usage.cached_write, usage.image];
    let rates = Rates::of(price, parts.into_iter().fold(0, u64::saturating_add));
    micros(&[
        (usage.input, rates.input),
        (usage.cached_read, rates.cached_read),
        (usage.cached_write, rates.cached_write),
        (usage.image, rates.image),
        (usage.output, rates.output),
        (usage.reasoning, rates.reasoning),
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

    /// A long input costs the dearer prices for all of it, and one token less the others.
    #[test]
    fn the_length_of_the_input_decides_the_prices_of_the_whole_call() {
        let price: ModelPrice = serde_json::from_value(serde_json::json!({
            "model": "a:b", "input": 1_000_000, "output": 2_000_000, "cached_read": 100_000,
            "long": {"above": 1_000, "input": 3_000_000, "output": 5_000_000, "cached_read": 200_000},
        }))
        .unwrap();
        let usage = |input, cached_read| ModelUsage { input, cached_read, output: 10, ..ModelUsage::default() };
        assert_eq!(actual_cost(&price, &usage(600, 400)), 600 + 40 + 20);
        assert_eq!(actual_cost(&price, &usage(601, 400)), 601 * 3 + 80 + 50);
    }

    #[test]
    fn every_price_that_was_compared_says_with_what() {
        for price in builtin_prices().models {
            let Some(checked) = price.checked else { continue };
            assert!(!checked.pages.is_empty() && checked.pages.iter().all(|page| page.starts_with("https://")));
            assert!(checked.on.as_str() > "2026-01-01", "{}: {}", price.model, checked.on);
        }
    }

    proptest! {
        #[test]
        fn no_usage_within_the_bounds_costs_more_than_the_worst_case(
            prices in prop::array::uniform6(1_u64..100_000_000), split in prop::array::uniform5(0_u64..100_000), most in 1_u32..100_000,
            longs in prop::option::of((0_u64..300_000, prop::array::uniform4(1_u64..100_000_000))), unused in 0_u64..50_000,
        ) {
            let [input, output, read, write, reasoning, image] = prices;
            let long = longs.map(|(above, [input, output, read, write])| deed_model::LongInputPrice {
                above, input, output, cached_read: Some(read), cached_write: Some(write),
            });
            let price = ModelPrice {
                model: "a:b".parse().unwrap(), input, output, cached_read: Some(read), cached_write: Some(write),
                reasoning: Some(reasoning), image: Some(image), tokens_per_image: None, free: false,
                long, retired: None, checked: None,
            };
            let [a, b, c, d, _] = split;
            let thought = d.min(u64::from(most));
            let usage = ModelUsage { input: a, cached_read: b, cached_write: c, image: 0, output: u64::from(most) - thought, reasoning: thought };
            let call: ModelCall = serde_json::from_value(serde_json::json!({
                "consumer_key": "operator_router", "model": "a:b", "messages": [], "parameters": {"max_tokens": most},
            })).unwrap();
            // The count of the input is an upper bound: the provider may count less.
            prop_assert!(actual_cost(&price, &usage) <= worst_case(&price, &call, a + b + c + unused));
        }
    }
}
