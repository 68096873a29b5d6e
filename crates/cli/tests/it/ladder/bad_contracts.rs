//! Contracts that cannot be climbed: everything that is wrong is said at once, where it stands.

use super::example::{contract, turned_down};
use crate::common::Project;

const FAULTS: &str = r#"contract: many
schema: { type: object, properties: { a: { type: strin } } }
guard:
  personal: [e-mail, credit_card]
  forbidden: [{ id: x, pattern: "(" }]
  allow: [{ at: a, class: iban }]
synonyms:
  - { from: [b, a], to: a }
  - { from: [b], to: c }
  - { at: lines, from: [q], to: r }
defaults: { values: [{ at: "", value: 1 }, { at: /x, value: 1, when: { nope: [] } }] }
transforms:
  - { id: s, at: /w, apply: { scale: { factor: "ten" } } }
  - { id: s2, at: /w, apply: { scale: { factor: "10" } } }
  - { id: d, at: /d, apply: { date: { from: [MM/YYYY] } } }
  - { id: e, at: /e, apply: { set: { "+": [{ vra: x }] } } }
vector: { threshold: 2000, vocabulary: [{ at: x, name: y }] }
patch: { allow: [status], deny: [id] }
allowed_keys: [{ at: x, keys: [] }]
domain:
  - { id: r, rule: { "=>": [1, 2] }, message: m, when: { "<>": [] } }
"#;

#[test]
fn all_faults_at_once() {
    let p = Project::bare();
    p.write("c.yaml", FAULTS);
    let out = p.run(&["ladder", "check", "c.yaml", "--lines"]);
    let mut lines: Vec<&str> = out.stderr.lines().collect();
    lines.sort_by_key(|line| line.split(':').nth(1).and_then(|n| n.parse::<u32>().ok()));
    let told = [
        "c.yaml:2:50: error[D1754] the schema is refused (invalid_schema)",
        "c.yaml:4:14: error[D1753] `e-mail` is no class of personal data (help: did you mean `email`?)",
        "c.yaml:5:33: error[D1753] the pattern does not compile",
        "c.yaml:6:27: error[D1753] `iban` is not sought, so it need not be allowed",
        "c.yaml:6:17: error[D1753] `a` is no place (help: a place is a JSON pointer such as `/items/*/price`)",
        "c.yaml:8:5: error[D1753] `a` is a synonym of itself",
        "c.yaml:9:5: error[D1753] `b` means both `a` and `c` (help: a name means one thing at one place)",
        "c.yaml:10:11: error[D1753] `lines` is no place",
        "c.yaml:11:28: error[D1753] a default has the place of a key",
        "c.yaml:11:64: error[D1753] the rule does not compile: unknown operator `nope`",
        "c.yaml:13:22: error[D1753] `ten` is no decimal number",
        "c.yaml:14:23: error[D1753] nothing tells whether the number was scaled before",
        "c.yaml:15:22: error[D1753] `MM/YYYY` is no form of a date",
        "c.yaml:16:44: error[D1753] the rule does not compile: unknown operator `vra`",
        "c.yaml:17:47: error[D1753] `x` is no place",
        "c.yaml:17:22: error[D1753] `threshold` is in thousandths, at most 1000",
        "c.yaml:18:18: error[D1753] `status` is no place",
        "c.yaml:18:34: error[D1753] `id` is no place",
        "c.yaml:19:22: error[D1753] `x` is no place",
        "c.yaml:21:50: error[D1753] the rule does not compile: unknown operator `<>`",
        "c.yaml:21:14: error[D1753] the rule does not compile: unknown operator `=>`",
    ];
    assert_eq!(lines.len(), told.len(), "{}", out.stderr);
    for says in told {
        let code = says.split_once(": error").unwrap();
        let found = lines.iter().any(|line| line.starts_with(says));
        assert!(found, "{} is not told\n{}", code.0, out.stderr);
    }
    assert_eq!((out.code, out.stdout.as_str()), (1, ""));
    // A climb with it says the same and reads no payload.
    let climb = p.run(&["ladder", "climb", "--contract", "c.yaml", "nowhere.json", "--lines"]);
    assert_eq!((climb.code, climb.stderr), (1, out.stderr));
}

#[test]
fn faults_are_underlined() {
    let p = contract("{}", "synonyms:\n  - { at: lines, from: [q], to: r }");
    let out = turned_down(&p, &["check", "c.yaml"], 1, "D1753", "`lines` is no place");
    assert!(out.stderr.contains("4 |   - { at: lines, from: [q], to: r }\n  |           ^^^^^"), "{}", out.stderr);
}

#[test]
fn unknown_keys_and_values() {
    for (rest, code, says) in [
        ("synonims: []", "D0203", "did you mean `synonyms`?"),
        ("guard: { secret: true }", "D0203", "did you mean `secrets`?"),
        ("edit_budget: { most_change: 1 }", "D0203", "did you mean `most_changes`?"),
        ("edit_budget: {}", "D0205", "`most_changes` is missing"),
        ("edit_budget: { most_changes: -1 }", "D0207", "-1"),
        ("modes: { L1: blok }", "D0206", "did you mean `block`?"),
        ("structure: { fixes: [unwarp] }", "D0206", "did you mean `unwrap`?"),
        ("transforms: [{ id: t, at: /a, apply: titel_case }]", "D0206", "did you mean `title_case`?"),
        ("transforms: [{ id: t, at: /a, apply: { scale: { factor: 1000 } } }]", "D02", "apply"),
        ("domain: [{ id: r, rule: true }]", "D0205", "`message` is missing"),
        ("domain: [{ id: r, rule: true, message: m, severity: fatal }]", "D0206", "`fatal`"),
        ("guard: []", "D0204", "must be an object"),
    ] {
        let p = contract("{}", rest);
        let out = p.run(&["ladder", "check", "c.yaml"]);
        let told = out.stderr.contains(&format!("error[{code}")) && out.stderr.contains(says);
        assert!(
            out.code == 1 && told && out.stderr.contains("--> c.yaml:3:"),
            "{rest}: exit {}\n{}",
            out.code,
            out.stderr
        );
    }
}

/// A rung or a phase that is not there is a fault of the contract and not of the program.
#[test]
fn unknown_rungs_and_phases() {
    for (rest, says) in [
        ("modes: { L9: block }", "L9"),
        ("modes: { l1: block }", "l1"),
        ("phases: { step_outptu: { L1: block } }", "step_outptu"),
        ("phases: { step_output: { L9: block } }", "L9"),
        ("edit_budget: { most_changes: 1, by_rung: { L9: 1 } }", "L9"),
    ] {
        let p = contract("{}", rest);
        let out = p.run(&["ladder", "check", "c.yaml"]);
        assert!(out.code == 1 && out.stderr.contains(says), "{rest}: exit {}\n{}", out.code, out.stderr);
        assert!(out.stderr.contains("--> c.yaml:3:"), "{rest}\n{}", out.stderr);
    }
}

#[test]
fn schemas_that_are_refused() {
    for (schema, says) in [
        ("{ $ref: 'https://example.com/a.json' }", "remote_reference"),
        ("{ $ref: '#/$defs/a' }", "missing_reference"),
        ("{ pattern: '(' }", "bad_pattern"),
        ("false", "nothing_is_valid"),
        ("{ $schema: 'http://json-schema.org/draft-03/schema#' }", "unknown_dialect"),
        ("[]", "invalid_schema"),
    ] {
        let p = contract(schema, "");
        turned_down(&p, &["check", "c.yaml"], 1, "D1754", says);
    }
}

#[test]
fn contracts_that_cannot_be_read() {
    let p = Project::bare();
    p.write("empty.yaml", "");
    p.write("list.json", "[]");
    p.write("bytes.yaml", [0xff, 0xfe]);
    p.write("twice.json", r#"{"contract": "a", "schema": {}, "schema": true}"#);
    p.write("cut.json", r#"{"contract": "a", "#);
    p.write("bare.yaml", "contract: a\n");
    std::fs::create_dir(p.path("folder")).unwrap();
    std::fs::File::create(p.path("huge.yaml")).unwrap().set_len(40 * 1024 * 1024).unwrap();
    p.write("deep.json", "[".repeat(100_000));
    for (file, exit, code) in [
        ("empty.yaml", 1, "D0103"),
        ("list.json", 1, "D0204"),
        ("bytes.yaml", 1, "D0102"),
        ("twice.json", 1, "D0104"),
        ("cut.json", 1, "D0103"),
        ("bare.yaml", 1, "D0205"),
        ("huge.yaml", 1, "D0101"),
        ("deep.json", 1, "D0107"),
        ("folder", 3, "D0001"),
        ("nowhere.yaml", 3, "D0001"),
    ] {
        turned_down(&p, &["check", file], exit, code, file);
        turned_down(&p, &["climb", "--contract", file, "nowhere.json"], exit, code, file);
    }
}

/// A synonym of a synonym is a fault in whichever order the two stand.
#[test]
fn synonyms_of_synonyms() {
    for rest in ["[{ from: [a], to: b }, { from: [b], to: c }]", "[{ from: [b], to: c }, { from: [a], to: b }]"] {
        let p = contract("{}", &format!("synonyms: {rest}"));
        turned_down(&p, &["check", "c.yaml"], 1, "D1753", "`b` is itself a canonical name here");
    }
}

#[test]
fn a_transform_in_another_shape_is_answered_with_its_shape() {
    let p = Project::bare();
    for (written, kind) in [("[DD.MM.YYYY]", "an array"), ("DD.MM.YYYY", "a string")] {
        let contract = format!(
            "contract: t\nschema: {{ type: object }}\ntransforms:\n  - {{ id: d, at: /d, apply: {{ date: {written} }} }}\n"
        );
        p.write("c.yaml", &contract);
        let out = p.run(&["ladder", "check", "c.yaml", "--lines"]);
        let told = format!("`date` must be an object, not {kind} (help: write `{{date: {{from: […]}}}}`)");
        assert!(out.stderr.contains(&told), "{}", out.stderr);
    }
}
