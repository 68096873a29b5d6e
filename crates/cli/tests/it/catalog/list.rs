//! `deed catalog list` and `show`: what there is, and one thing of it.

use super::example::example;
use crate::common::Project;

#[test]
fn everything_that_comes_with_it() {
    let p = Project::bare();
    let out = p.ok(&["catalog", "list"]).stdout;
    for head in ["packs (24)", "kinds (24)", "slots (15)", "policies (5)", "adapters (16)", "capabilities (12)"] {
        assert!(out.lines().any(|line| line == head), "{head}\n{out}");
    }
    let data = p.json(&["catalog", "list"])["data"].clone();
    assert_eq!(data["packs"].as_array().unwrap().len(), 24);
    assert_eq!(data["policies"][4]["name"], "strict.fail-closed.v1");
    assert!(data.get("entities").is_none());
    let entities = p.json(&["catalog", "list", "entities"])["data"]["entities"].clone();
    assert!(entities.as_array().unwrap().len() > 60, "{entities}");
    assert!(p.ok(&["catalog", "list", "profiles"]).stdout.contains("billing.time_entry in "));
}

#[test]
fn what_was_added_is_marked() {
    let p = example();
    let out = p.ok(&["catalog", "list", "packs", "--catalog", "claims"]).stdout;
    assert!(out.starts_with("packs (25)\n"), "{out}");
    let added: Vec<&str> = out.lines().filter(|line| line.ends_with("(added)")).collect();
    assert_eq!(added.len(), 1);
    assert!(added[0].contains("domain insurance-claims"), "{added:?}");
}

#[test]
fn one_of_each_sort() {
    let p = Project::bare();
    for (name, what, says) in [
        ("billing-audit", "domain_pack", "entity_schemas: "),
        ("workflow/code-modification", "workflow_pack", "workflow_pack_id: code-modification"),
        ("code-modification", "domain_pack", "domain_pack_id: code-modification"),
        ("billing.table.json_rows.time_entries.v1", "profile", "slot: "),
        ("table.csv", "kind", "media_type: text/csv"),
        ("raw_files", "slot", "kinds: "),
        ("strict.fail-closed.v1", "policy", "explicit_contracts: true"),
        ("csv_to_json_rows.v1", "adapter", "loss: typed"),
        ("deploy.publish", "capability", "external: true"),
    ] {
        let out = p.ok(&["catalog", "show", name]).stdout;
        assert!(out.starts_with(&format!("{what}\n")) && out.contains(says), "{name}\n{out}");
    }
    let answer = p.json(&["catalog", "show", "billing.time_entry"])["data"].clone();
    assert_eq!(answer["entity"]["type"], "object");
    assert!(answer["hash"].as_str().unwrap().starts_with("sha256:"));
}

#[test]
fn what_there_is_not() {
    let p = Project::bare();
    p.refuses(&["catalog", "show", "billing.time_enrty"], 1, "D1819", "did you mean `billing.time_entry`?");
    p.refuses(&["catalog", "show", ""], 1, "D1819", "`deed catalog list` lists all types");
    p.refuses(&["catalog", "show", "\u{1b}]0;x\u{7}"], 1, "D1819", "nothing in the catalogue");
    let answer = p.json(&["catalog", "show", "t\u{430}ble.csv"]);
    assert!(answer["ok"] == false && answer["data"].is_null(), "{answer}");
}
