//! A stream that ends at any byte is a cut stream, or the whole reply; never another reply.

use crate::common::{Setup, World, call, with_tool};
use deed_llm::{DecodeFault, Streaming, decode};
use deed_model::ModelProtocol;
use deed_testkit::loopback::provider::{Dialect, ScriptedReply};
use serde_json::json;

fn protocol(dialect: Dialect) -> ModelProtocol {
    match dialect {
        Dialect::Anthropic => ModelProtocol::AnthropicMessages,
        Dialect::Chat => ModelProtocol::OpenaiChat,
        Dialect::Responses => ModelProtocol::OpenaiResponses,
        Dialect::Gemini => ModelProtocol::Gemini,
        Dialect::Ollama => ModelProtocol::Ollama,
    }
}

/// The bytes of an answer, as the client keeps them.
async fn answer(dialect: Dialect, mode: Streaming) -> Vec<u8> {
    let reply = ScriptedReply::text("n\u{e9}ver").thinking("hm").call("c1", "lookup", json!({"q": "x"}));
    let World { client, .. } = Setup::new(dialect, mode, vec![reply]).build();
    client.ask(&with_tool(call(dialect)), 0).await.unwrap().exchanges.remove(0).response
}

#[tokio::test]
async fn every_prefix_of_an_answer_is_cut_or_whole() {
    for dialect in Dialect::ALL {
        for mode in [Streaming::On, Streaming::Off] {
            let bytes = answer(dialect, mode).await;
            let mut whole = decode(protocol(dialect), mode, &bytes).unwrap();
            // Usage comes last, and a stream that lacks it is whole without it.
            (whole.usage, whole.notes) = (None, Vec::new());
            for length in 0..bytes.len() {
                match decode(protocol(dialect), mode, &bytes[..length]) {
                    Ok(mut found) => {
                        (found.usage, found.notes) = (None, Vec::new());
                        assert_eq!(found, whole, "{dialect:?} {mode:?} at {length}");
                    }
                    Err(fault) => assert!(
                        matches!(fault, DecodeFault::Cut | DecodeFault::BadUtf8),
                        "{dialect:?} {mode:?} at {length}: {fault:?}"
                    ),
                }
            }
        }
    }
}

#[test]
fn failures_inside_of_streams_are_named() {
    let overloaded =
        "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"busy\"}}\n\n";
    let failed = |status| Err(DecodeFault::Failed { status, message: "busy".to_owned() });
    assert_eq!(decode(ModelProtocol::AnthropicMessages, Streaming::On, overloaded.as_bytes()), failed(529));
    let limited = "data: {\"error\":{\"code\":429,\"message\":\"busy\"}}\n\n";
    assert_eq!(decode(ModelProtocol::OpenaiChat, Streaming::On, limited.as_bytes()), failed(429));
    let ollama = "{\"message\":{\"content\":\"a\"},\"done\":false}\n{\"error\":\"busy\"}\n";
    assert_eq!(decode(ModelProtocol::Ollama, Streaming::On, ollama.as_bytes()), failed(500));
}
