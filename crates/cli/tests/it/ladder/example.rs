//! The files under `examples/ladder` in a folder, and `deed ladder` run on them.

use crate::common::{Project, Ran};
use serde_json::{Value, json};
use std::io::Write as _;
use std::process::Stdio;

const FILES: [(&str, &str); 8] = [
    ("order.contract.yaml", include_str!("../../../../../examples/ladder/order.contract.yaml")),
    ("answer.txt", include_str!("../../../../../examples/ladder/answer.txt")),
    ("proposals.json", include_str!("../../../../../examples/ladder/proposals.json")),
    ("orders.jsonl", include_str!("../../../../../examples/ladder/orders.jsonl")),
    ("shop.schema.json", include_str!("../../../../../examples/ladder/shop.schema.json")),
    ("invoice.schema.json", include_str!("../../../../../examples/ladder/invoice.schema.json")),
    ("shop.order.json", include_str!("../../../../../examples/ladder/shop.order.json")),
    ("shop.synonyms.json", include_str!("../../../../../examples/ladder/shop.synonyms.json")),
];

/// The answer of the example, byte for byte.
pub(crate) const ANSWER: &str = FILES[1].1;

/// The examples in a folder of their own.
pub(crate) fn example() -> Project {
    let p = Project::bare();
    for (name, text) in FILES {
        p.write(name, text);
    }
    p
}

/// A folder with one contract, `c.yaml`: a schema in one line of YAML, and what else it says.
pub(crate) fn contract(schema: &str, rest: &str) -> Project {
    let p = Project::bare();
    p.write("c.yaml", format!("contract: test\nschema: {schema}\n{rest}\n"));
    p
}

/// An order that needs no fixing.
pub(crate) fn order() -> Value {
    serde_json::from_str(FILES[3].1.lines().next().unwrap()).unwrap()
}

/// The same with some keys of their own.
pub(crate) fn order_with(keys: Value) -> Value {
    let mut order = order();
    for (key, value) in keys.as_object().unwrap() {
        order[key] = value.clone();
    }
    order
}

/// Runs a command with a text on its standard input.
pub(crate) fn fed(p: &Project, args: &[&str], input: impl AsRef<[u8]>) -> Ran {
    let mut child = p.command(args).stdin(Stdio::piped()).spawn().unwrap();
    // A command that refuses before it reads closes its end.
    let _ = child.stdin.take().unwrap().write_all(input.as_ref());
    let out = child.wait_with_output().unwrap();
    Ran {
        code: out.status.code().unwrap_or(-1),
        stdout: String::from_utf8_lossy(&out.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&out.stderr).into_owned(),
    }
}

/// The output of a climb: the payload and the record.
#[track_caller]
pub(crate) fn printed(out: &Ran) -> (Value, Value) {
    let document: Value = serde_json::from_str(&out.stdout).unwrap_or_else(|e| panic!("{e}: {}", out.stderr));
    (document["payload"].clone(), document["report"].clone())
}

/// Sends a text up the ladder of `c.yaml`.
#[track_caller]
pub(crate) fn climb(p: &Project, text: &str) -> (Ran, Value, Value) {
    climb_with(p, &["--contract", "c.yaml"], text)
}

/// Sends an order up the ladder of the example.
#[track_caller]
pub(crate) fn climb_order(p: &Project, options: &[&str], order: &Value) -> (Ran, Value, Value) {
    climb_with(p, &[&["--contract", "order.contract.yaml"], options].concat(), &order.to_string())
}

#[track_caller]
fn climb_with(p: &Project, options: &[&str], text: &str) -> (Ran, Value, Value) {
    let out = fed(p, &[&["ladder", "climb"], options, &["-"]].concat(), text);
    assert!(!out.stderr.contains("panicked"), "{}", out.stderr);
    let (payload, report) = printed(&out);
    assert_eq!(out.code, i32::from(report["outcome"] == "rejected"), "{}", out.stderr);
    (out, payload, report)
}

/// Changes as `rung rule`, in order.
pub(crate) fn changes(report: &Value) -> Vec<String> {
    told(&report["changes"], |change| format!("{} {}", text(&change["rung"]), text(&change["rule"])))
}

/// Findings as `rung code pointer`, in order; those that refuse end in `!`.
pub(crate) fn findings(report: &Value) -> Vec<String> {
    told(&report["findings"], |finding| {
        let end = if finding["blocks"] == true { "!" } else { "" };
        format!("{} {} {}{end}", text(&finding["rung"]), text(&finding["code"]), text(&finding["pointer"]))
    })
}

/// The outcome of each proposal.
pub(crate) fn verdicts(report: &Value) -> Vec<String> {
    told(&report["proposals"], |record| text(&record["verdict"]))
}

/// The state of each rung, in order.
pub(crate) fn rungs(report: &Value) -> Vec<String> {
    told(&report["rungs"], |rung| format!("{} {}", text(&rung["rung"]), text(&rung["status"])))
}

fn told(list: &Value, tell: impl Fn(&Value) -> String) -> Vec<String> {
    list.as_array().unwrap_or(&Vec::new()).iter().map(tell).collect()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

/// `deed ladder …` must be refused before it writes anything, in every form.
#[track_caller]
pub(crate) fn turned_down(p: &Project, args: &[&str], exit: i32, code: &str, says: &str) -> Ran {
    let args = [&["ladder"], args].concat();
    let out = p.refuses(&args, exit, code, says);
    assert_eq!(out.stdout, "", "{}", args.join(" "));
    let document = p.json(&args);
    assert_eq!((&document["ok"], &document["data"]), (&json!(false), &Value::Null));
    let codes = told(&document["diagnostics"], |diagnostic| text(&diagnostic["code"]));
    assert!(codes.iter().any(|known| known == code), "{codes:?}");
    out
}
