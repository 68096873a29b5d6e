//! What must hold of every plan: the order of the file means nothing, nothing required is unbound, hashes speak for
//! contents.

use deed_canon::Pointer;
use deed_catalog::builtin;
use deed_diag::{Document, Format, Style};
use deed_model::{CompiledPlan, StepKind};
use deed_plan::{lower, plan_hash, spec_hash};
use proptest::prelude::*;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

fn document(plan: &Value) -> Document {
    Document::read("plan.json", plan.to_string().as_bytes(), Format::Json).unwrap()
}

fn compile(plan: &Value) -> Option<CompiledPlan> {
    lower(&document(plan), builtin().unwrap()).compiled
}

#[track_caller]
fn compiled(plan: &Value) -> CompiledPlan {
    let lowered = lower(&document(plan), builtin().unwrap());
    lowered.compiled.unwrap_or_else(|| panic!("{}", lowered.report.render(Style::Plain)))
}

const KINDS: [&str; 5] = ["table.csv", "table.tsv", "table.json_rows", "table.parquet", "dataset.aggregated_rows"];
const SLOTS: [&str; 3] = ["normalized_rows", "findings", "raw_files"];
const ENTITIES: [&str; 3] = ["billing.time_entry", "billing.rate_card", "generic.record"];
const POLICIES: [&str; 3] = ["strict.fail-closed.v1", "strict.allow-normalizers.v1", "generic.inference-allowed.v1"];

fn extension(kind: &str) -> &'static str {
    match kind {
        "table.csv" => "csv",
        "table.tsv" => "tsv",
        "table.parquet" => "parquet",
        "dataset.aggregated_rows" => "aggregated.json",
        _ => "json",
    }
}

/// What a step reads and writes, by choices among few.
#[derive(Debug, Clone)]
struct Draft {
    before: Vec<prop::sample::Index>,
    input: (usize, usize, usize, bool),
    output: (usize, usize, usize),
    policy: usize,
}

fn drafts() -> impl Strategy<Value = Vec<Draft>> {
    let one = (
        prop::collection::vec(any::<prop::sample::Index>(), 0..3),
        (0..SLOTS.len(), 0..ENTITIES.len(), 0..KINDS.len(), any::<bool>()),
        (0..SLOTS.len(), 0..ENTITIES.len(), 0..4_usize),
        0..POLICIES.len(),
    );
    let draft = one.prop_map(|(before, input, output, policy)| Draft { before, input, output, policy });
    prop::collection::vec(draft, 1..8)
}

fn plan(drafts: &[Draft]) -> Value {
    let steps: Vec<Value> = drafts
        .iter()
        .enumerate()
        .map(|(index, draft)| {
            let before: BTreeSet<String> = match index {
                0 => BTreeSet::new(),
                _ => draft.before.iter().map(|other| format!("s{}", other.index(index))).collect(),
            };
            let (slot, entity, kind, required) = draft.input;
            let (out_slot, out_entity, out_kind) = draft.output;
            let path = format!("output/{index}.{}", extension(KINDS[out_kind]));
            json!({
                "id": format!("s{index}"), "label": "A step", "objective": "MUST do it",
                "depends_on": before, "policy_profile_id": POLICIES[draft.policy],
                "abstract_inputs": [{
                    "slot": SLOTS[slot], "entity_schema_id": ENTITIES[entity], "accepted_kind_keys": [KINDS[kind]],
                    "required": required,
                }],
                "abstract_outputs": [{
                    "slot": SLOTS[out_slot], "entity_schema_id": ENTITIES[out_entity],
                    "preferred_kind_keys": [KINDS[out_kind]],
                }],
                "expected_outputs": [{ "path": path, "role": "primary" }],
                "artifact_contracts": { path.clone(): { "format": format_of(KINDS[out_kind]) } },
                "success_criteria": [format!("{path} exists")],
            })
        })
        .collect();
    json!({
        "plan": "drawn", "mission": { "objective": "do it" }, "domain_pack_ids": ["billing-audit"],
        "inputs": [
            { "slot": "raw_files", "path": "input/a.csv", "entity_schema_id": "billing.time_entry", "kind_key": "table.csv" },
            { "slot": "normalized_rows", "path": "input/b.json", "entity_schema_id": "billing.rate_card",
              "kind_key": "table.json_rows" },
        ],
        "steps": steps,
    })
}

fn format_of(kind: &str) -> &'static str {
    match kind {
        "table.csv" => "csv",
        "table.tsv" => "tsv",
        "table.parquet" => "parquet",
        _ => "json",
    }
}

/// An object whose keys come in another order in its text.
fn reversed(value: &Value) -> String {
    match value {
        Value::Object(map) => {
            let members: Vec<String> =
                map.iter().rev().map(|(key, inner)| format!("{}:{}", json!(key), reversed(inner))).collect();
            format!("{{{}}}", members.join(","))
        }
        Value::Array(items) => format!("[{}]", items.iter().map(reversed).collect::<Vec<_>>().join(",")),
        other => other.to_string(),
    }
}

/// Walks contracts without any of the compiler's knowledge: everything required is written by a step that surely ran,
/// in the kind that is read, or given to the mission.
fn unbound(plan: &CompiledPlan, given: &[&str]) -> Vec<String> {
    let mut written: BTreeMap<&str, (&str, &str)> = BTreeMap::new();
    let mut ran: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let mut wrong = Vec::new();
    for step in &plan.steps {
        let mut before: BTreeSet<&str> = BTreeSet::new();
        for other in &step.depends_on {
            match ran.get(other.as_str()) {
                Some(theirs) => before.extend(theirs),
                None => wrong.push(format!("{} runs before {other}", step.step_id)),
            }
            before.insert(other);
        }
        for input in step.io_contract.inputs.iter().filter(|input| input.required) {
            let Some(path) = input.path.as_deref() else {
                wrong.push(format!("{} has no path for {}", step.step_id, input.slot));
                continue;
            };
            let kind = input.kind_key.as_ref().map(|kind| kind.as_str());
            match written.get(path) {
                Some((writer, written)) if before.contains(writer) && Some(*written) == kind => {}
                None if given.contains(&path) => {}
                other => wrong.push(format!("{} reads {path}, written by {other:?}", step.step_id)),
            }
        }
        for (path, contract) in &step.artifact_contracts {
            if written.insert(path, (&step.step_id, contract.kind_key.as_str())).is_some() {
                wrong.push(format!("{path} is written twice"));
            }
        }
        ran.insert(&step.step_id, before);
    }
    wrong
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn the_order_of_steps_and_keys_means_nothing(drafts in drafts(), seed in any::<u64>()) {
        let plan = plan(&drafts);
        let mut mixed = plan.clone();
        let steps = mixed["steps"].as_array_mut().unwrap();
        let length = steps.len();
        for at in 0..length {
            steps.swap(at, (seed as usize).wrapping_mul(at + 7) % length);
        }
        let text = reversed(&mixed);
        let document = Document::read("plan.json", text.as_bytes(), Format::Json).unwrap();
        let (one, other) = (compile(&plan), lower(&document, builtin().unwrap()).compiled);
        prop_assert_eq!(one, other);
    }

    #[test]
    fn what_compiles_has_nothing_unbound(drafts in drafts()) {
        if let Some(compiled) = compile(&plan(&drafts)) {
            prop_assert_eq!(unbound(&compiled, &["input/a.csv", "input/b.json"]), Vec::<String>::new());
        }
    }

    #[test]
    fn compiling_twice_gives_the_same(drafts in drafts()) {
        let plan = plan(&drafts);
        prop_assert_eq!(compile(&plan), compile(&plan));
    }
}

/// Enough of the drawn plans compile for the laws above to say something.
#[test]
fn many_drawn_plans_compile() {
    use proptest::strategy::ValueTree;
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let (mut whole, mut adapted) = (0, 0);
    for _ in 0..300 {
        let drafts = drafts().new_tree(&mut runner).unwrap().current();
        if let Some(compiled) = compile(&plan(&drafts)) {
            whole += 1;
            adapted += usize::from(compiled.steps.iter().any(|step| step.step_kind == StepKind::InsertedAdapter));
        }
    }
    assert!(whole >= 30 && adapted >= 10, "{whole} compiled, {adapted} with adapters");
}

fn example() -> Value {
    json!({
        "plan": "example", "mission": { "objective": "compare hours with invoices" },
        "domain_pack_ids": ["billing-audit"], "policy_profile_id": "strict.allow-normalizers.v1",
        "inputs": [{ "slot": "raw_files", "path": "input/a.csv", "entity_schema_id": "billing.time_entry", "kind_key": "table.csv" }],
        "gates": [{ "id": "ok", "question": "May it?", "approver_role": "owner", "after": ["first"] }],
        "steps": [
            {
                "id": "first", "label": "Normalize", "objective": "MUST normalize", "objective_words": "compare hours",
                "abstract_inputs": [{ "slot": "raw_files", "entity_schema_id": "billing.time_entry",
                    "accepted_kind_keys": ["table.json_rows"] }],
                "abstract_outputs": [{ "slot": "normalized_rows", "entity_schema_id": "billing.time_entry",
                    "preferred_kind_keys": ["table.json_rows"] }],
                "expected_outputs": [{ "path": "work/rows.json", "role": "intermediate" }],
                "success_criteria": ["work/rows.json has at least 1 row"],
                "for_each": { "slot": "raw_files", "most_items": 10, "calls_per_item": 2 },
                "tool_needs": ["operator.artifact.evaluate"],
            },
            {
                "id": "second", "label": "Deliver", "objective": "MUST deliver", "depends_on": ["first"],
                "waits_for": ["ok"], "side_effects": [{ "action": "submit", "target": "billing" }],
                "abstract_inputs": [{ "slot": "normalized_rows", "entity_schema_id": "billing.time_entry",
                    "accepted_kind_keys": ["table.csv"] }],
                "abstract_outputs": [{ "slot": "normalized_rows", "entity_schema_id": "billing.time_entry",
                    "preferred_kind_keys": ["table.csv"] }],
                "expected_outputs": [{ "path": "output/rows.csv", "role": "primary" }],
                "success_criteria": [{ "check": "rule", "rule": { ">": [{ "var": "outputs.normalized_rows.rows" }, 0] } }],
                "code": { "language": "python", "source": "print(1)" },
            },
        ],
    })
}

/// Every place of a value that is not an object or list, and every list, with something else put in.
fn altered(value: &Value, at: &str, all: &mut Vec<(String, Value)>) {
    match value {
        Value::Object(map) => map.iter().for_each(|(key, inner)| altered(inner, &Pointer::push(at, key), all)),
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(index, inner)| altered(inner, &format!("{at}/{index}"), all));
            if items.len() > 1 {
                let fewer: Vec<Value> = items.iter().skip(1).cloned().collect();
                all.push((at.to_owned(), Value::Array(fewer)));
            }
        }
        Value::String(text) => all.push((at.to_owned(), json!(format!("{text}x")))),
        Value::Number(number) => all.push((at.to_owned(), json!(number.as_u64().unwrap_or(0) + 1))),
        Value::Bool(flag) => all.push((at.to_owned(), json!(!flag))),
        Value::Null => all.push((at.to_owned(), json!("x"))),
    }
}

#[test]
fn any_change_of_a_contract_changes_its_hash_and_nothing_else_does() {
    let compiled = compiled(&example());
    let mut tried = 0;
    for step in &compiled.steps {
        assert_eq!(spec_hash(step).unwrap(), step.spec_hash);
        let whole = serde_json::to_value(step).unwrap();
        let mut all = Vec::new();
        altered(&whole, "", &mut all);
        for (at, value) in all {
            let mut other = whole.clone();
            *other.pointer_mut(&at).unwrap() = value;
            // What is not a contract any more has no hash to compare.
            let Ok(other) = serde_json::from_value::<deed_model::StepContract>(other) else { continue };
            tried += 1;
            assert_eq!(spec_hash(&other).unwrap() == step.spec_hash, at == "/spec_hash", "{} {at}", step.step_id);
        }
    }
    assert!(tried > 150, "{tried} changes were tried");
    let mut other = compiled.clone();
    other.mission.objective.push('!');
    assert_ne!(plan_hash(&other).unwrap(), compiled.plan_hash);
}

/// What is hashed is the contract as it is written, without the hash.
#[test]
fn the_hash_is_that_of_the_written_contract() {
    for step in &compiled(&example()).steps {
        let mut written = serde_json::to_value(step).unwrap();
        written.as_object_mut().unwrap().remove("spec_hash");
        assert_eq!(deed_canon::hash(&deed_model::STEP_CONTRACT_TAG, &written).unwrap(), step.spec_hash);
    }
}

#[test]
fn a_step_elsewhere_changes_no_contract() {
    let before = compiled(&example());
    let mut plan = example();
    let mut more: Map<String, Value> = plan["steps"][0].as_object().unwrap().clone();
    more.insert("id".to_owned(), json!("zzz"));
    more.insert("expected_outputs".to_owned(), json!([{ "path": "output/more.json", "role": "primary" }]));
    more.insert("success_criteria".to_owned(), json!(["output/more.json exists"]));
    plan["steps"].as_array_mut().unwrap().push(Value::Object(more));
    let after = compiled(&plan);
    for step in &before.steps {
        let same = after.steps.iter().find(|other| other.step_id == step.step_id).unwrap();
        assert_eq!(same.spec_hash, step.spec_hash, "{}", step.step_id);
    }
    assert_ne!(before.plan_hash, after.plan_hash);
}
