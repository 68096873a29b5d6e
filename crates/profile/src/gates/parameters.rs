//! Gate 5, parameters: those that the bound provider does not take are dropped, which the author should know.

use super::models::check;
use super::{GateInput, PlacedBinding};
use crate::filter::filter;
use deed_diag::{Diagnostic, codes, quote};
use deed_model::{ModelRef, RuntimeOverrides};

pub(super) fn run(input: &GateInput<'_>) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    for placed in input.bindings() {
        findings.extend(budget(input, &placed));
        findings.extend(dropped(input, &placed));
    }
    findings
}

/// Parameters that the model of the binding, or else of the default binding, does not take.
fn dropped(input: &GateInput<'_>, placed: &PlacedBinding<'_>) -> Vec<Diagnostic> {
    let default = &input.profile.default_binding;
    let asks = placed.slot.is_none_or(|slot| slot.consumer().asks_a_model());
    let inherited = default.model_binding_ref.as_ref().filter(|_| asks);
    // Without a model of the profile, a lower level binds one, and the drop is in the snapshot.
    let bound = placed.binding.model_binding_ref.as_ref().or(inherited);
    let Some(model) = bound.and_then(|text| check(text).ok()) else { return Vec::new() };
    let overrides = &placed.binding.runtime_overrides;
    let whole = with_defaults(overrides, &default.runtime_overrides);
    let dropped = filter(&model, &whole, &input.profile.reasoning).dropped.into_iter();
    dropped
        .filter(|drop| overrides.get(drop.parameter).is_some())
        .map(|drop| {
            let name = drop.parameter;
            let message = match &model {
                ModelRef::Model { .. } => format!("the parameter `{name}` is dropped: {}", drop.reason),
                ModelRef::None => format!("the parameter `{name}` is for a model, and none is asked"),
            };
            Diagnostic::warning(codes::PARAMETER_DROPPED, message)
                .at(input.file.place(&format!("{}/runtime_overrides/{name}", placed.pointer)))
                .help(format!("remove it, or bind another model than {}", quote(&model.to_string())))
        })
        .collect()
}

/// A thinking budget that leaves no room for the answer.
fn budget(input: &GateInput<'_>, placed: &PlacedBinding<'_>) -> Option<Diagnostic> {
    let whole = with_defaults(&placed.binding.runtime_overrides, &input.profile.default_binding.runtime_overrides);
    let (thinking, most) = (placed.binding.runtime_overrides.thinking_budget_tokens?, whole.max_tokens?);
    (thinking >= most).then(|| {
        let message = format!("a thinking budget of {thinking} tokens is not below `max_tokens` {most}");
        Diagnostic::error(codes::THINKING_BUDGET_TOO_LARGE, message)
            .at(input.file.place(&format!("{}/runtime_overrides/thinking_budget_tokens", placed.pointer)))
            .help("thinking counts towards `max_tokens`: raise that, or lower the budget")
    })
}

/// The parameters of a binding, with those of the default binding for what it leaves out.
fn with_defaults(own: &RuntimeOverrides, default: &RuntimeOverrides) -> RuntimeOverrides {
    RuntimeOverrides {
        timeout_ms: own.timeout_ms.or(default.timeout_ms),
        max_tokens: own.max_tokens.or(default.max_tokens),
        temperature: own.temperature.or(default.temperature),
        top_p: own.top_p.or(default.top_p),
        seed: own.seed.or(default.seed),
        reasoning_effort: own.reasoning_effort.or(default.reasoning_effort),
        use_extended_thinking: own.use_extended_thinking.or(default.use_extended_thinking),
        thinking_budget_tokens: own.thinking_budget_tokens.or(default.thinking_budget_tokens),
        use_responses_reasoning: own.use_responses_reasoning.or(default.use_responses_reasoning),
    }
}
