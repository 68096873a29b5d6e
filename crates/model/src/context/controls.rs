//! Runtime controls: the guardrails that the runtime must enforce.

use super::call::GateRequirement;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// The controls that the runtime must enforce.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RuntimeControls<'a> {
    /// Approval gates that are active now.
    pub approval_gates_active: Vec<Cow<'a, str>>,
    /// Whom to ask at each gate that is active or may become active with a call, and until when.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub approvals: Vec<ApprovalDemand<'a>>,
    /// The instant until which a copy of the pack, and of this context, counts as fresh: `as_of` and the pack's
    /// `ttl_seconds`, in RFC 3339 and UTC.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fresh_until: Option<String>,
    /// Standing labels, active guardrails, and rules that demand a person without a gate (`rule:<rule_id>`).
    pub must_escalate: Vec<Cow<'a, str>>,
    /// Standing labels, active guardrails, and rules that denied (`rule:<rule_id>`).
    pub must_refuse: Vec<Cow<'a, str>>,
    /// Redaction rules that were applied, and that also apply to output.
    pub redaction_rules_active: Vec<Cow<'a, str>>,
    /// The score targets of the intent, after overlays: what the caller holds the run to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub targets: Option<ScoreTargets>,
}

/// The score targets of an intent.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ScoreTargets {
    /// Cost of a decision in cents; lower is better.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub economics_cents_per_decision: Option<f64>,
    /// 99th percentile of latency in milliseconds; lower is better.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub latency_p99_ms: Option<f64>,
    /// Share of runs that comply with policy; higher is better.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub policy: Option<f64>,
    /// Share of runs without harm; higher is better.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub safety: Option<f64>,
    /// Share of runs that complete the task; higher is better.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub utility: Option<f64>,
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
