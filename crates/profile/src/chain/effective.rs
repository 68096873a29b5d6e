//! Effective values: for each key the value that decides, its origin, and what it overrides.

use super::layer::{Layer, LayerValue};
use super::level::Level;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// A value with its origin.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct EffectiveValue {
    /// The key: `operator_planner.pass_a/temperature`, `timeouts/run_wall_ms`.
    pub key: String,
    /// The value.
    pub value: Value,
    /// Its origin.
    pub origin: Origin,
    /// The values that it overrides, the nearest level first.
    pub overridden: Vec<OverriddenValue>,
}

/// The origin of a value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Origin {
    /// The level.
    pub level: Level,
    /// The document.
    pub source: String,
    /// The JSON Pointer in it.
    pub pointer: String,
}

/// A value that another one overrides.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct OverriddenValue {
    /// The value.
    pub value: Value,
    /// Its origin.
    pub origin: Origin,
}

/// Every effective value, by key.
pub(crate) type EffectiveValues = BTreeMap<String, EffectiveValue>;

/// Applies the layers, lowest first.
pub(crate) fn effective(layers: &[Layer]) -> EffectiveValues {
    let mut values = EffectiveValues::new();
    for layer in layers {
        for LayerValue { key, value, pointer } in &layer.values {
            let origin = Origin { level: layer.level, source: layer.source.clone(), pointer: pointer.clone() };
            match values.get_mut(key) {
                None => {
                    let found =
                        EffectiveValue { key: key.clone(), value: value.clone(), origin, overridden: Vec::new() };
                    values.insert(key.clone(), found);
                }
                Some(lower) => lower.meet(value, origin),
            }
        }
    }
    values
}

impl EffectiveValue {
    /// Takes the value of a higher layer, unless this is a master switch that is off.
    fn meet(&mut self, value: &Value, origin: Origin) {
        let stays_off = self.key.starts_with("reasoning/") && self.value == Value::Bool(false);
        let loser = match stays_off {
            true => OverriddenValue { value: value.clone(), origin },
            false => OverriddenValue {
                value: std::mem::replace(&mut self.value, value.clone()),
                origin: std::mem::replace(&mut self.origin, origin),
            },
        };
        self.overridden.insert(0, loser);
    }
}
