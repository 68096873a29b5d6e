//! Laws of answers: what is whole and agrees with itself is read as it was meant, and every single fault is found.

use crate::evaluation;
use deed_desk::Verdict;
use proptest::prelude::*;
use serde_json::{Value, json};

const NAMES: [&str; 5] = ["no invented facts", "no omitted evidence", "cites", "dated", "plain"];
const VERDICTS: [&str; 3] = ["pass", "uncertain", "fail"];

/// The verdict of an item, computed from words.
fn strictest(verdicts: &[usize]) -> &'static str {
    match (verdicts.contains(&2), verdicts.contains(&1)) {
        (true, _) => "fail",
        (false, true) => "uncertain",
        (false, false) => "pass",
    }
}

fn answer(verdicts: &[usize], order: usize) -> Value {
    let mut criteria: Vec<Value> = verdicts
        .iter()
        .zip(NAMES)
        .map(|(verdict, name)| {
            json!({
                "criterion": name, "verdict": VERDICTS[*verdict], "reason": format!("because of {name}"),
                "evidence": [{ "path": "text", "quote": "It rains." }],
            })
        })
        .collect();
    let turn = order % verdicts.len();
    criteria.rotate_left(turn);
    json!({ "item_id": "item", "verdict": strictest(verdicts), "criteria": criteria })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_whole_answer_is_read_and_every_single_fault_is_found(
        verdicts in prop::collection::vec(0_usize..3, 1..=5), order in 0_usize..5, at in 0_usize..5, fault in 0_usize..8,
    ) {
        let (source, derived) = (json!("It rains."), json!({ "rain": true }));
        let criteria = NAMES.iter().take(verdicts.len()).map(|name| (*name, "")).collect();
        let evaluation = evaluation(&source, &derived, criteria);
        let form = evaluation.form().unwrap();
        let whole = answer(&verdicts, order);
        let read = evaluation.read(&form, &whole.to_string()).unwrap();
        prop_assert_eq!(read.verdict.as_str(), strictest(&verdicts));
        let ids: Vec<&str> = read.criteria.iter().map(|criterion| criterion.id.as_str()).collect();
        prop_assert_eq!(ids, &NAMES[..verdicts.len()]);
        for (criterion, verdict) in read.criteria.iter().zip(&verdicts) {
            prop_assert_eq!(criterion.verdict.as_str(), VERDICTS[*verdict]);
            prop_assert_eq!(&criterion.reason, &format!("because of {}", criterion.id));
        }
        let fenced = format!("Here it is:\n```json\n{whole}\n```\n");
        prop_assert_eq!(evaluation.read(&form, &fenced), Ok(read));

        let at = at % verdicts.len();
        let mut broken = whole.clone();
        let list = broken["criteria"].as_array_mut().unwrap();
        match fault {
            0 => drop(list.remove(at)),
            1 => list.push(list[at].clone()),
            2 => list[at]["criterion"] = json!("another one"),
            3 => list[at]["evidence"][0]["path"] = json!("elsewhere"),
            4 => broken["item_id"] = json!("another item"),
            5 => list[at]["evidence"][0]["quote"] = json!("It snows."),
            // Whatever does not pass needs no evidence.
            6 if list[at]["verdict"] == "pass" => list[at]["evidence"] = json!([]),
            _ => {
                let other = VERDICTS.iter().find(|own| **own != strictest(&verdicts)).unwrap();
                broken["verdict"] = json!(other);
            }
        }
        prop_assert!(evaluation.read(&form, &broken.to_string()).is_err(), "{}", broken);
    }

    #[test]
    fn no_text_panics(text in "\\PC{0,200}") {
        let (source, derived) = (json!("It rains."), json!({}));
        let evaluation = evaluation(&source, &derived, vec![("cites", "")]);
        let _ = evaluation.read(&evaluation.form().unwrap(), &text);
    }
}

#[test]
fn a_quote_is_compared_by_its_words() {
    let (source, derived) = (json!({ "notes": ["It  rains\nin Spain."] }), json!({}));
    let evaluation = evaluation(&source, &derived, vec![("cites", "")]);
    let form = evaluation.form().unwrap();
    let read = |quote: &str| {
        let evidence = json!([{ "path": "text", "quote": quote }]);
        let criteria = json!([{ "criterion": "cites", "verdict": "pass", "reason": "r", "evidence": evidence }]);
        evaluation.read(&form, &json!({ "item_id": "item", "verdict": "pass", "criteria": criteria }).to_string())
    };
    assert!(read("it rains in spain").is_ok());
    // What the pack redacted is not what the evidence has.
    assert!(read("It snows in [redacted].").is_err() && read("It rains [redacted] Spain").is_ok());
    let fault = read("It snows in Spain").unwrap_err().to_string();
    assert_eq!(fault, "the criterion `cites` quotes `it snows in spain`, which is not in `text`");
}

#[test]
fn the_strictest_verdict_is_the_largest() {
    assert!(Verdict::Pass < Verdict::Uncertain && Verdict::Uncertain < Verdict::Fail);
}
