//! Deliberately worse candidates of the support pack. Each is stopped by the line that should stop it, also when its author
//! made the golden cases pass.

use crate::common::{blessed, bundle, checked, edited, root, shown};
use deed_pack::Bundle;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// A worse candidate: its name, the edit, the line that must stop it, and the code.
struct Worse {
    name: &'static str,
    edit: fn(&mut Value, &mut Vec<(String, Value)>),
    line: &'static str,
    code: &'static str,
    /// False if the edit is of the golden cases, which then are not made to pass.
    blessed: bool,
}

fn gate(pack: &mut Value) -> &mut Value {
    &mut pack["policy_layer"]["approval_gates"][0]
}

fn worse(
    name: &'static str,
    line: &'static str,
    code: &'static str,
    edit: fn(&mut Value, &mut Vec<(String, Value)>),
) -> Worse {
    Worse { name, edit, line, code, blessed: true }
}

fn table() -> Vec<Worse> {
    vec![
        worse("gate threshold raised", "evaluators", "D1533", |pack, _| {
            gate(pack)["when"][">"][1] = json!(9000);
            pack["policy_layer"]["policy_bundles"][0]["policy_dsl"]["rules"][1]["if"]["and"][1][">"][1] = json!(9000);
        }),
        worse("gate removed from the permission and never active", "evaluators", "D1533", |pack, _| {
            gate(pack)["when"] = json!({ "==": [{ "var": "user.role" }, "intern"] });
            let rule = &mut pack["policy_layer"]["policy_bundles"][0]["policy_dsl"]["rules"][1];
            rule["if"] = json!({ "==": [{ "var": "user.role" }, "intern"] });
        }),
        worse("gate removed", "surface", "D0502", |pack, _| {
            pack["policy_layer"]["approval_gates"] = json!([]);
            pack["policy_layer"]["policy_bundles"][0]["policy_dsl"]["rules"].as_array_mut().unwrap().pop();
            pack["tooling_layer"]["permissions"][2].as_object_mut().unwrap().remove("requires_approval_gate");
        }),
        worse("approver replaced", "evaluators", "D1533", |pack, _| {
            gate(pack)["required_approver_role"] = json!("support_agent");
        }),
        worse("idempotency key dropped", "surface", "D0504", |pack, _| {
            let bounds = &mut pack["tooling_layer"]["permissions"][2]["arg_constraints"];
            bounds.as_object_mut().unwrap().remove("idempotency_key");
        }),
        worse("bound of the amount widened", "evaluators", "D1533", |pack, _| {
            pack["tooling_layer"]["permissions"][2]["arg_constraints"]["amount_inr"]["max"] = json!(500_000);
        }),
        worse("redaction removed", "evaluators", "D1533", |pack, _| {
            pack["policy_layer"]["guardrails"]["redaction_rules"] = json!(["pan"]);
        }),
        worse("guardrail removed", "evaluators", "D1533", |pack, _| {
            pack["policy_layer"]["guardrails"]["must_refuse"] = json!([]);
        }),
        worse("identity check removed", "evaluators", "D1533", |pack, _| {
            let rule = &mut pack["policy_layer"]["policy_bundles"][0]["policy_dsl"]["rules"][0];
            rule.as_object_mut().unwrap().remove("else");
        }),
        Worse {
            name: "forbidden tool exposed",
            line: "surface",
            code: "D2402",
            blessed: false,
            edit: |pack, _| {
                let adapter = json!({
                    "adapter_id": "adp_export", "type": "INTERNAL", "endpoint_ref": "internal://export",
                    "capabilities": ["dump"], "approval_mode": "read_only",
                });
                pack["tooling_layer"]["adapter_registry"].as_array_mut().unwrap().push(adapter);
                let permission = json!({
                    "permission_id": "p_dump", "adapter_id": "adp_export", "capability": "dump", "allow": true,
                });
                pack["tooling_layer"]["permissions"].as_array_mut().unwrap().push(permission);
            },
        },
        worse("declared mode lowered", "evaluators", "D1533", |pack, _| {
            pack["tooling_layer"]["adapter_registry"][2]["approval_mode"] = json!("network");
        }),
        worse("evidence requirement removed", "evaluators", "D1533", |pack, _| {
            pack["decision_layer"]["decision_specs"][0]["required_evidence"] = json!(["policy_eval"]);
        }),
        worse("budget starved", "evaluators", "D1536", |pack, _| {
            pack["policy_layer"]["policy_bundles"][0]["policy_dsl"]["rules"][0]["rationale"] =
                json!("Money goes back only to a customer we have recognised. ".repeat(60));
        }),
        Worse {
            name: "golden case deleted",
            line: "golden",
            code: "D2404",
            blessed: false,
            edit: |_, golden| golden.retain(|(name, _)| name != "03_approval_needed"),
        },
        Worse {
            name: "golden case weakened",
            line: "golden",
            code: "D2405",
            blessed: false,
            edit: |_, golden| {
                let (_, case) = golden.iter_mut().find(|(name, _)| name == "03_approval_needed").unwrap();
                case["expect"].as_object_mut().unwrap().remove("approval_gates_active");
            },
        },
        worse("prompt grown beyond the cost gate", "evaluators", "D1533", |pack, _| {
            pack["tone_and_comms"]["do"] = json!(vec!["write at length and repeat the policy in your own words"; 30]);
        }),
        worse("utility target lowered", "evaluators", "D2407", |pack, _| {
            pack["evaluation_layer"]["eval_targets"][0]["utility"] = json!(0.5);
        }),
        worse("latency target loosened", "evaluators", "D2407", |pack, _| {
            pack["evaluation_layer"]["eval_targets"][0]["latency_p99_ms"] = json!(30_000);
        }),
        worse("release gate loosened", "evaluators", "D2408", |pack, _| {
            pack["evaluation_layer"]["release_gates"][2]["max_delta"] = json!(5);
        }),
        worse("secret planted", "readiness", "D0901", |pack, _| {
            let key = deed_detect::sample("github-classic-token", 7).unwrap().text;
            pack["business_context"]["summary"]["what_we_do"] = json!(format!("Use the token {key} for refunds"));
        }),
        worse("dangling gate", "references", "D0302", |pack, _| {
            pack["tooling_layer"]["permissions"][2]["requires_approval_gate"] = json!("GATE_NONE");
        }),
        worse("unknown key", "schema", "D0203", |pack, _| {
            pack["policy_layer"]["guardrails"]["must_refuze"] = json!([]);
        }),
    ]
}

fn candidate(of: &Bundle, worse: &Worse) -> Bundle {
    let candidate = edited(of, worse.edit);
    if worse.blessed { blessed(&candidate) } else { candidate }
}

#[test]
fn every_worse_candidate_is_stopped_by_the_line_that_should() {
    let base = bundle("packs/support");
    let mut text = String::new();
    for worse in table() {
        let report = checked(&candidate(&base, &worse), Some(&base), &[], &BTreeSet::new());
        let lines = shown(&report);
        let stopped = lines.iter().find(|line| line.contains(&format!(" {} failed", worse.line)));
        assert!(stopped.is_some_and(|line| line.contains(worse.code)), "{}: {lines:#?}", worse.name);
        assert!(!report.passed);
        let failed = lines.iter().filter(|line| line.contains(" failed ")).cloned().collect::<Vec<_>>().join("; ");
        let _ = writeln!(text, "{:<50} {} {}\n    {failed}", worse.name, worse.line, worse.code);
    }
    let expected = root().join("crates/release/tests/worse.txt");
    if std::env::var_os("DEED_BLESS").is_some() {
        std::fs::write(&expected, &text).unwrap();
    }
    assert_eq!(text, std::fs::read_to_string(expected).unwrap());
}

#[test]
fn the_same_version_with_a_new_number_passes() {
    let base = bundle("packs/support");
    let next = blessed(&edited(&base, |_, _| {}));
    let report = checked(&next, Some(&base), &[], &BTreeSet::new());
    assert!(report.passed, "{:#?}", shown(&report));
}
