//! Every provider of the table times every feature: what goes out, what comes back, and what a provider does not have.
//!
//! The grid is observed: a cell says `yes` if the feature was seen on the wire and in the reply, as a whole and as a
//! stream, and `-` if the parameter was listed as dropped and nothing of it was sent.

use crate::common::{Setup, World, call_of, with_image, with_schema, with_tool};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use deed_llm::{Streaming, encode, provider};
use deed_model::{MessagePart, ModelCall, ModelReply, OutputCheck, ReplyContract, StopReason, ToolChoice};
use deed_testkit::loopback::provider::{Dialect, SIGNATURE, ScriptedReply, Stop, Usage};
use serde_json::{Value, json};

/// The providers, and the protocol that the server speaks for each.
const PROVIDERS: [(&str, Dialect); 11] = [
    ("anthropic", Dialect::Anthropic),
    ("openai", Dialect::Responses),
    ("openai-chat", Dialect::Chat),
    ("gemini", Dialect::Gemini),
    ("ollama", Dialect::Ollama),
    ("openrouter", Dialect::Chat),
    ("azure", Dialect::Chat),
    ("vllm", Dialect::Chat),
    ("llamacpp", Dialect::Chat),
    ("lmstudio", Dialect::Chat),
    ("compatible", Dialect::Chat),
];
const MODES: [Streaming; 2] = [Streaming::Off, Streaming::On];

/// The features in the order of the columns; the cells are those of `PROVIDERS`.
const EXPECTED: &str = "\
text                    yes yes yes yes yes yes yes yes yes yes yes
tool call               yes yes yes yes yes yes yes yes yes yes yes
parallel tool calls     yes yes yes yes yes yes yes yes yes yes yes
one tool at a time      yes yes yes -   -   yes yes yes yes -   -  
forced tool             yes yes yes yes -   yes yes yes -   yes yes
named tool              yes yes yes yes -   yes yes yes -   yes yes
no tool                 yes yes yes yes yes yes yes yes yes yes yes
image                   yes yes yes yes yes yes yes yes yes yes yes
json schema             yes yes yes yes yes yes yes yes yes yes yes
any json                -   yes yes yes yes yes yes yes yes yes yes
effort                  -   yes yes yes yes yes yes -   -   -   -  
thinking tokens         yes -   -   yes -   yes -   -   -   -   -  
thinking is read        yes yes yes yes yes yes yes yes yes yes yes
signed thinking back    yes yes -   yes -   yes -   -   -   -   -  
thinking text back      yes yes -   yes yes yes -   -   yes -   -  
cache prefix            yes yes yes -   -   yes -   -   -   -   -  
cached usage            yes yes yes yes -   yes yes yes yes yes yes
written usage           yes yes yes -   -   yes yes yes yes yes yes
reasoning usage         yes yes yes yes -   yes yes yes yes yes yes
temperature             yes yes yes yes yes yes yes yes yes yes yes
top_p                   yes yes yes yes yes yes yes yes yes yes yes
top_k                   yes -   -   yes yes yes -   yes yes yes -  
seed                    -   -   yes yes yes yes yes yes yes yes yes
stop                    yes -   yes yes yes yes yes yes yes yes yes
length                  yes yes yes yes yes yes yes yes yes yes yes
refusal                 yes yes yes -   -   yes yes yes yes yes yes
content filter          -   yes yes yes -   yes yes yes yes yes yes
";

/// The cells without a feature, by their reason.
const REASONS: [(&str, &[&str]); 11] = [
    (
        "gemini and ollama have no switch for parallel calls",
        &["gemini one tool at a time", "ollama one tool at a time"],
    ),
    ("ollama cannot be made to call a tool", &["ollama forced tool", "ollama named tool"]),
    ("llama.cpp runs on behind a call that is required", &["llamacpp forced tool", "llamacpp named tool"]),
    ("anthropic binds replies to a schema alone", &["anthropic any json"]),
    ("models with a number of tokens take no effort; adaptive ones do", &["anthropic effort"]),
    (
        "the protocol does not take thinking back",
        &["openai-chat signed thinking back", "openai-chat thinking text back"],
    ),
    (
        "ollama signs nothing, and reports neither caches nor thinking",
        &["ollama signed thinking back", "ollama cached usage"],
    ),
    ("gemini and ollama cache by themselves", &["gemini cache prefix", "ollama cache prefix"]),
    (
        "gemini does not charge what it writes",
        &["gemini written usage", "ollama written usage", "ollama reasoning usage"],
    ),
    (
        "refusals of gemini are its filter's; ollama has neither",
        &["gemini refusal", "ollama refusal", "ollama content filter"],
    ),
    ("filters of anthropic end as refusals", &["anthropic content filter"]),
];

#[tokio::test]
async fn every_provider_has_every_feature_or_says_that_it_does_not() {
    let mut grid = String::new();
    for line in EXPECTED.lines() {
        let feature = line.get(..24).unwrap().trim();
        grid.push_str(&format!("{feature:<23}"));
        for (name, dialect) in PROVIDERS {
            let cell = if seen(feature, name, dialect).await { "yes" } else { "-" };
            grid.push_str(&format!(" {cell:<3}"));
        }
        grid.push('\n');
    }
    assert_eq!(grid, EXPECTED, "\n{grid}");
    for (reason, cells) in REASONS {
        for cell in cells {
            let (name, feature) = cell.split_once(' ').unwrap();
            let column = PROVIDERS.iter().position(|(own, _)| *own == name).unwrap();
            let row = EXPECTED.lines().find(|line| line.get(..24).unwrap().trim() == feature).unwrap();
            assert_eq!(row.get(24 + 4 * column..27 + 4 * column), Some("-  "), "{cell}: {reason}");
        }
    }
}

async fn seen(feature: &str, name: &'static str, dialect: Dialect) -> bool {
    let plain = call_of(name);
    let tool = || with_tool(call_of(name));
    let changed = |change: &dyn Fn(&mut ModelCall)| {
        let mut own = tool();
        change(&mut own);
        own
    };
    match feature {
        "text" => asked(name, dialect, plain, &|| ScriptedReply::text("Yes, n\u{e9}.")).await.text() == "Yes, n\u{e9}.",
        "tool call" => calls(name, dialect, 1).await,
        "parallel tool calls" => calls(name, dialect, 2).await,
        "one tool at a time" => {
            let with = changed(&|own| own.parameters.parallel_tool_calls = Some(false));
            sent(name, &with, &tool(), "parameters.parallel_tool_calls")
        }
        "forced tool" => sent(name, &changed(&|own| own.tool_choice = ToolChoice::Required), &tool(), "tool_choice"),
        "named tool" => {
            let named = ToolChoice::Named { name: "lookup".to_owned() };
            sent(name, &changed(&|own| own.tool_choice = named.clone()), &tool(), "tool_choice")
        }
        "no tool" => sent(name, &changed(&|own| own.tool_choice = ToolChoice::None), &tool(), "tool_choice"),
        "image" => image(name, dialect).await,
        "json schema" => schema(name, dialect).await,
        "any json" => {
            let mut with = call_of(name);
            with.output = ReplyContract::Json;
            sent(name, &with, &plain, "output")
        }
        "effort" => sent(name, &thinking(name, json!({"effort": "high"})), &plain, "parameters.reasoning.effort"),
        "thinking tokens" => {
            sent(name, &thinking(name, json!({"max_tokens": 1500})), &plain, "parameters.reasoning.max_tokens")
        }
        "thinking is read" | "signed thinking back" | "thinking text back" => turns(feature, name, dialect).await,
        "cache prefix" => {
            let mut without = call_of(name);
            without.stable_messages = 0;
            body(name, &plain) != body(name, &without)
        }
        "cached usage" => usage(name, dialect).await.is_some_and(|own| own.cached_read == 8),
        "written usage" => usage(name, dialect).await.is_some_and(|own| own.cached_write == 3),
        "reasoning usage" => usage(name, dialect).await.is_some_and(|own| own.reasoning == 5),
        "temperature" | "top_p" | "top_k" | "seed" | "stop" => {
            let mut with = call_of(name);
            let mut own = serde_json::to_value(&with.parameters).unwrap();
            own[feature] = match feature {
                "stop" => json!(["END"]),
                "top_k" | "seed" => json!(7),
                _ => json!(0.5),
            };
            with.parameters = serde_json::from_value(own).unwrap();
            sent(name, &with, &plain, &format!("parameters.{feature}"))
        }
        "length" => ends(name, dialect, Stop::Length, StopReason::Length).await,
        "refusal" => ends(name, dialect, Stop::Refusal, StopReason::Refusal).await,
        "content filter" => ends(name, dialect, Stop::Filter, StopReason::ContentFilter).await,
        other => panic!("unknown feature {other}"),
    }
}

/// Asks as a whole and as a stream. Both give the same reply.
async fn asked(name: &str, dialect: Dialect, call: ModelCall, reply: &dyn Fn() -> ScriptedReply) -> ModelReply {
    let mut replies = Vec::new();
    for mode in MODES {
        let World { client, .. } = Setup::of(name, dialect, mode, vec![reply()]).build();
        replies.push(client.ask(&call, 0).await.unwrap_or_else(|error| panic!("{name} {mode:?}: {error}")).reply);
    }
    let (stream, whole) = (replies.pop().unwrap(), replies.pop().unwrap());
    assert_eq!(whole, stream, "{name}");
    whole
}

fn body(name: &str, call: &ModelCall) -> Value {
    encode(call, &provider(name).unwrap(), &|_| None, Streaming::On).unwrap().body
}

/// True if a parameter reaches the wire. A parameter that is listed as dropped must not.
fn sent(name: &str, with: &ModelCall, without: &ModelCall, parameter: &str) -> bool {
    let written = encode(with, &provider(name).unwrap(), &|_| None, Streaming::On).unwrap();
    let dropped = written.dropped.iter().any(|own| own.parameter == parameter);
    // What asks for thinking at all is sent even where its amount cannot be.
    let is_amount = parameter.contains("reasoning");
    assert!(is_amount || (written.body == body(name, without)) == dropped, "{name} {parameter}: {}", written.body);
    !dropped
}

fn thinking(name: &str, reasoning: Value) -> ModelCall {
    let mut call = call_of(name);
    call.parameters.reasoning = Some(serde_json::from_value(reasoning).unwrap());
    call
}

async fn calls(name: &str, dialect: Dialect, count: usize) -> bool {
    let all = [("c1", json!({"q": "one"})), ("c2", json!({"q": "two \u{e9}"}))];
    let scripted = || {
        let calls = all.iter().take(count);
        calls.fold(ScriptedReply::text(""), |reply, (id, arguments)| reply.call(id, "lookup", arguments.clone()))
    };
    let reply = asked(name, dialect, with_tool(call_of(name)), &scripted).await;
    let found = reply.parts.iter().filter_map(|part| match part {
        MessagePart::ToolCall { id, arguments, .. } => Some((id.as_str(), arguments.clone())),
        _ => None,
    });
    found.eq(all.into_iter().take(count)) && reply.stop == StopReason::ToolCalls
}

async fn image(name: &str, dialect: Dialect) -> bool {
    let World { client, server, .. } =
        Setup::of(name, dialect, Streaming::On, vec![ScriptedReply::text("A cat.")]).build();
    client.ask(&with_image(call_of(name)), 0).await.unwrap();
    server.bodies()[0].to_string().contains(&STANDARD.encode(crate::common::IMAGE))
}

/// The schema is sent, whole or without what the provider refuses, and the reply is held to all of it.
async fn schema(name: &str, dialect: Dialect) -> bool {
    let call = with_schema(call_of(name));
    let reply = asked(name, dialect, call.clone(), &|| ScriptedReply::text("{\"a\": 4}")).await;
    let refused = matches!(reply.output, OutputCheck::Violates { .. });
    let minimum = body(name, &call).to_string().contains("\"minimum\":10");
    let listed = reply.dropped.iter().any(|own| own.parameter == "output.schema/properties/a/minimum");
    assert_ne!(minimum, listed, "{name}");
    refused && body(name, &call).to_string().contains("\"integer\"")
}

async fn usage(name: &str, dialect: Dialect) -> Option<deed_model::ModelUsage> {
    let scripted = || {
        let mut reply = ScriptedReply::text("ok");
        reply.usage = Some(Usage { input: 20, cached: 8, output: 12, reasoning: 5, written: 3 });
        reply
    };
    let usage = asked(name, dialect, call_of(name), &scripted).await.usage;
    let all = usage.map(|own| own.input + own.cached_read + own.cached_write + own.output + own.reasoning);
    assert_eq!(all, Some(32), "{name}: every token is counted once");
    usage
}

async fn ends(name: &str, dialect: Dialect, stop: Stop, expected: StopReason) -> bool {
    asked(name, dialect, call_of(name), &|| ScriptedReply::text("No.").stopped(stop)).await.stop == expected
}

/// Thinks, calls a tool, and goes on with its result.
async fn turns(feature: &str, name: &str, dialect: Dialect) -> bool {
    let signed = provider(name).unwrap().thinking_field == deed_llm::ThinkingField::ReasoningDetails;
    let mut held = Vec::new();
    for mode in MODES {
        let first = ScriptedReply::text("").thinking("Let me see.").call("c1", "lookup", json!({"q": "x"}));
        let first = if signed { first.signed() } else { first };
        let World { client, server, .. } =
            Setup::of(name, dialect, mode, vec![first, ScriptedReply::text("Done.")]).build();
        let mut call = with_tool(thinking(name, json!({"effort": "low", "max_tokens": 1024})));
        let reply = client.ask(&call, 0).await.unwrap().reply;
        let read =
            reply.parts.iter().any(|part| matches!(part, MessagePart::Thinking { text, .. } if text == "Let me see."));
        let result =
            json!({"role": "user", "parts": [{"kind": "tool_result", "id": "c1", "name": "lookup", "text": "found"}]});
        call.messages.push(deed_model::ModelMessage { role: deed_model::MessageRole::Assistant, parts: reply.parts });
        call.messages.push(serde_json::from_value(result).unwrap());
        let second = client.ask(&call, 0).await.unwrap().reply;
        assert_eq!(second.text(), "Done.");
        let body = server.bodies().remove(1).to_string();
        // The id of a call and its result are the same wherever the protocol has ids.
        assert_eq!(body.matches("\"c1\"").count(), 2, "{name}: {body}");
        let dropped = second.dropped.iter().any(|own| own.parameter == "messages.thinking");
        let back = (body.contains(SIGNATURE), body.contains("Let me see."));
        assert_eq!(dropped, back == (false, false), "{name}: {body}");
        held.push(match feature {
            "thinking is read" => read,
            "signed thinking back" => back.0,
            _ => back.1,
        });
    }
    assert_eq!(held[0], held[1], "{name} {feature}");
    held[0]
}
