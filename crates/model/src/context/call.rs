//! A call of a tool, and the decision about it.

use super::ledger::{PolicyDecision, ToolCheck};
use crate::{ApprovalMode, InsufficientEvidence};
use deed_canon::ContentHash;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::borrow::Cow;

/// A call of a tool, as a model asks for it. Predicates read it as `call`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ToolCall {
    /// Its arguments.
    #[serde(default)]
    pub arguments: Map<String, Value>,
    /// `adapter.capability`.
    #[schemars(length(min = 1))]
    pub tool: String,
}

/// The verdict on a call; the strictest wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CallVerdict {
    /// The call may be made.
    Allow,
    /// A person must approve it first.
    NeedsApproval,
    /// The call may not be made.
    Deny,
}

impl CallVerdict {
    /// Returns the verdict's name in documents.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::NeedsApproval => "needs_approval",
            Self::Deny => "deny",
        }
    }
}

/// The decision about one call, with its real arguments.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CallDecision<'a> {
    /// The gates that the call must pass.
    pub approval_gates: Vec<GateRequirement<'a>>,
    /// The effective mode of the capability; none if the pack does not have it.
    pub approval_mode: Option<ApprovalMode>,
    /// Typed hash of the call.
    #[schemars(with = "String")]
    pub call_hash: ContentHash,
    /// Every rule that fired or failed.
    pub policy_decisions: Vec<PolicyDecision<'a>>,
    /// The reasons against the call, or for asking a person; empty if it is allowed.
    pub reasons: Vec<CallReason<'a>>,
    /// Evidence and obligations that rules require for it.
    pub requires: Vec<Cow<'a, str>>,
    /// The capability.
    pub tool: Cow<'a, str>,
    /// The verdict.
    pub verdict: CallVerdict,
}

/// A gate that a call or a request must pass: whom to ask, and for how long an approval is valid.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GateRequirement<'a> {
    /// The gate.
    pub gate_id: Cow<'a, str>,
    /// The role that may approve; none if the pack does not declare the gate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub required_approver_role: Option<Cow<'a, str>>,
    /// Seconds that an approval is valid.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ttl_seconds: Option<u64>,
}

/// A reason against a call, or for asking a person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum CallReason<'a> {
    /// The pack has no such capability.
    UnknownTool {
        /// The most similar capability.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        did_you_mean: Option<Cow<'a, str>>,
    },
    /// The capability is not surfaced.
    Hidden {
        /// The check that hides it.
        check: ToolCheck,
        /// The source of the check.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        source: Option<Cow<'a, str>>,
    },
    /// A rule denies.
    Denied {
        /// The reason, for the person concerned.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<Cow<'a, str>>,
        /// The rule.
        rule_id: Cow<'a, str>,
    },
    /// A guardrail of `must_refuse` is active.
    MustRefuse {
        /// The guardrail.
        guardrail: Cow<'a, str>,
    },
    /// A decision lacks evidence that it requires, and the pack says that this refuses or escalates.
    InsufficientEvidence {
        /// The decision.
        decision_key: Cow<'a, str>,
        /// The effect that the decision states.
        effect: InsufficientEvidence,
        /// The names of the evidence that is not met.
        unmet: Vec<Cow<'a, str>>,
    },
    /// A guardrail of `must_escalate` is active, or a rule demands a person without a gate.
    MustEscalate {
        /// The guardrail, or `rule:<rule_id>`.
        source: Cow<'a, str>,
    },
    /// An argument is out of its bounds.
    Argument {
        /// The argument.
        argument: Cow<'a, str>,
        /// The bound that it violates, in words.
        bound: Cow<'a, str>,
        /// `permission:<id>` or `rule:<id>`.
        source: Cow<'a, str>,
    },
    /// A gate is active.
    Gate {
        /// The gate.
        gate_id: Cow<'a, str>,
    },
}
