//! Adapters in plans: the order of a join's tables, groups with an entity of their own, what is dropped, and every adapter
//! over every built-in entity that fits.

use crate::common::{World, plan, with};
use deed_adapters::{Settings, adapters, find};
use deed_catalog::{Entity, builtin};
use deed_diag::{Document, Format};
use deed_model::KindShape;
use deed_schema::Schema;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Cursor;

/// The slots by which a kind goes in and comes out.
fn slot(kind: &str) -> &'static str {
    match kind {
        "dataset.aggregated_rows" => "aggregated_rows",
        "dataset.joined_rows" => "joined_rows",
        "report.markdown" | "report.html" => "report_artifact",
        "file.batch_manifest" => "batch_manifest",
        _ => "raw_files",
    }
}

fn join(inputs: Value) -> Value {
    let step = json!({
        "id": "join", "label": "Join", "objective": "MUST keep all people", "adapter": "joined_rows.v1",
        "abstract_inputs": inputs,
        "abstract_outputs": [{
            "slot": "joined_rows", "entity_schema_id": "generic.record",
            "preferred_kind_keys": ["dataset.joined_rows"],
        }],
        "expected_outputs": [{ "path": "output/all.joined.json" }],
    });
    let given = |path: &str| {
        json!({
            "slot": "normalized_rows", "path": path, "entity_schema_id": "generic.record",
            "kind_key": "table.json_rows",
        })
    };
    let inputs = json!([given("input/z_people.rows.json"), given("input/a_bonus.rows.json")]);
    with(plan(vec![step]), json!({ "inputs": inputs }))
}

fn table(path: &str, more: Value) -> Value {
    let input = json!({
        "slot": "normalized_rows", "entity_schema_id": "generic.record", "path": path,
        "adapt": { "keys": ["id"] },
    });
    with(input, more)
}

fn people(world: &World) {
    world.give("z_people.rows.json", r#"[{"id":"1","name":"a"},{"id":"2","name":"b"},{"id":"3","name":"c"}]"#);
    world.give("a_bonus.rows.json", r#"[{"id":"2","bonus":10},{"id":"9","bonus":99}]"#);
}

#[test]
fn a_join_takes_its_tables_in_the_order_of_the_step_and_by_role_and_never_by_path() {
    let (people_path, bonus) = ("input/z_people.rows.json", "input/a_bonus.rows.json");
    let kept = json!([
        { "id": "1", "name": "a" }, { "id": "2", "name": "b", "bonus": 10 }, { "id": "3", "name": "c" },
    ]);
    let swapped = json!([{ "id": "2", "bonus": 10, "name": "b" }, { "id": "9", "bonus": 99 }]);
    let cases = [
        (table(people_path, json!({})), table(bonus, json!({})), &kept),
        (table(bonus, json!({})), table(people_path, json!({})), &swapped),
        (table(bonus, json!({ "role": "right" })), table(people_path, json!({ "role": "left" })), &kept),
        (table(bonus, json!({ "role": "right" })), table(people_path, json!({})), &kept),
        (table(people_path, json!({ "role": "right" })), table(bonus, json!({})), &swapped),
    ];
    let world = World::new();
    people(&world);
    for (first, second, expected) in cases {
        let run = world.run(&join(json!([first, second])));
        run.succeeded().verified();
        assert_eq!(run.json("output/all.joined.json"), *expected);
    }
}

#[test]
fn what_a_lossy_adapter_drops_is_a_remark_of_its_step_and_in_its_receipt() {
    let world = World::new();
    people(&world);
    let run = world
        .run(&join(json!(
            [table("input/z_people.rows.json", json!({})), table("input/a_bonus.rows.json", json!({})),]
        )));
    run.succeeded().verified();
    let remarks = run.state().step("join").unwrap().remarks.clone();
    let told = |words: &str| remarks.iter().any(|remark| remark.contains(words));
    assert!(told("a row of the first table had no partner (2 times, first at row 1)"), "{remarks:?}");
    assert!(told("a row of the second table had no partner and was left out (once, first at row 2)"), "{remarks:?}");
    let printed = run.receipt("join").execution.printed;
    assert_eq!(printed[1]["count"], json!(1), "{printed}");
}

/// Totals by person, of a CSV file, and a second step that reads the groups by the derived entity.
fn totals(consumer: Value) -> Value {
    let adapt = json!({ "keys": ["person_id"], "measures": [{ "field": "hours", "how": "sum", "name": "total" }] });
    let group = json!({
        "id": "group", "label": "Group", "objective": "MUST total", "adapter": "json_rows_to_aggregated_rows.v1",
        "abstract_inputs": [{
            "slot": "raw_files", "entity_schema_id": "billing.time_entry", "adapt": adapt,
        }],
        "abstract_outputs": [{
            "slot": "aggregated_rows", "entity_schema_id": "billing.time_entry",
            "preferred_kind_keys": ["dataset.aggregated_rows"],
        }],
        "expected_outputs": [{ "path": "work/t.aggregated.json" }],
    });
    let read = json!({
        "id": "read", "label": "Read", "objective": "MUST read", "adapter": "aggregated_rows_to_json_rows.v1",
        "depends_on": ["group"],
        "abstract_inputs": [consumer],
        "abstract_outputs": [{
            "slot": "aggregated_rows", "entity_schema_id": "billing.time_entry_by_person_id",
            "preferred_kind_keys": ["table.json_rows"],
        }],
        "expected_outputs": [{ "path": "output/t.rows.json", "role": "primary" }],
    });
    json!({
        "plan": "totals", "mission": { "objective": "Hours of each person" }, "domain_pack_ids": ["billing-audit"],
        "policy_profile_id": "strict.allow-normalizers.v1",
        "inputs": [{ "slot": "raw_files", "path": "input/time.csv", "entity_schema_id": "billing.time_entry" }],
        "steps": [group, read],
    })
}

const TIME: &str = "entry_id,person_id,role,client_id,project_id,worked_on,hours,billable,status\n\
                    1,p,r,c,x,2026-01-01,2,true,draft\n2,p,r,c,x,2026-01-02,3,true,draft\n\
                    3,q,r,c,x,2026-01-02,4,true,draft\n";

#[test]
fn grouped_rows_have_an_entity_of_their_own_that_is_named_and_checked() {
    let by_name = json!({
        "slot": "aggregated_rows", "entity_schema_id": "billing.time_entry_by_person_id",
        "fields": ["person_id", "total"],
    });
    let by_grain = json!({
        "slot": "aggregated_rows", "entity_schema_id": "billing.time_entry", "grain": ["person_id"],
        "accepted_kind_keys": ["dataset.aggregated_rows"], "fields": ["person_id", "total"],
    });
    let world = World::new();
    world.give("time.csv", TIME);
    for consumer in [by_name, by_grain] {
        let run = world.run(&totals(consumer));
        run.succeeded().verified();
        let expected = json!([{ "person_id": "p", "total": 5 }, { "person_id": "q", "total": 4 }]);
        assert_eq!(run.json("output/t.rows.json"), expected);
        let checks = run.receipt("group").checks;
        assert!(checks.iter().any(|check| check.check == "entity_schema" && check.holds), "{checks:?}");
        let dropped = run.state().step("group").unwrap().remarks.join("\n");
        assert!(dropped.contains("`entry_id`") && dropped.contains("`worked_on`"), "{dropped}");
    }
    let refused = |consumer: Value| {
        let text = totals(consumer).to_string();
        let document = Document::read("plan.json", text.as_bytes(), Format::Json).unwrap();
        let report = deed_plan::lower(&document, builtin().unwrap()).report;
        report.diagnostics().iter().map(|found| found.code.as_str().to_owned()).collect::<Vec<_>>()
    };
    let wrong = json!({
        "slot": "aggregated_rows", "entity_schema_id": "billing.time_entry_by_person_id", "fields": ["hours"],
    });
    assert!(refused(wrong).contains(&"D1929".to_owned()));
    let single = json!({ "slot": "aggregated_rows", "entity_schema_id": "billing.time_entry" });
    assert!(refused(single).contains(&"D1947".to_owned()));
}

/// Values that are tried for a text, until one is valid: for the first row and for the second.
const TEXTS: [(&str, &str); 20] = [
    ("a", "b"),
    ("2026-01-02", "2026-01-03"),
    ("2026-01-02T03:04:05Z", "2026-01-03T03:04:05Z"),
    ("2026-01", "2026-02"),
    ("ada@example.test", "bob@example.test"),
    ("https://example.test/a", "https://example.test/b"),
    ("EUR", "USD"),
    ("DE", "FR"),
    ("en", "de"),
    ("/a", "/b"),
    ("text/plain", "text/html"),
    ("#a1b2c3", "#a1b2c4"),
    ("+491234567", "+491234568"),
    ("cpe:2.3:a", "cpe:2.3:b"),
    ("CWE-79", "CWE-80"),
    ("CVSS:3.1/AV:N", "CVSS:3.1/AV:L"),
    ("CVE-2026-1234", "CVE-2026-1235"),
    ("10.1234/ab", "10.1234/ac"),
    ("a.b", "a.c"),
    ("aaaaaaaaaaaaaaaaaaaa", "bbbbbbbbbbbbbbbbbbbb"),
];

/// A value that a schema allows.
fn value(schema: &Value, second: bool) -> Value {
    if let Some(fixed) = schema.get("const") {
        return fixed.clone();
    }
    if let Some(values) = schema.get("enum").and_then(Value::as_array) {
        return values[usize::from(second && values.len() > 1)].clone();
    }
    let sort = match &schema["type"] {
        Value::Array(sorts) => sorts.iter().find(|sort| *sort != "null").unwrap().clone(),
        sort => sort.clone(),
    };
    let number = |key: &str, otherwise: f64| schema.get(key).and_then(Value::as_f64).unwrap_or(otherwise);
    match sort.as_str() {
        Some("integer") => {
            json!(number("minimum", 1.0).max(number("exclusiveMinimum", 0.0) + 1.0) as i64 + i64::from(second))
        }
        Some("number") => {
            let least = number("minimum", 0.0).max(number("exclusiveMinimum", -1.0) + 0.5);
            json!(if second { (least + 0.25).min(number("maximum", f64::MAX)) } else { least })
        }
        Some("boolean") => json!(second),
        Some("array") => {
            let least = schema.get("minItems").and_then(Value::as_u64).unwrap_or(1).max(1);
            let items = schema.get("items").cloned().unwrap_or_else(|| json!({ "type": "string" }));
            Value::Array((0..least).map(|number| value(&items, (number == 1) ^ second)).collect())
        }
        Some("object") => {
            let mut object = row(schema, second, &|_| true);
            let open = schema.get("additionalProperties").filter(|more| more.is_object());
            if object.is_empty() {
                object.insert("key".to_owned(), open.map_or(json!("a"), |more| value(more, second)));
            }
            Value::Object(object)
        }
        _ => {
            let hex = |length: usize| if second { "b".repeat(length) } else { "a".repeat(length) };
            let sound =
                Schema::new(json!({ "$schema": "https://json-schema.org/draft/2020-12/schema", "allOf": [schema] }));
            let sound = sound.unwrap();
            let of = |pair: &(&str, &str)| if second { pair.1.to_owned() } else { pair.0.to_owned() };
            let mut all = TEXTS.iter().map(of).chain([hex(64), hex(40)]);
            let found = all.find(|text| sound.is_valid(&json!(text)).unwrap());
            json!(found.unwrap_or_else(|| panic!("no text for {schema}")))
        }
    }
}

/// A row of an entity: all that is required, and optional columns that are wanted.
fn row(schema: &Value, second: bool, wanted: &dyn Fn(&str) -> bool) -> Map<String, Value> {
    let properties = schema.get("properties").and_then(Value::as_object).cloned().unwrap_or_default();
    let required: BTreeSet<String> =
        serde_json::from_value(schema.get("required").cloned().unwrap_or(json!([]))).unwrap();
    let of = |(name, property): (String, Value)| {
        let there = required.contains(&name) || wanted(&name);
        there.then(|| (name, value(&property, second)))
    };
    properties.into_iter().filter_map(of).collect()
}

/// Rows of an entity that it allows; without optional lists and objects if they have to be flat.
fn rows(entity: &Entity, flat: bool) -> Vec<Value> {
    let wanted = |name: &str| !entity.nested.contains(name);
    let sound = Schema::new(entity.schema.clone()).unwrap();
    let made: Vec<Value> = [false, true]
        .into_iter()
        .map(|second| {
            let whole = Value::Object(row(&entity.schema, second, &|name| !flat || wanted(name)));
            // Where optional columns exclude each other, those that are required do.
            let valid = sound.is_valid(&whole).unwrap();
            if valid { whole } else { Value::Object(row(&entity.schema, second, &|_| false)) }
        })
        .collect();
    for row in &made {
        assert!(sound.is_valid(row).unwrap(), "{}: {row} {:?}", entity.id, sound.violations_up_to(row, 3));
    }
    let grain = |row: &Value| entity.grain.iter().map(|field| row[field].clone()).collect::<Vec<_>>();
    if made[0] == made[1] || grain(&made[0]) == grain(&made[1]) { vec![made[0].clone()] } else { made }
}

fn delimited(rows: &[Value], delimiter: &str) -> Vec<u8> {
    let names: BTreeSet<&String> = rows.iter().flat_map(|row| row.as_object().unwrap().keys()).collect();
    let cell = |value: Option<&Value>| match value {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
    };
    let mut text = names.iter().map(|name| name.as_str()).collect::<Vec<_>>().join(delimiter);
    for row in rows {
        text.push('\n');
        text.push_str(&names.iter().map(|name| cell(row.get(name.as_str()))).collect::<Vec<_>>().join(delimiter));
    }
    text.push('\n');
    text.into_bytes()
}

/// Returns whether an adapter takes or makes tables whose cells are plain values.
fn is_flat(adapter: &deed_adapters::Adapter) -> bool {
    adapter.from.iter().chain([&adapter.to]).any(|kind| ["table.csv", "table.tsv", "table.parquet"].contains(kind))
}

/// A file of a kind with rows of an entity.
fn file(kind: &str, entity: &Entity, flat: bool) -> Vec<u8> {
    let rows = rows(entity, flat);
    match kind {
        "table.csv" => delimited(&rows, ","),
        "table.tsv" => delimited(&rows, "\t"),
        "table.parquet" => {
            let text = serde_json::to_vec(&rows).unwrap();
            let settings = Settings { row: Some(&entity.schema), ..Settings::default() };
            let mut out = Vec::new();
            let adapter = find("json_rows_to_parquet.v1").unwrap();
            adapter.run(&mut [&mut Cursor::new(text)], &mut out, &settings).unwrap();
            out
        }
        "object.json" | "object.yaml" => serde_json::to_vec(&rows[0]).unwrap(),
        "report.markdown" => b"# Report\n\nAll is well.\n".to_vec(),
        "file.archive.zip" => zip(),
        _ => serde_json::to_vec(&rows).unwrap(),
    }
}

/// A zip archive with one stored entry, `a.txt`.
fn zip() -> Vec<u8> {
    let (name, data, crc) = (b"a.txt", b"hello", 0x3610_a686_u32);
    let mut out = Vec::new();
    let common = |out: &mut Vec<u8>| {
        out.extend_from_slice(&[20, 0, 0, 0, 0, 0, 0, 0, 0x21, 0]);
        out.extend_from_slice(&crc.to_le_bytes());
        out.extend_from_slice(&5_u32.to_le_bytes());
        out.extend_from_slice(&5_u32.to_le_bytes());
        out.extend_from_slice(&5_u16.to_le_bytes());
        out.extend_from_slice(&0_u16.to_le_bytes());
    };
    out.extend_from_slice(b"PK\x03\x04");
    common(&mut out);
    out.extend_from_slice(name);
    out.extend_from_slice(data);
    let directory = out.len() as u32;
    out.extend_from_slice(b"PK\x01\x02\x14\x00");
    common(&mut out);
    out.extend_from_slice(&[0; 10]);
    out.extend_from_slice(&0_u32.to_le_bytes());
    out.extend_from_slice(name);
    let size = out.len() as u32 - directory;
    out.extend_from_slice(b"PK\x05\x06\0\0\0\0\x01\0\x01\0");
    out.extend_from_slice(&size.to_le_bytes());
    out.extend_from_slice(&directory.to_le_bytes());
    out.extend_from_slice(&[0, 0]);
    out
}

/// Returns the reason why an adapter cannot take an entity, if it cannot.
fn unfit(adapter: &deed_adapters::Adapter, entity: &Entity) -> Option<&'static str> {
    let catalog = builtin().unwrap();
    let looked_into = adapter
        .from
        .iter()
        .all(|kind| matches!(catalog.kind(kind).unwrap().shape, KindShape::Rows | KindShape::Document));
    let nested_key = entity.grain.iter().any(|field| entity.nested.contains(field));
    if !looked_into {
        let usual = catalog
            .profiles_of(entity.id.as_str())
            .any(|profile| [adapter.from[0], adapter.to].contains(&profile.kind_key.as_str()));
        return (!usual).then_some("no profile in that form");
    }
    if entity.id.is_generic() {
        return Some("generic");
    }
    if is_flat(adapter) && entity.required.iter().any(|field| entity.nested.contains(field)) {
        return Some("a required column is a list or object");
    }
    let keyed = ["json_rows_to_aggregated_rows.v1", "joined_rows.v1"].contains(&adapter.id);
    (keyed && (entity.grain.is_empty() || nested_key)).then_some("no plain key")
}

/// A step that runs one adapter over one entity, with the files that it reads.
fn over(world: &World, adapter: &deed_adapters::Adapter, entity: &Entity) -> (Value, Vec<Value>) {
    let catalog = builtin().unwrap();
    let name = entity.id.as_str().replace('.', "-");
    let ending = |kind: &str| catalog.kind(kind).unwrap().extensions[0].clone();
    let kind = adapter.from[0];
    let path = format!("{}.{}", name, ending(kind));
    world.give(&path, file(kind, entity, is_flat(adapter)));
    let given = |path: &str, kind: &str, entity: &str| json!({ "slot": slot(kind), "path": format!("input/{path}"), "kind_key": kind, "entity_schema_id": entity });
    let mut inputs = vec![given(&path, kind, entity.id.as_str())];
    let mut input = json!({
        "slot": slot(kind), "entity_schema_id": entity.id.as_str(), "path": format!("input/{path}"),
        "accepted_kind_keys": [kind],
    });
    let keys: Vec<&String> = entity.grain.iter().collect();
    let mut needs = vec![input.clone()];
    let mut made = entity.id.as_str();
    if adapter.id == "json_rows_to_aggregated_rows.v1" {
        let counted = entity.required.iter().next().unwrap();
        input["adapt"] =
            json!({ "keys": keys, "measures": [{ "field": counted, "how": "count", "name": "n_of_rows" }] });
        needs = vec![input];
    } else if adapter.id == "joined_rows.v1" {
        input["adapt"] = json!({ "keys": keys });
        let first = &rows(entity, false)[0];
        let mut other: Map<String, Value> =
            keys.iter().map(|key| ((*key).clone(), first[key.as_str()].clone())).collect();
        other.insert("joined_value".to_owned(), json!(7));
        let right = format!("{name}.right.rows.json");
        world.give(&right, json!([other]).to_string());
        inputs.push(given(&right, kind, "generic.record"));
        let right = json!({
            "slot": slot(kind), "entity_schema_id": "generic.record", "path": format!("input/{right}"), "role": "right",
        });
        // The right table is listed first, and its path sorts after the left: the roles decide.
        needs = vec![right, input];
        made = "generic.record";
    }
    let step = json!({
        "id": name, "label": "Adapt", "objective": "MUST adapt", "adapter": adapter.id, "abstract_inputs": needs,
        "abstract_outputs": [{
            "slot": slot(adapter.to), "entity_schema_id": made, "preferred_kind_keys": [adapter.to],
        }],
        "expected_outputs": [{ "path": format!("output/{name}.{}", ending(adapter.to)), "role": "primary" }],
    });
    (step, inputs)
}

#[test]
fn every_adapter_runs_in_a_plan_over_every_entity_that_fits() {
    let catalog = builtin().unwrap();
    let packs = |kind: deed_catalog::PackKind| {
        catalog.packs().filter(|pack| pack.kind == kind).map(|pack| pack.library.id().to_owned()).collect::<Vec<_>>()
    };
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut unfitting: BTreeMap<&str, BTreeMap<&str, usize>> = BTreeMap::new();
    for adapter in adapters() {
        let world = World::new();
        let (mut steps, mut inputs) = (Vec::new(), Vec::new());
        for entity in catalog.entities() {
            match unfit(adapter, entity) {
                Some(why) => *unfitting.entry(adapter.id).or_default().entry(why).or_default() += 1,
                None => {
                    let (step, given) = over(&world, adapter, entity);
                    steps.push(step);
                    inputs.extend(given);
                }
            }
        }
        counts.insert(adapter.id, steps.len());
        let generic = adapter.id == "joined_rows.v1" || adapter.from == ["file.archive.zip"];
        let policy = if generic { "generic.inference-allowed.v1" } else { "strict.allow-normalizers.v1" };
        let plan = json!({
            "plan": "all", "mission": { "objective": "Run one adapter over everything" }, "policy_profile_id": policy,
            "domain_pack_ids": packs(deed_catalog::PackKind::Domain),
            "workflow_pack_ids": packs(deed_catalog::PackKind::Workflow),
            "inputs": inputs, "steps": steps,
        });
        let run = world.run(&plan);
        run.succeeded();
        if adapter.id == "joined_rows.v1" {
            for step in run.plan.steps.iter() {
                let path = &step.io_contract.write_paths[0];
                assert_eq!(run.json(path)[0]["joined_value"], json!(7), "{}", step.step_id);
            }
        }
    }
    // What does not fit is known, and each with its reason: a change of the catalogue or of an adapter shows here.
    const LISTS: &str = "a required column is a list or object";
    const FORM: &str = "no profile in that form";
    let generic = ("generic", 3);
    let rows = vec![generic];
    let flat = vec![(LISTS, 78), generic];
    let expected = [
        ("aggregated_rows_to_json_rows.v1", 123, &rows),
        ("csv_to_json_rows.v1", 45, &flat),
        ("csv_to_tsv.v1", 45, &flat),
        ("joined_rows.v1", 123, &rows),
        ("joined_rows_to_json_rows.v1", 123, &rows),
        ("json_rows_to_aggregated_rows.v1", 123, &rows),
        ("json_rows_to_csv.v1", 45, &flat),
        ("json_rows_to_parquet.v1", 45, &flat),
        ("json_rows_to_tsv.v1", 45, &flat),
        ("json_to_yaml.v1", 123, &rows),
        ("markdown_to_html.v1", 9, &vec![(FORM, 117)]),
        ("parquet_to_json_rows.v1", 45, &flat),
        ("tsv_to_csv.v1", 45, &flat),
        ("tsv_to_json_rows.v1", 45, &flat),
        ("yaml_to_json.v1", 123, &rows),
        ("zip_to_batch_manifest.v1", 3, &vec![(FORM, 123)]),
    ];
    let found: Vec<_> = counts
        .iter()
        .map(|(adapter, count)| {
            let why: Vec<_> = unfitting.get(adapter).into_iter().flatten().map(|(why, n)| (*why, *n)).collect();
            (*adapter, *count, why)
        })
        .collect();
    let expected: Vec<_> = expected.into_iter().map(|(adapter, count, why)| (adapter, count, why.clone())).collect();
    assert_eq!(found, expected);
}
