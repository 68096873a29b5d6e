//! Runtime controls: the guardrails that the runtime must enforce.

use super::call::GateRequirement;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// The controls that the runtime must enforce.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RuntimeControls<'a> {
    /// Approval gates that are active now.
    pub approval_gates_active: Vec<Cow<'a, str>>,
    /// Whom to ask at each gate that is active or may become active with a call, and until when.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub approvals: Vec<ApprovalDemand<'a>>,
    /// Standing labels, active guardrails, and rules that demand a person without a gate (`rule:<rule_id>`).
    pub must_escalate: Vec<Cow<'a, str>>,
    /// Standing labels, active guardrails, and rules that denied (`rule:<rule_id>`).
    pub must_refuse: Vec<Cow<'a, str>>,
    /// Redaction rules that were applied, and that also apply to output.
    pub redaction_rules_active: Vec<Cow<'a, str>>,
}

/// An approval that a request needs, or that some of its calls may need.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ApprovalDemand<'a> {
    /// True if the gate depends on the arguments of a call and is decided when one is made.
    pub depends_on_call: bool,
    /// The instant until which an approval that is given now is valid, in RFC 3339 and UTC.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<String>,
    /// The gate and whom it asks.
    pub gate: GateRequirement<'a>,
}
