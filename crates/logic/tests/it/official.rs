//! The 277 official cases, in compat mode.
//!
//! The corpus is not part of the repository: `DEED_CORPUS` names its folder, else it is looked for
//! beside the repository.

use deed_logic::{Mode, Program};
use serde_json::Value;

#[test]
fn all_official_cases_pass() {
    let Some(file) = deed_testkit::corpus("jsonlogic/official/tests.json") else { return };
    let text = std::fs::read_to_string(&file).unwrap();
    let entries: Vec<Value> = serde_json::from_str(&text).unwrap();
    let cases: Vec<&Vec<Value>> = entries.iter().filter_map(Value::as_array).collect();
    let mut failures = Vec::new();
    for case in &cases {
        let [rule, data, expected] = case.as_slice() else { panic!("odd case: {case:?}") };
        let got = Program::compile(rule, Mode::Compat)
            .map_err(|errors| errors[0].to_string())
            .and_then(|program| program.eval(data).map_err(|error| error.to_string()));
        if got.as_ref() != Ok(expected) {
            failures.push(format!("{rule} on {data}: expected {expected}, got {got:?}"));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert_eq!(cases.len(), 277);
    println!("{} of {} official cases pass", cases.len() - failures.len(), cases.len());
}
