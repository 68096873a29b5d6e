//! What policy means: over random packs and contexts the compiler decides what a naive reading of the design decides.
//!
//! The reading below is written from the design alone. It shares no code with the compiler: strict predicates have an
//! evaluator of their own, and only `jsonlogic-compat` is left to the logic crate, which is held to json-logic-js
//! by tests of its own.

use crate::common::random;

use deed_context::compile;
use deed_logic::{Mode, Program};
use deed_model::{CompiledContext, ControlKind, RuleBranch, RuleVerdict, ToolCheck, Verdict};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use random::{MODES, Raw};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

// ---- strict JsonLogic, as far as random predicates go

#[derive(Debug)]
struct Failed;

const OPERATORS: [&str; 8] = ["var", "==", ">", "<", "in", "and", "or", "!"];

/// An unknown operator anywhere is an error, whether it is reached or not.
fn known(rule: &Value) -> bool {
    match rule {
        Value::Object(operation) => operation.iter().all(|(op, args)| OPERATORS.contains(&op.as_str()) && known(args)),
        Value::Array(items) => items.iter().all(known),
        _ => true,
    }
}

fn look_up<'d>(data: &'d Value, path: &str) -> Option<&'d Value> {
    path.split('.').try_fold(data, |value, key| value.get(key))
}

fn kind(value: &Value) -> u8 {
    match value {
        Value::Null => 0,
        Value::Bool(_) => 1,
        Value::Number(_) => 2,
        Value::String(_) => 3,
        Value::Array(_) => 4,
        Value::Object(_) => 5,
    }
}

fn equal(a: &Value, b: &Value) -> bool {
    match (a.as_f64(), b.as_f64()) {
        (Some(a), Some(b)) => a == b,
        _ => a == b,
    }
}

fn truth(rule: &Value, data: &Value) -> Result<bool, Failed> {
    evaluate(rule, data)?.as_bool().ok_or(Failed)
}

fn evaluate(rule: &Value, data: &Value) -> Result<Value, Failed> {
    let Value::Object(operation) = rule else { return Ok(rule.clone()) };
    let (op, args) = operation.iter().next().unwrap();
    let args = match args {
        Value::Array(args) => args.clone(),
        one => vec![one.clone()],
    };
    let both = || Ok::<_, Failed>((evaluate(&args[0], data)?, evaluate(&args[1], data)?));
    let order = |wanted: std::cmp::Ordering| match both()? {
        (Value::Number(a), Value::Number(b)) => {
            Ok(json!(a.as_f64().unwrap().partial_cmp(&b.as_f64().unwrap()).unwrap() == wanted))
        }
        (Value::String(a), Value::String(b)) => Ok(json!(a.cmp(&b) == wanted)),
        _ => Err(Failed),
    };
    match op.as_str() {
        "var" => match look_up(data, args[0].as_str().unwrap()) {
            Some(value) => Ok(value.clone()),
            None => args.get(1).cloned().ok_or(Failed),
        },
        "==" => match both()? {
            (a, b) if kind(&a) == kind(&b) || a.is_null() || b.is_null() => Ok(json!(equal(&a, &b))),
            _ => Err(Failed),
        },
        ">" => order(std::cmp::Ordering::Greater),
        "<" => order(std::cmp::Ordering::Less),
        "in" => Ok(json!(args[1].as_array().unwrap().contains(&evaluate(&args[0], data)?))),
        "!" => Ok(json!(!truth(&args[0], data)?)),
        "and" => {
            for arg in &args {
                if !truth(arg, data)? {
                    return Ok(json!(false));
                }
            }
            Ok(json!(true))
        }
        "or" => {
            for arg in &args {
                if truth(arg, data)? {
                    return Ok(json!(true));
                }
            }
            Ok(json!(false))
        }
        _ => Err(Failed),
    }
}

fn strict(rule: &Value, data: &Value) -> Result<bool, Failed> {
    if known(rule) { truth(rule, data) } else { Err(Failed) }
}

fn compat(rule: &Value, data: &Value) -> Result<bool, Failed> {
    Program::compile(rule, Mode::Compat).map_err(|_| Failed)?.test(data).map_err(|_| Failed)
}

// ---- the naive reading

/// Everything that policy and tools decide, in a form that both sides can be brought to.
#[derive(Debug, Default, PartialEq)]
struct Reading {
    outcome: String,
    /// Bundle, rule, verdict and branch of each rule that spoke.
    decisions: Vec<(String, String, &'static str, &'static str)>,
    manifest: Vec<(String, Vec<String>)>,
    must_refuse: Vec<String>,
    must_escalate: Vec<String>,
    gates: Vec<String>,
    /// Rules that were skipped because they could not be evaluated and do not enforce.
    skipped: usize,
    /// Each capability with the checks that hid it.
    tools: Vec<(String, Vec<&'static str>)>,
    /// Each surfaced capability with its effective and declared mode, its gates, and where its bounds come from.
    surface: BTreeMap<String, (String, String, BTreeSet<String>, Vec<String>)>,
}

fn strings(value: &Value) -> Vec<String> {
    value.as_array().into_iter().flatten().map(|v| v.as_str().unwrap().to_owned()).collect()
}

fn list<'v>(value: &'v Value) -> impl Iterator<Item = &'v Value> + 'v {
    value.as_array().into_iter().flatten()
}

/// Run context at the top, and the names that win over it.
fn evaluation_context(pack: &Value, raw: &Raw) -> Value {
    let mut data = raw.run.clone();
    let mut request = raw.request.clone();
    request["context"] = request["input"].get("context").cloned().unwrap_or_else(|| json!({}));
    let id = raw.request["input"]["intent"].clone();
    let entry = list(&pack["intent_layer"]["catalog"]).find(|entry| entry["id"] == id);
    let of_entry = |key: &str| entry.map_or(Value::Null, |entry| entry[key].clone());
    data["request"] = request;
    data["intent"] = json!({ "id": id, "class": of_entry("intent_class"), "task": of_entry("task_id") });
    data["tenant"] = pack["pack_meta"]["tenant"].clone();
    data["env"] = pack["pack_meta"]["environment_defaults"].clone();
    data
}

fn mode_rank(mode: &str) -> usize {
    MODES.iter().position(|m| *m == mode).unwrap()
}

fn naive(pack: &Value, raw: &Raw) -> Reading {
    let data = evaluation_context(pack, raw);
    let policy = &pack["policy_layer"];
    let mut reading = Reading::default();

    // Guardrails before policy: labels stand, objects hold or not, an error counts as active.
    let (mut refuse, mut escalate) = (false, false);
    for (key, entries, active) in [
        ("must_refuse", &mut reading.must_refuse, &mut refuse),
        ("must_escalate", &mut reading.must_escalate, &mut escalate),
    ] {
        for guardrail in list(&policy["guardrails"][key]) {
            match guardrail.as_str() {
                Some(label) => entries.push(label.to_owned()),
                None if strict(&guardrail["when"], &data).unwrap_or(true) => {
                    entries.push(guardrail["id"].as_str().unwrap().to_owned());
                    *active = true;
                }
                None => {}
            }
        }
    }

    // Rules: bundles by priority, high first, then by id; in document order within.
    let mut bundles: Vec<&Value> = list(&policy["policy_bundles"]).collect();
    bundles.sort_by_key(|b| (-b["priority"].as_i64().unwrap(), b["bundle_id"].as_str().unwrap().to_owned()));
    let mut fired: Vec<(String, Value)> = Vec::new();
    for bundle in bundles {
        for rule in list(&bundle["policy_dsl"]["rules"]) {
            let own = rule["applies_to"].get("intent");
            if own.is_some_and(|intent| *intent != raw.request["input"]["intent"]) {
                continue;
            }
            let result = match bundle["policy_dsl"]["language"].as_str().unwrap() {
                "jsonlogic" => strict(&rule["if"], &data),
                _ => compat(&rule["if"], &data),
            };
            let (branch, part) = match result {
                Ok(true) => ("then", rule["then"].clone()),
                Ok(false) => match rule.get("else") {
                    Some(part) => ("else", part.clone()),
                    None => continue,
                },
                Err(Failed) if rule.get("non_enforcing") == Some(&json!(true)) => {
                    reading.skipped += 1;
                    continue;
                }
                Err(Failed) => ("error", json!({ "allow": false })),
            };
            let requires = strings(&part["requires"]);
            let gate = part["requires_approval_gate"].as_str();
            let verdict = if part["allow"] == json!(false) {
                "deny"
            } else if !requires.is_empty() || gate.is_some() {
                "require"
            } else {
                "allow"
            };
            let id = rule["rule_id"].as_str().unwrap().to_owned();
            let bundle_id = bundle["bundle_id"].as_str().unwrap().to_owned();
            reading.decisions.push((bundle_id.clone(), id.clone(), verdict, branch));
            match reading.manifest.last_mut().filter(|(last, _)| *last == bundle_id) {
                Some((_, rules)) => rules.push(id.clone()),
                None => reading.manifest.push((bundle_id, vec![id.clone()])),
            }
            fired.push((id, part));
        }
    }
    for (_, id, verdict, _) in &reading.decisions {
        if *verdict == "deny" {
            refuse = true;
            reading.must_refuse.push(format!("rule:{id}"));
        }
    }
    for (id, part) in &fired {
        if part["requires_approval_gate"].is_null() && strings(&part["requires"]).contains(&"approval".to_owned()) {
            escalate = true;
            reading.must_escalate.push(format!("rule:{id}"));
        }
    }

    // Gates: their predicate holds, fails, or a rule that spoke names them; also one that nobody declared.
    let named: Vec<&str> = fired.iter().filter_map(|(_, part)| part["requires_approval_gate"].as_str()).collect();
    for gate in list(&policy["approval_gates"]) {
        let id = gate["gate_id"].as_str().unwrap();
        if strict(&gate["when"], &data).unwrap_or(true) || named.contains(&id) {
            reading.gates.push(id.to_owned());
        }
    }
    let declared: BTreeSet<&str> = list(&policy["approval_gates"]).map(|g| g["gate_id"].as_str().unwrap()).collect();
    for gate in named.iter().filter(|gate| !declared.contains(**gate)) {
        if !reading.gates.iter().any(|known| known == gate) {
            reading.gates.push((*gate).to_owned());
        }
    }
    escalate |= !reading.gates.is_empty();
    reading.outcome = match (refuse, escalate) {
        (true, _) => "must_refuse",
        (false, true) => "must_escalate",
        (false, false) => "compiled",
    }
    .to_owned();
    surface(pack, raw, &fired, &mut reading);
    reading
}

/// The rank of a classification.
fn level(name: &Value) -> usize {
    ["PUBLIC", "INTERNAL", "CONFIDENTIAL", "RESTRICTED"].iter().position(|known| name == known).unwrap()
}

/// Registry ∩ permissions − prohibitions − what policy forbids, at most the safety mode; all checks that fail.
fn surface(pack: &Value, raw: &Raw, fired: &[(String, Value)], reading: &mut Reading) {
    for adapter in list(&pack["tooling_layer"]["adapter_registry"]) {
        let adapter_id = adapter["adapter_id"].as_str().unwrap();
        let ceiling = adapter["approval_mode"].as_str().unwrap();
        for capability in list(&adapter["capabilities"]) {
            let id = capability.as_str().unwrap_or_else(|| capability["id"].as_str().unwrap());
            let name = format!("{adapter_id}.{id}");
            let declared = capability.get("approval_mode").map_or(ceiling, |mode| mode.as_str().unwrap());
            let declared = if mode_rank(declared) > mode_rank(ceiling) { ceiling } else { declared };
            let permissions: Vec<&Value> = list(&pack["tooling_layer"]["permissions"])
                .filter(|p| p["adapter_id"] == adapter_id && p["capability"] == id)
                .collect();
            let mut hidden = Vec::new();
            if permissions.is_empty() || permissions.iter().any(|p| p["allow"] == json!(false)) {
                hidden.push("permission");
            }
            let prohibited =
                |p: &Value| p["adapter_id"] == adapter_id && p.get("capability").is_none_or(|c| *c == json!(id));
            if list(&raw.run["prohibitions"]).any(prohibited) {
                hidden.push("prohibition");
            }
            let forbids =
                |part: &Value| strings(&part["forbids"]).contains(&name) || strings(&part["prohibits"]).contains(&name);
            if fired.iter().any(|(_, part)| forbids(part)) {
                hidden.push("policy");
            }
            if mode_rank(declared) > mode_rank(raw.run["safety_mode"].as_str().unwrap()) {
                hidden.push("safety_mode");
            }
            // Without a clearance a service receives everything but RESTRICTED data.
            let cleared = adapter.get("max_classification").map_or(2, level);
            let ceiling_of_run = raw.run.get("max_classification").map_or(3, level);
            if level(&pack["pack_meta"]["data_classification"]).min(ceiling_of_run) > cleared {
                hidden.push("classification");
            }
            if hidden.is_empty() {
                let meant: Vec<&(String, Value)> =
                    fired.iter().filter(|(_, part)| strings(&part["capabilities"]).contains(&name)).collect();
                let modes = meant.iter().filter_map(|(_, part)| part["approval_mode"].as_str());
                let highest = modes.map(mode_rank).max().map_or(mode_rank(declared), |m| m.min(mode_rank(declared)));
                let of_permissions = permissions.iter().filter_map(|p| p["requires_approval_gate"].as_str());
                let active = of_permissions.filter(|gate| reading.gates.iter().any(|g| g == gate));
                let named = meant.iter().filter_map(|(_, part)| part["requires_approval_gate"].as_str());
                let gates = active.chain(named).map(str::to_owned).collect();
                let bounded = |value: &Value| value.get("arg_constraints").is_some();
                let own = permissions
                    .iter()
                    .filter(|p| bounded(p))
                    .map(|p| format!("permission:{}", p["permission_id"].as_str().unwrap()));
                let bounds = own
                    .chain(meant.iter().filter(|(_, part)| bounded(part)).map(|(id, _)| format!("rule:{id}")))
                    .collect();
                let entry = (MODES[highest].to_owned(), declared.to_owned(), gates, bounds);
                reading.surface.insert(name.clone(), entry);
            }
            reading.tools.push((name, hidden));
        }
    }
}

// ---- the compiler's answer in the same form

fn compiled(context: &CompiledContext<'_>) -> Reading {
    let ledger = &context.context_ledger;
    let texts = |list: &[std::borrow::Cow<'_, str>]| list.iter().map(ToString::to_string).collect::<Vec<_>>();
    let verdict = |verdict: RuleVerdict| match verdict {
        RuleVerdict::Allow => "allow",
        RuleVerdict::Require => "require",
        RuleVerdict::Deny => "deny",
    };
    let branch = |branch: RuleBranch| match branch {
        RuleBranch::Then => "then",
        RuleBranch::Else => "else",
        RuleBranch::Error => "error",
    };
    let decisions = ledger.policy_decisions.iter();
    let mut surface = BTreeMap::new();
    for entry in &context.manifests.tool_manifest {
        for (capability, metadata) in &entry.capability_metadata {
            let bounds = metadata.arg_constraints.iter().map(|b| b.source.to_string()).collect();
            let gates: BTreeSet<String> = metadata.approval_gates.iter().map(ToString::to_string).collect();
            assert_eq!(gates.len(), metadata.approval_gates.len(), "a gate is named twice");
            let modes = (metadata.approval_mode.to_string(), metadata.declared_mode.to_string());
            surface.insert(format!("{}.{capability}", entry.adapter_id), (modes.0, modes.1, gates, bounds));
        }
    }
    Reading {
        outcome: context.outcome.to_string(),
        decisions: decisions
            .map(|d| (d.bundle_id.to_string(), d.rule_id.to_string(), verdict(d.verdict), branch(d.branch)))
            .collect(),
        manifest: context
            .manifests
            .policy_manifest
            .iter()
            .map(|entry| (entry.bundle_id.to_string(), texts(&entry.rule_ids)))
            .collect(),
        must_refuse: texts(&context.runtime_controls.must_refuse),
        must_escalate: texts(&context.runtime_controls.must_escalate),
        gates: texts(&context.runtime_controls.approval_gates_active),
        skipped: ledger.notices.iter().filter(|n| n.code == "D1521").count(),
        tools: ledger
            .tools
            .iter()
            .map(|t| {
                (format!("{}.{}", t.adapter_id, t.capability), t.hidden_by.iter().map(|h| h.check.as_str()).collect())
            })
            .collect(),
        surface,
    }
}

/// What the ledger says besides agrees with itself.
fn ledger_is_consistent(context: &CompiledContext<'_>) -> Result<(), TestCaseError> {
    let ledger = &context.context_ledger;
    for decision in &ledger.policy_decisions {
        let failed = decision.error.as_ref().is_some_and(|error| error.starts_with("policy_eval_error"));
        prop_assert_eq!(failed, decision.branch == RuleBranch::Error);
        prop_assert!(decision.policy_decision_id.starts_with("pol_"));
    }
    let active: Vec<&str> = ledger
        .controls
        .iter()
        .filter(|c| c.active && c.kind == ControlKind::ApprovalGate)
        .map(|c| c.id.as_ref())
        .collect();
    prop_assert_eq!(
        active,
        context.runtime_controls.approval_gates_active.iter().map(AsRef::as_ref).collect::<Vec<_>>()
    );
    for control in &ledger.controls {
        prop_assert!(control.error.is_none() || control.active, "{:?}", control);
    }
    Ok(())
}

#[test]
fn the_compiler_decides_what_the_design_says() {
    let met: RefCell<BTreeMap<String, u32>> = RefCell::default();
    let config = Config { cases: 150, failure_persistence: None, ..Config::default() };
    let contexts = proptest::collection::vec((random::request(), random::run()), 4);
    let run = TestRunner::new(config).run(&(random::pack(), contexts), |(pack, contexts)| {
        let hydrated = random::hydrate(&pack);
        for (request, run) in contexts {
            let raw = Raw { request, run, evidence: json!([]), memory: json!([]) }.with_room();
            let given = raw.read();
            let outcome = compile(&hydrated, given.inputs());
            let context = outcome.context().expect("there is room for everything");
            let expected = naive(&pack, &raw);
            prop_assert_eq!(compiled(context), expected);
            ledger_is_consistent(context)?;
            let mut met = met.borrow_mut();
            let mut count = |what: &str| *met.entry(what.to_owned()).or_default() += 1;
            count(context.outcome.as_str());
            context.context_ledger.policy_decisions.iter().for_each(|d| count(&format!("{:?}", d.branch)));
            context.context_ledger.notices.iter().for_each(|n| count(&n.code));
            context.context_ledger.tools.iter().flat_map(|t| &t.hidden_by).for_each(|h| count(h.check.as_str()));
        }
        Ok(())
    });
    run.unwrap();
    let met = met.into_inner();
    let wanted = [
        Verdict::Compiled.as_str(),
        Verdict::MustEscalate.as_str(),
        Verdict::MustRefuse.as_str(),
        "Then",
        "Else",
        "Error",
        "D1521",
        "D1522",
        "D1523",
        "D1524",
        "D1525",
        ToolCheck::Permission.as_str(),
        ToolCheck::Prohibition.as_str(),
        ToolCheck::Policy.as_str(),
        ToolCheck::SafetyMode.as_str(),
        ToolCheck::Classification.as_str(),
    ];
    for what in wanted {
        assert!(met.get(what).is_some_and(|n| *n >= 8), "{what} was hardly met: {met:?}");
    }
}
