//! Overlays: declared, ordered changes that can only constrain a pack.

use crate::pack_ref::{OverlayRef, PackRef};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Number, Value};

/// Changes of one version of a pack, for one environment.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Overlay {
    /// `<pack_id>.<name>@x.y.z`
    pub overlay_ref: OverlayRef,
    /// The version of the pack that it applies to.
    pub base: PackRef,
    /// The changes, in order.
    pub changes: Vec<OverlayChange>,
}

/// A change of an overlay.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[schemars(deny_unknown_fields)]
pub enum OverlayChange {
    /// Replaces the registry reference of an adapter of the pack.
    EndpointRef {
        /// The adapter.
        adapter_id: String,
        /// The registry reference to use.
        value: String,
        /// The reason.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rationale: Option<String>,
    },
    /// Sets a stricter number in a rule or a gate.
    PolicyThreshold {
        /// The rule; either this or `gate_id`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rule_id: Option<String>,
        /// The gate; either this or `rule_id`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        gate_id: Option<String>,
        /// JSON Pointer to the number, relative to the rule or gate.
        pointer: String,
        /// The stricter number.
        value: Number,
        /// The reason.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rationale: Option<String>,
    },
    /// Sets a default for language, time zone, currency or region.
    LocaleDefault {
        /// A key of `pack_meta.environment_defaults`.
        key: String,
        /// The default to use.
        value: Value,
        /// The reason.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rationale: Option<String>,
    },
    /// Sets a stricter score target.
    EvaluatorThreshold {
        /// The intent.
        intent: String,
        /// The metric of that intent's target.
        metric: String,
        /// The stricter number.
        value: Number,
        /// The reason.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rationale: Option<String>,
    },
}
