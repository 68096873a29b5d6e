use crate::common::Project;

const PACK: &str = "ctxpack.support@1.0.0";

/// Another registry that trusts the key of the first.
fn stranger(p: &Project) -> Project {
    let other = Project::bare();
    other.ok(&["init", "--tenant", "tenant_acme_prod"]);
    other.ok(&["registry", "policy", "set", "--allow-self-review", "--reason", "one person"]);
    std::fs::copy(p.path(".deed/keys/acme.pub.pem"), other.path("acme.pem")).unwrap();
    other
}

fn trust(other: &Project) {
    let roles = ["--role", "architecture", "--role", "security", "--role", "data", "--role", "evaluation"];
    other.ok(&[&["keys", "trust", "acme.pem", "--issuer", "tenant_acme_prod", "--sign"][..], &roles].concat());
}

fn published() -> Project {
    let p = Project::new();
    let case = include_str!("../../../../../packs/support/golden/02_deny_unverified.yaml");
    p.write("support/golden/02_deny.yaml", case);
    p.ok(&["pack", "lint", "support"]);
    p.review_all();
    p.ok(&["pack", "sign", "support", "--key", "acme"]);
    p.ok(&["pack", "publish", "support"]);
    p
}

#[test]
fn a_version_is_exported_and_judged_anew_on_import() {
    let p = published();
    p.ok(&["pack", "export", PACK, "--out", "one.json"]);
    p.ok(&["pack", "export", PACK, "--out", "two.json"]);
    let bytes = std::fs::read(p.path("one.json")).unwrap();
    assert_eq!(bytes, std::fs::read(p.path("two.json")).unwrap(), "canonical");
    let other = stranger(&p);
    other.write("support.pack.json", &bytes);
    other.refuses(&["pack", "import", "support.pack.json"], 1, "D1301", "ed25519:");
    assert_eq!(other.ok(&["pack", "list"]).stdout, "", "nothing was recorded");
    trust(&other);
    other.ok(&["pack", "import", "support.pack.json"]);
    let again = other.ok(&["pack", "import", "."]);
    assert!(again.stdout.contains("nothing to do"), "{}", again.stdout);
    let shown = |p: &Project| p.json(&["pack", "verify", PACK])["data"].clone();
    assert_eq!(shown(&other), shown(&p));
    let pinned = other.json(&["pack", "pin", PACK, "--env", "prod"]);
    assert_eq!(pinned["data"]["golden_cases"], 1);
    other.ok(&["pack", "verify"]);
}

#[test]
fn a_changed_export_is_refused() {
    let p = published();
    p.ok(&["pack", "export", PACK, "--out", "support.pack.json"]);
    let other = stranger(&p);
    trust(&other);
    let text = std::fs::read_to_string(p.path("support.pack.json")).unwrap();
    other.write("document.json", text.replace("50000", "90000"));
    other.refuses(&["pack", "import", "document.json"], 1, "D1322", "not the ones that it names");
    let mut value: serde_json::Value = serde_json::from_str(&text).unwrap();
    value["golden"] = serde_json::json!({});
    other.write("golden.json", value.to_string());
    other.refuses(&["pack", "import", "golden.json"], 1, "D1307", "other golden cases");
    value["format"] = "deed/pack-export/v9".into();
    other.write("later.json", value.to_string());
    other.refuses(&["pack", "import", "later.json"], 1, "D1322", "v9");
    other.write("other.json", "{}");
    other.refuses(&["pack", "import", "other.json"], 1, "D1322", "missing field");
    p.ok(&["pack", "revoke", PACK, "--reason", "leaks"]);
    p.refuses(&["pack", "export", PACK, "--out", "x.json"], 1, "D1207", "leaks");
}

#[test]
fn an_image_layout_carries_versions() {
    let p = published();
    assert_eq!(p.ok(&["pack", "push", "shared"]).stdout, "ctxpack.support@1.0.0\n");
    p.ok(&["pack", "push", "shared", PACK]);
    let read = |name: &str| -> serde_json::Value {
        serde_json::from_slice(&std::fs::read(p.path(&format!("shared/{name}"))).unwrap()).unwrap()
    };
    assert_eq!(read("oci-layout")["imageLayoutVersion"], "1.0.0");
    let index = read("index.json");
    assert_eq!(index["manifests"].as_array().unwrap().len(), 1);
    let digest = index["manifests"][0]["digest"].as_str().unwrap().replace("sha256:", "blobs/sha256/");
    let manifest = read(&digest);
    assert_eq!(manifest["artifactType"], "application/vnd.deed.pack.v1");
    let other = stranger(&p);
    trust(&other);
    let folder = p.path("shared");
    let folder = folder.to_str().unwrap();
    other.ok(&["pack", "pull", folder]);
    assert!(other.ok(&["pack", "pull", folder]).stdout.contains("nothing to do"));
    other.ok(&["pack", "verify", PACK]);
    // A blob that was changed is not taken for what its name says.
    let layer = manifest["layers"][0]["digest"].as_str().unwrap().replace("sha256:", "shared/blobs/sha256/");
    p.write(&layer, "{}");
    other.refuses(&["pack", "pull", folder], 1, "D1322", "the blob was changed");
}

/// The same project with 1.1.0 published too, and a copy of the registry for a second process.
fn two_versions() -> Project {
    let p = published();
    p.edit_in_place("support/pack.yaml", &[("pack_version: 1.0.0", "pack_version: 1.1.0"), ("@1.0.0", "@1.1.0")]);
    p.edit_in_place("support/overlays/staging.yaml", &[("@1.0.0", "@1.1.0")]);
    p.edit_in_place("support/overlays/high_risk.yaml", &[("@1.0.0", "@1.1.0")]);
    p.ok(&["pack", "lint", "support"]);
    p.review_all();
    p.ok(&["pack", "sign", "support", "--key", "acme"]);
    p.ok(&["pack", "publish", "support"]);
    p
}

fn entries(p: &Project, folder: &str) -> Vec<String> {
    let text = std::fs::read(p.path(&format!("{folder}/index.json"))).unwrap();
    let index: serde_json::Value = serde_json::from_slice(&text).unwrap();
    let names = index["manifests"].as_array().unwrap().iter();
    names.map(|entry| entry["annotations"]["org.opencontainers.image.ref.name"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn pushes_at_once_lose_no_version() {
    let p = two_versions();
    let later = "ctxpack.support@1.1.0";
    for round in 0..12 {
        let folder = format!("shared{round}");
        let pushes =
            [PACK, later, PACK, later].map(|pack| p.command(&["pack", "push", &folder, pack]).spawn().unwrap());
        for mut push in pushes {
            assert!(push.wait().unwrap().success());
        }
        assert_eq!(entries(&p, &folder), [PACK, later], "round {round}");
    }
    // What a crashed push left is removed by the next one.
    p.write("shared0/.tmpAbC123", "half");
    p.write("shared0/blobs/sha256/.tmpXyZ789", "half");
    p.ok(&["pack", "push", "shared0"]);
    assert!(!p.path("shared0/.tmpAbC123").exists() && !p.path("shared0/blobs/sha256/.tmpXyZ789").exists());
}

#[test]
fn other_bytes_under_a_version_are_refused_and_do_not_stop_the_others() {
    let p = published();
    p.ok(&["pack", "push", "shared"]);
    let before = std::fs::read(p.path("shared/index.json")).unwrap();
    let other = Project::new();
    other.edit_in_place("support/pack.yaml", &[("max: 50000, equals", "max: 40000, equals")]);
    other.ok(&["pack", "lint", "support"]);
    other.review_all();
    other.ok(&["pack", "sign", "support", "--key", "acme"]);
    other.ok(&["pack", "publish", "support"]);
    let folder = p.path("shared");
    let folder = folder.to_str().unwrap();
    let out = other.refuses(&["pack", "push", folder], 1, "D1323", "signed by ed25519:");
    assert_eq!(out.stderr.matches("sha256:").count(), 2, "{}", out.stderr);
    assert_eq!(std::fs::read(p.path("shared/index.json")).unwrap(), before);
    // A copy of the same documents keeps every envelope of both.
    let third = stranger(&p);
    trust(&third);
    third.ok(&["pack", "pull", folder]);
    third.ok(&["pack", "push", folder]);
    assert_eq!(std::fs::read(p.path("shared/index.json")).unwrap(), before);
    // On the way in, one bad version does not stop another.
    let good = two_versions();
    good.ok(&["pack", "push", "both"]);
    let text = std::fs::read_to_string(good.path("both/index.json")).unwrap();
    let index: serde_json::Value = serde_json::from_str(&text).unwrap();
    let digest = index["manifests"][0]["digest"].as_str().unwrap().replace("sha256:", "both/blobs/sha256/");
    good.write(&digest, "{}");
    let fresh = stranger(&good);
    trust(&fresh);
    let folder = good.path("both");
    let pulled = fresh.json(&["pack", "pull", folder.to_str().unwrap()]);
    let outcomes = &pulled["data"];
    assert_eq!(
        (&pulled["ok"], &outcomes[0]["refused"], &outcomes[1]["refused"]),
        (&false.into(), &true.into(), &false.into())
    );
    assert!(fresh.ok(&["pack", "list"]).stdout.contains("ctxpack.support@1.1.0"));
    // The owner repairs what was damaged.
    good.ok(&["pack", "push", "both"]);
    fresh.ok(&["pack", "pull", folder.to_str().unwrap()]);
}

#[test]
fn the_end_of_a_version_travels_with_it() {
    let p = two_versions();
    p.ok(&["pack", "push", "shared"]);
    let folder = p.path("shared");
    let folder = folder.to_str().unwrap();
    let early = stranger(&p);
    trust(&early);
    early.ok(&["pack", "pull", folder]);
    early.ok(&["pack", "pin", PACK, "--env", "prod"]);
    p.ok(&["pack", "revoke", PACK, "--reason", "leaks"]);
    p.ok(&["pack", "deprecate", "ctxpack.support@1.1.0", "--reason", "old"]);
    p.ok(&["pack", "push", "shared"]);
    let fresh = stranger(&p);
    trust(&fresh);
    let pulled = fresh.json(&["pack", "pull", folder]);
    assert_eq!((&pulled["data"][0]["ended"], &pulled["data"][1]["ended"]), (&"revoked".into(), &"deprecated".into()));
    fresh.refuses(&["pack", "pin", PACK, "--env", "prod"], 1, "D1207", "leaks");
    fresh.refuses(&["pack", "pin", "ctxpack.support@1.1.0", "--env", "prod"], 1, "D1206", "old");
    fresh.ok(&["pack", "pull", folder]);
    fresh.ok(&["pack", "verify"]);
    // A registry that only imported it cannot sign its end, and does not need to where the layout has it.
    fresh.ok(&["pack", "push", folder]);
    fresh.refuses(&["pack", "push", "elsewhere", PACK], 1, "D1324", "no key here");
    // Where it is in use, its end is a decision.
    early.refuses(&["pack", "pull", folder], 1, "D1214", "prod");
    early.ok(&["pack", "pull", folder, "--force"]);
    assert_ne!(early.run(&["pack", "verify", "ctxpack.support", "--env", "prod"]).code, 0);
}

#[test]
fn each_missing_review_names_the_key_that_signed_it() {
    let p = Project::new();
    p.ok(&["keys", "generate", "bee"]);
    let id = |name: &str| {
        let listed = p.json(&["keys", "list"]);
        let keys = listed["data"]["own"].as_array().unwrap().iter();
        let mut own = keys.filter(|key| key["name"] == name).map(|key| key["key_id"].as_str().unwrap().to_owned());
        own.next_back().unwrap_or_else(|| panic!("{listed:#}"))
    };
    p.ok(&["keys", "trust", "bee", "--issuer", "tenant_acme_prod", "--role", "security"]);
    p.ok(&["pack", "lint", "support"]);
    let rest = ["--role", "architecture", "--role", "data", "--role", "evaluation"];
    p.ok(&[&["pack", "review", "support", "--key", "acme"][..], &rest].concat());
    p.ok(&["pack", "review", "support", "--key", "bee", "--role", "security"]);
    p.ok(&["pack", "sign", "support", "--key", "acme"]);
    p.ok(&["pack", "publish", "support"]);
    p.ok(&["pack", "export", PACK, "--out", "support.pack.json"]);
    let other = stranger(&p);
    other.write("support.pack.json", std::fs::read(p.path("support.pack.json")).unwrap());
    let out = other.refuses(&["pack", "import", "support.pack.json"], 1, "D1202", "`security`");
    let line =
        |role: &str| out.stderr.lines().find(|line| line.contains(&format!("no `{role}` review"))).unwrap().to_owned();
    assert!(line("security").contains(&id("bee")) && line("data").contains(&id("acme")), "{}", out.stderr);
}
