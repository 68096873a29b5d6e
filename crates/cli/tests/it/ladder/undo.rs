//! A record is read backwards and forwards, and neither it nor the payload may have been altered.

use super::example::{ANSWER, climb_order, contract, example, fed, order, order_with, printed, turned_down};
use crate::common::Project;
use serde_json::{Value, json};

/// The worked example climbed: its payload, its record and what came in, each in a file.
fn climbed() -> Project {
    let p = example();
    let args = ["ladder", "climb", "--contract", "order.contract.yaml", "--proposals", "proposals.json", "answer.txt"];
    let (payload, report) = printed(&p.ok(&args));
    p.write("payload.json", payload.to_string());
    p.write("report.json", report.to_string());
    p.write("input.json", json!(ANSWER).to_string());
    p
}

fn report(p: &Project) -> Value {
    serde_json::from_str(&std::fs::read_to_string(p.path("report.json")).unwrap()).unwrap()
}

#[test]
fn the_text_comes_back_byte_for_byte() {
    let p = climbed();
    let out = p.ok(&["ladder", "undo", "--report", "report.json", "payload.json"]);
    assert_eq!((out.stdout.as_str(), out.stderr.as_str()), (ANSWER, ""));
    let document = p.json(&["ladder", "undo", "--report", "report.json", "payload.json"]);
    assert_eq!(document, json!({ "version": 1, "ok": true, "data": { "payload": ANSWER }, "diagnostics": [] }));
}

#[test]
fn and_goes_forward_again() {
    let p = climbed();
    let out = p.ok(&["ladder", "undo", "--redo", "--report", "report.json", "input.json"]);
    let payload = std::fs::read_to_string(p.path("payload.json")).unwrap();
    assert_eq!(serde_json::from_str::<Value>(&out.stdout).unwrap(), serde_json::from_str::<Value>(&payload).unwrap());
}

#[test]
fn texts_of_every_kind_come_back() {
    let p = example();
    let json = order().to_string();
    for text in [
        format!("\u{feff}{json}"),
        format!("Überschrift\r\n\r\n```json\r\n{json}\r\n```\r\n"),
        format!("{json},"),
        json.strip_suffix('}').unwrap().to_owned(),
        format!("\n\n{}\t", json.replace('"', "'")),
    ] {
        let (payload, report) =
            printed(&fed(&p, &["ladder", "climb", "--contract", "order.contract.yaml", "-"], &text));
        p.write("payload.json", payload.to_string());
        p.write("report.json", report.to_string());
        assert_eq!(p.ok(&["ladder", "undo", "--report", "report.json", "payload.json"]).stdout, text);
    }
}

/// A payload that came in as JSON is restored as the same value.
#[test]
fn a_value_comes_back() {
    let p = example();
    let mut input = order_with(json!({ "total_cents": "1300", "odd": [1, { "a": null }] }));
    input.as_object_mut().unwrap().remove("priority");
    let (_, payload, report) = climb_order(&p, &[], &input);
    p.write("payload.json", payload.to_string());
    p.write("report.json", report.to_string());
    p.write("input.json", input.to_string());
    for (args, expected) in [(&["payload.json"][..], &input), (&["--redo", "input.json"], &payload)] {
        let out = p.ok(&[&["ladder", "undo", "--report", "report.json"], args].concat());
        assert_eq!(serde_json::from_str::<Value>(&out.stdout).unwrap(), *expected);
    }
}

/// A rejected payload can be taken back too.
#[test]
fn a_rejected_one_comes_back() {
    let p = example();
    let (payload, report) = printed(&p.run(&["ladder", "climb", "--contract", "order.contract.yaml", "answer.txt"]));
    p.write("payload.json", payload.to_string());
    p.write("report.json", report.to_string());
    assert_eq!(p.ok(&["ladder", "undo", "--report", "report.json", "payload.json"]).stdout, ANSWER);
}

#[test]
fn files_from_standard_input() {
    let p = climbed();
    for (args, file) in [
        (["ladder", "undo", "--report", "report.json", "-"], "payload.json"),
        (["ladder", "undo", "--report", "-", "payload.json"], "report.json"),
    ] {
        let out = fed(&p, &args, std::fs::read(p.path(file)).unwrap());
        assert_eq!((out.code, out.stdout.as_str()), (0, ANSWER));
    }
}

#[test]
fn an_altered_payload_is_refused() {
    let p = climbed();
    p.edit_in_place("payload.json", &[("\"gift\":true", "\"gift\":false")]);
    turned_down(
        &p,
        &["undo", "--report", "report.json", "payload.json"],
        1,
        "D1762",
        "not the one the record speaks of",
    );
    p.edit_in_place("input.json", &[("SO-004711", "SO-004712")]);
    turned_down(&p, &["undo", "--redo", "--report", "report.json", "input.json"], 1, "D1762", "input.json");
    // The one in the place of the other.
    turned_down(&p, &["undo", "--redo", "--report", "report.json", "payload.json"], 1, "D1762", "payload.json");
}

#[test]
fn an_altered_record_is_refused() {
    let p = climbed();
    let sound = report(&p);
    let last = sound["changes"].as_array().unwrap().len() - 1;
    let alter = |change: &dyn Fn(&mut Value)| {
        let mut altered = sound.clone();
        change(&mut altered);
        p.write("report.json", altered.to_string());
    };
    let undo = ["undo", "--report", "report.json", "payload.json"];
    alter(&|r| r["changes"][0]["inverse"][0]["value"] = json!("another text"));
    turned_down(&p, &undo, 1, "D1762", "payload.json");
    alter(&|r| r["changes"][last]["inverse"][0]["path"] = json!("/nowhere/at/all"));
    turned_down(&p, &undo, 1, "D1762", "does not apply");
    alter(&|r| drop(r["changes"].as_array_mut().unwrap().remove(5)));
    turned_down(&p, &["undo", "--redo", "--report", "report.json", "input.json"], 1, "D1762", "input.json");
    alter(&|r| r["changes"].as_array_mut().unwrap().swap(0, 1));
    turned_down(&p, &undo, 1, "D1762", "payload.json");
    alter(&|r| r["output_hash"] = r["input_hash"].clone());
    turned_down(&p, &undo, 1, "D1762", "payload.json");
    alter(&|r| drop(r.as_object_mut().unwrap().remove("output_hash")));
    turned_down(&p, &undo, 1, "D1762", "payload.json");
}

/// A record of a format that is not known is not read.
#[test]
fn a_record_of_another_version_is_refused() {
    let p = climbed();
    let mut newer = report(&p);
    newer["version"] = json!("deed/ladder-report/v9");
    p.write("report.json", newer.to_string());
    let out = p.run(&["ladder", "undo", "--report", "report.json", "payload.json"]);
    assert_eq!((out.code, out.stdout.as_str()), (1, ""), "{}", out.stderr);
}

#[test]
fn what_is_no_record() {
    let p = climbed();
    p.write("list.json", "[]");
    p.write("broken.json", "{");
    p.write("more.json", report(&p).to_string().replacen('{', "{\"extra\": 1, ", 1));
    for (file, exit, code, says) in [
        ("list.json", 1, "D0204", "must be an object"),
        ("payload.json", 1, "D0205", "`version` is missing"),
        ("broken.json", 1, "D0103", "broken.json"),
        ("more.json", 1, "D0203", "`extra`"),
        ("nowhere.json", 3, "D0001", "nowhere.json"),
    ] {
        turned_down(&p, &["undo", "--report", file, "payload.json"], exit, code, says);
    }
    turned_down(&p, &["undo", "--report", "report.json", "nowhere.json"], 3, "D0001", "nowhere.json");
    turned_down(&p, &["undo", "--report", "report.json", "answer.txt"], 1, "D0103", "answer.txt");
}

/// A hash that is none is a fault of the file and not of the program.
#[test]
fn a_record_with_a_broken_hash_is_refused() {
    let p = climbed();
    let mut broken = report(&p);
    broken["input_hash"] = json!("sha256:00");
    p.write("report.json", broken.to_string());
    let out = p.run(&["ladder", "undo", "--report", "report.json", "payload.json"]);
    assert_eq!((out.code, out.stdout.as_str()), (1, ""), "{}", out.stderr);
    assert!(out.stderr.contains("report.json"), "{}", out.stderr);
}

/// A payload that is a text of JSON comes back as JSON.
#[test]
fn a_string_comes_back_as_a_string() {
    let p = contract("{}", "");
    let (payload, report) = printed(&fed(&p, &["ladder", "climb", "--contract", "c.yaml", "-"], "\"hello\""));
    p.write("payload.json", payload.to_string());
    p.write("report.json", report.to_string());
    assert_eq!(p.ok(&["ladder", "undo", "--report", "report.json", "payload.json"]).stdout.trim_end(), "\"hello\"");
}

/// A record is deeper than the values in it, and larger than the payload; it is read all the same.
#[test]
fn a_record_of_the_deepest_payload_is_read() {
    let p = contract("{ type: object, properties: { o: { type: array } } }", "");
    for levels in [100, 124, 127] {
        let inner = "[".repeat(levels) + &"]".repeat(levels);
        let input = json!({ "o": inner }).to_string();
        let out = fed(&p, &["ladder", "climb", "--contract", "c.yaml", "-"], &input);
        assert_eq!(out.code, 0, "{}", out.stderr);
        p.write("climbed.json", &out.stdout);
        let undone = p.ok(&["ladder", "undo", "--report", "climbed.json"]).stdout;
        assert_eq!(serde_json::from_str::<Value>(&undone).unwrap(), json!({ "o": inner }), "{levels}");
        p.write("input.json", &input);
        let redone = p.ok(&["ladder", "undo", "--redo", "--report", "climbed.json", "input.json"]).stdout;
        assert_eq!(redone.matches('[').count(), levels);
    }
}

#[test]
fn a_record_larger_than_any_payload_is_read() {
    let p = contract("{ type: object, properties: { n: { type: integer }, t: { type: string } } }", "");
    let text = "x".repeat(12 * 1024 * 1024);
    let input = format!("{{'n': '7', 't': '{text}'}}");
    let out = fed(&p, &["ladder", "climb", "--contract", "c.yaml", "-"], &input);
    assert_eq!(out.code, 0, "{}", out.stderr);
    assert!(out.stdout.len() > 33 * 1024 * 1024);
    p.write("climbed.json", &out.stdout);
    assert_eq!(p.ok(&["ladder", "undo", "--report", "climbed.json"]).stdout, input);
}

#[test]
fn what_is_no_record_is_refused_however_deep() {
    let p = climbed();
    let deep = "[".repeat(133) + &"]".repeat(133);
    p.write("report.json", format!("{{\"changes\": {deep}}}"));
    turned_down(&p, &["undo", "--report", "report.json", "payload.json"], 1, "D1766", "report.json");
    p.write("report.json", "[".repeat(400));
    turned_down(&p, &["undo", "--report", "report.json", "payload.json"], 1, "D0107", "report.json");
}
