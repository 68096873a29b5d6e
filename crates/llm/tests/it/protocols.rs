//! Every protocol, as a whole and as a stream: text, tools, parallel tools, images, schemas, thinking, ends, usage.

use crate::common::{IMAGE, Setup, World, at, call, named, with_image, with_schema, with_tool};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use deed_llm::Streaming;
use deed_model::{MessagePart, ModelCall, ModelReply, ModelUsage, OutputCheck, ReplyOrigin, StopReason};
use deed_testkit::loopback::provider::{Dialect, SIGNATURE, ScriptedReply, Stop, Usage};
use serde_json::{Value, json};

const MODES: [Streaming; 2] = [Streaming::Off, Streaming::On];

/// Asks every protocol in both modes.
async fn everywhere(
    reply: impl Fn(Dialect) -> ScriptedReply,
    ask: impl Fn(Dialect) -> ModelCall,
    check: impl Fn(Dialect, ModelReply, Value),
) {
    for dialect in Dialect::ALL {
        for mode in MODES {
            let World { server, client, .. } = Setup::new(dialect, mode, vec![reply(dialect)]).build();
            let answer =
                client.ask(&ask(dialect), 0).await.unwrap_or_else(|error| panic!("{dialect:?} {mode:?}: {error}"));
            assert_eq!(answer.origin, ReplyOrigin::RecordedFrom(ask(dialect).model), "{dialect:?}");
            assert_eq!((answer.attempts.len(), answer.exchanges.len(), server.seen().len()), (1, 1, 1), "{dialect:?}");
            check(dialect, answer.reply, server.bodies().remove(0));
        }
    }
}

fn text(reply: &ModelReply) -> Vec<MessagePart> {
    reply.parts.clone()
}

#[tokio::test]
async fn text_usage_and_ids_are_read() {
    let says = "Forty-two, as n\u{e9}ver before: \u{1f980}.";
    everywhere(
        |_| ScriptedReply::text(says),
        call,
        |dialect, reply, _| {
            assert_eq!(text(&reply), [MessagePart::Text { text: says.to_owned() }], "{dialect:?}");
            assert_eq!((reply.stop, reply.notes.len(), reply.dropped.len()), (StopReason::Ended, 0, 0), "{dialect:?}");
            let usage = match dialect {
                // Ollama reports no cache.
                Dialect::Ollama => ModelUsage { input: 20, output: 12, ..ModelUsage::default() },
                _ => ModelUsage { input: 12, cached_read: 8, output: 12, ..ModelUsage::default() },
            };
            assert_eq!(reply.usage, Some(usage), "{dialect:?}");
            assert_eq!(
                (reply.model.as_deref(), reply.request_id.as_deref()),
                (Some("scripted-1"), Some("req_1")),
                "{dialect:?}"
            );
        },
    )
    .await;
}

#[tokio::test]
async fn the_key_goes_in_the_header_of_the_provider_and_nowhere_else() {
    for dialect in Dialect::ALL {
        let World { server, client, .. } = Setup::new(dialect, Streaming::Off, vec![ScriptedReply::text("a")]).build();
        let answer = client.ask(&call(dialect), 0).await.unwrap();
        let seen = server.seen().remove(0);
        let expected = match dialect {
            Dialect::Anthropic => Some(("x-api-key", crate::common::KEY.to_owned())),
            Dialect::Chat | Dialect::Responses => Some(("authorization", format!("Bearer {}", crate::common::KEY))),
            Dialect::Gemini => Some(("x-goog-api-key", crate::common::KEY.to_owned())),
            Dialect::Ollama => None,
        };
        if let Some((name, value)) = expected {
            assert_eq!(seen.header(name), Some(value.as_str()), "{dialect:?}");
        }
        let kept = String::from_utf8_lossy(&answer.exchanges[0].request).into_owned() + &answer.exchanges[0].url;
        assert!(!kept.contains(crate::common::KEY), "{}", named(dialect));
    }
}

#[tokio::test]
async fn one_and_several_tools_are_called() {
    for calls in 1..=2 {
        let scripted = |_| {
            let all = [("c1", json!({"q": "one"})), ("c2", json!({"q": "two \u{e9}"}))];
            let reply = ScriptedReply::text("Looking.");
            all.into_iter().take(calls).fold(reply, |reply, (id, arguments)| reply.call(id, "lookup", arguments))
        };
        everywhere(
            scripted,
            |dialect| with_tool(call(dialect)),
            |dialect, reply, body| {
                let mut expected = vec![MessagePart::Text { text: "Looking.".to_owned() }];
                for (id, arguments) in
                    [("c1", json!({"q": "one"})), ("c2", json!({"q": "two \u{e9}"}))].into_iter().take(calls)
                {
                    let (id, name) = (id.to_owned(), "lookup".to_owned());
                    expected.push(MessagePart::ToolCall { id, name, arguments, signature: None });
                }
                assert_eq!((text(&reply), reply.stop), (expected, StopReason::ToolCalls), "{dialect:?}");
                let offered = match dialect {
                    Dialect::Anthropic | Dialect::Responses => "/tools/0/name",
                    Dialect::Chat | Dialect::Ollama => "/tools/0/function/name",
                    Dialect::Gemini => "/tools/0/functionDeclarations/0/name",
                };
                assert_eq!(at(&body, offered), "lookup", "{dialect:?}");
            },
        )
        .await;
    }
}

#[tokio::test]
async fn an_image_is_sent_by_its_bytes() {
    everywhere(
        |_| ScriptedReply::text("A cat."),
        |dialect| with_image(call(dialect)),
        |dialect, reply, body| {
            assert_eq!(reply.text(), "A cat.");
            let base64 = STANDARD.encode(IMAGE);
            let url = format!("data:image/png;base64,{base64}");
            let (pointer, expected) = match dialect {
                Dialect::Anthropic => ("/messages/1/content/0/source/data", base64),
                Dialect::Chat => ("/messages/2/content/0/image_url/url", url),
                Dialect::Responses => ("/input/1/content/0/image_url", url),
                Dialect::Gemini => ("/contents/1/parts/0/inlineData/data", base64),
                Dialect::Ollama => ("/messages/2/images/0", base64),
            };
            assert_eq!(at(&body, pointer), &json!(expected), "{dialect:?}: {body}");
        },
    )
    .await;
}

#[tokio::test]
async fn a_schema_is_sent_and_the_reply_is_checked_against_it() {
    for (says, expected) in [
        ("{\"a\": 42}", OutputCheck::Valid),
        ("```json\n{\"a\": 42}\n```", OutputCheck::NotJson),
        ("{\"a\": 4}", OutputCheck::Violates { violations: vec!["/a: `4` is less than 10".to_owned()] }),
    ] {
        everywhere(
            |_| ScriptedReply::text(says),
            |dialect| with_schema(call(dialect)),
            |dialect, reply, body| {
                match (&reply.output, &expected) {
                    (OutputCheck::Violates { violations }, OutputCheck::Violates { .. }) => {
                        assert!(violations[0].starts_with("/a: "), "{violations:?}");
                    }
                    (found, expected) => assert_eq!(found, expected, "{dialect:?}"),
                }
                let pointer = match dialect {
                    Dialect::Anthropic => "/output_config/format/schema/type",
                    Dialect::Chat => "/response_format/json_schema/schema/type",
                    Dialect::Responses => "/text/format/schema/type",
                    Dialect::Gemini => "/generationConfig/responseJsonSchema/type",
                    Dialect::Ollama => "/format/type",
                };
                assert_eq!(at(&body, pointer), "object", "{dialect:?}");
            },
        )
        .await;
    }
}

#[tokio::test]
async fn thinking_is_read_and_goes_back_unchanged() {
    let thinking = |mut call: ModelCall| {
        call.parameters.reasoning = Some(serde_json::from_value(json!({"effort": "low", "max_tokens": 1024})).unwrap());
        call
    };
    let scripted = |_| {
        let mut reply = ScriptedReply::text("").thinking("Let me see.").call("c1", "lookup", json!({"q": "x"}));
        reply.usage = Some(Usage { input: 20, cached: 8, output: 12, reasoning: 5, written: 0 });
        reply
    };
    for dialect in Dialect::ALL {
        for mode in MODES {
            let World { server, client, .. } =
                Setup::new(dialect, mode, vec![scripted(()), ScriptedReply::text("Done.")]).build();
            let mut asked = thinking(with_tool(call(dialect)));
            let first = client.ask(&asked, 0).await.unwrap().reply;
            let read = first.parts.iter().find_map(|part| match part {
                MessagePart::Thinking { text, .. } => Some(text.as_str()),
                _ => None,
            });
            assert_eq!(read, Some("Let me see."), "{dialect:?} {mode:?}");
            let reasoning = first.usage.unwrap().reasoning;
            assert_eq!(reasoning, if dialect == Dialect::Ollama { 0 } else { 5 }, "{dialect:?}");
            let result = json!({"role": "user", "parts": [{"kind": "tool_result", "id": "c1", "name": "lookup", "text": "found"}]});
            asked
                .messages
                .push(deed_model::ModelMessage { role: deed_model::MessageRole::Assistant, parts: first.parts });
            asked.messages.push(serde_json::from_value(result).unwrap());
            let second = client.ask(&asked, 0).await.unwrap().reply;
            assert_eq!(second.text(), "Done.");
            let body = server.bodies().remove(1);
            let (pointer, expected) = match dialect {
                Dialect::Anthropic => (
                    "/messages/1/content/0",
                    json!({"type": "thinking", "thinking": "Let me see.", "signature": SIGNATURE}),
                ),
                Dialect::Responses => ("/input/1/encrypted_content", json!(SIGNATURE)),
                Dialect::Gemini => ("/contents/1/parts/1/thoughtSignature", json!(SIGNATURE)),
                Dialect::Ollama => ("/messages/2/thinking", json!("Let me see.")),
                // The protocol does not take thinking back, and the reply says so.
                Dialect::Chat => ("/messages/2/content", Value::Null),
            };
            assert_eq!(at(&body, pointer), &expected, "{dialect:?}: {body}");
            let dropped = second.dropped.iter().any(|dropped| dropped.parameter == "messages.thinking");
            assert_eq!(dropped, dialect == Dialect::Chat, "{dialect:?}");
        }
    }
}

#[tokio::test]
async fn every_end_has_its_name() {
    for (stop, expected) in [
        (Stop::Length, [StopReason::Length; 5]),
        (
            Stop::Refusal,
            [
                StopReason::Refusal,
                StopReason::Refusal,
                StopReason::Refusal,
                StopReason::ContentFilter,
                StopReason::Ended,
            ],
        ),
        (
            Stop::Filter,
            [
                StopReason::Refusal,
                StopReason::ContentFilter,
                StopReason::ContentFilter,
                StopReason::ContentFilter,
                StopReason::Ended,
            ],
        ),
    ] {
        let scripted = |_| ScriptedReply::text("{\"a\":").stopped(stop);
        everywhere(
            scripted,
            |dialect| with_schema(call(dialect)),
            |dialect, reply, _| {
                let index = Dialect::ALL.iter().position(|own| *own == dialect).unwrap();
                assert_eq!(reply.stop, expected[index], "{dialect:?} {stop:?}");
                let output = match reply.stop {
                    StopReason::Length => OutputCheck::Cut,
                    StopReason::Ended => OutputCheck::NotJson,
                    _ => OutputCheck::Unchecked,
                };
                assert_eq!(reply.output, output, "{dialect:?} {stop:?}");
            },
        )
        .await;
    }
}
