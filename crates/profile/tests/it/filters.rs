//! Parameters: each that goes in is sent or dropped with a reason, and only what the provider takes is sent.

use deed_model::{ModelParameter, ModelRef, ReasoningEffort, ReasoningSwitches, RuntimeOverrides};
use deed_profile::{PROVIDERS, filter, provider};
use proptest::prelude::*;

prop_compose! {
    pub fn overrides()(
        timeout_ms in prop::option::of(1..1_000_000_u64),
        max_tokens in prop::option::of(1..100_000_u64),
        temperature in prop::option::of(0..20_u32),
        top_p in prop::option::of(0..10_u32),
        seed in prop::option::of(0..100_u64),
        effort in prop::option::of(0..4_usize),
        thinking in prop::option::of(any::<bool>()),
        budget in prop::option::of(1..10_000_u64),
        responses in prop::option::of(any::<bool>()),
    ) -> RuntimeOverrides {
        use ReasoningEffort::{High, Low, Medium, Minimal};
        RuntimeOverrides {
            timeout_ms,
            max_tokens,
            temperature: temperature.map(|t| f64::from(t) / 10.0),
            top_p: top_p.map(|t| f64::from(t) / 10.0),
            seed,
            reasoning_effort: effort.map(|at| [Minimal, Low, Medium, High][at]),
            use_extended_thinking: thinking,
            thinking_budget_tokens: budget,
            use_responses_reasoning: responses,
        }
    }
}

proptest! {
    #[test]
    fn nothing_is_lost_and_nothing_foreign_is_sent(
        overrides in overrides(),
        at in 0..PROVIDERS.len(),
        off in any::<bool>(),
    ) {
        let found = PROVIDERS[at];
        let model = ModelRef::Model { provider: found.name.to_owned(), model: "m".to_owned() };
        let switch = Some(!off);
        let switches = ReasoningSwitches {
            anthropic_thinking_enabled: switch,
            openai_reasoning_enabled: switch,
            gemini_thinking_enabled: switch,
            compatible_reasoning_enabled: switch,
        };
        let filtered = filter(&model, &overrides, &switches);
        let mut parts = filtered.parameters.parts();
        for (name, _) in &parts {
            prop_assert!(found.family.parameters().contains(name));
            prop_assert!(!(off && name.is_reasoning()));
        }
        parts.extend(filtered.dropped.iter().map(|drop| (drop.parameter, drop.value.clone())));
        parts.sort_by_key(|(name, _)| *name);
        let mut whole = overrides.parts();
        whole.sort_by_key(|(name, _)| *name);
        prop_assert_eq!(parts, whole);
    }
}

fn anthropic(overrides: &RuntimeOverrides) -> Vec<ModelParameter> {
    let model = "anthropic:claude-opus-4-6".parse().unwrap();
    let dropped = filter(&model, overrides, &ReasoningSwitches::default()).dropped;
    dropped.into_iter().map(|drop| drop.parameter).collect()
}

#[test]
fn thinking_excludes_sampling() {
    let thinks = RuntimeOverrides {
        temperature: Some(0.7),
        use_extended_thinking: Some(true),
        thinking_budget_tokens: Some(4096),
        ..RuntimeOverrides::default()
    };
    assert_eq!(anthropic(&thinks), [ModelParameter::Temperature]);
    let does_not = RuntimeOverrides { use_extended_thinking: Some(false), ..thinks };
    assert_eq!(anthropic(&does_not), [ModelParameter::ThinkingBudgetTokens]);
}

#[test]
fn no_model_takes_no_parameter() {
    let overrides = RuntimeOverrides { seed: Some(1), ..RuntimeOverrides::default() };
    let filtered = filter(&ModelRef::None, &overrides, &ReasoningSwitches::default());
    assert_eq!(filtered.dropped[0].reason, "no model is asked");
    assert!(filtered.parameters.is_empty());
}

#[test]
fn providers_are_found_by_name() {
    assert!(PROVIDERS.iter().all(|own| provider(own.name) == Some(own)));
    assert_eq!(provider("Anthropic"), None);
}
