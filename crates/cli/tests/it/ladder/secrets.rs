//! A secret that the guard found is in no output of a command, in no form, not even in part.

use super::example::{contract, fed, printed};
use crate::common::{Project, Ran};
use serde_json::{Value, json};

/// The shortest part of a secret that must not be seen.
const PART: usize = 12;

const CARD: &str = "4111 1111 1111 1111";

const SCHEMA: &str = "{ type: object, additionalProperties: false, properties: { note: { type: string, maxLength: 9 }, \
     n: { type: integer }, kind: { enum: [a, b] }, day: { type: string, format: date }, child: { type: object }, \
     password: { type: string } } }";

fn sample(rule: &str) -> String {
    let sample = deed_detect::sample(rule, 7).unwrap_or_else(|| panic!("no sample of {rule}"));
    sample.text.get(sample.secret).unwrap().to_owned()
}

fn token() -> String {
    sample("github-classic-token")
}

/// A contract with the schema above that seeks everything; `rest` says more.
fn guarded(rest: &str) -> Project {
    let guard = "guard: { personal: [credit_card], forbidden: [{ id: plan, pattern: 'Plan [A-Z][a-z]{12,}' }] }";
    contract(SCHEMA, &format!("{guard}\n{rest}"))
}

/// The text with every character of a secret as an escape.
fn escaped(secret: &str) -> String {
    secret.chars().map(|c| format!("\\u{:04x}", c as u32)).collect()
}

#[track_caller]
fn shows_nothing(said: &str, secret: &str, what: &str) {
    let mut parts = secret.as_bytes().windows(PART).map(|w| std::str::from_utf8(w).unwrap());
    assert_eq!(parts.find(|part| said.contains(part)), None, "{what} shows what the guard found\n{said}");
}

fn forms(p: &Project, options: &[&str], text: &str) -> Vec<Ran> {
    let climb = ["ladder", "climb", "--contract", "c.yaml"];
    let form = |form: &[&str]| fed(p, &[&climb[..], options, form, &["-"]].concat(), text);
    vec![form(&[]), form(&["--lines"]), form(&["--json"]), form(&["--jsonl"])]
}

/// Stopped, and nothing of it is shown.
#[track_caller]
fn stopped(p: &Project, options: &[&str], text: &str, secret: &str) {
    for out in forms(p, options, text) {
        let said = format!("{}{}", out.stdout, out.stderr);
        shows_nothing(&said, secret, text);
        assert!(out.code == 1 && ["D1701", "D1702", "D1703"].iter().any(|code| said.contains(code)), "{text}\n{said}");
    }
}

#[test]
fn in_a_value() {
    for rule in ["github-classic-token", "aws-access-key-id", "openai-key", "json-web-token", "pem-private-key"] {
        let secret = sample(rule);
        stopped(&guarded(""), &[], &json!({ "note": secret }).to_string(), &secret);
    }
    stopped(&guarded(""), &[], &json!({ "note": CARD }).to_string(), CARD);
    stopped(&guarded(""), &[], &json!({ "password": "7h3S3cr3tPassw0rd!" }).to_string(), "7h3S3cr3tPassw0rd!");
}

/// A secret that is also an invalid value is not quoted in the finding.
#[test]
fn in_a_value_that_is_wrong_besides() {
    let token = token();
    for key in ["n", "kind", "day", "zzz"] {
        stopped(&guarded(""), &[], &json!({ key: token }).to_string(), &token);
    }
    stopped(&guarded(""), &[], &json!([token]).to_string(), &token);
    stopped(&guarded(""), &[], &json!(token).to_string(), &token);
}

#[test]
fn in_a_key() {
    let token = token();
    stopped(&guarded(""), &[], &json!({ token.as_str(): 1 }).to_string(), &token);
    stopped(&guarded(""), &[], &json!({ "child": { token.as_str(): 1 } }).to_string(), &token);
    stopped(&guarded(""), &[], &json!({ "child": { CARD: 1 } }).to_string(), CARD);
}

/// A key is part of the place of what stands beneath it.
#[test]
fn in_a_key_above_another() {
    let (token, other) = (token(), sample("aws-access-key-id"));
    let nested = json!({ "child": { token.as_str(): { "inner": other } } });
    stopped(&guarded(""), &[], &nested.to_string(), &token);
    stopped(&guarded(""), &[], &nested.to_string().replace('"', "'"), &token);
}

#[test]
fn around_the_payload() {
    let token = token();
    for text in [
        format!("The key is {token}.\n{{\"note\": \"a\"}}"),
        format!("{{\"note\": \"a\"}}\nThe key was {token}."),
        format!("<think>{token}</think>{{\"note\": \"a\"}}"),
        format!("{{\"note\": \"a\" /* {token} */}}"),
        format!("no JSON, only {token}"),
        format!("{{\"a\": \"{token}\"}} {{\"b\": 1}}"),
        format!("{{\"{token}\": 1, \"{token}\": 2}}"),
        format!("{{\"note\": {token} and more}}"),
        format!("{{\"note\": \"{token}"),
    ] {
        stopped(&guarded(""), &[], &text, &token);
    }
}

#[test]
fn in_disguise() {
    let token = token();
    stopped(&guarded(""), &[], &format!("{{\"note\": \"{}\"}}", escaped(&token)), &token);
    let (head, tail) = token.split_at(20);
    stopped(&guarded(""), &[], &format!("{{'note': '{head}' + '{tail}'}}"), &token);
    stopped(&guarded(""), &[], &json!({ "child": json!({ "k": token }).to_string() }).to_string(), &token);
}

/// A secret that only a later rung uncovers is found in the result, and is then in no recorded change.
#[test]
fn laid_open_by_a_rung() {
    let token = token();
    let inner = format!("{{\"k\": \"{}\"}}", escaped(&token));
    stopped(&guarded(""), &[], &json!({ "child": inner }).to_string(), &token);
    stopped(&guarded(""), &[], &format!("Here: {}", json!({ "child": inner })), &token);
}

/// A value that is a password by its canonical name alone.
#[test]
fn laid_open_by_a_name() {
    let p = guarded("synonyms: [{ from: [login_word], to: password }]");
    let secret = "7h3S3cr3tPassw0rd!";
    stopped(&p, &[], &json!({ "login_word": secret }).to_string(), secret);
    stopped(&p, &[], &format!("{{'login_word': '{secret}'}}"), secret);
}

#[test]
fn what_a_contract_forbids() {
    let plan = "Plan Barbarossasomething";
    stopped(&guarded(""), &[], &json!({ "note": plan }).to_string(), plan);
    stopped(&guarded(""), &[], &json!({ plan: { plan: 1 } }).to_string(), plan);
}

/// A proposal can hold one too.
#[test]
fn in_a_proposal() {
    let token = token();
    let p = guarded("patch: { allow: [/password] }");
    for patch in [
        json!([{ "op": "replace", "path": "/password", "value": token }]),
        json!([{ "op": "replace", "path": "/n", "value": token }]),
        json!([{ "op": "test", "path": "/password", "value": token }]),
    ] {
        p.write("p.json", json!({ "proposals": [{ "id": "p", "rung": "L2", "patch": patch }] }).to_string());
        for out in forms(&p, &["--proposals", "p.json"], r#"{"password": "none", "n": 1}"#) {
            shows_nothing(&format!("{}{}", out.stdout, out.stderr), &token, "a proposal");
        }
    }
}

/// In mode `report` the payload passes as it is. What is said of it still shows nothing.
#[test]
fn where_the_guard_only_reports() {
    let token = token();
    let p = guarded("modes: { L3: report }");
    for text in [
        json!({ "note": token }).to_string(),
        json!({ "n": token }).to_string(),
        json!({ "kind": token }).to_string(),
        format!("{{\"child\": {{\"k\": \"{token}\"}}, \"zzz\": 1}}"),
        format!("Use {token}: {{\"note\": \"a\"}}"),
    ] {
        said_of(&p, &text, &token);
    }
}

#[test]
fn where_the_guard_only_reports_a_key() {
    let token = token();
    said_of(&guarded("modes: { L3: report }"), &json!({ token.as_str(): 1 }).to_string(), &token);
}

#[test]
fn where_the_guard_only_reports_what_cannot_be_read() {
    let token = token();
    let p = guarded("modes: { L3: report }");
    said_of(&p, &format!("no JSON, only {token}"), &token);
    said_of(&p, &format!("{{\"{token}\": 1, \"{token}\": 2}}"), &token);
    said_of(&p, &format!("{{\"note\": {token} and more}}"), &token);
}

/// Neither the messages nor the findings on record show it.
#[track_caller]
fn said_of(p: &Project, text: &str, secret: &str) {
    for out in forms(p, &[], text) {
        shows_nothing(&out.stderr, secret, text);
    }
    let (_, report) = printed(&fed(p, &["ladder", "climb", "--contract", "c.yaml", "-"], text));
    assert!(
        report["findings"].as_array().unwrap().iter().any(|f| f["rung"] == "L3" && f["blocks"] == false),
        "{report}"
    );
    shows_nothing(&report["findings"].to_string(), secret, text);
}

/// Files that the commands are given beside the payload.
#[test]
fn in_other_files() {
    let token = token();
    let p = guarded("");
    p.write("pl.json", "{}");
    p.write("bad.yaml", format!("contract: a\nschema: {{}}\nnope: {token}\n"));
    p.write("type.yaml", format!("contract: a\nschema: {{ type: {token} }}\n"));
    p.write("p.json", json!({ "proposals": [{ "id": 1, "rung": token, "patch": [] }] }).to_string());
    p.write("cut.json", format!("{{\"proposals\": [\"{token}\", oops"));
    p.write("r.json", json!({ token.as_str(): token }).to_string());
    for args in [
        &["ladder", "check", "bad.yaml"][..],
        &["ladder", "check", "type.yaml"],
        &["ladder", "climb", "--contract", "c.yaml", "--proposals", "p.json", "pl.json"],
        &["ladder", "climb", "--contract", "c.yaml", "--proposals", "cut.json", "pl.json"],
        &["ladder", "undo", "--report", "r.json", "pl.json"],
    ] {
        for form in [&[][..], &["--lines"], &["--json"]] {
            let out = p.run(&[args, form].concat());
            shows_nothing(&format!("{}{}", out.stdout, out.stderr), &token, &args.join(" "));
            assert_eq!(out.code, 1, "{}", out.stderr);
        }
    }
}

/// A document that is not of its schema is not carried over, and what is said of it shows nothing.
#[test]
fn in_a_document_to_be_mapped() {
    let token = token();
    let p = Project::bare();
    let schema: Value =
        json!({ "type": "object", "additionalProperties": false, "properties": { "kind": { "enum": ["a"] } } });
    p.write("s.json", schema.to_string());
    p.write("doc.json", json!({ "kind": token, token.as_str(): 1 }).to_string());
    for form in [&[][..], &["--lines"], &["--json"]] {
        let out = p.run(&[&["ladder", "map", "--from", "s.json", "--to", "s.json", "doc.json"], form].concat());
        shows_nothing(&format!("{}{}", out.stdout, out.stderr), &token, "a map");
        assert_eq!(out.code, 1, "{}", out.stderr);
    }
}

/// Only the secret is concealed, and no other fault.
#[test]
fn other_findings_stay_plain() {
    let rest = "modes: { L3: report }";
    let p = contract("{ required: [status], properties: { notes: { type: string } } }", rest);
    let out = fed(
        &p,
        &["ladder", "climb", "--contract", "c.yaml", "-"],
        json!({ "note": token(), "notes": true }).to_string(),
    );
    assert!(out.stderr.contains("needs `status`") && out.stderr.contains("`notes` must be a string"), "{}", out.stderr);
}
