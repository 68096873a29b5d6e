//! No field is inert: every leaf of the pack's schema has a row that says what it does, and a change that shows it.
//!
//! The table is `fields/table.txt`. A leaf without a row fails, and so does a row whose change has no effect. The page of the
//! documentation is written from the same rows.

use crate::common::{Given, root};
use deed_context::{Hydrated, Outcome, compile, render_prompt, tokenizer};
use deed_diag::{Document, Format, Severity};
use deed_model::{ContextPack, EndpointAddress, EnvironmentEndpoints, schema_for};
use deed_pack::{Bundle, Candidate, ChangeClass, Selection, diff, lint, resolve};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

const TABLE: &str = include_str!("fields/table.txt");
const SUPPORT: &str = "packs/support";

/// Short names of places, in the table and as leaves of the schema.
const PLACES: [(&str, &str, &str); 3] = [
    ("RULE", "/policy_layer/policy_bundles/0/policy_dsl/rules/1", "policy_layer/policy_bundles/[]/policy_dsl/rules/[]"),
    ("CAP", "/tooling_layer/adapter_registry/0/capabilities/0", "tooling_layer/adapter_registry/[]/capabilities/[]"),
    ("SPEC", "/decision_layer/decision_specs/0", "decision_layer/decision_specs/[]"),
];

/// A row of the table.
struct Row {
    leaf: String,
    says: &'static str,
    observed: &'static str,
    change: Vec<Edit>,
    given: Vec<Edit>,
}

/// A value at a place of the pack, or of another input: `run:/safety_mode`.
struct Edit {
    input: &'static str,
    pointer: String,
    value: Value,
}

fn rows() -> Vec<Row> {
    let lines = TABLE.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| row(line).unwrap_or_else(|| panic!("not a row: {line}"))).collect()
}

fn row(line: &'static str) -> Option<Row> {
    let parts: Vec<&str> = line.split(" | ").collect();
    let [leaf, says, observed, change, rest @ ..] = parts.as_slice() else { return None };
    let leaf = PLACES.iter().fold((*leaf).to_owned(), |leaf, (short, _, long)| match leaf.strip_prefix(short) {
        Some(rest) if rest.is_empty() || rest.starts_with('/') => format!("{long}{rest}"),
        _ => leaf,
    });
    Some(Row { leaf, says, observed, change: edits(change), given: rest.first().map(|g| edits(g)).unwrap_or_default() })
}

fn edits(text: &'static str) -> Vec<Edit> {
    let own = |name: &str| -> Vec<Edit> {
        let (pointer, value) = match name {
            "BLOCKS" => ("/tone_and_comms", blocks()),
            "BUDGET" => ("/budget_layer", budget()),
            _ => ("/policy_layer/policy_bundles/1", second_bundle()),
        };
        vec![Edit { input: "pack", pointer: pointer.to_owned(), value }]
    };
    let mut found: Vec<Edit> = Vec::new();
    for one in text.split(" ; ") {
        let Some((place, value)) = one.split_once('=') else {
            found.extend(own(one));
            continue;
        };
        let place = place.strip_suffix(':').unwrap_or(place);
        let (input, pointer) = match place.split_once(":/") {
            Some((input, pointer)) => (input, format!("/{pointer}")),
            None if place.starts_with('/') || PLACES.iter().any(|(short, ..)| place.starts_with(short)) => {
                ("pack", place.to_owned())
            }
            None => (place, String::new()),
        };
        let pointer = PLACES.iter().fold(pointer, |pointer, (short, long, _)| match pointer.strip_prefix(short) {
            Some(rest) => format!("{long}{rest}"),
            None => pointer,
        });
        let value = serde_json::from_str(value).unwrap_or_else(|error| panic!("{one}: {error}"));
        found.push(Edit { input, pointer, value });
    }
    found
}

fn blocks() -> Value {
    let block = |text: &str, priority: i64| json!({ "kind": "note", "text": text, "priority": priority });
    let both = json!([block("first", 2), block("second", 1)]);
    json!({ "voice_attributes": [], "do": [], "dont": [], "system_blocks": both, "developer_blocks": both })
}

fn budget() -> Value {
    let split =
        json!({ "business": 0.1, "policy": 0.2, "tool": 0.15, "evidence": 0.3, "memory": 0.15, "session": 0.1 });
    json!({ "default_total": 8000, "splits": { "support.refund": split } })
}

fn second_bundle() -> Value {
    let rule = json!({ "rule_id": "R_SECOND", "if": true, "then": { "allow": true }, "rationale": "second" });
    let dsl = json!({ "language": "jsonlogic", "rules": [rule] });
    json!({ "bundle_id": "POLICY_SECOND", "priority": 1, "policy_dsl": dsl })
}

/// Puts a value at a place, with the objects on the way to it, or behind the end of a list.
fn put(document: &mut Value, pointer: &str, value: Value) {
    let Some((parent, key)) = pointer.rsplit_once('/') else {
        *document = value;
        return;
    };
    if document.pointer(parent).is_none() {
        put(document, parent, json!({}));
    }
    match document.pointer_mut(parent).unwrap() {
        Value::Array(items) => {
            let at: usize = key.parse().unwrap();
            if at < items.len() { items[at] = value } else { items.push(value) }
        }
        Value::Object(fields) => {
            fields.insert(key.to_owned(), value);
        }
        other => panic!("{pointer}: {other} has no members"),
    }
}

/// The inputs of a compile.
#[derive(Clone)]
struct Inputs(BTreeMap<&'static str, Value>);

impl Inputs {
    fn worked() -> Self {
        let read = |name: &str| {
            let path = format!("{SUPPORT}/{name}.yaml");
            Document::read(&path, &std::fs::read(root().join(&path)).unwrap(), Format::Yaml).unwrap().value().clone()
        };
        let mut run = read("examples/run");
        // The budget is the pack's.
        run.as_object_mut().unwrap().remove("run_budget");
        run["tokenizer"] = json!("bytes/4");
        run["ontologies"] = json!({ "ont.support": ["1.0.0"] });
        let mut pack = read("pack");
        pack["pack_meta"].as_object_mut().unwrap().remove("overlays");
        Self(BTreeMap::from([
            ("pack", pack),
            ("request", without_refs(read("examples/request"))),
            ("run", run),
            ("evidence", read("examples/evidence")),
            ("memory", read("examples/memory")),
        ]))
    }

    fn with(&self, edits: &[Edit]) -> Self {
        let mut edited = self.clone();
        for edit in edits {
            put(edited.0.get_mut(edit.input).unwrap(), &edit.pointer, edit.value.clone());
        }
        edited
    }

    fn bundle(&self) -> Bundle {
        let bytes = serde_json::to_vec(&self.0["pack"]).unwrap();
        Bundle::new(Document::read("pack.json", &bytes, Format::Json).unwrap(), BTreeMap::new(), Vec::new())
    }

    fn observe(&self) -> Observed {
        let bundle = self.bundle();
        let report = lint(&bundle).report;
        let lint = report.diagnostics().iter().map(|finding| finding.code.as_str()).collect();
        let (context, prompt, refused) = self.compiled(&bundle);
        let candidate = Candidate::new(&self.0["pack"], &[]).ok();
        let issuer = candidate.as_ref().map(|candidate| candidate.issuer().to_owned());
        let reviews = candidate.map(|candidate| format!("{:?}", candidate.required_reviews()));
        Observed { lint, context, prompt, refused, issuer, reviews }
    }

    fn compiled(&self, bundle: &Bundle) -> (Value, String, Option<String>) {
        let Some(typed) = bundle.typed() else { return (Value::Null, String::new(), None) };
        let Ok(resolved) = resolve(bundle, &typed, &Selection::Named(Vec::new())) else {
            return (Value::Null, String::new(), None);
        };
        let pack = Hydrated::new(&resolved, tokenizer("bytes/4").unwrap()).unwrap().with_endpoints(Some(endpoints()));
        let of = |name: &str| self.0[name].clone();
        let given = Given::of(of("request"), of("run"), of("evidence"), of("memory"));
        match compile(&pack, given.inputs()) {
            Outcome::Refused(refusal) => (Value::Null, String::new(), Some(refusal.diagnostic.code.to_string())),
            Outcome::Compiled(c) | Outcome::MustEscalate(c) | Outcome::MustRefuse(c) => {
                (serde_json::to_value(&c).unwrap(), render_prompt(&c.compiled_prompt), None)
            }
        }
    }
}

fn without_refs(mut request: Value) -> Value {
    request.as_object_mut().unwrap().remove("context_pack_refs");
    request
}

/// An environment with the two services that speak OpenAPI.
fn endpoints() -> EnvironmentEndpoints {
    let address = |name: &str| {
        let base_url = format!("https://{name}.acme.example");
        (format!("internal://{name}"), EndpointAddress { adapter_type: deed_model::AdapterType::OpenApi, base_url })
    };
    let addresses = ["orders", "orders-staging", "payments"].map(address).into_iter().collect();
    EnvironmentEndpoints { environment: "prod".to_owned(), addresses }
}

/// Everything that a change of a pack can be seen in.
struct Observed {
    lint: BTreeSet<&'static str>,
    context: Value,
    prompt: String,
    refused: Option<String>,
    issuer: Option<String>,
    reviews: Option<String>,
}

/// Returns why a row does not hold, if it does not.
fn broken(row: &Row) -> Option<String> {
    let (base, changed) = {
        let base = Inputs::worked().with(&row.given);
        let changed = base.with(&row.change);
        (base, changed)
    };
    let (before, after) = (base.observe(), changed.observe());
    let (kind, what) = row.observed.split_once(' ').unwrap_or((row.observed, ""));
    let holds = match kind {
        "context" => {
            before.refused.is_none() && after.refused.is_none() && {
                let (old, new) = (before.context.pointer(what), after.context.pointer(what));
                old != new
            }
        }
        "prompt" => after.refused.is_none() && before.prompt != after.prompt && !before.prompt.is_empty(),
        "lint" => !before.lint.contains(what) && after.lint.contains(what),
        "refused" => before.refused.is_none() && after.refused.as_deref() == Some(what),
        "accepts" => before.refused.as_deref() == Some(what) && after.refused.is_none(),
        "issuer" => before.issuer.is_some() && before.issuer != after.issuer,
        "reviews" => before.reviews.is_some() && before.reviews != after.reviews,
        "class" => {
            let (old, new) = (base.bundle(), changed.bundle());
            let found = diff(&old, &new, &[]).map(|found| found.changes).unwrap_or_default();
            let class = found.iter().map(|change| change.class).max();
            // Words for people alone change nothing else that anything reads.
            let same = before.prompt == after.prompt && !before.prompt.is_empty() && before.lint == after.lint;
            let wanted = [ChangeClass::Patch, ChangeClass::Minor, ChangeClass::Major];
            same && class.is_some_and(|class| wanted.contains(&class) && class.as_str() == what)
        }
        other => panic!("{}: `{other}` is no observation", row.leaf),
    };
    (!holds).then(|| {
        let seen = (&before.refused, &after.refused);
        let lint: Vec<_> = after.lint.difference(&before.lint).collect();
        format!("{}: no `{}`; refusals {seen:?}, new findings {lint:?}", row.leaf, row.observed)
    })
}

/// The leaves of a schema: every member, item and alternative down to plain values and free JSON.
fn leaves(schema: &Value, node: &Value, path: &str, found: &mut BTreeSet<String>) {
    let mut node = node;
    while let Some(reference) = node.get("$ref").and_then(Value::as_str) {
        node = schema.pointer(reference.trim_start_matches('#')).unwrap();
    }
    let mut inner: Vec<(String, &Value)> = Vec::new();
    let below = |key: &str| if path.is_empty() { key.to_owned() } else { format!("{path}/{key}") };
    for (key, value) in node.get("properties").and_then(Value::as_object).into_iter().flatten() {
        inner.push((below(key), value));
    }
    if let Some(value) = node.get("additionalProperties").filter(|value| value.is_object()) {
        inner.push((below("{}"), value));
    }
    if let Some(value) = node.get("items").filter(|value| value.is_object()) {
        inner.push((below("[]"), value));
    }
    for alternative in ["anyOf", "oneOf", "allOf"] {
        for value in node.get(alternative).and_then(Value::as_array).into_iter().flatten() {
            if value.get("const").is_none() && value.get("type") != Some(&json!("null")) {
                inner.push((path.to_owned(), value));
            }
        }
    }
    if inner.is_empty() {
        found.insert(path.to_owned());
    }
    for (path, value) in inner {
        leaves(schema, value, &path, found);
    }
}

#[test]
fn every_leaf_of_the_schema_has_a_row_and_no_row_is_left_over() {
    let schema = schema_for::<ContextPack>();
    let mut expected = BTreeSet::new();
    leaves(&schema, &schema, "", &mut expected);
    let named: Vec<String> = rows().into_iter().map(|row| row.leaf).collect();
    let listed: BTreeSet<String> = named.iter().cloned().collect();
    assert_eq!(named.len(), listed.len(), "a leaf has two rows");
    let missing: Vec<&String> = expected.difference(&listed).collect();
    let unknown: Vec<&String> = listed.difference(&expected).collect();
    assert!(missing.is_empty() && unknown.is_empty(), "without a row: {missing:#?}; not in the schema: {unknown:#?}");
}

#[test]
fn every_row_has_the_effect_that_it_names() {
    let broken: Vec<String> = rows().iter().filter_map(broken).collect();
    assert!(broken.is_empty(), "{} of {} rows:\n{}", broken.len(), rows().len(), broken.join("\n"));
}

#[test]
fn the_worked_pack_lints_without_an_error_and_compiles() {
    let observed = Inputs::worked().observe();
    assert_eq!(observed.refused, None);
    let report = lint(&Inputs::worked().bundle()).report;
    assert_eq!(report.count(Severity::Error), 0, "{:?}", observed.lint);
}

/// The page lists the same rows as the table. `DEED_BLESS=1` writes it.
#[test]
fn the_page_of_the_fields_is_the_table() {
    let path = root().join("docs/fields.md");
    let mut page = String::from(
        "# Fields of a pack\n\nEvery leaf field of the [schema](../schemas/context-pack.v2.schema.json): what it does, and where a \
         change of it is seen.\nA test changes each one and observes the effect; a field without a row fails it. `context` is a \
         part of the compiled context,\n`lint` and `refused` a code, and `class` the class in a diff of text for people, which \
         changes nothing else.\n\n| Field | Effect | Seen in |\n|---|---|---|\n",
    );
    for row in rows() {
        let observed = row.observed.split_once(' ');
        let seen = observed.map_or(row.observed.to_owned(), |(kind, what)| format!("{kind} `{what}`"));
        page.push_str(&format!("| `{}` | {} | {seen} |\n", row.leaf, row.says));
    }
    if std::env::var_os("DEED_BLESS").is_some() {
        std::fs::write(&path, &page).unwrap();
    }
    let there = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(there == page, "docs/fields.md is not the table; write it with DEED_BLESS=1");
}
