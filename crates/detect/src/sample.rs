//! Made-up values of each rule's form, for tests that must not hold a live-looking literal.

use std::ops::Range;

use crate::secrets::rules;
use crate::shape::{Dice, write_out};

/// A made-up secret in the surroundings its rule needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sample {
    /// The whole text, such as `DATADOG_API_KEY="…"`.
    pub text: String,
    /// The bytes of the made-up secret within the text.
    pub secret: Range<usize>,
}

/// Makes up a value that the rule of this id finds; the same seed gives the same value.
pub fn sample(rule_id: &str, seed: u64) -> Option<Sample> {
    let rule = rules().find(|rule| rule.id() == rule_id)?;
    let example = rule.example;
    let secret = write_out(example.parts, &mut Dice::new(seed));
    let start = example.lead.len();
    let end = start + secret.len();
    let text = format!("{}{secret}{}", example.lead, example.trail);
    Some(Sample { text, secret: start..end })
}
