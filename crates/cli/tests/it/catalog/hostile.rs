//! Catalogues that were made to hurt.

use super::example::{ENTITY, example};
use crate::common::Project;

/// Sixty kinds, each with an adapter to every other: some two hundred thousand ways of three.
#[test]
fn an_enormous_graph_of_adapters() {
    let p = example();
    let kind = |n: usize| {
        format!(
            "- {{ kind_key: x.k{n}, purpose: p, format: other, shape: rows, extensions: [k{n}], media_type: a/b, readable: false }}\n"
        )
    };
    let adapter =
        |a: usize, b: usize| format!("- {{ adapter_id: a{a}_{b}.v1, from: [x.k{a}], to: x.k{b}, loss: none }}\n");
    let kinds: String = (0..60).map(kind).collect();
    let adapters: String = (0..60).flat_map(|a| (0..60).filter(move |b| a != *b).map(move |b| adapter(a, b))).collect();
    p.write("claims/kinds/many.yaml", kinds);
    p.write("claims/adapters/many.yaml", adapters);
    p.write("claims/slots/s.yaml", "- { slot: s, purpose: p, kinds: [x.k0, x.k59, table.csv] }\n");
    let plan = std::fs::read_to_string(p.path("plan.yaml")).unwrap();
    let plan = plan.replace("slot: normalized_rows", "slot: s").replace("claims.csv", "claims.k0");
    p.write("way.yaml", plan.replace("[table.json_rows]", "[x.k59]"));
    p.write("none.yaml", plan);
    let out = p.ok(&["plan", "explain", "way.yaml", "decide", "--catalog", "claims"]);
    assert!(out.stdout.contains("a0_59.v1"), "the shortest of all\n{}", out.stdout);
    p.refuses(
        &["plan", "check", "none.yaml", "--catalog", "claims"],
        1,
        "D1944",
        "no adapters lead from one to the other",
    );
}

#[test]
fn texts_that_would_move_the_cursor() {
    let p = example();
    p.write("claims/entities/insurance.claim.yaml", ENTITY.replace("claimed:", "\"claimed\\u001b[2J\":"));
    let out = p.run(&["catalog", "lint", "claims"]);
    assert!(out.code == 1 && !out.stderr.contains('\u{1b}'), "{}", out.stderr);
}

/// Schemas that point at themselves or at the network.
#[test]
fn entities_with_references() {
    let p = example();
    for reference in ["https://example.com/x.json", "file:///etc/passwd"] {
        p.write(
            "claims/entities/insurance.claim.yaml",
            ENTITY.replace("type: number", &format!("$ref: '{reference}'")),
        );
        let out = p.run(&["catalog", "lint", "claims"]);
        assert!(out.code == 1 && out.stderr.contains("[D1808]"), "{}", out.stderr);
    }
    p.write("claims/entities/insurance.claim.yaml", ENTITY.replace("type: number", "$ref: '#'"));
    let out = p.run(&["catalog", "lint", "claims"]);
    assert!(out.code <= 1, "{}", out.stderr);
}

#[test]
fn a_very_long_pack() {
    let p = Project::bare();
    let triggers: Vec<String> = (0..20_000).map(|n| format!("phrase {n}")).collect();
    let pack = super::example::PACK
        .replace("[check the claims, insurance claims, claims backlog]", &format!("[{}]", triggers.join(", ")));
    p.write("claims/pack.yaml", pack);
    p.write("claims/entities/insurance.claim.yaml", ENTITY);
    p.ok(&["catalog", "lint", "claims"]);
}
