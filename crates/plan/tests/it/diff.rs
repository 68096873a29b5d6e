//! What each change to a plan means: a table with both directions, and the law that nothing goes unlisted.

use deed_canon::ContentHash;
use deed_catalog::builtin;
use deed_diag::{Document, Format};
use deed_model::CompiledPlan;
use deed_plan::PlanChangeClass::{self, Breaking, Compatible, Tightening};
use deed_plan::{PlanDiff, diff, lower, plan_hash, spec_hash};
use proptest::prelude::*;
use serde_json::{Value, json};

const PLAN: &str = "
plan: audit
mission: { objective: Find what is wrong, success_criteria: [output/findings.json exists] }
domain_pack_ids: [billing-audit]
policy_profile_id: strict.allow-normalizers.v1
inputs:
  - { slot: raw_files, path: input/time.csv, entity_schema_id: billing.time_entry }
  - { slot: source_manifest, path: input/rates.json, entity_schema_id: billing.rate_card, kind_key: table.json_rows }
steps:
  - id: load
    label: Load
    objective: MUST load
    abstract_inputs:
      - { slot: raw_files, entity_schema_id: billing.time_entry, accepted_kind_keys: [table.json_rows], fields: [entry_id] }
      - { slot: source_manifest, required: false, entity_schema_id: billing.rate_card, accepted_kind_keys: [table.json_rows] }
    expected_outputs: [{ path: work/rows.json, role: intermediate, slot: normalized_rows }]
    abstract_outputs:
      - slot: normalized_rows
        entity_schema_id: billing.time_entry
        preferred_kind_keys: [table.json_rows]
        fields: [entry_id, person_id, client_id, project_id, role, worked_on, hours, billable, status, source_id]
    success_criteria: [work/rows.json has at least 1 row]
  - id: check
    label: Check
    objective: MUST check
    depends_on: [load]
    tool_needs: [sandbox.exec]
    abstract_inputs:
      - { slot: normalized_rows, entity_schema_id: billing.time_entry, accepted_kind_keys: [table.json_rows], fields: [entry_id] }
    expected_outputs: [{ path: output/findings.json, role: primary, slot: findings }]
    abstract_outputs: [{ slot: findings, entity_schema_id: billing.time_entry, preferred_kind_keys: [table.json_rows] }]
    success_criteria: [output/findings.json exists]
  - id: send
    label: Send
    objective: MUST send
    depends_on: [check]
    waits_for: [approved]
    side_effects: [{ action: submit, target: ledger }]
    abstract_inputs:
      - { slot: findings, entity_schema_id: billing.time_entry, accepted_kind_keys: [table.json_rows], fields: [entry_id] }
    expected_outputs: [{ path: output/sent.html, role: supporting }]
    artifact_contracts: { output/sent.html: { format: html } }
    success_criteria: [output/sent.html exists]
gates:
  - { id: approved, question: May it be sent?, approver_role: lead, after: [check] }
";

fn compile(text: &str) -> CompiledPlan {
    let lowered = lower(&Document::read("plan.yaml", text.as_bytes(), Format::Yaml).unwrap(), builtin().unwrap());
    lowered.compiled.unwrap_or_else(|| panic!("{}", lowered.report.render(deed_diag::Style::Plain)))
}

fn seal(mut plan: CompiledPlan) -> CompiledPlan {
    for step in &mut plan.steps {
        step.spec_hash = spec_hash(step).unwrap();
    }
    plan.plan_hash = plan_hash(&plan).unwrap();
    plan
}

fn read(value: Value) -> CompiledPlan {
    seal(serde_json::from_value(value).unwrap())
}

fn value(plan: &CompiledPlan) -> Value {
    serde_json::to_value(plan).unwrap()
}

/// The plan with one place set; `null` for a list element or key takes it out.
fn with(plan: &CompiledPlan, pointer: &str, new: Value) -> CompiledPlan {
    let mut all = value(plan);
    let pointer = at(plan, pointer);
    let (above, last) = pointer.rsplit_once('/').unwrap();
    match all.pointer_mut(above).unwrap_or_else(|| panic!("{above}")) {
        Value::Object(fields) => drop(fields.insert(last.replace("~1", "/"), new)),
        Value::Array(list) if last == "-" => list.push(new),
        Value::Array(list) => list[last.parse::<usize>().unwrap()] = new,
        _ => panic!("{pointer}"),
    }
    read(all)
}

fn without(plan: &CompiledPlan, pointer: &str) -> CompiledPlan {
    let mut all = value(plan);
    let pointer = at(plan, pointer);
    let (above, last) = pointer.rsplit_once('/').unwrap();
    match all.pointer_mut(above).unwrap() {
        Value::Object(fields) => drop(fields.remove(&last.replace("~1", "/")).unwrap()),
        Value::Array(list) => drop(list.remove(last.parse().unwrap())),
        _ => panic!("{pointer}"),
    }
    read(all)
}

/// `@check/label` is `/steps/2/label`.
fn at(plan: &CompiledPlan, pointer: &str) -> String {
    let Some(rest) = pointer.strip_prefix('@') else { return pointer.to_owned() };
    let (step, rest) = rest.split_once('/').unwrap_or((rest, ""));
    let index = plan.steps.iter().position(|known| known.step_id == step).unwrap();
    if rest.is_empty() { format!("/steps/{index}") } else { format!("/steps/{index}/{rest}") }
}

fn described(diff: &PlanDiff) -> String {
    diff.changes.iter().map(|c| format!("{} {:?} {}: {}\n", c.class, c.step, c.at, c.what)).collect()
}

/// Holds a pair of plans to the class of each direction.
fn both(a: &CompiledPlan, b: &CompiledPlan, there: PlanChangeClass, back: PlanChangeClass, what: &str) {
    for (from, to, class) in [(a, b, there), (b, a, back)] {
        let found = diff(from, to);
        assert!(!found.changes.is_empty(), "{what}");
        assert_eq!(found.class, class, "{what}\n{}", described(&found));
        for change in &found.changes {
            assert!(!change.what.is_empty() && (change.before.is_some() || change.after.is_some()), "{change:?}");
            let side = if change.after.is_some() { to } else { from };
            let place = |name: &String| side.steps.iter().position(|step| step.step_id == *name).unwrap();
            let root = change.step.as_ref().map(|step| format!("/steps/{}", place(step))).unwrap_or_default();
            assert!(value(side).pointer(&format!("{root}{}", change.at)).is_some(), "{}: {}", what, change.at);
        }
    }
}

#[test]
fn values_have_the_class_of_their_place_in_both_directions() {
    let plan = compile(PLAN);
    let input = "@check/io_contract/inputs/0";
    let output = "@check/io_contract/outputs/0";
    let rules = "@check/policy/rules";
    let artifact = "@check/artifact_contracts/output~1findings.json";
    let table: Vec<(String, Value, PlanChangeClass, PlanChangeClass)> = vec![
        // Words.
        ("/mission/objective".into(), json!("Other"), Breaking, Breaking),
        ("@check/label".into(), json!("Other"), Compatible, Compatible),
        ("@check/objective".into(), json!("Other"), Breaking, Breaking),
        ("@check/objective_words".into(), json!("Other"), Compatible, Compatible),
        ("@check/execution_contract/routing/why".into(), json!("x"), Compatible, Compatible),
        ("@check/bindings/0/why".into(), json!("x"), Compatible, Compatible),
        // Names and forms.
        ("/plan".into(), json!("other"), Breaking, Breaking),
        ("/version".into(), json!("other"), Breaking, Breaking),
        ("@check/step_id".into(), json!("checked"), Breaking, Breaking),
        ("@check/step_kind".into(), json!("tools"), Breaking, Breaking),
        // Outputs.
        (format!("{output}/path"), json!("output/other.json"), Breaking, Breaking),
        (format!("{output}/kind_key"), json!("table.csv"), Breaking, Breaking),
        (format!("{output}/entity_schema_id"), json!("billing.rate_card"), Breaking, Breaking),
        (format!("{output}/grain"), json!(["role"]), Breaking, Breaking),
        (format!("{output}/profile_id"), json!("billing.table.json_rows.other.v1"), Breaking, Breaking),
        (format!("{output}/role"), json!("supporting"), Breaking, Compatible),
        (format!("{output}/role"), json!("intermediate"), Breaking, Compatible),
        (format!("{output}/slot"), json!("scores"), Breaking, Breaking),
        ("@load/io_contract/outputs/0/fields/-".into(), json!("task_code"), Compatible, Breaking),
        (format!("{output}/provenance_fields/-"), json!("role"), Compatible, Breaking),
        ("@check/io_contract/write_paths/-".into(), json!("output/more.json"), Compatible, Breaking),
        // Inputs.
        (format!("{input}/entity_schema_id"), json!("billing.rate_card"), Breaking, Breaking),
        (format!("{input}/kind_key"), json!("table.csv"), Breaking, Breaking),
        (format!("{input}/path"), json!("work/other.json"), Breaking, Breaking),
        (format!("{input}/grain"), json!(["role"]), Breaking, Breaking),
        (format!("{input}/required"), json!(false), Compatible, Breaking),
        (format!("{input}/fields/-"), json!("hours"), Breaking, Compatible),
        (format!("{input}/provenance"), json!("required"), Tightening, Breaking),
        ("@check/io_contract/read_paths/-".into(), json!("work/other.json"), Breaking, Compatible),
        ("@check/bindings/0/producer/step".into(), json!("send"), Breaking, Breaking),
        ("@check/bindings/0/producer/path".into(), json!("work/other.json"), Breaking, Breaking),
        ("@check/bindings/0/rank".into(), json!("generic"), Breaking, Tightening),
        ("@check/bindings/0/rank".into(), json!("accepted_kind"), Compatible, Compatible),
        ("@check/bindings/0/drops".into(), json!(["dates"]), Breaking, Compatible),
        // Order and control.
        ("@send/depends_on/-".into(), json!("load"), Compatible, Breaking),
        ("@check/waits_for/-".into(), json!("approved"), Tightening, Breaking),
        ("/gates/0/before/-".into(), json!("check"), Tightening, Breaking),
        ("/gates/0/after/-".into(), json!("load"), Tightening, Breaking),
        ("/gates/0/question".into(), json!("Well?"), Breaking, Breaking),
        ("/gates/0/approver_role".into(), json!("intern"), Breaking, Breaking),
        ("@check/domain_pack_ids/-".into(), json!("legal-review"), Breaking, Breaking),
        // Policy.
        (format!("{rules}/adapters"), json!("keeps_values"), Tightening, Breaking),
        (format!("{rules}/adapters"), json!("none"), Tightening, Breaking),
        (format!("{rules}/generic"), json!(true), Breaking, Tightening),
        (format!("{rules}/unknown_columns"), json!(true), Breaking, Tightening),
        (format!("{rules}/provenance"), json!("preferred"), Tightening, Breaking),
        (format!("{rules}/effects_need_gate"), json!(true), Tightening, Breaking),
        (format!("{rules}/explicit_contracts"), json!(true), Tightening, Breaking),
        ("@check/policy/policy_profile_ids/-".into(), json!("provenance.required.v1"), Compatible, Compatible),
        // What files must be.
        (format!("{artifact}/format"), json!("csv"), Breaking, Breaking),
        (format!("{artifact}/kind_key"), json!("table.csv"), Breaking, Breaking),
        (format!("{artifact}/required_top_level_type"), json!("object"), Breaking, Breaking),
        (format!("{artifact}/required_fields/-"), json!("rare"), Tightening, Breaking),
        (format!("{artifact}/entity_hash"), json!(ContentHash::of_bytes(b"x")), Breaking, Breaking),
        (format!("{artifact}/derived"), json!(false), Compatible, Compatible),
        // Execution.
        ("@check/execution_contract/routing/backend".into(), json!("native"), Breaking, Breaking),
        ("@check/execution_contract/routing/needs_model".into(), json!(false), Breaking, Breaking),
        ("@check/allowed_tool_ids/-".into(), json!("web.fetch"), Breaking, Tightening),
        ("@check/execution_contract/side_effects/-".into(), json!({"action": "a", "target": "b"}), Breaking, Breaking),
        ("@check/execution_contract/code_hash".into(), json!(ContentHash::of_bytes(b"x")), Breaking, Breaking),
        ("@check/execution_contract/adapter_id".into(), json!("x.v1"), Breaking, Breaking),
        // Validators, success, repair, budgets.
        ("@check/validators/0/mode".into(), json!("report"), Breaking, Tightening),
        ("@check/validators/0/mode".into(), json!("off"), Breaking, Tightening),
        (
            "@check/success_criteria/-".into(),
            json!({"check": "parses", "path": "output/findings.json"}),
            Tightening,
            Breaking,
        ),
        ("/mission/success_criteria/-".into(), json!("output/sent.html exists"), Tightening, Breaking),
        ("@check/repair_policy/max_retries".into(), json!(1), Tightening, Breaking),
        ("@check/repair_policy/strategy".into(), json!("none"), Tightening, Breaking),
        ("@check/repair_policy/immutable_output_bindings".into(), json!(false), Breaking, Tightening),
        ("@check/repair_policy/boundaries/output_shape".into(), json!("report"), Breaking, Breaking),
        ("@check/worst_case/wall_seconds".into(), json!(1), Tightening, Breaking),
        ("/worst_case/wall_seconds".into(), json!(1), Tightening, Breaking),
    ];
    for (pointer, new, there, back) in table {
        both(&plan, &with(&plan, &pointer, new.clone()), there, back, &format!("{pointer} = {new}"));
    }
}

#[test]
fn things_that_go_are_breaking_and_things_that_come_have_their_class() {
    let plan = compile(PLAN);
    let added = [
        ("/gates/0", Tightening),
        ("@check/io_contract/outputs/0", Compatible),
        ("@check/artifact_contracts/output~1findings.json", Tightening),
        ("@check/artifact_contracts/output~1findings.json/required_top_level_type", Tightening),
        ("@check/success_criteria/0", Tightening),
        ("@send/execution_contract/side_effects/0", Breaking),
        ("@check/allowed_tool_ids/0", Breaking),
        ("@send/waits_for/0", Tightening),
    ];
    for (pointer, class) in added {
        let back = if pointer.contains("allowed_tool_ids") { Tightening } else { Breaking };
        both(&without(&plan, pointer), &plan, class, back, pointer);
    }
    let checks = plan.steps.iter().find(|step| step.step_id == "check").unwrap().validators.len();
    for index in 0..checks {
        let pointer = format!("@check/validators/{index}");
        both(&without(&plan, &pointer), &plan, Tightening, Breaking, &pointer);
    }
}

#[test]
fn a_loop_is_held_to_its_numbers() {
    let plan = with(
        &compile(PLAN),
        "@check/execution_contract/for_each",
        json!({"slot": "normalized_rows", "most_items": 5, "calls_per_item": 2}),
    );
    both(&compile(PLAN), &plan, Breaking, Breaking, "a loop");
    for part in ["most_items", "calls_per_item"] {
        let less = with(&plan, &format!("@check/execution_contract/for_each/{part}"), json!(1));
        both(&plan, &less, Tightening, Breaking, part);
    }
}

fn edited(from: &str, to: &str) -> CompiledPlan {
    assert!(PLAN.contains(from), "{from}");
    compile(&PLAN.replace(from, to))
}

#[test]
fn plans_as_they_are_written_have_the_class_of_what_was_written() {
    let plan = compile(PLAN);
    let sent = "expected_outputs: [{ path: output/sent.html, role: supporting }]";
    let twice = "expected_outputs: [{ path: output/sent.html }, { path: output/note.html }]";
    let known = "artifact_contracts: { output/sent.html: { format: html }";
    let more =
        compile(&PLAN.replace(sent, twice).replace(known, &format!("{known}, output/note.html: {{ format: html }}")));
    both(&plan, &more, Compatible, Breaking, "a new output");
    let step = "\ngates:";
    let idle = "  - { id: extra, label: Extra, objective: MUST, depends_on: [check], input_file_paths: [output/findings.json], expected_outputs: [{ path: output/extra.html }], artifact_contracts: { output/extra.html: { format: html } }, success_criteria: [output/extra.html exists] }\ngates:";
    both(&plan, &edited(step, &format!("\n{idle}")), Compatible, Breaking, "a new step");
    let bold = idle.replace("depends_on", "side_effects: [{ action: a, target: b }], depends_on");
    both(&plan, &edited(step, &format!("\n{bold}")), Breaking, Breaking, "a new step with effects");
}

#[test]
fn a_rename_is_one_change_of_the_step_and_what_names_it() {
    let plan = compile(PLAN);
    let renamed = compile(&PLAN.replace("id: send", "id: submit"));
    both(&plan, &renamed, Breaking, Breaking, "a rename");
    let found = diff(&plan, &renamed);
    assert!(found.changes.iter().any(|change| change.at == "/step_id"), "{}", described(&found));
    assert!(!found.changes.iter().any(|change| change.what.ends_with("is gone")), "{}", described(&found));
}

#[test]
fn adapters_come_and_go_without_harm_if_the_reader_gets_the_same() {
    let plan = compile(PLAN);
    assert!(plan.steps.iter().any(|step| step.step_id.starts_with("adapt:")));
    let direct = edited(
        "path: input/time.csv, entity_schema_id: billing.time_entry }",
        "path: input/time.json, entity_schema_id: billing.time_entry, kind_key: table.json_rows }",
    );
    assert!(!direct.steps.iter().any(|step| step.step_id.starts_with("adapt:")));
    let gone = diff(&plan, &direct);
    // The budget of the adapter is no longer spent, and the file itself is held to its entity, which is stricter.
    assert_eq!(gone.class, Tightening, "{}", described(&gone));
    let others = gone.changes.iter().filter(|change| change.class != Compatible);
    let stricter = ["/worst_case/wall_seconds", "/validators/3", "/validators/4"];
    assert!(others.map(|change| change.at.as_str()).eq(stricter), "{}", described(&gone));
    // Coming, it loses something on the way that was not lost.
    let come = diff(&direct, &plan);
    let others: Vec<_> = come.changes.iter().filter(|change| change.class != Compatible).collect();
    assert!(others.iter().all(|change| change.at.ends_with("/drops")), "{}", described(&come));
    let mut lossless = plan.clone();
    lossless.steps.iter_mut().flat_map(|step| &mut step.bindings).for_each(|binding| binding.drops.clear());
    assert_eq!(diff(&direct, &seal(lossless)).class, Compatible);
}

#[test]
fn an_optional_input_is_no_burden_and_a_required_one_is() {
    let optional = "\n      - { slot: source_manifest, required: false, entity_schema_id: billing.rate_card, accepted_kind_keys: [table.json_rows] }";
    let plan = compile(PLAN);
    let without = edited(optional, "");
    both(&without, &plan, Compatible, Compatible, "an optional input");
    let required = edited(optional, &optional.replace("required: false", "required: true"));
    both(&without, &required, Breaking, Compatible, "a required input");
    both(&plan, &required, Breaking, Compatible, "an input that became required");
}

#[test]
fn budgets_and_retries_of_a_step_decide() {
    let plan = compile(PLAN);
    let fewer = edited("    label: Check", "    max_retries: 1\n    label: Check");
    both(&plan, &fewer, Tightening, Breaking, "fewer retries");
    let less = edited("    label: Check", "    budget: { tool_calls: 2 }\n    label: Check");
    both(&plan, &less, Tightening, Breaking, "a smaller budget");
    let strict = edited(
        "policy_profile_id: strict.allow-normalizers.v1",
        "policy_profile_id: strict.allow-normalizers.v1\nextra_policy_profile_ids: [deploy.human-review-required.v1]",
    );
    both(&plan, &strict, Tightening, Breaking, "a further policy");
}

#[test]
fn order_alone_is_compatible_and_listed() {
    let plan = compile(PLAN);
    let mut other = plan.clone();
    other.steps.swap(0, 1);
    both(&plan, &seal(other), Compatible, Compatible, "steps");
    let check = at(&plan, "@check");
    for list in ["validators", "io_contract/outputs/0/fields", "repair_policy/boundaries"] {
        let mut all = value(&plan);
        let Some(Value::Array(list)) = all.pointer_mut(&format!("{check}/{list}")) else { continue };
        if list.len() > 1 {
            list.reverse();
            both(&plan, &read(all), Compatible, Compatible, "a list");
        }
    }
}

#[test]
fn the_catalogue_is_listed_with_its_hashes() {
    let plan = compile(PLAN);
    let mut other = plan.clone();
    other.catalog_hash = ContentHash::of_bytes(b"another");
    let found = diff(&plan, &seal(other.clone()));
    assert_eq!((found.class, found.changes.len()), (Compatible, 1));
    assert_eq!(found.changes[0].before, Some(json!(plan.catalog_hash.to_string())));
    assert_eq!(found.changes[0].after, Some(json!(other.catalog_hash.to_string())));
}

#[test]
fn a_hash_that_is_not_of_its_contract_is_breaking() {
    let plan = compile(PLAN);
    let mut forged = plan.clone();
    forged.steps[0].spec_hash = ContentHash::of_bytes(b"x");
    assert_eq!(diff(&plan, &forged).class, Breaking);
    let mut forged = plan.clone();
    forged.plan_hash = ContentHash::of_bytes(b"x");
    assert_eq!(diff(&plan, &forged).class, Breaking);
}

/// Every place of a value that holds something that can be another.
fn leaves(value: &Value, at: &str, all: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (key, value) in fields {
                leaves(value, &format!("{at}/{}", key.replace('~', "~0").replace('/', "~1")), all);
            }
        }
        Value::Array(list) => {
            for (index, value) in list.iter().enumerate() {
                leaves(value, &format!("{at}/{index}"), all);
            }
        }
        _ => all.push(at.to_owned()),
    }
}

/// Another value of the same sort, if the form allows one.
fn another(value: &Value, seed: u64) -> Value {
    match value {
        Value::Bool(flag) => json!(!flag),
        Value::Number(number) => json!(number.as_u64().unwrap() + 1 + seed % 9),
        Value::String(text) if text.starts_with("sha256:") => json!(ContentHash::of_bytes(&seed.to_le_bytes())),
        Value::String(text) => json!(format!("{text}x")),
        other => other.clone(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, ..ProptestConfig::default() })]

    #[test]
    fn no_changes_means_one_hash_and_one_hash_means_no_changes(picks in prop::collection::vec((any::<prop::sample::Index>(), any::<u64>(), any::<bool>()), 0..4)) {
        let plan = compile(PLAN);
        let mut all = value(&plan);
        for (pick, seed, remove) in picks {
            let mut places = Vec::new();
            leaves(&all, "", &mut places);
            let place = pick.get(&places).clone();
            let mut changed = all.clone();
            let (above, last) = place.rsplit_once('/').unwrap();
            match changed.pointer_mut(above).unwrap() {
                Value::Array(list) if remove => drop(list.remove(last.parse().unwrap())),
                _ => {
                    let leaf = changed.pointer_mut(&place).unwrap();
                    *leaf = another(leaf, seed);
                }
            }
            if serde_json::from_value::<CompiledPlan>(changed.clone()).is_ok() {
                all = changed;
            }
        }
        let other = read(all);
        let found = diff(&plan, &other);
        prop_assert_eq!(found.changes.is_empty(), plan.plan_hash == other.plan_hash, "{}", described(&found));
        prop_assert_eq!(diff(&other, &plan).changes.is_empty(), found.changes.is_empty());
        prop_assert!(diff(&other, &other).changes.is_empty());
    }
}
