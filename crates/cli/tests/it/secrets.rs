//! A secret is shown by no command, in no form, not even in part, wherever in a pack it stands.

use crate::common::Project;

/// The shortest part of a secret that must not be seen.
const PART: usize = 12;

/// Nothing that a command says holds a part of the secret.
#[track_caller]
fn silent(p: &Project, secret: &str, args: &[&str]) {
    for form in [&[][..], &["--json"], &["--lines"]] {
        let out = p.run(&[args, form].concat());
        let said = format!("{}{}", out.stdout, out.stderr);
        let shown = secret.as_bytes().windows(PART).map(|w| std::str::from_utf8(w).unwrap()).find(|w| said.contains(w));
        assert_eq!(shown, None, "deed {} {form:?} shows a secret\n{said}", args.join(" "));
        assert_ne!(out.code, 0, "deed {} went through\n{said}", args.join(" "));
    }
}

fn secret(rule: &str) -> String {
    let sample = deed_detect::sample(rule, 7).unwrap_or_else(|| panic!("no sample of {rule}"));
    sample.text.get(sample.secret).unwrap().to_owned()
}

/// The commands that read a pack.
const READERS: [&[&str]; 7] = [
    &["pack", "lint", "bad"],
    &["pack", "show", "./bad"],
    &["pack", "show", "./bad", "--document"],
    &["pack", "overlay", "./bad"],
    &["pack", "diff", "./support", "./bad"],
    &["pack", "review", "bad", "--role", "security", "--key", "acme"],
    &["pack", "sign", "bad", "--key", "acme"],
];

fn bad(p: &Project, find: &str, replace: &str) {
    for file in ["pack.yaml", "overlays/staging.yaml", "overlays/high_risk.yaml"] {
        let text = std::fs::read_to_string(p.path(&format!("support/{file}"))).unwrap();
        p.write(&format!("bad/{file}"), text.replacen(find, replace, 1));
    }
}

#[test]
fn wherever_it_stands() {
    let p = Project::new();
    let ids: Vec<&str> = deed_detect::rules().map(|r| r.id()).filter(|id| id.starts_with("github")).collect();
    assert!(ids.len() >= 3, "{ids:?}");
    // A short one and the longest, which is cut when it is quoted.
    let mut tokens: Vec<String> = ids.iter().map(|id| secret(id)).collect();
    tokens.sort_by_key(String::len);
    assert!(tokens.last().unwrap().len() > 60);
    for token in [tokens.first().unwrap(), tokens.last().unwrap()] {
        let places = [
            ("capability: lookup", format!("capability: {token}")),
            ("tone_and_comms:", format!("tone_and_comms:\n  {token}: 1")),
            ("rule_id: R_REFUND_REQUIRES_IDV", format!("rule_id: {token}")),
            ("gate_id: GATE_FINANCE_APPROVAL", format!("gate_id: {token}")),
            ("{ var: user.role }", format!("{{ var: user.{token} }}")),
            ("{ var: user.role }", format!("{{ {token}: user.role }}")),
            ("language: en", format!("language: en # {token}")),
            ("name: Acme Support", format!("name: \"Bearer {token}")),
            ("value: internal://orders-staging", format!("value: {token}")),
            ("rationale: Staging has orders of its own.", format!("rationale: {token}")),
        ];
        for (find, replace) in places {
            bad(&p, find, &replace);
            for args in READERS {
                silent(&p, token, args);
            }
        }
    }
}

#[test]
fn in_what_the_log_would_keep() {
    let p = Project::published();
    let rule = deed_detect::rules().map(|r| r.id()).find(|id| id.starts_with("github")).unwrap();
    let token = secret(rule);
    let reason = format!("leaked {token}");
    silent(&p, &token, &["pack", "deprecate", "ctxpack.support@1.0.0", "--reason", &reason]);
    silent(&p, &token, &["pack", "revoke", "ctxpack.support@1.0.0", "--reason", &reason]);
    silent(&p, &token, &["keys", "trust", "acme", "--revoke", "--reason", &reason]);
    silent(&p, &token, &["pack", "review", "support", "--role", "data", "--key", "acme", "--note", &reason]);
    silent(&p, &token, &["pack", "pin", "ctxpack.support@1.0.0", "--env", "prod", "--actor", &token]);
    assert!(!p.ok(&["pack", "log", "--json"]).stdout.contains(&token));
}

#[test]
fn personal_data_in_a_file_that_cannot_be_read() {
    let p = Project::new();
    p.write("support/golden/x.json", "{\"a\": \"jane.roe@bigcorp.com 4111111111111111\" x");
    let out = p.run(&["pack", "lint", "support"]);
    assert_eq!(out.code, 1);
    assert!(!out.stderr.contains("jane.roe") && !out.stderr.contains("411111111111"), "{}", out.stderr);
}
