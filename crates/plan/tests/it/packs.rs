//! Approval gates of a pack become gates of the plan.

use deed_catalog::builtin;
use deed_diag::{Document, Format};
use deed_model::{ApprovalGate, CompiledPlan};
use deed_plan::{LowerOptions, lower_with};
use serde_json::{Value, json};

const PLAN: &str = "
plan: sender
mission: { objective: Make and send }
policy_profile_id: generic.inference-allowed.v1
steps:
  - id: make
    label: Make
    objective: MUST make
    expected_outputs: [{ path: work/a.txt }]
    artifact_contracts: { work/a.txt: { format: txt, kind_key: file.text } }
    success_criteria: [work/a.txt exists]
    code: { language: python, source: 'pass' }
  - id: send
    label: Send
    objective: MUST send
    depends_on: [make]
    input_file_paths: [work/a.txt]
    expected_outputs: [{ path: output/b.txt }]
    artifact_contracts: { output/b.txt: { format: txt, kind_key: file.text } }
    success_criteria: [output/b.txt exists]
    tool_needs: [http.submit]
    side_effects: [{ action: submit, target: somewhere }]
    egress: [{ host: api.example.com, methods: [POST] }]
    code: { language: python, source: 'pass' }
";

fn compiled(when: Value) -> CompiledPlan {
    let document = Document::read("plan.yaml", PLAN.as_bytes(), Format::Yaml).unwrap();
    let gate = ApprovalGate {
        applies_to: None,
        gate_id: "gate.High_Value".to_owned(),
        when,
        required_approver_role: "finance".to_owned(),
        ttl_seconds: 60,
        rationale: Some("money moves".to_owned()),
    };
    let lowered =
        lower_with(&document, builtin().unwrap(), &LowerOptions { gates: vec![gate], ..LowerOptions::default() });
    lowered.compiled.unwrap_or_else(|| panic!("{}", lowered.report.render(deed_diag::Style::Plain)))
}

#[test]
fn a_gate_stands_before_every_step_that_reaches_out() {
    // What a request would say is not known when a plan is compiled, and a rule that errs holds.
    let plan = compiled(json!({ ">": [{ "var": "request.input.amount" }, 3000] }));
    let [gate] = plan.gates.as_slice() else { panic!("{:?}", plan.gates) };
    assert_eq!((gate.gate_id.as_str(), gate.approver_role.as_str()), ("pack-gate-high_value-send", "finance"));
    assert_eq!((gate.after.as_slice(), gate.before.as_slice()), (&["make".to_owned()][..], &["send".to_owned()][..]));
    assert_eq!(gate.ttl_seconds, Some(60));
    let waits = |id: &str| plan.steps.iter().find(|step| step.step_id == id).unwrap().waits_for.clone();
    assert_eq!((waits("make").len(), waits("send").len()), (0, 1));
}

#[test]
fn a_gate_that_does_not_concern_a_step_is_left_out() {
    assert!(compiled(json!(false)).gates.is_empty());
    assert!(compiled(json!({ "==": [{ "var": "step.id" }, "make"] })).gates.is_empty());
    assert_eq!(compiled(json!({ "in": ["http.submit", { "var": "step.tool_needs" }] })).gates.len(), 1);
}
