use crate::common::Project;

const ISSUER: &str = "tenant_acme_prod";

/// A registry that separates duties, with the keys of three people.
fn team() -> Project {
    let p = Project::draft();
    p.ok(&["init", "--tenant", ISSUER]);
    for name in ["ann", "bob", "cyd"] {
        p.ok(&["keys", "generate", name, "--person", &format!("{name} <{name}@acme.example>")]);
    }
    let roles = ["--role", "architecture", "--role", "security", "--role", "data", "--role", "evaluation"];
    for name in ["ann", "bob"] {
        p.ok(&[&["keys", "trust", name, "--issuer", ISSUER, "--sign"][..], &roles].concat());
    }
    p.ok(&["pack", "lint", "support"]);
    p
}

fn review(p: &Project, key: &str, roles: &[&str]) {
    let mut args = vec!["pack", "review", "support", "--key", key, "--out", "proof"];
    roles.iter().for_each(|role| args.extend(["--role", role]));
    p.ok(&args);
}

#[test]
fn one_person_does_not_review_and_sign_alone() {
    let p = team();
    let policy = p.json(&["registry", "policy", "show"]);
    assert_eq!(policy["data"]["policy"]["self_review"], "refused");
    review(&p, "ann", &["architecture", "security", "data"]);
    let alone = ["pack", "review", "support", "--key", "ann", "--role", "evaluation", "--out", "proof", "--lines"];
    let warned = p.ok(&alone).stderr;
    assert!(warned.contains("warning[D1217] one person reviewed") && warned.contains("`deed pack sign`"), "{warned}");
    let shown = p.ok(&["pack", "show", "./support"]).stdout;
    assert!(shown.contains("reviewed  security by ann <ann@acme.example> (ed25519:"), "{shown}");
    assert!(shown.contains("left      review by a second person by bob <bob@acme.example>"), "{shown}");
    for key in ["ann", "bob"] {
        p.refuses(&["pack", "sign", "support", "--key", key], 1, "D1217", "ann <ann@acme.example>");
    }
    review(&p, "bob", &["security"]);
    p.ok(&["pack", "sign", "support", "--key", "ann"]);
    p.ok(&["pack", "publish", "support"]);
    p.ok(&["pack", "verify"]);
}

#[test]
fn self_review_is_allowed_on_record_alone() {
    let p = team();
    review(&p, "ann", &["architecture", "security", "data", "evaluation"]);
    p.refuses(&["registry", "policy", "set", "--allow-self-review", "--reason", " "], 1, "D1208", "reason");
    p.ok(&["registry", "policy", "set", "--allow-self-review", "--reason", "one person"]);
    assert!(p.ok(&["pack", "log", "--last", "1"]).stdout.contains("registry_policy_set"));
    p.ok(&["pack", "sign", "support", "--key", "ann"]);
    p.ok(&["registry", "policy", "set", "--refuse-self-review", "--require", "security", "--reason", "back"]);
    assert_eq!(p.ok(&["registry", "policy", "show"]).stdout, "reviews      security\nself review  refused\n");
    p.ok(&["pack", "verify"]);
}

#[test]
fn a_pack_cannot_lower_the_demand() {
    let p = team();
    p.edit_in_place(
        "support/pack.yaml",
        &[("policy_layer:\n", "policy_layer:\n  review_policy: { required_roles: [security] }\n")],
    );
    let linted = p.ok(&["pack", "lint", "support"]);
    assert!(linted.stderr.contains("warning[D1216]"), "{}", linted.stderr);
    review(&p, "ann", &["security"]);
    p.refuses(&["pack", "sign", "support", "--key", "bob"], 1, "D1216", "or remove `review_policy`");
}

#[test]
fn reviews_are_brought_in_from_elsewhere() {
    let p = team();
    review(&p, "ann", &["architecture", "data", "evaluation"]);
    review(&p, "bob", &["security"]);
    // Another registry that trusts the same keys, and has the files alone.
    let other = team();
    for name in ["ann", "bob", "cyd"] {
        for half in ["pem", "pub.pem"] {
            let file = format!(".deed/keys/{name}.{half}");
            std::fs::copy(p.path(&file), other.path(&file)).unwrap();
        }
    }
    std::fs::create_dir_all(other.path("proof")).unwrap();
    for role in ["architecture", "security", "data", "evaluation"] {
        let file = format!("proof/{role}.review.json");
        std::fs::copy(p.path(&file), other.path(&file)).unwrap();
    }
    // The copied keys are not those that it trusts.
    other.refuses(&["pack", "review", "support", "--import", "proof"], 1, "D1301", "ed25519:");
    for name in ["ann", "bob"] {
        let roles = ["--role", "architecture", "--role", "security", "--role", "data", "--role", "evaluation"];
        other.ok(&[&["keys", "trust", name, "--issuer", ISSUER, "--sign"][..], &roles].concat());
    }
    let imported = other.json(&["pack", "review", "support", "--import", "proof"]);
    assert_eq!(imported["data"]["imported"].as_array().unwrap().len(), 4);
    other.ok(&["pack", "sign", "support", "--key", "ann"]);
    other.ok(&["pack", "publish", "support"]);
}

#[test]
fn a_person_is_bound_to_a_key_and_shown() {
    let p = team();
    let listed = p.ok(&["keys", "list"]).stdout;
    assert!(listed.contains("(active, ann <ann@acme.example>)"), "{listed}");
    p.refuses(&["keys", "generate", "dan", "--person", "a\u{202e}b"], 1, "D0023", "visible characters");
    let shown = p.json(&["pack", "show", "./support"]);
    let left: Vec<String> =
        shown["data"]["needs"].as_array().unwrap().iter().map(|n| n["step"].as_str().unwrap().to_owned()).collect();
    let steps =
        ["architecture review", "security review", "data review", "evaluation review", "signature", "publication"];
    assert_eq!(left, steps);
    assert_eq!(shown["data"]["needs"][0]["could"].as_array().unwrap().len(), 2);
}
