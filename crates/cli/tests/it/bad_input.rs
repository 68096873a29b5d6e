//! Bad input at the shell: each gets its code, its place and a hint, the right exit code, and leaves nothing behind.

use crate::common::Project;

#[test]
fn malformed_documents() {
    let p = Project::new();
    p.write("broken.yaml", "a: [1, 2\nb: 3\n");
    p.refuses(&["pack", "lint", "broken.yaml"], 1, "D0103", "broken.yaml:2:2");
    p.write("broken.json", "{\"a\": 1,}");
    p.refuses(&["pack", "lint", "broken.json"], 1, "D0103", "broken.json:1:9");
    p.write("twice.json", "{\"a\": 1, \"a\": 2}");
    p.refuses(&["pack", "lint", "twice.json"], 1, "D0104", "twice.json:1:10");
    p.write("twice.yaml", "a: 1\na: 2\n");
    p.refuses(&["pack", "lint", "twice.yaml"], 1, "D0104", "twice.yaml:2:1");
    p.write("latin.yaml", b"a: \xe9\n".as_slice());
    p.refuses(&["pack", "lint", "latin.yaml"], 1, "D0102", "latin.yaml");
    p.write("alias.yaml", "a: &x [1]\nb: *x\n");
    p.refuses(&["pack", "lint", "alias.yaml"], 1, "D0108", "alias.yaml:1:4");
}

#[test]
fn deep_and_large_documents() {
    let p = Project::new();
    for (name, text) in
        [("deep.json", "[".repeat(100_000)), ("deep.yaml", "[".repeat(100_000)), ("dashes.yaml", "- ".repeat(100_000))]
    {
        p.write(name, text);
        p.refuses(&["pack", "lint", name], 1, "D0107", name);
        p.refuses(&["canon", name], 1, "D0107", name);
    }
    // 200 MB that take no room on the disk.
    let file = std::fs::File::create(p.path("huge.json")).unwrap();
    file.set_len(200 * 1024 * 1024).unwrap();
    p.refuses(&["pack", "lint", "huge.json"], 1, "D0101", "huge.json");
    p.refuses(&["canon", "huge.json"], 1, "D0101", "huge.json");
}

#[test]
fn canonical_form() {
    let p = Project::new();
    for (text, code) in [
        ("9007199254740993", "D0105"),
        ("1e999", "D0105"),
        ("NaN", "D0105"),
        ("\"\\ud800\"", "D0106"),
        ("\u{feff}1", "D0102"),
        ("{\"a\":1,\"a\":1}", "D0104"),
    ] {
        p.write("doc.json", text);
        p.refuses(&["canon", "doc.json"], 1, code, "doc.json");
    }
    p.write("doc.json", "{\"b\": 2.50, \"a\": \"\\u20ac\"}");
    assert_eq!(p.ok(&["canon", "doc.json"]).stdout, "{\"a\":\"€\",\"b\":2.5}");
    let expected = typed("deed/test/v1", "{\"a\":\"€\",\"b\":2.5}");
    assert_eq!(p.ok(&["canon", "doc.json", "--type", "deed/test/v1"]).stdout, format!("sha256:{expected}\n"));
    assert_eq!(p.run(&["canon", "doc.json", "--type", "pack"]).code, 2);
}

/// The hash of tag, newline and bytes, computed from the definition.
fn typed(tag: &str, canonical: &str) -> String {
    deed_canon::ContentHash::of_bytes(format!("{tag}\n{canonical}").as_bytes()).hex()
}

#[test]
fn layers_and_versions() {
    let p = Project::new();
    p.edit("pack.yaml", &[("tone_and_comms:", "tone_and_coms:")]);
    let out = p.refuses(&["pack", "lint", "pack.yaml"], 1, "D0201", "pack.yaml:");
    assert!(out.stderr.contains("D0202") && out.stderr.contains("did you mean `tone_and_comms`?"));
    p.edit("pack.yaml", &[("pack_version: 1.0.0", "pack_version: 1.0.0-rc.1")]);
    p.refuses(&["pack", "lint", "pack.yaml"], 1, "D0208", "pack.yaml:14:17");
}

#[test]
fn references_that_are_not_pinned() {
    let p = Project::published();
    p.refuses(&["pack", "pin", "ctxpack.support", "--env", "prod"], 1, "D0013", "ctxpack.support@1.0.0");
    p.refuses(&["pack", "pin", "ctxpack.support@latest", "--env", "prod"], 1, "D0014", "three numbers");
    p.refuses(&["pack", "pin", "ctxpack.support@1.0.0-rc.1", "--env", "prod"], 1, "D0014", "three numbers");
    p.refuses(&["pack", "pin", "ctxpack.support@9.9.9", "--env", "prod"], 1, "D1205", "9.9.9");
    p.refuses(&["pack", "show", "ctxpack.support"], 1, "D0013", "ctxpack.support@1.0.0");
    // The version that is suggested is one of the registry.
    p.refuses(&["golden", "run", "ctxpack.unheard"], 1, "D0013", "such as `ctxpack.unheard@1.0.0`");
    p.refuses(
        &["golden", "run", "ctxpack.support"],
        1,
        "D0013",
        "write `ctxpack.support@1.0.0`, the newest version here",
    );
}

#[test]
fn signers() {
    let p = Project::linted();
    // A key that the registry does not trust.
    p.ok(&["keys", "generate", "eve"]);
    p.refuses(&["pack", "review", "support", "--role", "security", "--key", "eve"], 1, "D1301", "ed25519:");
    p.review_all();
    p.refuses(&["pack", "sign", "support", "--key", "eve"], 1, "D1301", "ed25519:");
    // A key that is trusted to review and not to sign.
    p.ok(&["keys", "trust", "eve", "--issuer", "tenant_acme_prod", "--role", "security"]);
    p.refuses(&["pack", "sign", "support", "--key", "eve"], 1, "D1304", "tenant_acme_prod");
    p.refuses(&["pack", "sign", "support", "--key", "nobody"], 1, "D0020", "nobody");
    assert!(!p.ok(&["pack", "list"]).stdout.contains("signed"));
}

#[test]
fn a_signature_over_other_bytes() {
    let p = Project::signed();
    p.ok_to("trust.json", &["keys", "list", "--export"]);
    let verify = [
        "pack",
        "verify",
        "support",
        "--envelope",
        "proof/signature.json",
        "--trust",
        "trust.json",
        "--review",
        "proof",
    ];
    p.ok(&verify);
    p.edit_in_place("support/pack.yaml", &[("max: 50000", "max: 99999")]);
    p.refuses(&verify, 1, "D1307", "ctxpack.support@1.0.0");
    p.edit_in_place("support/pack.yaml", &[("max: 99999", "max: 50000")]);
    p.ok(&verify);
    // The payload is exchanged under the old signature.
    let text = std::fs::read_to_string(p.path("proof/signature.json")).unwrap();
    let mut envelope: serde_json::Value = serde_json::from_str(&text).unwrap();
    envelope["payload"] = "e30=".into();
    p.write("proof/forged.json", envelope.to_string());
    let forged =
        ["pack", "verify", "support", "--envelope", "proof/forged.json", "--trust", "trust.json", "--review", "proof"];
    p.refuses(&forged, 1, "D1306", "does not match the bytes");
    // An edited pack is a draft again.
    p.edit_in_place("support/pack.yaml", &[("max: 50000", "max: 40000")]);
    p.refuses(&["pack", "publish", "support"], 1, "D1203", "ctxpack.support@1.0.0");
}

#[test]
fn publishing_other_bytes_under_the_same_version() {
    let p = Project::published();
    assert!(p.ok(&["pack", "publish", "support"]).stderr.contains("recorded before"));
    p.edit_in_place("support/pack.yaml", &[("max: 50000", "max: 40000")]);
    let linted = p.refuses(&["pack", "lint", "support"], 1, "D1204", "is already published");
    assert!(linted.stdout.contains("security    ok"), "the gates are told all the same: {}", linted.stdout);
    p.refuses(
        &["pack", "review", "support", "--role", "security", "--key", "acme"],
        1,
        "D1204",
        "is already published",
    );
    p.refuses(&["pack", "publish", "support"], 1, "D1204", "is already published");
    p.ok(&["pack", "verify"]);
}

#[test]
fn pins() {
    let p = Project::published();
    p.refuses(
        &["pack", "pin", "ctxpack.support@1.0.0", "--env", "prod", "--tenant", "tenant_other"],
        1,
        "D1209",
        "tenant_other",
    );
    p.ok(&["pack", "pin", "ctxpack.support@1.0.0", "--env", "prod"]);
    p.ok(&["pack", "verify", "ctxpack.support", "--env", "prod"]);
    p.ok(&["pack", "deprecate", "ctxpack.support@1.0.0", "--reason", "superseded", "--force"]);
    p.refuses(&["pack", "pin", "ctxpack.support@1.0.0", "--env", "staging"], 1, "D1206", "superseded");
    p.ok(&["pack", "verify", "ctxpack.support@1.0.0"]);
    p.ok(&["pack", "revoke", "ctxpack.support@1.0.0", "--reason", "leaks refunds", "--force"]);
    p.refuses(&["pack", "verify", "ctxpack.support", "--env", "prod"], 1, "D1207", "leaks refunds");
    p.refuses(&["pack", "pin", "ctxpack.support@1.0.0", "--env", "prod"], 1, "D1207", "leaks refunds");
    p.refuses(&["pack", "verify", "ctxpack.support", "--env", "nowhere"], 1, "D1211", "nowhere");
    assert!(p.ok(&["pack", "list"]).stdout.contains("revoked"));
    assert!(
        p.ok(&["pack", "show", "ctxpack.support@1.0.0"]).stdout.contains("GATE_FINANCE_APPROVAL"),
        "kept for audit"
    );
}

#[test]
fn rollback_is_a_pin_of_a_lower_version() {
    let p = Project::published();
    p.ok(&["pack", "pin", "ctxpack.support@1.0.0", "--env", "prod"]);
    for file in ["support/pack.yaml", "support/overlays/staging.yaml", "support/overlays/high_risk.yaml"] {
        p.edit_in_place(
            file,
            &[("ctxpack.support@1.0.0", "ctxpack.support@1.1.0"), ("pack_version: 1.0.0", "pack_version: 1.1.0")],
        );
    }
    p.edit_in_place("support/pack.yaml", &[("max: 50000", "max: 40000")]);
    assert!(
        p.ok(&["pack", "diff", "ctxpack.support@1.0.0", "./support"]).stdout.contains("required minor, declared minor")
    );
    p.ok(&["pack", "lint", "support"]);
    p.review_all();
    p.ok(&["pack", "sign", "support", "--key", "acme"]);
    p.ok(&["pack", "publish", "support"]);
    p.ok(&["pack", "pin", "ctxpack.support@1.1.0", "--env", "prod"]);
    p.ok(&["pack", "pin", "ctxpack.support@1.0.0", "--env", "prod"]);
    let log = p.json(&["pack", "log", "--last", "1"]);
    assert_eq!(log["data"][0]["event"]["event"]["rollback"], true);
    assert_eq!(log["data"][0]["event"]["event"]["replaces"], "ctxpack.support@1.1.0");
}

#[test]
fn overlays_that_grant() {
    let p = Project::new();
    let granting = [
        ("kind: grant_capability\n    adapter_id: adp_payments\n    capability: wipe", "D1020"),
        ("kind: endpoint_ref\n    adapter_id: adp_new\n    value: internal://new", "D1020"),
        ("kind: approval_mode\n    adapter_id: adp_payments\n    value: read_only", "D1021"),
        ("kind: decision_outcomes\n    decision_key: support.refund.execute\n    value: [approved]", "D1022"),
        ("kind: ontology\n    value: ont.other", "D1023"),
        (
            "kind: policy_threshold\n    gate_id: GATE_FINANCE_APPROVAL\n    pointer: \"/when/>/1\"\n    value: 9000",
            "D1032",
        ),
        ("kind: evaluator_threshold\n    intent: support.refund\n    metric: latency_p99_ms\n    value: 9000", "D1034"),
    ];
    for (change, code) in granting {
        p.write(
            "support/overlays/staging.yaml",
            format!(
                "overlay_ref: ctxpack.support.staging@1.0.0\nbase: ctxpack.support@1.0.0\nchanges:\n  - {change}\n"
            ),
        );
        let out = p.refuses(&["pack", "overlay", "./support", "--overlay", "staging"], 1, code, "staging.yaml:");
        assert_eq!(out.stdout, "", "{change}");
        p.refuses(&["pack", "lint", "support"], 1, code, "staging.yaml:");
    }
}

#[test]
fn a_tampered_registry_row() {
    let p = Project::published();
    p.ok(&["pack", "pin", "ctxpack.support@1.0.0", "--env", "prod"]);
    let head = p.ok(&["pack", "log", "--head"]).stdout.trim().to_owned();
    p.ok(&["pack", "verify", "--head", &head]);
    let database = std::fs::read_dir(p.path(".deed/registry"))
        .unwrap()
        .map(|e| e.unwrap().path())
        .find(|f| f.extension().is_some_and(|e| e == "sqlite"))
        .unwrap();
    let conn = rusqlite::Connection::open(database).unwrap();
    let changed = conn
        .execute("UPDATE events SET body = replace(body, 'tenant_acme_prod', 'tenant_acme_evil') WHERE body LIKE '%pack_published%'", [])
        .unwrap();
    assert_eq!(changed, 1);
    drop(conn);
    p.refuses(&["pack", "verify"], 1, "D1220", "was edited");
    p.refuses(&["pack", "verify", "ctxpack.support", "--env", "prod"], 1, "D1220", "was edited");
}

#[test]
fn usage_and_environment() {
    let p = Project::new();
    assert_eq!(p.run(&["pack", "frobnicate"]).code, 2);
    assert_eq!(p.json(&["pack", "frobnicate"])["diagnostics"][0]["code"], "D0019");
    assert_eq!(p.run(&["--help"]).code, 0);
    p.refuses(&["pack", "lint", "nowhere"], 3, "D0001", "nowhere");
    p.refuses(&["pack", "lint", "support/overlays"], 1, "D0005", "support/overlays");
    p.refuses(&["explain", "D9999"], 1, "D0010", "D9999");
    let bare = Project::bare();
    bare.refuses(&["pack", "list"], 3, "D0008", "deed init");
    bare.refuses(&["keys", "generate", "a"], 3, "D0008", "deed init");
    p.refuses(&["init"], 1, "D0011", ".deed");
    p.refuses(&["keys", "generate", "acme"], 1, "D0006", "acme.pem");
    p.refuses(&["keys", "generate", "../acme"], 1, "D0023", "../acme");
    p.refuses(&["pack", "new", "Support"], 1, "D0015", "Support");
}

#[test]
fn two_publishers_at_once() {
    let p = Project::signed();
    let children: Vec<_> = (0..4).map(|_| p.command(&["pack", "publish", "support"]).spawn().unwrap()).collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    let log = p.ok(&["pack", "log"]).stdout;
    assert_eq!(log.matches("pack_published").count(), 1, "{log}");
    p.ok(&["pack", "verify"]);
}

#[test]
fn a_full_disk_leaves_nothing_behind() {
    let p = Project::signed();
    let before = p.ok(&["pack", "log"]).stdout;
    // A limit on file sizes stands in for a disk without room: the write fails in the same place.
    let script = format!("ulimit -f 1; trap '' XFSZ; exec '{}' pack publish support", env!("CARGO_BIN_EXE_deed"));
    let out = p.shell(&script);
    assert_eq!(out.code, 3, "{}", out.stderr);
    assert_eq!(p.ok(&["pack", "log"]).stdout, before);
    p.ok(&["pack", "verify"]);
    p.ok(&["pack", "publish", "support"]);
}

/// A limit on file sizes ends a process by a signal, unless the process listens to it.
#[test]
fn a_limit_of_file_sizes_is_an_error() {
    let p = Project::signed();
    let script = format!("ulimit -f 1; exec '{}' pack publish support", env!("CARGO_BIN_EXE_deed"));
    let out = p.shell(&script);
    assert_eq!(out.code, 3, "{}", out.stderr);
    assert!(out.stderr.contains("error["), "{}", out.stderr);
    p.ok(&["pack", "publish", "support"]);
}

#[test]
fn every_refusal_is_json_too() {
    let p = Project::new();
    p.edit("pack.yaml", &[("capability: lookup", "capability: lokup")]);
    let report = p.json(&["pack", "lint", "pack.yaml"]);
    assert_eq!(report["ok"], false);
    let records: Vec<deed_model::DiagnosticRecord> = serde_json::from_value(report["diagnostics"].clone()).unwrap();
    let found = records.iter().find(|d| d.code == "D0304").unwrap();
    let place = found.location.as_ref().unwrap();
    let text = std::fs::read_to_string(p.path("pack.yaml")).unwrap();
    let line = text.lines().position(|l| l.contains("capability: lokup")).unwrap() + 1;
    assert_eq!((place.file.as_str(), place.start.unwrap().line), ("pack.yaml", line as u64));
    assert_eq!(place.pointer.as_deref(), Some("/tooling_layer/permissions/0/capability"));
    assert_eq!(found.help.as_deref(), Some("did you mean `lookup`?"));
}

#[test]
fn a_version_number_that_says_too_little_is_not_published() {
    let p = Project::published();
    for file in ["support/pack.yaml", "support/overlays/staging.yaml", "support/overlays/high_risk.yaml"] {
        p.edit_in_place(
            file,
            &[("ctxpack.support@1.0.0", "ctxpack.support@1.0.1"), ("pack_version: 1.0.0", "pack_version: 1.0.1")],
        );
    }
    p.edit_in_place(
        "support/pack.yaml",
        &[("[approved, denied, escalated]", "[approved, denied]"), (", escalated: escalate }", " }")],
    );
    p.ok(&["pack", "lint", "support"]);
    p.review_all();
    p.ok(&["pack", "sign", "support", "--key", "acme"]);
    p.refuses(&["pack", "publish", "support"], 1, "D1104", "major");
    let states = p.json(&["pack", "list"]);
    assert_eq!(
        (&states["data"][1]["pack_ref"], &states["data"][1]["state"]),
        (&"ctxpack.support@1.0.1".into(), &"signed".into())
    );
}

#[test]
fn keys_are_rotated_and_revoked() {
    let p = Project::signed();
    p.ok_to("trust.json", &["keys", "list", "--export"]);
    let old: String = p.json(&["keys", "list"])["data"]["own"][0]["key_id"].as_str().unwrap().to_owned();
    p.ok(&["keys", "generate", "next"]);
    let roles = ["--role", "architecture", "--role", "security", "--role", "data", "--role", "evaluation"];
    p.ok(&[&["keys", "trust", "next", "--issuer", "tenant_acme_prod", "--sign", "--replaces", &old][..], &roles]
        .concat());
    // Earlier signatures hold in the registry; offline it is not known when they were made.
    p.ok(&["pack", "publish", "support"]);
    p.ok_to("later.json", &["keys", "list", "--export"]);
    let verify = ["pack", "verify", "support", "--envelope", "proof/signature.json", "--review", "proof", "--trust"];
    p.ok(&[&verify[..], &["trust.json"]].concat());
    p.refuses(&[&verify[..], &["later.json"]].concat(), 1, "D1314", "is retired");
    p.ok(&[&verify[..], &["later.json", "--accept-retired"]].concat());
    // A store that lists a key twice is refused, whatever the entries say.
    let mut store: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(p.path("trust.json")).unwrap()).unwrap();
    let again = store["keys"][0].clone();
    store["keys"].as_array_mut().unwrap().push(again);
    p.write("twice.json", store.to_string());
    p.refuses(&[&verify[..], &["twice.json"]].concat(), 1, "D1313", "twice");
    // A revoked key: nothing that it signed holds.
    p.ok(&["keys", "trust", "acme", "--revoke", "--reason", "stolen"]);
    p.refuses(&["pack", "pin", "ctxpack.support@1.0.0", "--env", "prod"], 1, "D1302", "stolen");
    p.refuses(&["pack", "publish", "support"], 1, "D1302", "stolen");
    assert_eq!(p.run(&["keys", "trust", "next", "--issuer", "x"]).code, 2, "a grant must be named");
}

#[test]
fn a_home_that_is_named_must_be_there() {
    let p = Project::new();
    p.refuses(&["pack", "lint", "support", "--home", "nowhere"], 3, "D0008", "nowhere");
}

#[test]
fn a_refused_review_leaves_no_trace() {
    let p = Project::new();
    p.ok(&["keys", "generate", "eve"]);
    let before = p.ok(&["pack", "log"]).stdout;
    p.refuses(&["pack", "review", "support", "--role", "security", "--key", "eve"], 1, "D1201", "lint");
    p.ok(&["pack", "lint", "support"]);
    p.refuses(&["pack", "review", "support", "--role", "security", "--key", "eve"], 1, "D1301", "ed25519:");
    let after = p.ok(&["pack", "log"]).stdout;
    assert_eq!(after.lines().count(), before.lines().count() + 1);
}
