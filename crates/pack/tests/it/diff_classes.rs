//! Diff: the table of classes, edit by edit, and the version number that goes with it.

use crate::fixtures::edits;

use deed_diag::{Diagnostic, Severity, codes, explain};
use deed_pack::{Bundle, ChangeClass, ChangeKind, DeclaredBump, Diff, diff};
use edits::{EDITS, bundle, pack};
use serde_json::{Value, json};

fn run(before: &Value, after: &Value) -> Diff {
    diff(&bundle("before.json", before), &bundle("after.json", after), &[]).unwrap()
}

fn versioned(version: &str, edit: impl Fn(&mut Value)) -> Value {
    let mut pack = pack();
    edit(&mut pack);
    pack["pack_meta"]["pack_version"] = json!(version);
    pack
}

#[test]
fn every_edit_has_the_class_of_the_table() {
    for (name, class, edit) in EDITS {
        let found = run(&pack(), &versioned("9.0.0", edit));
        assert_eq!(found.required, Some(*class), "{name}: {:#?}", found.changes);
        let codes: Vec<_> = found.diagnostics.iter().map(|d| d.code.as_str()).collect();
        assert!(codes.is_empty(), "{name}: {codes:?}");
        for change in &found.changes {
            assert!(!change.why.is_empty() && !change.subject.is_empty(), "{change:?}");
            let side = if change.what == ChangeKind::Removed { pack() } else { versioned("9.0.0", edit) };
            let there = change.after.as_ref().or(change.before.as_ref());
            assert_eq!(side.pointer(&change.pointer), there, "{name}: {change:?}");
        }
    }
}

/// The one change of an edit, as layer, subject, what and class.
#[track_caller]
fn tells(edit: impl Fn(&mut Value), expected: &str) {
    let found = run(&pack(), &versioned("9.0.0", edit));
    let lines: Vec<String> = found
        .changes
        .iter()
        .map(|c| format!("{} | {} {} | {} | {}", c.layer, c.subject, c.what.as_str(), c.class, c.pointer))
        .collect();
    assert_eq!(lines, [expected]);
}

#[test]
fn a_change_names_its_subject_and_place() {
    tells(
        |p| drop(p["policy_layer"]["policy_bundles"][0]["policy_dsl"]["rules"].as_array_mut().unwrap().remove(4)),
        "policy_layer | rule R_CAP removed | major | /policy_layer/policy_bundles/0/policy_dsl/rules/4",
    );
    tells(
        |p| p["tooling_layer"]["adapter_registry"][1]["capabilities"].as_array_mut().unwrap().push(json!("void")),
        "tooling_layer | capability adp_pay.void added | major | /tooling_layer/adapter_registry/1/capabilities/2",
    );
    tells(
        |p| p["tooling_layer"]["adapter_registry"].as_array_mut().unwrap().reverse(),
        "tooling_layer | order of each adapter changed | patch | /tooling_layer/adapter_registry",
    );
    tells(
        |p| p["policy_layer"]["approval_gates"][0]["when"][">"][1] = json!(100),
        "policy_layer | gate GATE_FINANCE changed | minor | /policy_layer/approval_gates/0/when",
    );
    tells(
        |p| p["business_context"]["summary"]["what_we_do"] = json!("Something else"),
        "business_context | business_context.summary changed | major | /business_context/summary",
    );
}

#[test]
fn an_item_that_moved_is_still_compared() {
    let found = run(
        &pack(),
        &versioned("2.0.0", |p| {
            let gates = p["policy_layer"]["approval_gates"].as_array_mut().unwrap();
            gates.reverse();
            gates[2]["ttl_seconds"] = json!(60);
        }),
    );
    let pointers: Vec<_> = found.changes.iter().map(|c| (c.pointer.as_str(), c.class)).collect();
    let expected = [
        ("/policy_layer/approval_gates/2/ttl_seconds", ChangeClass::Minor),
        ("/policy_layer/approval_gates", ChangeClass::Patch),
    ];
    assert_eq!(pointers, expected);
}

#[test]
fn other_spellings_of_the_same_are_at_most_a_patch() {
    let numbers = versioned("1.2.3", |p| p["policy_layer"]["approval_gates"][0]["ttl_seconds"] = json!(7200.0));
    assert_eq!(run(&pack(), &numbers).required, None);
    let objects =
        versioned("1.2.4", |p| p["tooling_layer"]["adapter_registry"][0]["capabilities"] = json!([{"id": "lookup"}]));
    assert_eq!(run(&pack(), &objects).required, Some(ChangeClass::Patch));
    let empty = versioned("1.2.4", |p| p["pack_meta"]["overlays"] = json!([]));
    assert_eq!(run(&pack(), &empty).required, Some(ChangeClass::Patch));
}

/// The codes of a bump from 1.2.3 with an edit of a class.
#[track_caller]
fn bump(class: Option<ChangeClass>, version: &str, declared: DeclaredBump, expected: &[&str]) {
    let edit = |p: &mut Value| {
        if let Some(class) = class {
            EDITS.iter().find(|(_, c, _)| *c == class).unwrap().2(p);
        }
    };
    let found = run(&pack(), &versioned(version, edit));
    assert_eq!(found.declared, declared);
    assert_eq!(found.required, class);
    let codes: Vec<_> = found.diagnostics.iter().map(|d| d.code.as_str()).collect();
    assert_eq!(codes, expected, "{class:?} {version}");
    for d in &found.diagnostics {
        assert!(explain(d.code.as_str()).is_some(), "{} has no page", d.code);
        assert!(d.place.as_ref().is_some_and(|p| p.span.is_some()), "{d:?}");
    }
}

#[test]
fn the_version_number_says_at_least_what_changed() {
    use ChangeClass::{Major, Minor, Patch};
    bump(None, "1.2.3", DeclaredBump::None, &[]);
    bump(None, "1.3.0", DeclaredBump::Minor, &["D1106"]);
    bump(None, "1.2.2", DeclaredBump::Backwards, &["D1103"]);
    bump(Some(Patch), "1.2.3", DeclaredBump::None, &["D1102"]);
    bump(Some(Patch), "1.2.4", DeclaredBump::Patch, &[]);
    bump(Some(Patch), "2.0.0", DeclaredBump::Major, &[]);
    bump(Some(Minor), "1.2.4", DeclaredBump::Patch, &["D1104"]);
    bump(Some(Minor), "1.3.0", DeclaredBump::Minor, &[]);
    bump(Some(Major), "1.2.9", DeclaredBump::Patch, &["D1104"]);
    bump(Some(Major), "1.9.0", DeclaredBump::Minor, &["D1104"]);
    bump(Some(Major), "2.0.0", DeclaredBump::Major, &[]);
    bump(Some(Major), "1.1.9", DeclaredBump::Backwards, &["D1103"]);
    bump(Some(Major), "0.9.9", DeclaredBump::Backwards, &["D1103"]);
}

#[test]
fn a_small_bump_names_the_change_that_decides() {
    let after = versioned("1.2.4", |p| {
        p["contract_meta"]["owner"] = json!("others");
        p["policy_layer"]["policy_bundles"][0]["policy_dsl"]["rules"].as_array_mut().unwrap().remove(4);
    });
    let found = run(&pack(), &after);
    let [d] = found.diagnostics.as_slice() else { panic!("{:?}", found.diagnostics) };
    assert_eq!(
        d.message,
        "`1.2.4` is a patch version, but the changes need a major one: rule R_CAP removed, which is major"
    );
    assert_eq!(d.help.as_deref(), Some("write `pack_version: 2.0.0`, or take the change back"));
    assert_eq!(d.place.as_ref().unwrap().pointer.as_deref(), Some("/pack_meta/pack_version"));
    let related = &d.related[0];
    assert_eq!(related.place.source, "before.json");
    assert_eq!(related.place.pointer.as_deref(), Some("/policy_layer/policy_bundles/0/policy_dsl/rules/4"));
}

#[test]
fn another_pack_is_not_another_version() {
    let found = run(&pack(), &versioned("2.0.0", |p| p["pack_meta"]["pack_id"] = json!("ctxpack.other")));
    let codes: Vec<_> = found.diagnostics.iter().map(|d| d.code.as_str()).collect();
    assert_eq!(codes, ["D1101"]);
}

#[test]
fn what_the_gates_refuse_is_rejected_under_any_number() {
    let after = bundle("after.json", &versioned("2.0.0", |p| p["contract_meta"]["owner"] = json!("others")));
    let place = after.document.place("/tooling_layer/permissions/0/adapter_id");
    let refused = Diagnostic::error(codes::UNKNOWN_DECISION, "the permission names no adapter").at(place.clone());
    let warned = Diagnostic::warning(codes::UNKNOWN_GATE, "only a warning").at(place);
    let found = diff(&bundle("before.json", &pack()), &after, &[refused, warned]).unwrap();
    assert_eq!(found.required, Some(ChangeClass::Reject));
    assert_eq!(found.changes.iter().filter(|c| c.class == ChangeClass::Reject).count(), 1);
    let codes: Vec<_> = found.diagnostics.iter().map(|d| (d.code.as_str(), d.severity)).collect();
    assert_eq!(codes, [("D1105", Severity::Error)]);
    assert!(explain("D1105").is_some());
}

#[test]
fn a_document_that_is_no_pack_cannot_be_compared() {
    for broken in [json!({}), versioned("1.2", |_| {})] {
        let report = diff(&bundle("before.json", &pack()), &bundle("after.json", &broken), &[]).unwrap_err();
        let codes: Vec<_> = report.diagnostics().iter().map(|d| d.code.as_str()).collect();
        assert_eq!(codes, ["D1107"]);
    }
    assert!(explain("D1107").is_some());
}

fn with_overlay(name: &str, pack: &Value, changes: Value) -> Bundle {
    let mut bundle = bundle(name, pack);
    let version = &pack["pack_meta"]["pack_version"].as_str().unwrap();
    let overlay = json!({
        "overlay_ref": format!("ctxpack.claims.prod@{version}"),
        "base": format!("ctxpack.claims@{version}"),
        "changes": changes,
    });
    let document =
        deed_diag::Document::read("overlays/prod.json", overlay.to_string().as_bytes(), deed_diag::Format::Json);
    bundle.overlays.insert("prod".to_owned(), document.unwrap());
    bundle
}

#[test]
fn overlays_are_compared_too() {
    let declare = |version: &str| {
        versioned(version, |p| p["pack_meta"]["overlays"] = json!([format!("ctxpack.claims.prod@{version}")]))
    };
    let change = |value: u64, why: &str| json!([{ "kind": "policy_threshold", "gate_id": "GATE_RISK", "pointer": "/ttl_seconds", "value": value, "rationale": why }]);
    let before = with_overlay("before.json", &declare("1.2.3"), change(60, "a"));
    let class = |after: Bundle| diff(&before, &after, &[]).unwrap().required;
    assert_eq!(class(with_overlay("after.json", &declare("1.2.4"), change(60, "b"))), Some(ChangeClass::Patch));
    assert_eq!(class(with_overlay("after.json", &declare("2.0.0"), change(30, "a"))), Some(ChangeClass::Major));
    assert_eq!(class(bundle("after.json", &versioned("2.0.0", |_| {}))), Some(ChangeClass::Major));
}

fn with_cases(name: &str, version: &str, cases: &[(&str, Value)]) -> Bundle {
    let mut bundle = bundle(name, &versioned(version, |_| {}));
    bundle.golden = cases
        .iter()
        .map(|(case, value)| {
            let text = value.to_string();
            let file = format!("{name}/golden/{case}.json");
            deed_diag::Document::read(&file, text.as_bytes(), deed_diag::Format::Json).unwrap()
        })
        .collect();
    bundle
}

/// A golden case of a version, with a hash that follows it.
fn case(version: &str, amount: u64, expect: Value) -> Value {
    let mut expect = expect;
    expect["compiled_context_hash"] = json!(format!("sha256:{version}"));
    json!({
        "description": "a claim",
        "request": { "context_pack_refs": [format!("ctxpack.claims@{version}")], "amount": amount },
        "run": {},
        "expect": expect,
    })
}

#[test]
fn golden_cases_are_compared_too() {
    let denied = || json!({ "outcome": "must_refuse", "verdicts": { "R_CAP": "deny" } });
    let before = with_cases("before", "1.2.3", &[("01_deny", case("1.2.3", 9, denied()))]);
    let found = |version: &str, cases: &[(&str, Value)]| {
        let found = diff(&before, &with_cases("after", version, cases), &[]).unwrap();
        let subjects: Vec<String> = found.changes.iter().map(|c| c.subject.clone()).collect();
        (found.required, subjects)
    };
    let one = || vec!["golden case 01_deny".to_owned()];
    // What follows the version is not a change.
    assert_eq!(found("1.2.4", &[("01_deny", case("1.2.4", 9, denied()))]), (None, Vec::new()));
    assert_eq!(found("2.0.0", &[]), (Some(ChangeClass::Major), one()));
    assert_eq!(found("2.0.0", &[("02_deny", case("2.0.0", 9, denied()))]).0, Some(ChangeClass::Major), "renamed");
    let weaker = json!({ "outcome": "must_refuse" });
    assert_eq!(found("1.3.0", &[("01_deny", case("1.3.0", 9, weaker))]), (Some(ChangeClass::Minor), one()));
    let other = json!({ "outcome": "compiled", "verdicts": { "R_CAP": "deny" } });
    assert_eq!(found("1.3.0", &[("01_deny", case("1.3.0", 9, other))]).0, Some(ChangeClass::Minor));
    assert_eq!(found("1.3.0", &[("01_deny", case("1.3.0", 8, denied()))]).0, Some(ChangeClass::Minor));
    let mut unhashed = case("1.3.0", 9, denied());
    unhashed["expect"].as_object_mut().unwrap().remove("compiled_context_hash");
    assert_eq!(found("1.3.0", &[("01_deny", unhashed)]).0, Some(ChangeClass::Minor), "the hash is no longer compared");
    let more = json!({ "outcome": "must_refuse", "verdicts": { "R_CAP": "deny" }, "tools": [] });
    assert_eq!(found("1.2.4", &[("01_deny", case("1.2.4", 9, more))]).0, Some(ChangeClass::Patch));
    let both = [("01_deny", case("1.2.4", 9, denied())), ("02_new", case("1.2.4", 9, denied()))];
    assert_eq!(found("1.2.4", &both).0, Some(ChangeClass::Patch));
    // A removal under too small a number is refused, at the case that is gone.
    let refused = diff(&before, &with_cases("after", "1.2.4", &[]), &[]).unwrap();
    assert_eq!(refused.diagnostics.iter().map(|d| d.code.as_str()).collect::<Vec<_>>(), ["D1104"]);
    assert_eq!(refused.diagnostics[0].related[0].place.source, "before/golden/01_deny.json");
}
