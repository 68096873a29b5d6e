//! The law of the chain: effective values of random documents equal an independent computation.
//!
//! The crate applies layers from below; here each value is looked up from above, in the documents as JSON.

use deed_model::{BindingSlot, ModelConsumer};
use deed_profile::{Level, Objects, ProfileFile, ResolveInputs, SettingsFile, filter, resolve};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

const MODELS: [&str; 5] = ["none", "anthropic:a", "openai:b", "gemini:c", "ollama:d"];
const FIELDS: [&str; 11] = [
    "model_binding_ref",
    "prompt_binding_ref",
    "timeout_ms",
    "max_tokens",
    "temperature",
    "top_p",
    "seed",
    "reasoning_effort",
    "use_extended_thinking",
    "thinking_budget_tokens",
    "use_responses_reasoning",
];

/// A binding with some of the fields.
fn binding() -> impl Strategy<Value = Value> {
    let prompts =
        prop::sample::select(vec!["workspace.operator.brief.system@v1", "workspace.operator.router.system@v1"]);
    let reference = (prop::option::of(prop::sample::select(MODELS.to_vec())), prop::option::of(prompts));
    let numbers = prop::array::uniform5(prop::option::of(1..100_u64));
    let flags = (prop::option::of(any::<bool>()), prop::option::of(any::<bool>()), prop::option::of(any::<bool>()));
    (reference, numbers, flags).prop_map(|((model, prompt), numbers, (thinking, responses, effort))| {
        let [timeout, tokens, tenths, seed, budget] = numbers;
        let overrides = json!({
            "timeout_ms": timeout, "max_tokens": tokens, "temperature": tenths.map(|t| t as f64 / 100.0), "seed": seed,
            "thinking_budget_tokens": budget, "use_extended_thinking": thinking, "use_responses_reasoning": responses,
            "reasoning_effort": effort.map(|high| if high { "high" } else { "low" }),
        });
        let written = json!({ "model_binding_ref": model, "prompt_binding_ref": prompt });
        let mut written = without_nulls(written);
        written.insert("runtime_overrides".to_owned(), Value::Object(without_nulls(overrides)));
        Value::Object(written)
    })
}

fn without_nulls(value: Value) -> Map<String, Value> {
    let Value::Object(members) = value else { panic!("an object") };
    members.into_iter().filter(|(_, value)| !value.is_null()).collect()
}

fn switches() -> impl Strategy<Value = Value> {
    let names = ["anthropic_thinking_enabled", "openai_reasoning_enabled"];
    prop::array::uniform2(prop::option::of(any::<bool>())).prop_map(move |states| {
        let members = names.into_iter().zip(states).filter_map(|(name, state)| Some((name.to_owned(), state?.into())));
        Value::Object(members.collect())
    })
}

fn settings() -> impl Strategy<Value = Value> {
    let consumer = prop::sample::select(ModelConsumer::ALL.map(ModelConsumer::as_str).to_vec());
    let consumers = prop::collection::btree_map(consumer, binding(), 0..4);
    let native_asks_none = |mut consumers: Value| {
        if let Some(native) = consumers.get_mut("operator_executor.native").and_then(Value::as_object_mut) {
            native.remove("model_binding_ref");
        }
        consumers
    };
    (binding(), consumers, prop::option::of(1..9_u64), prop::option::of(1..99_u64), switches()).prop_map(
        move |(defaults, consumers, window, planning, reasoning)| {
            let consumers = native_asks_none(json!(consumers));
            let timeouts = planning.map_or(json!({}), |ms| json!({ "planning_ms": ms }));
            let mut whole = json!({ "defaults": defaults, "consumers": consumers, "timeouts": timeouts });
            whole["reasoning"] = reasoning;
            if let Some(window) = window {
                whole["window_size"] = json!(window);
            }
            whole
        },
    )
}

fn profile() -> impl Strategy<Value = Value> {
    let slots: Vec<BindingSlot> =
        BindingSlot::all().into_iter().filter(|slot| slot.consumer() != ModelConsumer::ExecutorNative).collect();
    let bound = prop::collection::btree_map(prop::sample::select(slots), binding(), 0..6);
    (binding(), bound, prop::option::of(1..9_u64), prop::option::of(1..99_u64), switches(), any::<bool>()).prop_map(
        |(default, bound, window, planning, reasoning, alias)| {
            let mut whole = json!({ "profile_id": "p", "version": "1.0.0", "default_binding": default });
            for (slot, binding) in bound {
                let pointer = slot.pointer();
                let (group, name) = pointer.trim_start_matches('/').split_once('/').unwrap();
                let name = if alias && name == "pass_d" { "pass_c" } else { name };
                whole[group][name] = binding;
            }
            whole["budgets"] = json!({ "timeouts": planning.map_or(json!({}), |ms| json!({ "planning_ms": ms })) });
            if let Some(window) = window {
                whole["budgets"]["window_size"] = json!(window);
            }
            whole["reasoning"] = reasoning;
            whole
        },
    )
}

/// A place in a document: its level, the document, and where a field would stand.
type Candidate<'a> = (Level, &'a Value, String);

/// Returns where a field of a slot may be set, highest first.
fn candidates<'a>(
    slot: BindingSlot,
    profile: &'a Value,
    governed: &'a Value,
    workspace: &'a Value,
    built_in: &'a Value,
) -> Vec<Candidate<'a>> {
    let consumer = format!("/consumers/{}", slot.consumer());
    let mut places = vec![(Level::Profile, profile, slot.pointer())];
    if slot.pointer().ends_with("pass_d") {
        places.push((Level::Profile, profile, "/planner_phase_bindings/pass_c".to_owned()));
    }
    if slot.consumer().asks_a_model() {
        places.push((Level::Profile, profile, "/default_binding".to_owned()));
    }
    places.push((Level::Workspace, workspace, consumer.clone()));
    if slot.consumer().asks_a_model() {
        places.push((Level::Workspace, workspace, "/defaults".to_owned()));
    }
    places.push((Level::ConsumerSettings, governed, consumer.clone()));
    if slot.consumer().asks_a_model() {
        places.push((Level::GovernedSettings, governed, "/defaults".to_owned()));
    }
    places.push((Level::BuiltIn, built_in, consumer));
    places.push((Level::BuiltIn, built_in, "/defaults".to_owned()));
    places
}

fn first(candidates: &[Candidate<'_>], field: &str) -> Option<(Value, Level)> {
    candidates.iter().find_map(|(level, document, base)| {
        let middle = if field.ends_with("_ref") { "" } else { "/runtime_overrides" };
        let found = document.pointer(&format!("{base}{middle}/{field}"))?;
        Some((found.clone(), *level))
    })
}

fn document(value: &Value) -> Vec<u8> {
    serde_json::to_vec(value).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn effective_values_follow_the_chain(profile in profile(), governed in settings(), workspace in settings()) {
        let text = include_str!("../../src/shipped/defaults.yaml");
        let built_in = deed_diag::Document::read("d.yaml", text.as_bytes(), deed_diag::Format::Yaml).unwrap();
        let built_in = built_in.value();
        let file = ProfileFile::read("p.json", &document(&profile)).unwrap();
        let below = SettingsFile::read("g.json", &document(&governed)).unwrap();
        let own = SettingsFile::read("w.json", &document(&workspace)).unwrap();
        let inputs = ResolveInputs { profile: &file, governed: Some(&below), workspace: Some(&own), objects: Objects::default() };
        let resolved = resolve(&inputs).unwrap();
        let value = |key: &str| {
            resolved.values.iter().find(|value| value.key == key).map(|value| (value.value.clone(), value.origin.level))
        };
        for slot in BindingSlot::all() {
            let places = candidates(slot, &profile, &governed, &workspace, built_in);
            for field in FIELDS {
                prop_assert_eq!(value(&format!("{slot}/{field}")), first(&places, field), "{} {}", slot, field);
            }
            let binding = &resolved.snapshot.bindings[&slot.name()];
            let model = first(&places, "model_binding_ref").unwrap().0;
            prop_assert_eq!(&binding.model_binding_ref, model.as_str().unwrap());
            // What is sent and what is dropped is together what is effective.
            let set = FIELDS.into_iter().skip(2).filter(|field| first(&places, field).is_some()).count();
            let sent = binding.parameters.parts().len();
            let asks = binding.model_binding_ref != "none";
            prop_assert_eq!(sent + binding.dropped.len(), if asks { set } else { 0 });
            let again = filter(&binding.model_binding_ref.parse().unwrap(), &binding.parameters, &resolved.snapshot.reasoning);
            prop_assert!(again.dropped.is_empty(), "what is sent is taken");
        }
        for (key, in_profile, in_settings) in [
            ("window_size", "/budgets/window_size", "/window_size"),
            ("timeouts/planning_ms", "/budgets/timeouts/planning_ms", "/timeouts/planning_ms"),
        ] {
            let expected = [(&profile, in_profile), (&workspace, in_settings), (&governed, in_settings), (built_in, in_settings)]
                .into_iter()
                .find_map(|(document, pointer)| document.pointer(pointer).cloned());
            prop_assert_eq!(value(key).map(|(value, _)| value), expected);
        }
        for name in ["anthropic_thinking_enabled", "openai_reasoning_enabled"] {
            let pointer = format!("/reasoning/{name}");
            let off = [&profile, &workspace, &governed].into_iter().any(|d| d.pointer(&pointer) == Some(&json!(false)));
            prop_assert_eq!(value(&format!("reasoning/{name}")).unwrap().0, json!(!off));
        }
    }
}

#[test]
fn overridden_values_are_kept_with_their_origins() {
    let profile = ProfileFile::read("p.yaml", b"profile_id: p\nversion: 1.0.0\nbudgets: { window_size: 9 }\n").unwrap();
    let governed = SettingsFile::read("g.yaml", b"window_size: 2\n").unwrap();
    let resolved = resolve(&ResolveInputs {
        profile: &profile,
        governed: Some(&governed),
        workspace: None,
        objects: Objects::default(),
    })
    .unwrap();
    let found = resolved.values.iter().find(|value| value.key == "window_size").unwrap();
    assert_eq!(
        (found.value.clone(), found.origin.level, found.origin.pointer.as_str()),
        (json!(9), Level::Profile, "/budgets/window_size")
    );
    let lower: Vec<(Value, Level)> = found.overridden.iter().map(|o| (o.value.clone(), o.origin.level)).collect();
    assert_eq!(lower, [(json!(2), Level::GovernedSettings), (json!(4), Level::BuiltIn)]);
}

#[test]
fn settings_are_read_strictly() {
    for (text, code) in [
        ("limitz: {}\n", "D0203"),
        ("consumers: { operator_plannr: {} }\n", "D2805"),
        ("window_size: 0\n", "D0207"),
        ("- a\n", "D0204"),
    ] {
        let report = SettingsFile::read("s.yaml", text.as_bytes()).unwrap_err();
        assert_eq!(report.diagnostics()[0].code.to_string(), code, "{text}");
    }
}
