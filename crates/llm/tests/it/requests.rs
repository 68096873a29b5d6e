//! Requests as they are written: parameters that are dropped, markers of the stable prefix, quirks of endpoints.

use crate::common::{call, with_schema, with_tool};
use deed_llm::{Streaming, WireRequest, encode, provider};
use deed_model::{ModelCall, ToolChoice};
use deed_testkit::loopback::provider::Dialect;
use serde_json::{Value, json};

fn written(name: &str, call: &ModelCall) -> WireRequest {
    encode(call, &provider(name).unwrap(), &|_| None, Streaming::On).unwrap()
}

fn dropped(request: &WireRequest) -> Vec<&str> {
    request.dropped.iter().map(|dropped| dropped.parameter.as_str()).collect()
}

fn everything() -> ModelCall {
    let mut call = with_schema(with_tool(call(Dialect::Chat)));
    call.parameters = serde_json::from_value(json!({
        "max_tokens": 4000, "temperature": 0.5, "top_p": 0.9, "top_k": 40, "seed": 7, "stop": ["END"],
        "parallel_tool_calls": false, "reasoning": {"effort": "high", "max_tokens": 2048},
    }))
    .unwrap();
    call
}

#[test]
fn what_a_provider_does_not_take_is_dropped_and_listed() {
    let thinking_refuses = [
        "output.schema/properties/a/minimum",
        "parameters.reasoning.effort",
        "parameters.seed",
        "parameters.temperature",
        "parameters.top_k",
        "parameters.top_p",
    ];
    assert_eq!(dropped(&written("anthropic", &everything())), thinking_refuses);
    assert_eq!(
        dropped(&written("openai-chat", &everything())),
        ["parameters.reasoning.max_tokens", "parameters.top_k"]
    );
    assert_eq!(
        dropped(&written("openai", &everything())),
        ["parameters.reasoning.max_tokens", "parameters.seed", "parameters.stop", "parameters.top_k"]
    );
    assert_eq!(
        dropped(&written("gemini", &everything())),
        ["parameters.parallel_tool_calls", "parameters.reasoning.effort"]
    );
    assert_eq!(
        dropped(&written("ollama", &everything())),
        ["parameters.parallel_tool_calls", "parameters.reasoning.max_tokens"]
    );
    let compatible = [
        "parameters.parallel_tool_calls",
        "parameters.reasoning.effort",
        "parameters.reasoning.max_tokens",
        "parameters.top_k",
    ];
    assert_eq!(dropped(&written("compatible", &everything())), compatible);
}

#[test]
fn what_is_taken_is_sent() {
    let body = written("openai-chat", &everything()).body;
    for (key, expected) in [
        ("max_completion_tokens", json!(4000)),
        ("temperature", json!(0.5)),
        ("seed", json!(7)),
        ("stop", json!(["END"])),
        ("parallel_tool_calls", json!(false)),
        ("reasoning_effort", json!("high")),
        ("tool_choice", json!("auto")),
        ("stream_options", json!({"include_usage": true})),
    ] {
        assert_eq!(body[key], expected, "{key}");
    }
    let body = written("gemini", &everything()).body;
    let config = &body["generationConfig"];
    assert_eq!(config["thinkingConfig"], json!({"includeThoughts": true, "thinkingBudget": 2048}));
    assert_eq!((&config["topK"], &config["maxOutputTokens"]), (&json!(40), &json!(4000)));
}

#[test]
fn the_stable_prefix_is_marked() {
    let mut asked = call(Dialect::Anthropic);
    let body = written("anthropic", &asked).body;
    assert_eq!(body["system"][0]["cache_control"], json!({"type": "ephemeral"}));
    assert_eq!(body["messages"][0]["content"][0]["cache_control"], Value::Null);
    asked.stable_messages = 2;
    let body = written("anthropic", &asked).body;
    assert_eq!(body["system"][0]["cache_control"], Value::Null);
    assert_eq!(body["messages"][0]["content"][0]["cache_control"], json!({"type": "ephemeral"}));
    let key = |call: &ModelCall| written("openai", call).body["prompt_cache_key"].clone();
    let mut other = asked.clone();
    other.messages.push(other.messages[1].clone());
    assert!(key(&asked).is_string() && key(&asked) == key(&other), "the key depends on the stable prefix alone");
    other.stable_messages = 1;
    assert_ne!(key(&asked), key(&other));
}

#[test]
fn models_that_think_adaptively_take_an_effort() {
    let mut asked = everything();
    asked.model = "anthropic:claude-opus-4-6".parse().unwrap();
    asked.tool_choice = ToolChoice::Required;
    let request = written("anthropic", &asked);
    assert_eq!(request.body["thinking"], json!({"type": "adaptive"}));
    assert_eq!(request.body["output_config"]["effort"], "high");
    assert!(
        dropped(&request).contains(&"tool_choice") && dropped(&request).contains(&"parameters.reasoning.max_tokens")
    );
}

#[test]
fn a_required_call_is_left_to_the_model_where_replies_run_on() {
    let mut asked = with_tool(call(Dialect::Chat));
    for choice in [ToolChoice::Required, ToolChoice::Named { name: "lookup".to_owned() }] {
        asked.tool_choice = choice;
        for (name, drops) in [("local", true), ("llamacpp", true), ("vllm", false)] {
            asked.model = format!("{name}:m").parse().unwrap();
            let request = written(name, &asked);
            let as_asked = request.body["tool_choice"] != "auto";
            assert_eq!((dropped(&request).contains(&"tool_choice"), as_asked), (drops, !drops), "{name}");
        }
    }
}

#[test]
fn endpoints_have_their_own_paths_and_fields() {
    let mut asked = everything();
    asked.model = "azure:prod-4o".parse().unwrap();
    let request = written("azure", &asked);
    assert_eq!(request.path, "/openai/deployments/prod-4o/chat/completions?api-version=2024-10-21");
    assert_eq!(written("openrouter", &asked).body["reasoning"], json!({"max_tokens": 2048}));
    let local = written("llamacpp", &asked).body;
    assert_eq!((&local["max_tokens"], &local["top_k"]), (&json!(4000), &json!(40)));
    assert_eq!(local["response_format"]["json_schema"]["name"], "answer");
}

#[test]
fn families_of_models_refuse_what_others_of_their_provider_take() {
    let of = |name: &str, model: &str| {
        let mut asked = everything();
        asked.model = format!("{name}:{model}").parse().unwrap();
        asked.tool_choice = ToolChoice::Required;
        asked.parameters.reasoning = None;
        let request = written(name, &asked);
        let sampled = ["temperature", "top_p"].iter().any(|key| request.body.get(*key).is_some());
        let forced = !request.dropped.iter().any(|own| own.parameter == "tool_choice");
        (sampled, forced)
    };
    for (model, expected) in [
        ("claude-3-5-haiku-20241022", (true, true)),
        ("claude-opus-4-6", (true, true)),
        ("claude-sonnet-5", (false, true)),
        ("claude-sonnet-5-5", (false, false)),
        ("claude-later-9", (false, false)),
    ] {
        assert_eq!(of("anthropic", model), expected, "{model}");
    }
    for name in ["openai", "openai-chat"] {
        for (model, sampled) in [
            ("gpt-4.1-mini", true),
            ("gpt-5-chat-latest", true),
            ("gpt-5-mini", false),
            ("gpt-6-sol", false),
            ("o3", false),
        ] {
            assert_eq!(of(name, model).0, sampled, "{name}:{model}");
        }
    }
}

#[test]
fn an_effort_that_a_model_does_not_know_is_raised_and_listed() {
    let of = |name: &str, model: &str| {
        let mut asked = call(Dialect::Chat);
        asked.model = format!("{name}:{model}").parse().unwrap();
        asked.parameters.reasoning = Some(serde_json::from_value(json!({"effort": "minimal"})).unwrap());
        let request = written(name, &asked);
        let body = request.body.to_string();
        (body.contains("\"low\""), body.contains("\"minimal\""), dropped(&request).len())
    };
    for (name, model, expected) in [
        ("anthropic", "claude-opus-5", (true, false, 1)),
        ("openai", "gpt-5", (false, true, 0)),
        ("openai", "gpt-5.2", (true, false, 1)),
        ("openai", "gpt-4.1", (false, false, 1)),
        ("gemini", "gemini-3.5-flash", (false, true, 0)),
        ("gemini", "gemini-2.5-flash", (false, false, 1)),
        ("ollama", "gpt-oss", (true, false, 1)),
    ] {
        assert_eq!(of(name, model), expected, "{name}:{model}");
    }
}

#[test]
fn thinking_that_the_provider_does_not_keep_comes_encrypted_and_goes_back_whole() {
    let include = |model: &str| {
        let mut asked = call(Dialect::Responses);
        asked.model = format!("openai:{model}").parse().unwrap();
        written("openai", &asked).body["include"].clone()
    };
    assert_eq!(include("gpt-5-mini"), json!(["reasoning.encrypted_content"]));
    assert_eq!(include("gpt-4.1"), Value::Null, "it does not think, and refuses the question");
    let with = |block: Value| {
        let mut asked = call(Dialect::Responses);
        let thinking = json!({"kind": "thinking", "protocol": "openai_responses", "text": "hm", "block": block});
        let said = json!({"role": "assistant", "parts": [thinking]});
        asked.messages.push(serde_json::from_value(said).unwrap());
        let request = written("openai", &asked);
        (request.body["input"].as_array().unwrap().len(), dropped(&request).contains(&"messages.thinking"))
    };
    assert_eq!(with(json!({"type": "reasoning", "id": "rs_1", "encrypted_content": "x"})), (2, false));
    assert_eq!(with(json!({"type": "reasoning", "id": "rs_1"})), (1, true));
}

#[test]
fn a_schema_is_bound_strictly_only_where_it_can_be() {
    let of = |schema: Value| {
        let mut asked = call(Dialect::Chat);
        asked.output =
            serde_json::from_value(json!({"kind": "json_schema", "name": "an answer", "schema": schema})).unwrap();
        let request = written("openai", &asked);
        let format = request.body["text"]["format"].clone();
        assert_eq!(format["name"], "an_answer");
        (format["strict"].clone(), format["schema"]["required"].clone(), dropped(&request).len())
    };
    let nullable = json!({"type": "object", "properties": {"a": {"type": ["string", "null"]}}});
    assert_eq!(of(nullable), (json!(true), json!(["a"]), 0));
    let optional = json!({"type": "object", "properties": {"a": {"type": "string"}}});
    assert_eq!(of(optional), (json!(false), Value::Null, 1));
}

#[test]
fn what_a_protocol_refuses_is_not_written() {
    let mut asked = call(Dialect::Anthropic);
    asked.stable_messages = 3;
    let thinking = json!({"kind": "thinking", "protocol": "anthropic_messages", "text": "hm", "block": {"type": "thinking", "thinking": "hm", "signature": "s"}});
    let said = json!({"role": "assistant", "parts": [{"kind": "text", "text": "Yes."}, thinking, {"kind": "text", "text": ""}]});
    asked.messages.push(serde_json::from_value(said).unwrap());
    let body = written("anthropic", &asked).body;
    let content = &body["messages"][1]["content"];
    assert_eq!(content.as_array().unwrap().len(), 2, "a text without letters is left out: {content}");
    assert_eq!(content[1].get("cache_control"), None, "thinking takes no marker");
    assert_eq!(content[0]["cache_control"], json!({"type": "ephemeral"}));
    let body = written("ollama", &asked).body;
    assert_eq!((&body["truncate"], &body["shift"]), (&json!(false), &json!(false)), "nothing is left out silently");
    let body = written("openrouter", &call(Dialect::Chat)).body;
    assert_eq!(body["messages"][0]["content"][0]["cache_control"], json!({"type": "ephemeral"}));
}

#[test]
fn an_image_that_is_missing_or_changed_is_refused() {
    let mut asked = crate::common::with_image(call(Dialect::Chat));
    let write = |call: &ModelCall, bytes: Option<Vec<u8>>| {
        encode(call, &provider("openai-chat").unwrap(), &|_| bytes.clone(), Streaming::Off).unwrap_err()
    };
    assert!(write(&asked, None).contains("are missing"));
    assert!(write(&asked, Some(b"other".to_vec())).contains("are others"));
    asked.attachments[0].media_type = "application/pdf".to_owned();
    assert!(write(&asked, None).contains("not an image"));
    asked.attachments.clear();
    assert!(write(&asked, None).contains("not among the attachments"));
}
