//! Calls that code makes through the bridge.

use crate::plan::Budget;
use deed_canon::ContentHash;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What the key of a call is derived from. The same code under the same contract makes the same calls again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CallIdentity {
    /// The run.
    pub run_id: String,
    /// The contract of the step.
    #[schemars(with = "String")]
    pub contract_hash: ContentHash,
    /// The tool.
    pub tool: String,
    /// The hash of the canonical arguments.
    #[schemars(with = "String")]
    pub arguments_hash: ContentHash,
    /// How many calls of the same tool with the same arguments came before it.
    pub occurrence: u64,
}

/// A call that is about to be made. It is on disk before the effect can happen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CallIntent {
    /// The step.
    pub step: String,
    /// The key, derived from the identity.
    pub key: String,
    /// The tool.
    pub tool: String,
    /// The hash of the canonical arguments.
    #[schemars(with = "String")]
    pub arguments_hash: ContentHash,
    /// How many calls of the same tool with the same arguments came before it.
    pub occurrence: u64,
    /// What is set aside for it.
    pub reserved: Budget,
    /// What it does, in one line.
    pub summary: String,
    /// Whether it may be made again if its answer is lost.
    pub repeatable: bool,
    /// What it is to the other side, for a request that may change something. Calls of older versions have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub effect: Option<CallEffect>,
    /// The call of an earlier run that it repeats or is served the answer of: the first run that made it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repeats: Option<EarlierCall>,
}

/// A call of an earlier run.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EarlierCall {
    /// The run.
    pub run_id: String,
    /// The key of the call.
    pub key: String,
}

/// What a request is to the other side, however it was written and whichever way it went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CallEffect {
    /// The hash of method, URL, body and the headers that matter.
    #[schemars(with = "String")]
    pub exact: ContentHash,
    /// The hash of method, URL and body.
    #[schemars(with = "String")]
    pub target: ContentHash,
    /// How many calls of the step with the same `exact` came before it.
    pub occurrence: u64,
}

/// How a call ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CallAnswer {
    /// The step.
    pub step: String,
    /// The key.
    pub key: String,
    /// What it gave, or why it gave nothing.
    pub outcome: CallOutcome,
    /// What it cost.
    pub spent: Budget,
    /// What proves it: digests of what went out and came back.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub proof: Value,
}

/// What a call gave.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "outcome", rename_all = "snake_case", deny_unknown_fields)]
pub enum CallOutcome {
    /// A result that is kept in the journal.
    Result {
        /// The result.
        value: Value,
    },
    /// A result that is kept as bytes.
    Stored {
        /// Plain SHA-256 of the canonical bytes of the result.
        #[schemars(with = "String")]
        sha256: ContentHash,
    },
    /// An answer that says no.
    Failed {
        /// A word that code can match on.
        kind: String,
        /// Why.
        message: String,
    },
}
