//! The parameters of a call that its provider takes, and those that are dropped, each with its reason.

use crate::provider::{ProviderFamily, provider};
use deed_diag::Invariant as _;
use deed_model::{ModelParameter, ModelRef, ReasoningSwitches, RuntimeOverrides, UnsentParameter};
use serde_json::Value;

/// The parameters of a call after filtering. Each parameter that went in is in one of the two.
#[derive(Debug, Clone, PartialEq)]
pub struct Filtered {
    /// The parameters that are sent.
    pub parameters: RuntimeOverrides,
    /// The parameters that are not, with their reasons.
    pub dropped: Vec<UnsentParameter>,
}

/// Filters parameters for a model.
///
/// ```
/// use deed_model::{ReasoningSwitches, RuntimeOverrides};
///
/// let overrides = RuntimeOverrides { seed: Some(7), max_tokens: Some(100), ..RuntimeOverrides::default() };
/// let model = "anthropic:claude-sonnet-4-6".parse().unwrap();
/// let filtered = deed_profile::filter(&model, &overrides, &ReasoningSwitches::default());
/// assert_eq!(filtered.parameters.max_tokens, Some(100));
/// assert_eq!(filtered.dropped[0].reason, "provider `anthropic` does not take it");
/// ```
pub fn filter(model: &ModelRef, overrides: &RuntimeOverrides, switches: &ReasoningSwitches) -> Filtered {
    let mut kept = Vec::new();
    let mut dropped = Vec::new();
    for (parameter, value) in overrides.parts() {
        match reason(model, parameter, overrides, switches) {
            None => kept.push((parameter, value)),
            Some(reason) => dropped.push(UnsentParameter { parameter, value, reason }),
        }
    }
    let parameters = read_back(&kept);
    Filtered { parameters, dropped }
}

/// Reads parameters that came from [`RuntimeOverrides::parts`].
fn read_back(parts: &[(ModelParameter, Value)]) -> RuntimeOverrides {
    RuntimeOverrides::of_parts(parts).ok().invariant("parameters that were written can be read")
}

/// Returns the reason why a parameter is not sent.
fn reason(
    model: &ModelRef,
    parameter: ModelParameter,
    overrides: &RuntimeOverrides,
    switches: &ReasoningSwitches,
) -> Option<String> {
    let ModelRef::Model { provider: name, .. } = model else { return Some("no model is asked".to_owned()) };
    let Some(found) = provider(name) else { return Some(format!("provider `{name}` is not known")) };
    if !found.family.parameters().contains(&parameter) {
        return Some(format!("provider `{name}` does not take it"));
    }
    let switched_off = found.family.switch(switches).filter(|(_, on)| !on).map(|(switch, _)| switch);
    if let Some(switch) = switched_off.filter(|_| parameter.is_reasoning()) {
        return Some(format!("`{switch}` is off"));
    }
    let thinks = overrides.use_extended_thinking == Some(true) && switched_off.is_none();
    match (found.family, parameter) {
        (ProviderFamily::Anthropic, ModelParameter::ThinkingBudgetTokens) if !thinks => {
            Some("`use_extended_thinking` is not on".to_owned())
        }
        (ProviderFamily::Anthropic, ModelParameter::Temperature | ModelParameter::TopP) if thinks => {
            Some("the provider refuses it together with extended thinking".to_owned())
        }
        _ => None,
    }
}
