//! Budgets: limits for one attempt of a step, or for all attempts of all steps of a plan.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The largest amount that every reader can represent: 2^53 - 1.
const MOST: u64 = 9_007_199_254_740_991;

/// An amount of each resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Budget {
    /// Tool calls of the executor's own loop. Accepted in documents; no backend spends them yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_calls: Option<u64>,
    /// Governed calls from inside the sandbox.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub governed_calls: Option<u64>,
    /// Tokens of model calls.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model_tokens: Option<u64>,
    /// Wall-clock seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wall_seconds: Option<u64>,
    /// Bytes that leave the workspace: URL, headers set by code, and body of each request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes_out: Option<u64>,
    /// Money, in millionths of the currency of prices.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub money_micros: Option<u64>,
}

impl Budget {
    /// Returns the amounts by name.
    pub fn parts(&self) -> [(&'static str, Option<u64>); 6] {
        [
            ("tool_calls", self.tool_calls),
            ("governed_calls", self.governed_calls),
            ("model_tokens", self.model_tokens),
            ("wall_seconds", self.wall_seconds),
            ("bytes_out", self.bytes_out),
            ("money_micros", self.money_micros),
        ]
    }

    /// Sets the amount with that name. Returns false if there is none.
    pub fn set(&mut self, name: &str, amount: u64) -> bool {
        let part = match name {
            "tool_calls" => &mut self.tool_calls,
            "governed_calls" => &mut self.governed_calls,
            "model_tokens" => &mut self.model_tokens,
            "wall_seconds" => &mut self.wall_seconds,
            "bytes_out" => &mut self.bytes_out,
            "money_micros" => &mut self.money_micros,
            _ => return false,
        };
        *part = Some(amount);
        true
    }

    /// Subtracts a budget; an amount that it does not set is kept, and none falls below zero.
    pub fn less(self, other: Self) -> Self {
        let rest = |own: Option<u64>, less: Option<u64>| own.map(|own| own.saturating_sub(less.unwrap_or_default()));
        Self {
            tool_calls: rest(self.tool_calls, other.tool_calls),
            governed_calls: rest(self.governed_calls, other.governed_calls),
            model_tokens: rest(self.model_tokens, other.model_tokens),
            wall_seconds: rest(self.wall_seconds, other.wall_seconds),
            bytes_out: rest(self.bytes_out, other.bytes_out),
            money_micros: rest(self.money_micros, other.money_micros),
        }
    }

    /// Adds two budgets; an amount that only one of them sets is kept.
    pub fn plus(self, other: Self) -> Self {
        let sum = |a: Option<u64>, b: Option<u64>| match (a, b) {
            (Some(a), Some(b)) => Some(a.saturating_add(b).min(MOST)),
            (one, other) => one.or(other),
        };
        Self {
            tool_calls: sum(self.tool_calls, other.tool_calls),
            governed_calls: sum(self.governed_calls, other.governed_calls),
            model_tokens: sum(self.model_tokens, other.model_tokens),
            wall_seconds: sum(self.wall_seconds, other.wall_seconds),
            bytes_out: sum(self.bytes_out, other.bytes_out),
            money_micros: sum(self.money_micros, other.money_micros),
        }
    }

    /// Multiplies all amounts.
    pub fn times(self, times: u64) -> Self {
        let product = |part: Option<u64>| part.map(|amount| amount.saturating_mul(times).min(MOST));
        Self {
            tool_calls: product(self.tool_calls),
            governed_calls: product(self.governed_calls),
            model_tokens: product(self.model_tokens),
            wall_seconds: product(self.wall_seconds),
            bytes_out: product(self.bytes_out),
            money_micros: product(self.money_micros),
        }
    }
}
