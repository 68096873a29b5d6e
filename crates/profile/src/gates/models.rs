//! Gate 4, models: every binding names a model of a known provider, and `native` names none.

use super::GateInput;
use crate::provider::{PROVIDERS, provider};
use deed_diag::{Diagnostic, codes, did_you_mean, quote};
use deed_model::ModelRef;

pub(super) fn run(input: &GateInput<'_>) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    for placed in input.bindings() {
        let Some(text) = &placed.binding.model_binding_ref else { continue };
        let place = input.file.place(&format!("{}/model_binding_ref", placed.pointer));
        match check(text) {
            Err(refusal) => findings.push((*refusal).at(place)),
            Ok(ModelRef::Model { .. }) if placed.slot.is_some_and(|slot| !slot.consumer().asks_a_model()) => {
                findings.push(native().at(place));
            }
            Ok(ModelRef::Model { .. } | ModelRef::None) => {}
        }
    }
    findings
}

/// Reads a reference to a model, without a place.
pub(crate) fn check(text: &str) -> Result<ModelRef, Box<Diagnostic>> {
    let model: ModelRef = text.parse().map_err(|error: deed_model::ModelRefError| {
        Box::new(
            Diagnostic::error(codes::BAD_MODEL_BINDING, error.to_string())
                .help("write `provider:model`, such as `anthropic:claude-sonnet-4-6`, or `none`"),
        )
    })?;
    match &model {
        ModelRef::Model { provider: name, .. } if provider(name).is_none() => {
            let known = PROVIDERS.iter().map(|provider| provider.name);
            let help = did_you_mean(name, known.clone())
                .unwrap_or_else(|| format!("the providers are {}", known.collect::<Vec<_>>().join(", ")));
            let found = Diagnostic::error(codes::PROFILE_PROVIDER_UNKNOWN, format!("unknown provider {}", quote(name)));
            Err(Box::new(found.help(help)))
        }
        ModelRef::Model { .. } | ModelRef::None => Ok(model),
    }
}

/// The refusal of a model for the backend that asks none.
pub(crate) fn native() -> Diagnostic {
    Diagnostic::error(codes::NATIVE_BOUND_TO_MODEL, "the backend `native` asks no model")
        .help("write `model_binding_ref: none`, or leave the binding out")
}
