//! Prices of models.

use crate::ModelId;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A dated table of prices. Prices are data: a table is replaced, never edited.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PriceTable {
    /// The version of this format: 1.
    pub format: u32,
    /// The day on which the prices were taken from the providers, `YYYY-MM-DD`.
    #[schemars(regex(pattern = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"))]
    pub dated: String,
    /// The currency, such as `USD`.
    #[schemars(regex(pattern = r"^[A-Z]{3}$"))]
    pub currency: String,
    /// The models.
    pub models: Vec<ModelPrice>,
}

/// The prices of a model, in millionths of the currency for a million tokens.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ModelPrice {
    /// The model.
    pub model: ModelId,
    /// Input that no cache held.
    pub input: u64,
    /// Output.
    pub output: u64,
    /// Input read from the cache; as `input` if it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cached_read: Option<u64>,
    /// Input written to the cache; as `input` if it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cached_write: Option<u64>,
    /// Thinking; as `output` if it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<u64>,
    /// Tokens of images; as `input` if it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub image: Option<u64>,
    /// The most tokens that an image can take.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens_per_image: Option<u64>,
    /// True if the model costs nothing, such as one on this machine. Without it a price of zero is refused.
    #[serde(default)]
    pub free: bool,
    /// The prices of a whole call with a long input, where they differ.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub long: Option<LongInputPrice>,
    /// The day on which the provider ended the model, `YYYY-MM-DD`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retired: Option<String>,
    /// The pages that the price was compared with; none if it was not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checked: Option<PriceCheck>,
}

/// The prices of a whole call whose input is longer than a number of tokens, cached tokens and images included.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LongInputPrice {
    /// The most tokens of input that the other prices hold for.
    pub above: u64,
    /// Input that no cache held.
    pub input: u64,
    /// Output.
    pub output: u64,
    /// Input read from the cache; as `input` if it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cached_read: Option<u64>,
    /// Input written to the cache; as `input` if it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cached_write: Option<u64>,
}

/// The pages that a price was compared with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PriceCheck {
    /// The addresses of the pages.
    pub pages: Vec<String>,
    /// The day of the copies that were read, `YYYY-MM-DD`: that of the copy if it has one, or else that of the reading.
    pub on: String,
    /// True if the pages are the provider's own; others repeat what it says.
    pub official: bool,
}

/// The cost of a call, in millionths of the currency.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ModelCost {
    /// The most that the call could cost, reserved before it.
    pub reserved_micros: u64,
    /// The cost that was committed: the reported usage, and the reservation for every attempt that may have been paid.
    pub actual_micros: u64,
    /// The currency.
    pub currency: String,
    /// The date of the price table.
    pub dated: String,
}
