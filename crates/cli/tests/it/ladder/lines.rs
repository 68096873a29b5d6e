//! Many payloads in one run: every line is answered, whatever is wrong with the others.

use super::example::{example, fed, order};
use crate::common::Ran;
use serde_json::{Value, json};

const CLIMB: [&str; 4] = ["ladder", "climb", "--contract", "order.contract.yaml"];

fn answers(out: &Ran) -> Vec<Value> {
    out.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn outcomes(out: &Ran) -> Vec<(u64, String)> {
    let one = |answer: &Value| (answer["line"].as_u64().unwrap(), answer["outcome"].as_str().unwrap().to_owned());
    answers(out).iter().map(one).collect()
}

#[test]
fn ten_orders() {
    let p = example();
    let out = p.run(&[&CLIMB[..], &["orders.jsonl"]].concat());
    assert_eq!((out.code, out.stderr.as_str()), (1, "orders.jsonl: 6 accepted, 4 rejected, 4 changed\n"));
    let answers = answers(&out);
    let codes: Vec<Vec<&str>> = answers
        .iter()
        .map(|a| a["report"]["findings"].as_array().unwrap().iter().map(|f| f["code"].as_str().unwrap()).collect())
        .collect();
    let none: Vec<&str> = vec![];
    assert_eq!(
        codes,
        [
            none.clone(),
            none.clone(),
            none.clone(),
            none.clone(),
            none,
            vec!["D1717", "D1735"],
            vec!["D1740"],
            vec!["D1702"],
            vec!["D1704"],
            vec!["D1740"],
        ]
    );
    assert!(answers.iter().all(|answer| answer["version"] == 1), "{answers:?}");
    let absent = p.run(&[&CLIMB[..], &["absent.jsonl", "--json"]].concat());
    assert_eq!(absent.stdout.lines().count(), 1, "{}", absent.stdout);
    assert_eq!(answers[0]["payload"], order());
    assert_eq!(answers[7]["payload"], Value::Null, "what the guard stops does not come out");
    assert_eq!(answers[9]["outcome"], "accepted", "a warning refuses nothing");
}

/// `--jsonl`, a name that ends in `.jsonl` or `.ndjson`, and standard input do the same.
#[test]
fn however_the_lines_come_in() {
    let p = example();
    let text = std::fs::read_to_string(p.path("orders.jsonl")).unwrap();
    let expected = p.run(&[&CLIMB[..], &["orders.jsonl"]].concat()).stdout;
    p.write("orders.txt", &text);
    p.write("orders.ndjson", &text);
    for args in [&["--jsonl", "orders.txt"][..], &["orders.ndjson"], &["--jsonl", "orders.jsonl"]] {
        assert_eq!(p.run(&[&CLIMB[..], args].concat()).stdout, expected, "{args:?}");
    }
    let out = fed(&p, &[&CLIMB[..], &["--jsonl", "-"]].concat(), &text);
    assert_eq!((out.stdout, out.stderr), (expected.clone(), "<stdin>: 6 accepted, 4 rejected, 4 changed\n".to_owned()));
    let json = p.run(&[&CLIMB[..], &["orders.jsonl", "--json"]].concat());
    assert_eq!(json.stdout, expected, "with --json too it is one answer a line");
}

#[test]
fn each_answer_is_that_of_the_payload_alone() {
    let p = example();
    let out = p.run(&[&CLIMB[..], &["orders.jsonl"]].concat());
    let text = std::fs::read_to_string(p.path("orders.jsonl")).unwrap();
    for (line, answer) in text.lines().zip(answers(&out)) {
        let alone: Value = serde_json::from_str(&fed(&p, &[&CLIMB[..], &["-"]].concat(), line).stdout).unwrap();
        assert_eq!((&answer["payload"], &answer["report"]), (&alone["payload"], &alone["report"]), "{line}");
    }
}

#[test]
fn a_line_that_cannot_be_read_does_not_stop_the_others() {
    let p = example();
    let good = order().to_string();
    let mut bytes = format!("{good}\n\n  \n").into_bytes();
    bytes.extend([0xff, 0xfe, b'\n']);
    bytes.extend(format!("{}\n", "[".repeat(100_000)).into_bytes());
    bytes.extend(format!("{good}\r\n{good}").into_bytes());
    p.write("some.jsonl", bytes);
    let out = p.run(&[&CLIMB[..], &["some.jsonl"]].concat());
    let told = [(1, "accepted"), (4, "rejected"), (5, "rejected"), (6, "accepted"), (7, "accepted")];
    assert_eq!(outcomes(&out), told.map(|(line, outcome)| (line, outcome.to_owned())));
    assert_eq!((out.code, out.stderr.as_str()), (1, "some.jsonl: 3 accepted, 2 rejected, 0 changed\n"));
    let unreadable = json!({
        "version": 1, "line": 4, "outcome": "rejected",
        "error": { "code": "D1761", "message": "the line is not UTF-8 text" }
    });
    assert_eq!(answers(&out)[1], unreadable);
}

/// A line of forty megabytes is passed over without being held.
#[test]
fn a_line_that_is_too_long() {
    let p = example();
    let good = order().to_string();
    p.write("long.jsonl", format!("{good}\n{}\n{good}\n", " x".repeat(20 * 1024 * 1024)));
    let out = p.run(&[&CLIMB[..], &["long.jsonl"]].concat());
    assert_eq!(answers(&out)[1]["error"], json!({ "code": "D1761", "message": "the line is too long" }));
    assert_eq!(outcomes(&out).len(), 3, "and the line after it is answered");
}

#[test]
fn proposals_hold_for_every_line() {
    let p = example();
    let payed = order().to_string().replace("\"open\"", "\"payed\"");
    p.write("payed.jsonl", format!("{payed}\n{payed}\n"));
    let out = p.ok(&[&CLIMB[..], &["--proposals", "proposals.json", "payed.jsonl"]].concat());
    assert!(answers(&out).iter().all(|answer| answer["payload"]["status"] == "paid"), "{}", out.stdout);
}

#[test]
fn nothing_is_enough() {
    let p = example();
    p.write("none.jsonl", "");
    let out = p.ok(&[&CLIMB[..], &["none.jsonl"]].concat());
    assert_eq!((out.stdout.as_str(), out.stderr.as_str()), ("", "none.jsonl: 0 accepted, 0 rejected, 0 changed\n"));
    p.refuses(&[&CLIMB[..], &["nowhere.jsonl"]].concat(), 3, "D0001", "nowhere.jsonl");
}

#[test]
fn a_reader_that_goes_away_is_no_fault() {
    let p = example();
    let line = format!("{}\n", order());
    p.write("many.jsonl", line.repeat(2_000));
    let deed = env!("CARGO_BIN_EXE_deed");
    let out =
        p.shell(&format!("set -o pipefail; {deed} ladder climb --contract order.contract.yaml many.jsonl | head -1"));
    assert_eq!((out.code, out.stdout.lines().count()), (0, 1), "{}", out.stderr);
}
