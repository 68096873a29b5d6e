//! Models: listed, asked once, recorded, replayed; and transcripts that are shown, verified and merged.

use crate::common::Project;
use deed_testkit::loopback::provider::{Dialect, Fault, ProviderServer, ScriptedReply, Turn};
use serde_json::{Value, json};

const MODEL: &str = "openai-chat:scripted-1";
const KEY: &str = "key-0123456789abcdef";

fn server(turn: impl Into<Turn>) -> ProviderServer {
    ProviderServer::start(Dialect::Chat, vec![turn.into()])
}

/// A project whose home has the key of the provider.
fn project() -> Project {
    let p = Project::bare();
    p.ok(&["init"]);
    p.write(".deed/secrets/openai-chat", KEY);
    p.shell("chmod 600 .deed/secrets/openai-chat");
    p
}

fn ask<'a>(url: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&["models", "test", MODEL, "--base-url", url, "--local"][..], more].concat()
}

#[test]
fn providers_and_prices_are_listed() {
    let p = project();
    let known = p.json(&["models", "list"])["data"].clone();
    let status = |name: &str| {
        known["providers"].as_array().unwrap().iter().find(|own| own["name"] == name).unwrap()["key"].clone()
    };
    assert_eq!(
        (status("ollama"), status("openai-chat"), status("gemini")),
        (json!("not_needed"), json!("present"), json!("missing"))
    );
    let text = p.ok(&["models", "list", "--provider", "anthropic"]).stdout;
    assert!(
        text.contains("anthropic_messages")
            && text.contains("anthropic:claude-sonnet-4-20250514")
            && !text.contains("ollama"),
        "{text}"
    );
    // What a price was compared with is said of each model, and what a long input costs.
    for words in
        ["provider's page, 20", "other pages, 20", "not checked", "retired 20", "with more than 100000 tokens of input"]
    {
        assert!(text.contains(words), "{words} is missing in {text}");
    }
    let checked =
        |model: &Value| model["checked"]["pages"][0].as_str().is_some_and(|page| page.starts_with("https://"));
    let models = known["models"].as_array().unwrap();
    assert!(models.iter().filter(|model| checked(model)).count() > 50, "{models:?}");
    p.refuses(&["models", "list", "--provider", "antropic"], 1, "D2701", "did you mean `anthropic`?");
}

#[test]
fn a_reply_is_recorded_and_replayed_with_the_server_gone() {
    let p = project();
    let first = server(ScriptedReply::text("ready"));
    let asked = p.json(&ask(&first.url(), &["--record", "one.transcript"]));
    assert_eq!(asked["data"]["reply"]["parts"][0]["text"], json!("ready"));
    assert_eq!(asked["data"]["origin"], json!({"recorded_from": MODEL}));
    assert_eq!(first.seen()[0].header("authorization"), Some(format!("Bearer {KEY}").as_str()));
    let file = std::fs::read_to_string(p.path("one.transcript")).unwrap();
    assert!(!file.contains(KEY));
    p.refuses(&ask(&first.url(), &["--record", "one.transcript"]), 1, "D0006", "one.transcript");
    assert_eq!(first.seen().len(), 1, "nothing is paid for that cannot be kept");
    drop(first);
    let replayed = p.json(&["models", "test", MODEL, "--replay", "one.transcript"]);
    assert_eq!(replayed["data"]["reply"], asked["data"]["reply"]);
    let other = ["models", "test", MODEL, "--replay", "one.transcript", "--question", "other"];
    p.refuses(&other, 1, "D2723", "differs first at `/messages/0/parts/0/text`");

    let shown = p.ok(&["transcript", "show", "one.transcript"]).stdout;
    assert_eq!(shown, format!("1 operator_evaluator ended recorded from {MODEL}\n  ready\n"));
    assert!(
        p.ok(&["transcript", "verify", "one.transcript"]).stdout.starts_with("1 call: every line holds\nhead sha256:")
    );
    p.write("edited.transcript", file.replace("\"ready\"", "\"steady\""));
    p.refuses(&["transcript", "verify", "edited.transcript"], 1, "D2724", "line 2");
    let cut: Vec<&str> = file.split_inclusive('\n').take(2).collect();
    p.write("cut.transcript", cut.concat());
    p.refuses(&["transcript", "verify", "cut.transcript"], 1, "D2725", "no end");
}

#[test]
fn transcripts_are_merged_unless_they_disagree() {
    let p = project();
    for (name, question, says) in [("a", "one", "1"), ("b", "two", "2"), ("c", "one", "3")] {
        let own = server(ScriptedReply::text(says));
        p.ok(&ask(&own.url(), &["--question", question, "--record", name, "--whole"]));
    }
    assert_eq!(p.ok(&["transcript", "merge", "a", "b", "a", "--out", "ab"]).stdout, "2 calls in ab\n");
    assert_eq!(p.json(&["transcript", "show", "ab"])["data"]["calls"].as_array().unwrap().len(), 2);
    p.ok(&["transcript", "verify", "ab"]);
    p.refuses(&["transcript", "merge", "a", "c", "--out", "ac"], 1, "D2727", "`/reply/parts/0/text`");
}

#[test]
fn bad_answers_have_their_codes() {
    let p = project();
    for (fault, code) in [
        (Fault::Redirect, "D2713"),
        (Fault::Page, "D2714"),
        (Fault::InvalidUtf8, "D2717"),
        (Fault::RepeatedToolCallId, "D2720"),
        (Fault::NegativeUsage, "D2721"),
        (Fault::Status(401, None), "D2704"),
        (Fault::Status(404, None), "D2702"),
        (Fault::Status(429, Some(3600)), "D2711"),
    ] {
        let own = server(fault);
        let out = p.refuses(&ask(&own.url(), &[]), 1, code, "");
        assert!(!out.stderr.contains(KEY), "{}", out.stderr);
        assert_eq!(own.seen().len(), 1, "{fault:?} is not repeated");
    }
}

#[test]
fn bad_requests_send_nothing() {
    let p = project();
    let own = server(ScriptedReply::text("ready"));
    let url = own.url();
    p.refuses(&["models", "test", "gpt-4o"], 2, "D2730", "provider:model");
    p.refuses(&["models", "test", "opnai:gpt-4o"], 1, "D2701", "did you mean `openai`?");
    p.refuses(&["models", "test", "compatible:m"], 1, "D2729", "base URL");
    p.refuses(&ask(&url, &["--secret", "absent"]), 1, "D2703", "absent");
    let remote = ["models", "test", MODEL, "--base-url", &url];
    p.refuses(&remote, 1, "D2729", "https");
    let key = deed_detect::sample("github-classic-token", 1).unwrap().text;
    for with_key in [format!("{url}/{key}"), format!("{url}?key=1")] {
        let out = p.refuses(&ask(&with_key, &[]), 1, "D2729", "");
        assert!(!out.stderr.contains(&key), "{}", out.stderr);
    }
    assert_eq!(own.seen().len(), 0);
}
