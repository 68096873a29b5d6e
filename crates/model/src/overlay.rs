//! An overlay: a declared, ordered set of changes that may only constrain a pack.

use crate::pack_ref::{OverlayRef, PackRef};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Number, Value};

/// Changes to one version of a pack, for one environment.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Overlay {
    /// `<pack_id>.<name>@x.y.z`
    pub overlay_ref: OverlayRef,
    /// The pack version that it was made for.
    pub base: PackRef,
    /// The changes, in order.
    pub changes: Vec<OverlayChange>,
}

/// The four things an overlay may change.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[schemars(deny_unknown_fields)]
pub enum OverlayChange {
    /// Another registry entry for an adapter that the pack has.
    EndpointRef {
        /// Which adapter.
        adapter_id: String,
        /// The registry reference to use.
        value: String,
        /// Why.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rationale: Option<String>,
    },
    /// A stricter number in a rule or a gate.
    PolicyThreshold {
        /// Which rule; or give `gate_id`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rule_id: Option<String>,
        /// Which gate; or give `rule_id`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        gate_id: Option<String>,
        /// JSON Pointer to the number, from the rule or gate.
        pointer: String,
        /// The stricter number.
        value: Number,
        /// Why.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rationale: Option<String>,
    },
    /// Another default for language, time zone, currency or region.
    LocaleDefault {
        /// Which of `pack_meta.environment_defaults`.
        key: String,
        /// The default to use.
        value: Value,
        /// Why.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rationale: Option<String>,
    },
    /// A stricter score target.
    EvaluatorThreshold {
        /// Which intent.
        intent: String,
        /// Which metric of that intent's target.
        metric: String,
        /// The stricter number.
        value: Number,
        /// Why.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rationale: Option<String>,
    },
}
