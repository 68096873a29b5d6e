//! `deed catalog add`: a folder becomes part of a project, as a whole or not at all.

use super::example::{ENTITY, PACK, example, files, project};

#[test]
fn an_added_pack_is_used_by_plans() {
    let p = project();
    p.refuses(&["plan", "check", "plan.yaml"], 1, "D1912", "`deed catalog new domain insurance-claims` begins one");
    let out = p.ok(&["catalog", "add", "claims"]);
    assert_eq!(out.stdout, "added domain insurance-claims\n");
    assert_eq!(files(&p, ".deed/catalog"), ["claims/entities/insurance.claim.yaml", "claims/pack.yaml"]);
    let out = p.ok(&["plan", "check", "plan.yaml", "--deny-warnings"]);
    assert_eq!(out.stdout, "claims: 1 step, 1 adapter inserted, 0 gates; bindings: 1 by adapter\n");
    assert!(p.ok(&["catalog", "list", "packs"]).stdout.starts_with("packs (25)\n"));
    // Also from a folder below, and not outside of the project.
    std::fs::create_dir(p.path("below")).unwrap();
    let home = p.path(".deed");
    let out = p.command(&["catalog", "show", "insurance.claim"]).current_dir(p.path("below")).output().unwrap();
    assert_eq!(out.status.code(), Some(0));
    let elsewhere = example();
    elsewhere.refuses(&["catalog", "show", "insurance.claim"], 1, "D1819", "insurance.claim");
    elsewhere.ok(&["--home", home.to_str().unwrap(), "catalog", "show", "insurance.claim"]);
}

#[test]
fn as_json() {
    let p = project();
    let data = p.json(&["catalog", "add", "claims"])["data"].clone();
    assert_eq!(data["packs"][0], "domain insurance-claims");
    assert_eq!(data["written"].as_array().unwrap().len(), 2);
    let hash = data["hash"].clone();
    assert_eq!(p.json(&["plan", "compile", "plan.yaml"])["data"]["catalog_hash"], hash);
}

#[test]
fn twice() {
    let p = project();
    p.ok(&["catalog", "add", "claims"]);
    let out = p.refuses(&["catalog", "add", "claims"], 1, "D1804", "there is a domain pack `insurance-claims` already");
    assert_eq!(out.stdout, "");
    // Under another name, too.
    p.write("again/pack.yaml", PACK);
    p.write("again/entities/insurance.claim.yaml", ENTITY);
    p.refuses(&["catalog", "add", "again"], 1, "D1804", "there is an entity `insurance.claim` already");
    assert_eq!(files(&p, ".deed/catalog").len(), 2);
}

#[test]
fn all_or_nothing() {
    let p = project();
    // One fault in one of two packs.
    p.write("both/one/pack.yaml", PACK);
    p.write("both/one/entities/insurance.claim.yaml", ENTITY);
    p.write("both/two/pack.yaml", PACK.replace("insurance-claims", "two").replace("version: 1.0.0", "version: one"));
    p.refuses(&["catalog", "add", "both"], 1, "D1818", "`one` is not a version of three numbers");
    assert!(files(&p, ".deed/catalog").is_empty());
    // Something is in the way of one of the files.
    p.write(".deed/catalog/claims/entities/insurance.claim.yaml/x.txt", "");
    p.refuses(&["catalog", "add", "claims"], 1, "D0006", "it is there already");
    assert!(!p.path(".deed/catalog/claims/pack.yaml").exists());
}

#[test]
fn two_packs_that_need_each_other() {
    let p = project();
    let other = PACK
        .replace("domain_pack_id: insurance-claims", "domain_pack_id: insurance-policies")
        .replace("[insurance.claim]", "[insurance.policy]")
        .replace("against: legal-review", "against: insurance-claims")
        .replace("entity_schema_id: insurance.claim", "entity_schema_id: insurance.policy")
        .replace("json_rows.claims", "json_rows.policies")
        .replace("[check the claims, insurance claims, claims backlog]", "[read policies, list policies, policy file]");
    p.write("both/one/pack.yaml", PACK.replace("against: legal-review", "against: insurance-policies"));
    p.write("both/one/entities/insurance.claim.yaml", ENTITY);
    p.write("both/two/pack.yaml", other);
    p.write("both/two/entities/insurance.policy.yaml", ENTITY.replace("insurance.claim", "insurance.policy"));
    let out = p.ok(&["catalog", "add", "both"]);
    assert_eq!(out.stdout, "added domain insurance-claims\nadded domain insurance-policies\n");
}

#[test]
fn without_a_project_or_a_folder() {
    let p = example();
    p.refuses(&["catalog", "add", "claims"], 3, "D0008", "`deed init` makes one");
    let p = project();
    p.refuses(&["catalog", "add", "nowhere"], 3, "D0001", "no such file");
    p.refuses(&["catalog", "add", "plan.yaml"], 3, "D0001", "not a directory");
    std::fs::create_dir(p.path("empty")).unwrap();
    p.refuses(&["catalog", "add", "empty"], 1, "D1820", "there are no types in this folder");
    assert!(files(&p, ".deed/catalog").is_empty());
}

/// A folder is the same however it is named.
#[test]
fn a_folder_with_a_slash_behind_it() {
    for folder in ["claims/", "./claims/", "../claims/", "../../claims/"] {
        let p = project();
        std::fs::create_dir_all(p.path("a/b")).unwrap();
        let at = match folder.matches("..").count() {
            0 => p.path(""),
            1 => p.path("a"),
            _ => p.path("a/b"),
        };
        let out = p.command(&["catalog", "add", folder]).current_dir(at).output().unwrap();
        assert_eq!(out.status.code(), Some(0), "{folder}");
        assert_eq!(
            files(&p, ".deed/catalog"),
            ["claims/entities/insurance.claim.yaml", "claims/pack.yaml"],
            "{folder}"
        );
    }
    let p = project();
    p.ok(&["catalog", "add", &format!("{}/", p.path("claims").display())]);
}
