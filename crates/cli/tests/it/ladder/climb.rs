//! The worked example: what a model wrote becomes an order, and everything that was done to it is on record.

use super::example::{
    ANSWER, changes, climb, climb_order, contract, example, fed, findings, order, order_with, printed, rungs,
};
use serde_json::{Map, Value, json};

const CLIMB: [&str; 4] = ["ladder", "climb", "--contract", "order.contract.yaml"];

#[test]
fn the_answer_becomes_an_order() {
    let p = example();
    let out = p.ok(&[&CLIMB[..], &["--proposals", "proposals.json", "answer.txt"]].concat());
    let (payload, report) = printed(&out);
    assert_eq!(
        payload,
        json!({
            "order_id": "SO-004711",
            "customer": { "name": "Ada Lovelace", "email": "ada@example.shop" },
            "ordered_on": "2026-03-14",
            "ship_by": "2026-03-20",
            "currency": "EUR",
            "status": "paid",
            "priority": "normal",
            "carrier": "post",
            "gift": true,
            "parcel": { "weight": 1250, "unit": "g" },
            "lines": [
                { "sku": "TEA-001", "title": "Green tea", "quantity": 2, "price_cents": 650 },
                { "sku": "CUP-010", "quantity": 1, "price_cents": 1200 }
            ],
            "total_cents": 2500
        })
    );
    assert_eq!(
        changes(&report),
        [
            "L0 code_fence+prose_after+prose_before+single_quotes+trailing_comma",
            "L0b client→customer",
            "L0b qty→quantity",
            "L0b qty→quantity",
            "L0c read_scalar",
            "L0c read_scalar",
            "L0c parse_text",
            "L0d schema:/priority",
            "L0e customer_name",
            "L0e grams",
            "L0e grams",
            "L0e us_dates",
            "L1 grand_total_cents→total_cents (names-1)",
            "L1 label→title (names-1)",
            "L2 enum_case",
            "L2 status-spelling",
            "L0d /carrier",
            "L4 allowed_keys",
        ]
    );
    assert_eq!(
        rungs(&report),
        [
            "L3 passed",
            "L0 changed",
            "L0b changed",
            "L0c changed",
            "L0d changed",
            "L0e changed",
            "L1 changed",
            "L2 changed",
            "L4 changed",
            "L5 passed",
            "L6 passed",
            "L3 passed",
        ]
    );
    assert_eq!(report["budget"], json!({ "most_changes": 24, "changes": 22, "exceeded": false }));
    assert!(out.stderr.contains("\naccepted\n") && out.stderr.contains("status-spelling at /status"), "{}", out.stderr);
}

/// Without the proposal one thing is left, and it is said with its way out.
#[test]
fn without_the_proposal_it_is_rejected() {
    let p = example();
    let args = [&CLIMB[..], &["answer.txt"]].concat();
    let out = p.refuses(&args, 1, "D1733", "`status` may not be `payed`");
    assert!(out.stderr.contains("it is one of `open`, `paid`, `shipped`") && out.stderr.contains("at /status"));
    let (payload, report) = printed(&out);
    assert_eq!((&payload["status"], &report["outcome"]), (&json!("payed"), &json!("rejected")));
}

/// A payload that is right leaves as it came, and nothing is said.
#[test]
fn a_sound_payload_is_left_alone() {
    let p = example();
    let (out, payload, report) = climb_order(&p, &[], &order());
    assert_eq!((payload, out.stderr.as_str()), (order(), "accepted\n"));
    assert_eq!((changes(&report), findings(&report)), (vec![], vec![]));
    assert_eq!(report["input_hash"], report["output_hash"]);
}

#[test]
fn json_holds_the_same() {
    let p = example();
    let args = [&CLIMB[..], &["answer.txt"]].concat();
    let (payload, report) = printed(&p.run(&args));
    let document = p.json(&args);
    assert_eq!((&document["ok"], &document["data"]), (&json!(false), &json!({ "payload": payload, "report": report })));
    let codes: Vec<_> = document["diagnostics"].as_array().unwrap().iter().map(|d| d["code"].clone()).collect();
    assert_eq!(codes, ["D1714", "D1733"]);
    assert_eq!(document["diagnostics"][1]["stage"], "L4");
    let good = p.json(&[&CLIMB[..], &["--proposals", "proposals.json", "answer.txt"]].concat());
    assert_eq!((&good["ok"], &good["data"]["report"]["outcome"]), (&json!(true), &json!("accepted")));
}

#[test]
fn the_report_is_of_its_schema() {
    let p = example();
    let report = p.json(&[&CLIMB[..], &["answer.txt"]].concat())["data"]["report"].clone();
    let read: deed_model::LadderReport = serde_json::from_value(report.clone()).unwrap();
    assert_eq!(serde_json::to_value(read).unwrap(), report);
    assert_eq!(report["version"], "deed/ladder-report/v1");
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    let p = example();
    let args = [&CLIMB[..], &["--proposals", "proposals.json", "answer.txt"]].concat();
    assert_eq!(p.ok(&args).stdout, p.ok(&args).stdout);
}

#[test]
fn standard_input() {
    let p = example();
    let from_file = p.run(&[&CLIMB[..], &["answer.txt"]].concat());
    let out = fed(&p, &[&CLIMB[..], &["-"]].concat(), ANSWER);
    assert_eq!((out.code, &out.stdout), (1, &from_file.stdout));
    assert!(out.stderr.contains("<stdin>"), "{}", out.stderr);
}

/// A finding in strict JSON is underlined there; all findings are reported at once.
#[test]
fn findings_are_underlined() {
    let p = example();
    p.write("wrong.json", "{\n  \"order_id\": \"4711\",\n  \"currency\": \"CHF\"\n}\n");
    let out = p.refuses(&[&CLIMB[..], &["wrong.json"]].concat(), 1, "D1735", "--> wrong.json:2:15");
    assert!(out.stderr.contains("2 |   \"order_id\": \"4711\",\n  |               ^^^^^^"), "{}", out.stderr);
    let lines = p.run(&[&CLIMB[..], &["wrong.json", "--lines"]].concat()).stderr;
    assert!(lines.contains("wrong.json:3:15: error[D1733] `currency` may not be `CHF`"), "{lines}");
    assert_eq!(lines.matches("error[D1730]").count(), 6, "{lines}");
}

/// Notation may vary in every way that leaves one reading.
#[test]
fn slips_that_leave_one_reading() {
    let p = example();
    let json = order().to_string();
    for (text, kind) in [
        (format!("```\n{json}\n```"), "code_fence"),
        (format!("\u{feff}{json}"), "byte_order_mark"),
        (format!("<think>Which one?</think>{json}"), "reasoning"),
        (format!("{json}{json}"), "doubled_value"),
        (json.replace("\"carrier\"", "carrier"), "unquoted_key"),
        (json.replace("{\"carrier\"", "{ // of the shop\n\"carrier\""), "comment"),
    ] {
        let out = fed(&p, &[&CLIMB[..], &["-"]].concat(), &text);
        let (payload, report) = printed(&out);
        assert_eq!((out.code, payload), (0, order()), "{text}\n{}", out.stderr);
        assert_eq!(changes(&report), [format!("L0 {kind}")], "{text}");
    }
}

/// Text that ends early is closed and refused; a number that the end may have cut is not taken for whole.
#[test]
fn text_that_was_cut_off() {
    let p = example();
    let json = order().to_string();
    let cut = json.strip_suffix('}').unwrap();
    let (payload, report) = printed(&fed(&p, &[&CLIMB[..], &["-"]].concat(), cut));
    assert_eq!(payload.get("total_cents"), None);
    assert_eq!(findings(&report), ["L0 D1706 !", "L0 D1780 !"]);
    let said = report["findings"][0]["message"].as_str().unwrap();
    assert!(said.starts_with("the text was cut off at byte ") && said.contains("closed there with `}`"), "{said}");
    assert!(said.ends_with("the member or item that it broke off in is left out"), "{said}");
    assert_eq!(report["changes"][0]["confidence"], 600);
}

#[test]
fn structure_is_put_right() {
    let p = example();
    let one = json!({ "sku": "CUP-010", "quantity": 1, "price_cents": 1200 });
    for (payload, expected) in [
        (json!({ "order": order() }), vec!["L0c unwrap"]),
        (order_with(json!({ "lines": one, "total_cents": 1200 })), vec!["L0c wrap_item"]),
        (order_with(json!({ "lines": order()["lines"].to_string() })), vec!["L0c parse_text"]),
        (order_with(json!({ "total_cents": "1300", "gift": "true" })), vec!["L0c read_scalar", "L0c read_scalar"]),
    ] {
        let (out, _, report) = climb_order(&p, &[], &payload);
        assert_eq!((out.code, changes(&report)), (0, expected.into_iter().map(str::to_owned).collect()), "{payload}");
    }
    // Only the wrappers that the contract lists are needless.
    let (_, _, report) = climb_order(&p, &[], &json!({ "parcel": order() }));
    assert_eq!(report["outcome"], "rejected");
}

#[test]
fn the_unit_beside_a_number_says_whether_it_is_scaled() {
    let p = example();
    for (weight, unit, expected) in [(1.25, "kg", 1250.0), (1250.0, "g", 1250.0)] {
        let (_, payload, _) =
            climb_order(&p, &[], &order_with(json!({ "parcel": { "weight": weight, "unit": unit } })));
        assert_eq!((payload["parcel"]["weight"].as_f64(), &payload["parcel"]["unit"]), (Some(expected), &json!("g")));
    }
}

#[test]
fn defaults_follow_their_conditions() {
    let p = example();
    for (priority, carrier) in [("express", "courier"), ("normal", "post")] {
        let mut order = order_with(json!({ "priority": priority }));
        order.as_object_mut().unwrap().remove("carrier");
        let (_, payload, _) = climb_order(&p, &[], &order);
        assert_eq!(payload["carrier"], carrier);
    }
}

/// However many there are of one fault, each is put right.
#[test]
fn five_thousand_numbers_as_text() {
    let p = contract("{ properties: { n: { type: array, items: { type: integer } } } }", "");
    let (out, payload, _) = climb(&p, &json!({ "n": vec!["1"; 5_000] }).to_string());
    assert_eq!((out.code, payload), (0, json!({ "n": vec![1; 5_000] })), "{:.500}", out.stderr);
}

/// Keys that begin alike are mended like any others.
#[test]
fn keys_that_begin_alike() {
    let keys = ["a", "ab", "abc", "abcd", "abcde", "abcdef"];
    let p = contract("{ patternProperties: { '^a': { type: integer } } }", "");
    let payload: Value = keys.iter().map(|key| ((*key).to_owned(), json!("1"))).collect::<Map<_, _>>().into();
    let (out, ..) = climb(&p, &payload.to_string());
    assert_eq!(out.code, 0, "{}", out.stderr);
}

/// An object around what was asked for is needless even if something within is to be mended.
#[test]
fn a_wrapper_around_what_needs_mending() {
    let p = example();
    let (out, payload, _) = climb_order(&p, &[], &json!({ "order": order_with(json!({ "total_cents": "1300" })) }));
    assert_eq!((out.code, payload), (0, order()), "{}", out.stderr);
}
