//! A secret that came with an input is in no refusal, in no form, not even in part.

use super::example::{context, example, run_with, vary};
use crate::common::Project;

/// The shortest part of a secret that must not be seen.
const PART: usize = 12;

fn token() -> String {
    let sample = deed_detect::sample("github-classic-token", 7).unwrap();
    sample.text.get(sample.secret).unwrap().to_owned()
}

/// Refused with a code by every command that compiles, without a word of the secret.
#[track_caller]
fn silent(p: &Project, secret: &str, options: &[&str], code: &str) {
    for command in ["compile", "explain"] {
        for form in [&[][..], &["--json"], &["--lines"]] {
            let out = p.run(&[&context(command, options)[..], form].concat());
            let said = format!("{}{}", out.stdout, out.stderr);
            let mut parts = secret.as_bytes().windows(PART).map(|w| std::str::from_utf8(w).unwrap());
            assert_eq!(parts.find(|part| said.contains(part)), None, "{command} {options:?} shows a secret\n{said}");
            assert!(out.code == 1 && said.contains(code), "{command} {options:?}: exit {}\n{said}", out.code);
        }
    }
}

#[test]
fn in_the_message_of_a_request_that_is_refused() {
    let p = example();
    let token = token();
    let leak = ("Refund order", format!("My token is {token}. Refund order"));
    let leak = (leak.0, leak.1.as_str());
    vary(&p, "request.yaml", "intent.yaml", &[leak, ("intent: support.refund", "intent: support.refnd")]);
    silent(&p, &token, &["--request", "intent.yaml"], "D1511");
    vary(&p, "request.yaml", "leak.yaml", &[leak]);
    run_with(&p, "older.yaml", "components: { runtime: 0.9.0 }");
    silent(&p, &token, &["--request", "leak.yaml", "--run", "older.yaml"], "D1505");
    vary(&p, "run.yaml", "tight.yaml", &[("policy: 1800", "policy: 10")]);
    silent(&p, &token, &["--request", "leak.yaml", "--run", "tight.yaml"], "D1515");
    // The line beside the fault holds it.
    vary(&p, "leak.yaml", "broken.yaml", &[("    identity_verified: true", "  identity_verified: [")]);
    silent(&p, &token, &["--request", "broken.yaml"], "D0103");
}

#[test]
fn where_the_message_quotes_what_was_given() {
    let p = example();
    let token = token();
    vary(&p, "request.yaml", "intent.yaml", &[("intent: support.refund", &format!("intent: {token}"))]);
    silent(&p, &token, &["--request", "intent.yaml"], "D1511");
    vary(&p, "run.yaml", "tenant.yaml", &[("tenant_acme_prod", &token)]);
    silent(&p, &token, &["--run", "tenant.yaml"], "D1504");
    vary(&p, "run.yaml", "tokenizer.yaml", &[("tokenizer: bytes/4", &format!("tokenizer: {token}"))]);
    silent(&p, &token, &["--run", "tokenizer.yaml"], "D1508");
    vary(&p, "run.yaml", "instant.yaml", &[("2026-05-09T10:00:00Z", &token)]);
    silent(&p, &token, &["--run", "instant.yaml"], "D1507");
    vary(&p, "run.yaml", "bucket.yaml", &[("evidence: 400", &format!("{token}: 400"))]);
    silent(&p, &token, &["--run", "bucket.yaml"], "D1516");
    vary(&p, "request.yaml", "refs.yaml", &[("ctxpack.support@1.0.0", &format!("ctxpack.{token}"))]);
    silent(&p, &token, &["--request", "refs.yaml"], "D1501");
    vary(&p, "request.yaml", "shape.yaml", &[("channel: chat", &format!("channel: [{token}]"))]);
    silent(&p, &token, &["--request", "shape.yaml"], "D0204");
}

#[test]
fn in_a_pack_that_is_compiled_from_a_folder() {
    let p = example();
    let token = token();
    p.edit_in_place("support/pack.yaml", &[("internal://orders", &format!("https://acme:{token}@orders"))]);
    silent(&p, &token, &[], "D0901");
}

#[test]
fn what_the_pack_redacts_is_in_no_prompt_and_no_ledger() {
    let p = example();
    let card = "4111 1111 1111 1111";
    vary(&p, "small.yaml", "card.yaml", &[("Refund order", &format!("Card {card}. Refund order"))]);
    let args = context("compile", &["--request", "card.yaml"]);
    for form in [&[][..], &["--prompt"], &["--json"]] {
        let out = p.ok(&[&args[..], form].concat());
        assert!(!out.stdout.contains(card) && !out.stderr.contains(card), "{}", out.stdout);
    }
    assert!(p.ok(&args).stdout.contains("redacted   "), "and it is counted");
}

/// An explanation shows the values that predicates read: those that the pack redacts it does not show.
#[test]
fn what_the_pack_redacts_is_in_no_explanation() {
    let p = example();
    let card = "4111 1111 1111 1111";
    vary(&p, "run.yaml", "role.yaml", &[("role: support_agent", &format!("role: 'agent with {card}'"))]);
    vary(&p, "request.yaml", "card.yaml", &[("refund_amount: 4200", &format!("refund_amount: 'INR {card}'"))]);
    for options in [&["--run", "role.yaml"][..], &["--request", "card.yaml"]] {
        for form in [&[][..], &["--json"], &["--only", "R_HIGH_VALUE_REQUIRES_APPROVAL"]] {
            let out = p.ok(&[&context("explain", options)[..], form].concat());
            let said = format!("{}{}", out.stdout, out.stderr);
            assert!(!said.contains(card) && !said.contains("4111"), "{said}");
            assert!(said.contains("[redacted:"), "{said}");
        }
    }
}

/// The instant may come from the command line or from the clock; the run context is shown as its author wrote it, with the
/// same parts kept back.
#[test]
fn in_a_run_context_whose_instant_comes_from_elsewhere() {
    let p = example();
    let token = token();
    vary(&p, "run.yaml", "open.yaml", &[("as_of: \"2026-05-09T10:00:00Z\"\n", "")]);
    for (from, options) in [("run.yaml", &["--as-of", "2026-05-09T10:00:00Z"][..]), ("open.yaml", &[])] {
        vary(&p, from, "tenant.yaml", &[("tenant_acme_prod", &token)]);
        silent(&p, &token, &[&["--run", "tenant.yaml"], options].concat(), "D1504");
        vary(&p, from, "mode.yaml", &[("safety_mode: ", &format!("note: {token}\nsafety_mode: very"))]);
        silent(&p, &token, &[&["--run", "mode.yaml"], options].concat(), "D0206");
    }
}

/// A finding stands where the author wrote what it is about.
#[test]
fn places_point_into_the_run_context_as_it_was_written() {
    let p = example();
    vary(&p, "run.yaml", "open.yaml", &[("as_of: \"2026-05-09T10:00:00Z\"\n", "")]);
    for (from, options) in
        [("run.yaml", &[][..]), ("run.yaml", &["--as-of", "2026-05-09T10:00:00Z"]), ("open.yaml", &[])]
    {
        vary(&p, from, "mode.yaml", &[("safety_mode: ", "safety_mode: very_")]);
        let text = std::fs::read_to_string(p.path("mode.yaml")).unwrap();
        let line = text.lines().position(|line| line.contains("safety_mode: very_")).unwrap() + 1;
        let out = p.run(&context("compile", &[&["--run", "mode.yaml"], options].concat()));
        assert!(out.stderr.contains(&format!("mode.yaml:{line}:")), "{from} {options:?}\n{}", out.stderr);
        assert!(out.stderr.contains("safety_mode: very_"), "{}", out.stderr);
    }
}
