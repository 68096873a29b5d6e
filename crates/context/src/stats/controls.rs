//! The controls of a pack by name: those that a version has, and those that acted in a compile.
//!
//! A rule that is taken out leaves no row to compare, so what is gone is found by its name.

use super::observation::Observation;
use deed_model::{PackRef, ReplayBundle, Stage};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The kind of a control of a pack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PackControlKind {
    /// A rule: it acts where one of its branches applies.
    Rule,
    /// A guardrail: it acts where it is active; a label without a predicate is active in every context.
    Guardrail,
    /// An approval gate: it acts where it is active.
    ApprovalGate,
    /// A redaction rule: it acts in every context.
    Redaction,
    /// A capability: it acts where it is surfaced.
    Tool,
    /// Evidence that a decision or a rule requires: it acts where it is demanded.
    RequiredEvidence,
}

impl PackControlKind {
    /// Returns the kind in words.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Rule => "rule",
            Self::Guardrail => "guardrail",
            Self::ApprovalGate => "approval gate",
            Self::Redaction => "redaction",
            Self::Tool => "tool",
            Self::RequiredEvidence => "required evidence",
        }
    }
}

/// A control that only the earlier of two versions has, and that acted there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RemovedControl {
    /// The kind.
    pub kind: PackControlKind,
    /// Its name.
    pub name: String,
    /// The compiles of the earlier version in which it acted.
    pub active: u64,
    /// The compiles of the earlier version that had it.
    pub of: u64,
}

/// The controls of a recorded pack, each with whether it acted.
pub type PackControls = BTreeMap<(PackControlKind, String), bool>;

/// Returns the controls that the later version no longer has and that acted in the earlier one. A version without
/// recordings that can be counted says nothing.
pub(super) fn removed(observations: &[&Observation], before: &PackRef, after: &PackRef) -> Vec<RemovedControl> {
    let of = |pack: &PackRef| -> Vec<&PackControls> {
        let own = observations.iter().filter(|observation| observation.pack_ref == *pack);
        own.filter_map(|observation| observation.facts.as_ref()).map(|facts| &facts.controls).collect()
    };
    let later = of(after);
    if later.is_empty() {
        return Vec::new();
    }
    let kept: BTreeSet<_> = later.into_iter().flat_map(BTreeMap::keys).collect();
    let mut counts: BTreeMap<&(PackControlKind, String), (u64, u64)> = BTreeMap::new();
    for (control, active) in of(before).into_iter().flatten().filter(|(control, _)| !kept.contains(control)) {
        let (part, of) = counts.entry(control).or_default();
        *part += u64::from(*active);
        *of += 1;
    }
    let acted = counts.into_iter().filter(|(_, (active, _))| *active > 0);
    acted.map(|((kind, name), (active, of))| RemovedControl { kind: *kind, name: name.clone(), active, of }).collect()
}

/// Returns the controls of a recording.
pub(super) fn of(bundle: &ReplayBundle, compiled: bool) -> PackControls {
    let pack = &bundle.inputs.pack;
    let mut controls = PackControls::new();
    let mut declare = |kind: PackControlKind, name: &Value, active: bool| {
        if let Some(name) = name.as_str() {
            controls.insert((kind, name.to_owned()), active);
        }
    };
    for rule in rules(pack) {
        declare(PackControlKind::Rule, field(rule, "rule_id"), false);
        for branch in ["then", "else"] {
            for required in list(field(rule, branch), "/requires") {
                declare(PackControlKind::RequiredEvidence, required, false);
            }
        }
    }
    for list_of in ["must_refuse", "must_escalate"] {
        for guardrail in list(pack, &format!("/policy_layer/guardrails/{list_of}")) {
            // A label has no predicate.
            declare(PackControlKind::Guardrail, named(guardrail, "id"), guardrail.is_string() && compiled);
        }
    }
    for gate in list(pack, "/policy_layer/approval_gates") {
        declare(PackControlKind::ApprovalGate, field(gate, "gate_id"), false);
    }
    for redaction in list(pack, "/policy_layer/guardrails/redaction_rules") {
        declare(PackControlKind::Redaction, named(redaction, "id"), compiled);
    }
    for adapter in list(pack, "/tooling_layer/adapter_registry") {
        let id = field(adapter, "adapter_id").as_str().unwrap_or_default();
        for capability in list(adapter, "/capabilities") {
            if let Some(capability) = named(capability, "id").as_str() {
                declare(PackControlKind::Tool, &Value::from(format!("{id}.{capability}")), false);
            }
        }
    }
    for spec in list(pack, "/decision_layer/decision_specs") {
        for required in list(spec, "/required_evidence") {
            declare(PackControlKind::RequiredEvidence, required, false);
        }
    }
    for name in acted(bundle) {
        if let Some(active) = controls.get_mut(&name) {
            *active = true;
        }
    }
    controls
}

/// Returns the controls that acted, as the stages recorded it.
fn acted(bundle: &ReplayBundle) -> BTreeSet<(PackControlKind, String)> {
    let decided = |stage: Stage| {
        bundle
            .expected
            .stages
            .iter()
            .find(|record| record.stage == stage)
            .map_or(&Value::Null, |record| &record.decided)
    };
    let mut acted = BTreeSet::new();
    let mut act = |kind: PackControlKind, name: &Value| {
        acted.extend(name.as_str().map(|name| (kind, name.to_owned())));
    };
    let policy = decided(Stage::Policy);
    for decision in list(policy, "/decisions").filter(|decision| field(decision, "branch") != "error") {
        act(PackControlKind::Rule, field(decision, "rule_id"));
    }
    for control in list(policy, "/controls").filter(|control| field(control, "active") == true) {
        let kind = match field(control, "kind").as_str() {
            Some("approval_gate") => PackControlKind::ApprovalGate,
            _ => PackControlKind::Guardrail,
        };
        act(kind, field(control, "id"));
    }
    for tool in list(decided(Stage::Tools), "/capabilities").filter(|tool| field(tool, "surfaced") == true) {
        if let (Some(adapter), Some(name)) = (field(tool, "adapter_id").as_str(), field(tool, "capability").as_str()) {
            act(PackControlKind::Tool, &Value::from(format!("{adapter}.{name}")));
        }
    }
    let manifests = decided(Stage::Manifests);
    for decision in list(manifests, "/decisions") {
        list(decision, "/required_evidence").for_each(|one| act(PackControlKind::RequiredEvidence, field(one, "name")));
    }
    for obligation in list(manifests, "/obligations") {
        act(PackControlKind::RequiredEvidence, field(field(obligation, "requirement"), "name"));
    }
    acted
}

fn rules(pack: &Value) -> impl Iterator<Item = &Value> {
    list(pack, "/policy_layer/policy_bundles").flat_map(|bundle| list(bundle, "/policy_dsl/rules"))
}

fn list<'v>(value: &'v Value, pointer: &str) -> impl Iterator<Item = &'v Value> {
    value.pointer(pointer).and_then(Value::as_array).into_iter().flatten()
}

fn field<'v>(value: &'v Value, name: &str) -> &'v Value {
    value.get(name).unwrap_or(&Value::Null)
}

/// Returns a name that stands alone, or as a field of an object.
fn named<'v>(value: &'v Value, name: &str) -> &'v Value {
    if value.is_string() { value } else { field(value, name) }
}
