//! Calls that code makes through the bridge.

use super::bridge_error::BridgeErrorKind;
use super::tool_envelope::ToolApprovalModes;
use crate::plan::Budget;
use deed_canon::ContentHash;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The identity that the key of a call is derived from. The same code under the same contract makes the same calls
/// again.
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
    /// The number of earlier calls of the same tool with the same arguments.
    pub occurrence: u64,
}

/// A call that is about to be made. It is on disk before it can have an effect.
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
    /// The number of earlier calls of the same tool with the same arguments.
    pub occurrence: u64,
    /// The budget that is reserved for it.
    pub reserved: Budget,
    /// A one-line description.
    pub summary: String,
    /// True if it may be repeated when its answer is lost.
    pub repeatable: bool,
    /// The request as the other side sees it, for a request that may change something. Calls of older versions have
    /// none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub effect: Option<CallEffect>,
    /// The modes of the call. Calls of older versions have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approval_modes: Option<ToolApprovalModes>,
    /// The call of an earlier run that it repeats, or whose answer it reuses: the first run that made it.
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

/// A request as the other side sees it, independent of how it was written and which channel it took.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CallEffect {
    /// The hash of method, URL, body and significant headers.
    #[schemars(with = "String")]
    pub exact: ContentHash,
    /// The hash of method, URL and body.
    #[schemars(with = "String")]
    pub target: ContentHash,
    /// The number of earlier calls of the step with the same `exact`.
    pub occurrence: u64,
}

/// The outcome of a call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CallAnswer {
    /// The step.
    pub step: String,
    /// The key.
    pub key: String,
    /// The answer: a result or an error.
    pub outcome: CallOutcome,
    /// The budget that it spent.
    pub spent: Budget,
    /// The proof: digests of the request and the response.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub proof: Value,
}

/// The answer to a call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "outcome", rename_all = "snake_case", deny_unknown_fields)]
pub enum CallOutcome {
    /// A result that is stored in the journal.
    Result {
        /// The result.
        value: Value,
    },
    /// A result that is stored as a blob.
    Stored {
        /// Plain SHA-256 of the canonical bytes of the result.
        #[schemars(with = "String")]
        sha256: ContentHash,
    },
    /// An error.
    Failed {
        /// The kind of error, for code to match on.
        kind: BridgeErrorKind,
        /// The message.
        message: String,
    },
}

#[cfg(test)]
mod tests {
    use super::CallIntent;
    use serde_json::json;

    /// Journals from before the modes were recorded are read, and written back as they were.
    #[test]
    fn a_call_of_an_older_journal_has_no_modes() {
        let hash = format!("sha256:{}", "0".repeat(64));
        let written = json!({
            "step": "a", "key": "call_1", "tool": "http.fetch", "arguments_hash": hash, "occurrence": 0, "reserved": {},
            "summary": "GET https://api.example.test/", "repeatable": true,
        });
        let call: CallIntent = serde_json::from_value(written.clone()).unwrap();
        assert_eq!(call.approval_modes, None);
        assert_eq!(serde_json::to_value(&call).unwrap(), written);
    }
}
