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
