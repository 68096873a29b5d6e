//! Habits of OpenAI-compatible engines, as they were seen on a local server.

use crate::common::{Setup, World, call, with_tool};
use deed_llm::Streaming;
use deed_model::{MessagePart, ModelCall, ModelReply, ReplyNote, StopReason, ToolChoice};
use deed_testkit::loopback::provider::{Dialect, ScriptedReply, Stop};
use serde_json::{Value, json};

async fn reply(scripted: ScriptedReply, asked: ModelCall) -> ModelReply {
    let dialect = Dialect::Chat;
    let World { client, .. } = Setup::new(dialect, Streaming::On, vec![scripted]).build();
    client.ask(&asked, 0).await.unwrap().reply
}

async fn lifted(text: &str) -> Option<(String, Vec<Value>)> {
    let found = reply(ScriptedReply::text(text), with_tool(call(Dialect::Chat))).await;
    let calls: Vec<Value> = found
        .parts
        .iter()
        .filter_map(|part| match part {
            MessagePart::ToolCall { name, arguments, .. } if name == "lookup" => Some(arguments.clone()),
            _ => None,
        })
        .collect();
    let noted = found.notes == [ReplyNote::ToolCallsInText { calls: calls.len() }];
    assert_eq!(noted, found.stop == StopReason::ToolCalls, "{found:?}");
    (!calls.is_empty()).then(|| (found.text(), calls))
}

#[tokio::test]
async fn calls_in_the_text_are_lifted() {
    let one = Some((String::new(), vec![json!({"q": "x"})]));
    for text in [
        "{\"name\": \"lookup\", \"arguments\": {\"q\": \"x\"}}",
        "```json\n{\"name\": \"lookup\", \"arguments\": {\"q\": \"x\"}}\n```",
        "```\n{\"name\": \"lookup\", \"parameters\": {\"q\": \"x\"}}\n```\n",
        "<tool_call>\n{\"name\": \"lookup\", \"arguments\": {\"q\": \"x\"}}\n</tool_call>",
        "<tool_call>{\"name\": \"lookup\", \"arguments\": \"{\\\"q\\\": \\\"x\\\"}\"}</tool_call>",
        "[{\"type\": \"function\", \"function\": {\"name\": \"lookup\", \"arguments\": {\"q\": \"x\"}}}]",
    ] {
        assert_eq!(lifted(text).await, one, "{text}");
    }
    let two = "I look.\n```json\n{\"name\":\"lookup\",\"arguments\":{\"q\":\"x\"}}\n```\n```json\n{\"name\":\"lookup\",\"arguments\":{\"q\":\"y\"}}\n```";
    assert_eq!(lifted(two).await, Some(("I look.".to_owned(), vec![json!({"q": "x"}), json!({"q": "y"})])));
}

#[tokio::test]
async fn other_json_in_the_text_is_no_call() {
    for text in [
        "{\"name\": \"Ada\", \"arguments\": {\"q\": \"x\"}}",
        "{\"name\": \"lookup\", \"arguments\": [1]}",
        "{\"name\": \"lookup\", \"arguments\": {\"q\": \"x\"}, \"comment\": \"not a call\"}",
        "```json\n{\"name\": \"lookup\", \"arguments\": {\"q\": \"x\"}",
        "Call it as ```lookup```.",
        "```json\n{\"name\":\"lookup\",\"arguments\":{\"q\":\"x\"}}\n```\n```json\n{\"total\": 3}\n```",
    ] {
        assert_eq!(lifted(text).await, None, "{text}");
    }
    let mut none = with_tool(call(Dialect::Chat));
    none.tool_choice = ToolChoice::None;
    let text = "{\"name\": \"lookup\", \"arguments\": {\"q\": \"x\"}}";
    assert_eq!(reply(ScriptedReply::text(text), none).await.text(), text);
    let cut = reply(ScriptedReply::text(text).stopped(Stop::Length), with_tool(call(Dialect::Chat))).await;
    assert_eq!((cut.stop, cut.text().as_str()), (StopReason::Length, text), "a reply that was cut calls nothing");
}

#[tokio::test]
async fn a_reply_that_was_cut_in_blank_lines_behind_a_call_has_that_call() {
    let one = "```json\n{\"name\": \"lookup\", \"arguments\": {\"q\": \"x\"}}\n```";
    let cut = |text: String| reply(ScriptedReply::text(&text).stopped(Stop::Length), with_tool(call(Dialect::Chat)));
    let whole = cut(format!("{one}\n\n\n\n")).await;
    assert_eq!((whole.stop, whole.text().as_str()), (StopReason::ToolCalls, ""));
    // A second call that was cut, words behind the first, and a fence that is open: nothing of these is certain.
    for rest in ["\n```json\n{\"name\": \"lookup\",\n\n", "\n\nWhat else?\n\n", "\n```json\n\n\n"] {
        let found = cut(format!("{one}{rest}")).await;
        assert_eq!(found.stop, StopReason::Length, "{rest:?}");
    }
}

#[tokio::test]
async fn ignored_choices_and_unknown_tools_are_noted() {
    let mut required = with_tool(call(Dialect::Chat));
    required.tool_choice = ToolChoice::Required;
    let found = reply(ScriptedReply::text("No."), required).await;
    assert_eq!(found.notes, [ReplyNote::ToolChoiceIgnored]);
    let found = reply(ScriptedReply::text("").call("c", "delete", json!({})), with_tool(call(Dialect::Chat))).await;
    assert_eq!(found.notes, [ReplyNote::UnknownTool { name: "delete".to_owned() }]);
    let twice = ScriptedReply::text("").call("", "lookup", json!({})).call("", "lookup", json!({"q": "2"}));
    let found = reply(twice, with_tool(call(Dialect::Chat))).await;
    let ids: Vec<&str> = found
        .parts
        .iter()
        .filter_map(|part| match part {
            MessagePart::ToolCall { id, .. } => Some(id.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(ids, ["call_1", "call_2"]);
}
