//! Transcripts: recorded and replayed without a provider, and every single edit is found.

use crate::common::{Setup, World, call, with_tool};
use deed_llm::{BlockingClient, Recorder, Replayer, Streaming, Transcript, TranscriptFault, call_key, merge};
use deed_model::{MessagePart, ModelCall, RecordedModelCall, ReplyOrigin};
use deed_ports::{Model, ModelErrorKind as K};
use deed_testkit::loopback::provider::{Dialect, ScriptedReply};
use proptest::prelude::*;
use serde_json::json;
use std::sync::OnceLock;

fn question(text: &str) -> ModelCall {
    let mut asked = with_tool(call(Dialect::Anthropic));
    asked.messages[1].parts = vec![MessagePart::Text { text: text.to_owned() }];
    asked
}

/// The bytes of a transcript of three calls, recorded from a server that has gone.
fn recorded() -> &'static [u8] {
    static BYTES: OnceLock<Vec<u8>> = OnceLock::new();
    BYTES.get_or_init(|| {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let script = vec![
            ScriptedReply::text("One.").thinking("Hm, n\u{e9}."),
            ScriptedReply::text("Two.").call("c1", "lookup", json!({"q": 1.5})),
            ScriptedReply::text("Three."),
        ];
        let World { client, .. } = Setup::new(Dialect::Anthropic, Streaming::On, script).build();
        let recorder = Recorder::begin(BlockingClient::new(client, runtime.handle().clone()), Vec::new()).unwrap();
        let replies: Vec<_> = [("a", 0), ("a", 1), ("b", 0)]
            .map(|(text, occurrence)| recorder.ask(&question(text), occurrence).unwrap())
            .into();
        let bytes = recorder.finish().unwrap();
        let replayer = Replayer::new(&Transcript::read(&bytes).unwrap());
        for ((text, occurrence), first) in [("a", 0), ("a", 1), ("b", 0)].into_iter().zip(replies) {
            let again = replayer.ask(&question(text), occurrence).unwrap();
            assert_eq!((again.reply, again.origin, again.cost), (first.reply, first.origin, first.cost));
            assert!(again.attempts.is_empty() && again.exchanges.is_empty(), "no provider is asked");
        }
        bytes
    })
}

#[test]
fn record_then_replay_gives_equal_replies_with_the_server_gone() {
    let transcript = Transcript::read(recorded()).unwrap();
    assert_eq!(transcript.calls().len(), 3);
    assert_eq!(transcript.write().unwrap(), recorded(), "the same calls are the same bytes");
    assert!(!String::from_utf8_lossy(recorded()).contains(crate::common::KEY));
}

#[test]
fn a_missing_call_names_the_nearest_and_the_first_difference() {
    let replayer = Replayer::new(&Transcript::read(recorded()).unwrap());
    let message = |call: &ModelCall, occurrence| {
        let error = replayer.ask(call, occurrence).unwrap_err();
        assert_eq!(error.kind, K::NotInTranscript);
        error.message
    };
    assert!(message(&question("c"), 0).contains("differs first at `/messages/1/parts/0/text`"));
    let mut other = question("b");
    other.parameters.temperature = Some(0.5);
    let nearest = call_key(&question("b"), 0).unwrap().to_string();
    let said = message(&other, 0);
    assert!(said.contains(&nearest) && said.contains("`/parameters/temperature`"), "{said}");
    assert!(message(&question("b"), 1).contains("occurrence 1"));
}

/// A transcript of one call that was written by hand.
fn by_hand(text: &str, says: &str) -> Transcript {
    let asked = question(text);
    let reply = json!({"parts": [{"kind": "text", "text": says}], "stop": "ended"});
    Transcript::of(vec![RecordedModelCall {
        key: call_key(&asked, 0).unwrap(),
        occurrence: 0,
        origin: ReplyOrigin::WrittenByHand,
        call: asked,
        reply: serde_json::from_value(reply).unwrap(),
        attempts: Vec::new(),
        cost: None,
    }])
}

#[test]
fn merging_keeps_every_call_once_and_refuses_other_replies() {
    let (first, second) = (Transcript::read(recorded()).unwrap(), by_hand("z", "Z."));
    let both = merge(&[first.clone(), second.clone(), first]).unwrap();
    assert_eq!(both.calls().len(), 4);
    assert_eq!(Transcript::read(&both.write().unwrap()).unwrap().calls(), both.calls());
    let conflict = merge(&[second, by_hand("z", "Y.")]).unwrap_err();
    assert_eq!(conflict.pointer, "/reply/parts/0/text");
}

#[test]
fn a_credential_is_neither_written_nor_read() {
    let key = deed_detect::sample("github-classic-token", 7).unwrap().text;
    assert!(matches!(by_hand("x", &key).write(), Err(TranscriptFault::Credential { line: 2, .. })));
}

/// A credential in any part of a call or a reply is not written, and a file that has one is not read.
#[test]
fn a_credential_in_any_part_is_found() {
    let key = deed_detect::sample("github-classic-token", 7).unwrap().text;
    let calls = by_hand("x", "y").calls().to_vec();
    let changed = |change: &dyn Fn(&mut RecordedModelCall)| {
        let mut own = calls.clone();
        change(&mut own[0]);
        own[0].key = call_key(&own[0].call, 0).unwrap();
        own
    };
    let text = |text: &str| vec![MessagePart::Text { text: text.to_owned() }];
    for (part, own) in [
        ("message", changed(&|own| own.call.messages[0].parts = text(&key))),
        ("stop", changed(&|own| own.call.parameters.stop = vec![key.clone()])),
        ("tool", changed(&|own| own.call.tools[0].description = format!("Uses {key}."))),
        ("reply", changed(&|own| own.reply.parts = text(&format!("It is {key}.")))),
        ("request id", changed(&|own| own.reply.request_id = Some(key.clone()))),
    ] {
        let written = Transcript::of(own.clone()).write();
        assert!(matches!(written, Err(TranscriptFault::Credential { line: 2, .. })), "{part}: {written:?}");
        // The same lines in a sound chain, as no command writes them.
        let head = json!({"kind": "head", "format": 1});
        let mut call = serde_json::to_value(&own[0]).unwrap();
        call["kind"] = json!("call");
        let (mut last, mut file) = (None, Vec::new());
        for body in [head, call, json!({"kind": "end", "calls": 1})] {
            let link = deed_canon::append(last.as_ref(), body).unwrap();
            file.extend(deed_canon::to_canonical_of(&link).unwrap());
            file.push(b'\n');
            last = Some(link.head());
        }
        let read = Transcript::read(&file);
        assert!(matches!(read, Err(TranscriptFault::Credential { line: 2, .. })), "{part}: {read:?}");
    }
}

/// A provider that repeats the key in its reply does not get it into the transcript.
#[test]
fn a_key_that_the_provider_repeats_is_not_recorded() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    for dialect in Dialect::ALL {
        let _inside = runtime.enter();
        let says = format!("Your key is {}.", crate::common::KEY);
        let World { client, server, .. } = Setup::new(dialect, Streaming::On, vec![ScriptedReply::text(&says)]).build();
        let recorder = Recorder::begin(BlockingClient::new(client, runtime.handle().clone()), Vec::new()).unwrap();
        let answer = recorder.ask(&call(dialect), 0).unwrap();
        let file = String::from_utf8(recorder.finish().unwrap()).unwrap();
        let was_sent = server.seen()[0].headers.iter().any(|(_, value)| value.contains(crate::common::KEY));
        assert_eq!(was_sent, dialect != Dialect::Ollama);
        assert_eq!(
            file.contains(crate::common::KEY),
            dialect == Dialect::Ollama,
            "{dialect:?}: {}",
            answer.reply.text()
        );
    }
}

#[test]
fn a_killed_recording_is_unfinished() {
    let lines: Vec<&[u8]> = recorded().split_inclusive(|byte| *byte == b'\n').collect();
    for count in 0..lines.len() {
        assert!(matches!(Transcript::read(&lines[..count].concat()), Err(TranscriptFault::Unfinished)), "{count}");
    }
}

#[test]
fn a_moved_repeated_or_missing_line_is_found() {
    let lines: Vec<&[u8]> = recorded().split_inclusive(|byte| *byte == b'\n').collect();
    for at in 0..lines.len() {
        let mut missing = lines.clone();
        missing.remove(at);
        assert!(Transcript::read(&missing.concat()).is_err(), "without line {at}");
        let mut twice = lines.clone();
        twice.insert(at, lines[at]);
        assert!(Transcript::read(&twice.concat()).is_err(), "line {at} twice");
        for other in 0..at {
            let mut moved = lines.clone();
            moved.swap(at, other);
            assert!(Transcript::read(&moved.concat()).is_err(), "lines {at} and {other}");
        }
    }
}

#[test]
fn every_byte_counts() {
    for at in 0..recorded().len() {
        let mut without = recorded().to_vec();
        without.remove(at);
        assert!(Transcript::read(&without).is_err(), "without byte {at}");
    }
}

proptest! {
    #[test]
    fn every_single_edit_is_found(at in 0_usize..1 << 16, byte: u8, insert: bool) {
        let mut edited = recorded().to_vec();
        let at = at % edited.len();
        if insert { edited.insert(at, byte) } else { edited[at] = byte }
        prop_assume!(edited != recorded());
        prop_assert!(Transcript::read(&edited).is_err());
    }
}
