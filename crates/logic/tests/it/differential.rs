//! Compat mode against json-logic-js itself, value by value, over distinct random cases.

use std::collections::HashSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::common::Random;
use deed_logic::{EvalErrorKind, Mode, Program};
use serde_json::{Value, json};

const DISTINCT: usize = 80_000;

#[test]
fn compat_agrees_with_json_logic_js() {
    let Some(package) = package() else { return };
    let cases = cases();
    assert!(cases.len() >= 60_000, "only {} distinct cases", cases.len());
    let answers = json_logic_js(&package, &cases);
    assert_eq!(answers.len(), cases.len());

    let mut tally = Tally::default();
    for (case, answer) in cases.iter().zip(&answers) {
        compare(case, answer, &mut tally);
    }
    println!(
        "{} distinct cases: {} values alike, {} errors alike, {} refused as data run for a rule",
        cases.len(),
        tally.values,
        tally.errors,
        tally.refused
    );
    assert!(tally.different.is_empty(), "{}", tally.different.join("\n"));
    // A generator that mostly errs or mostly refuses would prove nothing.
    assert!(tally.values > cases.len() / 2);
    assert!(tally.refused < cases.len() / 100);
}

#[derive(Default)]
struct Tally {
    values: usize,
    errors: usize,
    refused: usize,
    different: Vec<String>,
}

fn compare(case: &Value, answer: &Value, tally: &mut Tally) {
    let program = Program::compile(&case["rule"], Mode::Compat).expect("a valid rule");
    match (program.eval(&case["data"]), answer.get("value")) {
        (Ok(got), Some(expected)) if same(&got, expected) => tally.values += 1,
        (Err(_), None) => tally.errors += 1,
        // The one deliberate difference: json-logic-js runs data given to `missing` as a rule.
        (Err(error), Some(_)) if error.kind == EvalErrorKind::DataAsLogic => tally.refused += 1,
        (got, _) => {
            if tally.different.len() < 40 {
                tally.different.push(format!("{case}\n  js {answer}\n  us {got:?}"));
            }
        }
    }
}

/// Equality with numbers compared as doubles.
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a.as_f64() == b.as_f64(),
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(k, a)| b.get(k).is_some_and(|b| same(a, b)))
        }
        (a, b) => a == b,
    }
}

fn cases() -> Vec<Value> {
    let mut random = Random::new(2026);
    let mut seen = HashSet::new();
    let mut cases: Vec<Value> = crate::common::matrix();
    cases.retain(|case| seen.insert(case.to_string()));
    while cases.len() < DISTINCT {
        let depth = 1 + random.below(4);
        let case = json!({
            "rule": crate::common::rule(&mut random, depth),
            "data": crate::common::data(&mut random),
        });
        if seen.insert(case.to_string()) {
            cases.push(case);
        }
    }
    cases
}

/// The folder of json-logic-js, or a message that says how to install it.
fn package() -> Option<PathBuf> {
    let modules = std::env::var_os("DEED_NODE_MODULES")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/node/node_modules"), PathBuf::from);
    let package = modules.join("json-logic-js");
    let node = Command::new("node").arg("--version").stdout(Stdio::null()).status();
    if !node.is_ok_and(|status| status.success()) {
        eprintln!("skipped: no node on the path");
        return None;
    }
    if !package.is_dir() {
        eprintln!(
            "skipped: no json-logic-js at {}; run scripts/bootstrap.sh, which runs `npm install \
             --prefix target/node json-logic-js@2`",
            package.display()
        );
        return None;
    }
    package.canonicalize().ok()
}

fn json_logic_js(package: &Path, cases: &[Value]) -> Vec<Value> {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/json_logic_js.cjs");
    let mut node = Command::new("node")
        .arg(script)
        .arg(package)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("node starts");
    let mut input = String::new();
    for case in cases {
        input.push_str(&case.to_string());
        input.push('\n');
    }
    // The runner answers only once its input has ended, so writing first cannot block.
    node.stdin.take().expect("a pipe").write_all(input.as_bytes()).expect("node reads");
    let output = node.wait_with_output().expect("node ends");
    assert!(output.status.success());
    String::from_utf8(output.stdout)
        .expect("text")
        .lines()
        .map(|line| serde_json::from_str(line).expect("a line of JSON"))
        .collect()
}
