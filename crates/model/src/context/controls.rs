//! Runtime controls: the guardrails that the runtime must enforce.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// The controls that the runtime must enforce.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RuntimeControls<'a> {
    /// Approval gates that are active now.
    pub approval_gates_active: Vec<Cow<'a, str>>,
    /// Standing labels, active guardrails, and rules that demand a person without a gate (`rule:<rule_id>`).
    pub must_escalate: Vec<Cow<'a, str>>,
    /// Standing labels, active guardrails, and rules that denied (`rule:<rule_id>`).
    pub must_refuse: Vec<Cow<'a, str>>,
    /// Redaction rules that were applied, and that also apply to output.
    pub redaction_rules_active: Vec<Cow<'a, str>>,
}
