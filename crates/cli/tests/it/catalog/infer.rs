//! `deed catalog infer`: an entity from a file, into a plan that runs, or into a pack.

use crate::common::Project;

const ORDERS: &str = "order_id,customer,amount,ordered_on,paid,zip,note
A-1,Ada,12.50,2026-05-01,true,01234,
A-2,Bob,7,2026-05-02,false,99999,fragile
A-3,Ada,99.99,2026-05-02,true,00001,
";

const PLAN: &str = "plan: orders
mission: { objective: Sum the orders }
policy_profile_id: strict.allow-normalizers.v1
inputs: [{ slot: raw_files, path: input/orders.csv, entity_schema_id: sales.order }]
steps:
  - id: sum
    label: Sum
    objective: MUST sum the amounts
    abstract_inputs: [{ slot: raw_files, entity_schema_id: sales.order, accepted_kind_keys: [table.json_rows] }]
    code:
      language: javascript
      source: |
        export default (inputs, context) => {
          const rows = JSON.parse(inputs[context.read[0]]);
          return { 'output/sum.json': { sum: rows.reduce((all, row) => all + row.amount, 0), zip: rows[0].zip } };
        }
    expected_outputs: [{ path: output/sum.json, role: primary }]
    artifact_contracts: { output/sum.json: { format: json, kind_key: object.json } }
    success_criteria: [output/sum.json is valid json]
";

fn project() -> Project {
    let p = Project::bare();
    p.ok(&["init", "--tenant", "acme"]);
    p.write("in/orders.csv", ORDERS);
    p
}

/// A file with another delimiter has one column, and the note says so.
#[test]
fn semicolons_are_asked_about() {
    let p = project();
    p.write("in/semi.csv", "a;b\n1;2\n");
    let said = p.ok(&["catalog", "infer", "in/semi.csv", "--plan"]).stderr;
    assert!(said.contains("`a;b`: is `;` the delimiter?"), "{said}");
}

#[test]
fn an_entity_goes_from_a_file_into_a_plan_that_compiles_and_runs() {
    let p = project();
    let inferred = p.ok(&["catalog", "infer", "in/orders.csv", "--name", "sales.order", "--plan"]);
    assert!(inferred.stderr.contains("one row is taken to be one `order_id`"), "{}", inferred.stderr);
    p.write("plan.yaml", format!("{PLAN}{}", inferred.stdout));
    p.ok(&["plan", "check", "plan.yaml"]);
    p.ok(&["run", "plan.yaml", "--input", "in", "--id", "first"]);
    let sum = p.ok(&["artifacts", "cat", "first", "output/sum.json"]).stdout;
    assert_eq!(sum.split_whitespace().collect::<String>(), r#"{"sum":119.49,"zip":"01234"}"#);
    p.ok(&["receipts", "verify", "first"]);
    // The entity holds the data to its types: the run is refused before any step begins.
    p.write("in/orders.csv", ORDERS.replace("12.50", "a lot"));
    let refused = p.run(&["run", "plan.yaml", "--input", "in", "--id", "second"]);
    assert!(refused.code == 1 && refused.stderr.contains("amount"), "{}", refused.stderr);
}

/// A compiled plan carries the entities that it declares: it runs without its source.
#[test]
fn a_compiled_plan_carries_its_entities() {
    let p = project();
    let section = p.ok(&["catalog", "infer", "in/orders.csv", "--name", "sales.order", "--plan"]).stdout;
    p.write("plan.yaml", format!("{PLAN}{section}"));
    let compiled = p.ok(&["plan", "compile", "plan.yaml"]).stdout;
    let compiled: serde_json::Value = serde_json::from_str(&compiled).unwrap();
    assert!(compiled["entities"]["sales.order"]["properties"]["amount"]["type"] == "number", "{compiled}");
    assert!(compiled["inputs"][0]["entity_hash"].as_str().is_some_and(|hash| hash.starts_with("sha256:")));
}

#[test]
fn an_entity_goes_into_a_pack_that_can_be_used_at_once() {
    let p = project();
    let out = p.ok(&["catalog", "infer", "in/orders.csv", "--name", "sales.order", "--pack", "sales"]);
    assert_eq!(out.stdout, "sales/pack.yaml\nsales/entities/sales.order.json\n");
    p.ok(&["catalog", "infer", "in/orders.csv", "--name", "sales.copy", "--pack", "sales"]);
    let pack = std::fs::read_to_string(p.path("sales/pack.yaml")).unwrap();
    assert!(pack.ends_with("entity_schemas:\n  - sales.order\n  - sales.copy\n"), "{pack}");
    // Texts by which others find a pack are missing, which keeps only a publication back.
    let out = p.ok(&["catalog", "lint", "sales"]);
    assert!(out.stdout.starts_with("1 pack, 2 entities: it can be used; "), "{}", out.stdout);
    p.refuses(&["catalog", "lint", "sales", "--publish"], 1, "D1815", "`triggers` is empty");
    p.write("plan.yaml", PLAN.replace("\ninputs:", "\ndomain_pack_ids: [sales]\ninputs:"));
    p.ok(&["run", "plan.yaml", "--catalog", "sales", "--input", "in", "--id", "by-pack"]);
    // Nothing is written over.
    p.refuses(
        &["catalog", "infer", "in/orders.csv", "--name", "sales.order", "--pack", "sales"],
        1,
        "D0006",
        "already",
    );
}

/// Lists of entities in every layout are extended, and a pack that cannot be is left as it is.
#[test]
fn packs_of_every_layout_are_extended() {
    let p = project();
    let infer = |folder: &str| p.run(&["catalog", "infer", "in/orders.csv", "--name", "sales.order", "--pack", folder]);
    let head = "domain_pack_id: x\nversion: 1.0.0\n";
    p.write("flow/pack.yaml", format!("{head}entity_schemas: [x.a, x.b] # two\npurpose: y\n"));
    p.write("quoted/pack.yaml", format!("{head}entity_schemas:\n- \"x.a\" # one\npurpose: y\n"));
    p.write("json/pack.json", r#"{"domain_pack_id": "x", "version": "1.0.0", "entity_schemas": ["x.a"]}"#);
    for (file, expected) in [
        ("flow/pack.yaml", "entity_schemas: [x.a, x.b, sales.order] # two"),
        ("quoted/pack.yaml", "entity_schemas:\n- \"x.a\"\n- \"sales.order\" # one"),
        ("json/pack.json", r#""entity_schemas": ["x.a", "sales.order"]"#),
    ] {
        let out = infer(file.split('/').next().unwrap());
        assert_eq!(out.code, 0, "{file}: {}", out.stderr);
        let pack = std::fs::read_to_string(p.path(file)).unwrap();
        assert!(pack.contains(expected), "{file}:\n{pack}");
    }
    p.write("empty/pack.yaml", format!("{head}entity_schemas: []\n"));
    assert_eq!(infer("empty").code, 1);
    assert!(!p.path("empty/entities").exists());
}

#[test]
fn files_that_are_not_tables() {
    let p = project();
    for (name, bytes, message) in [
        ("header.csv", "a,b\n", "it has no rows"),
        ("twice.csv", "a,a\n1,2\n", "line 1: two columns are called `a`"),
        ("nameless.csv", "a,\n1,2\n", "line 1: the name of column 2 is empty"),
        ("ragged.csv", "a,b\n1\n", "line 2"),
        ("page.html", "<html><body>x</body></html>", "it is not a table: it is HTML"),
        ("one.json", "{\"a\":1}", "it is not a table: it is JSON"),
        ("nothing.csv", "", "it is empty"),
    ] {
        p.write(name, bytes);
        p.refuses(&["catalog", "infer", name, "--name", "x.y"], 1, "D1825", message);
    }
    p.refuses(&["catalog", "infer", "in", "--name", "x.y"], 1, "D1825", "it is not a file");
    p.refuses(&["catalog", "infer", "none.csv"], 3, "D0001", "cannot read it");
    for name in ["Order", "order", "generic.order", "sales.order.v1"] {
        p.refuses(&["catalog", "infer", "in/orders.csv", "--name", name], 2, "D1911", "--name sales.order");
    }
}

#[test]
fn rows_of_every_format() {
    let p = project();
    p.write(
        "rows.json",
        r#"[{"id": 1, "at": "2026-01-01T00:00:00Z", "tags": ["a"], "v": 1.5}, {"id": 2, "at": "2026-01-02", "v": 2}]"#,
    );
    p.write("lines.ndjson", "{\"id\": \"a\", \"v\": null}\n{\"id\": \"b\", \"v\": true}\n");
    let cells: String = (1..=12).map(|v| format!("1\t{v}\n")).collect();
    p.write("cells.tsv", format!("id\tv\n{cells}"));
    let schema = |name: &str| p.json(&["catalog", "infer", name])["data"]["schema"].clone();
    let rows = schema("rows.json");
    assert_eq!(rows["$id"], "urn:deed:entity:local.rows");
    assert_eq!(rows["properties"]["tags"]["type"], serde_json::json!(["array", "null"]));
    assert_eq!(rows["properties"]["v"]["type"], "number");
    assert_eq!(rows["required"], serde_json::json!(["id", "at", "v"]));
    assert_eq!(schema("lines.ndjson")["properties"]["v"]["type"], serde_json::json!(["boolean", "null"]));
    let cells = schema("cells.tsv");
    assert_eq!(cells["x-deed-grain"], serde_json::json!(["v"]));
    assert_eq!(cells["properties"]["id"]["type"], "integer");
}
