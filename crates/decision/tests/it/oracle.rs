//! A second critic, written from the documentation alone: it reads JSON, and uses nothing of the first.

use crate::world::{AS_OF, World, at, key};
use deed_canon::{TypeTag, hash};
use deed_model::SignedApproval;
use jiff::SignedDuration;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// The verdict, and the checks that ask for more than acceptance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Expected {
    pub(crate) verdict: &'static str,
    pub(crate) checks: BTreeSet<&'static str>,
}

const ORDER: [&str; 4] = ["accept", "replan", "escalate", "reject"];

type Found = Vec<(&'static str, &'static str)>;

fn list<'v>(value: &'v Value, pointer: &str) -> Vec<&'v Value> {
    value.pointer(pointer).and_then(Value::as_array).map(|items| items.iter().collect()).unwrap_or_default()
}

fn has(items: &[&Value], wanted: &Value) -> bool {
    items.contains(&wanted)
}

/// Judges a record in a world.
pub(crate) fn expected(world: &World, record: &Value) -> Expected {
    let context = &world.json;
    let spec = list(context, "/decisions").into_iter().find(|spec| spec["decision_key"] == record["decision_key"]);
    let outcome = record["outputs"]["outcome"].as_str();
    let effect = match (spec, outcome) {
        (Some(spec), Some(outcome)) => spec["outcome_effects"][outcome].as_str().unwrap_or("act"),
        _ => "act",
    };
    let mut found = Found::new();
    let open = gates(world, record, effect, &mut found);
    lineage(world, record, &mut found);
    match spec {
        None => found.push(("decision", "reject")),
        Some(spec) if spec["version"] != record["version"] => found.push(("decision", "reject")),
        Some(_) => {}
    }
    if spec.is_some() {
        shapes(record, &mut found);
    }
    let allowed = |spec: &Value| list(spec, "/allowed_outcomes").iter().any(|o| o.as_str() == outcome);
    if outcome.is_none() || spec.is_some_and(|spec| !allowed(spec)) {
        found.push(("outcome", "replan"));
    }
    evidence(world, record, spec, effect, &open, &mut found);
    policy(context, record, effect, &mut found);
    controls(context, record, effect, &mut found);
    if let Some(spec) = spec.filter(|_| effect == "act") {
        let binds = ["execute", "approve"].iter().any(|right| spec["decision_right"] == *right);
        if !binds && open.is_empty() {
            found.push(("authority", "escalate"));
        }
        let rank = |mode: &Value| {
            ["read_only", "local_write", "network", "delegated", "destructive"].iter().position(|m| mode == m).unwrap()
        };
        if binds && rank(&spec["approval_mode"]) > rank(&context["context_ledger"]["run"]["safety_mode"]) {
            found.push(("authority", "reject"));
        }
    }
    identity(world, record, &mut found);
    let strictest = found.iter().filter_map(|(_, verdict)| ORDER.iter().position(|v| v == verdict)).max();
    Expected { verdict: ORDER[strictest.unwrap_or(0)], checks: found.into_iter().map(|(check, _)| check).collect() }
}

fn lineage(world: &World, record: &Value, found: &mut Found) {
    let ledger = &world.json["context_ledger"];
    let stated = &record["lineage"];
    let steps: Vec<&str> = world.journal.iter().flat_map(|j| &j.steps).map(String::as_str).collect();
    let step_known = world.journal.is_none() || stated["plan_step"].as_str().is_none_or(|step| steps.contains(&step));
    let journal_known = world.journal.as_ref().is_none_or(|journal| stated["run"] == journal.run_id.as_str());
    let same = stated["context"] == ledger["compiled_context_hash"]
        && stated["pack"] == ledger["pack"]
        && stated["overlays"] == ledger["overlays"]
        && stated["run"] == ledger["run"]["run_id"]
        && record["intent"] == ledger["intent"]["id"];
    let facts_hold = record["inputs"].as_object().unwrap().iter().all(|(name, value)| {
        let fact = world.facts.get(name);
        fact.is_none_or(|fact| fact == value || fact.as_f64().is_some_and(|n| value.as_f64() == Some(n)))
    });
    if !(facts_hold && same && step_known && journal_known) {
        found.push(("lineage", "reject"));
    }
}

/// The two schemas of the support pack, by hand.
fn shapes(record: &Value, found: &mut Found) {
    let (inputs, outputs) = (record["inputs"].as_object().unwrap(), record["outputs"].as_object().unwrap());
    let amount = |value: &Value| value.as_f64().is_some_and(|n| n > 0.0 && n <= 50_000.0);
    let order =
        |id: &str| id.strip_prefix("ord_").is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()));
    let inputs_hold = inputs.keys().all(|k| ["order_id", "refund_amount", "currency"].contains(&k.as_str()))
        && record["inputs"]["order_id"].as_str().is_some_and(order)
        && amount(&record["inputs"]["refund_amount"])
        && record["inputs"]["currency"] == "INR";
    let outcome = &record["outputs"]["outcome"];
    let reason = record["outputs"]["reason"].as_str().map(|text| text.chars().count());
    let outputs_hold = outputs.keys().all(|k| ["outcome", "reason", "amount_inr"].contains(&k.as_str()))
        && ["approved", "denied", "escalated"].iter().any(|o| outcome == o)
        && reason.is_some_and(|length| (1..=500).contains(&length))
        && outputs.get("amount_inr").is_none_or(amount);
    if !inputs_hold || !outputs_hold {
        found.push(("schema", "replan"));
    }
}

fn evidence(
    world: &World,
    record: &Value,
    spec: Option<&Value>,
    effect: &str,
    open: &BTreeSet<String>,
    found: &mut Found,
) {
    let context = &world.json;
    let governs = |rule: &Value| {
        let rules = list(context, "/context_ledger/policy_decisions");
        let rule = rules.into_iter().find(|own| own["rule_id"] == *rule);
        rule.and_then(|rule| rule["decision_binding"].as_str()).is_none_or(|key| record["decision_key"] == key)
    };
    let mut required: Vec<(&Value, &str)> = Vec::new();
    if let Some(spec) = spec {
        let lacking = match spec["on_insufficient_evidence"].as_str() {
            Some("escalate") => "escalate",
            Some("refuse") => "reject",
            _ => "replan",
        };
        required.extend(list(spec, "/required_evidence").into_iter().map(|r| (r, lacking)));
    }
    let obligations = list(context, "/obligations").into_iter().filter(|o| governs(&o["rule_id"]));
    required.extend(obligations.map(|o| (&o["requirement"], "replan")));

    let mut offered: Vec<&Value> =
        list(context, "/manifests/evidence_manifest").iter().map(|e| &e["evidence_ref"]).collect();
    for (requirement, _) in required.iter().filter(|(r, _)| r["status"] == "met") {
        offered.extend(list(requirement, "/refs"));
    }
    for cited in list(record, "/evidence_refs") {
        if has(&offered, cited) {
            let items = world.evidence.iter().filter(|item| *cited == item.evidence_ref.as_str());
            if items.filter_map(|item| item.expires_at.as_deref()).any(|end| at(end) <= at(AS_OF)) {
                found.push(("evidence", "replan"));
            }
            continue;
        }
        let entry = list(context, "/context_ledger/evidence").into_iter().find(|e| e["evidence_ref"] == *cited);
        match entry.and_then(|e| e["status"].as_str()) {
            Some("dropped") => found.push(("evidence", "replan")),
            _ => found.push(("evidence", "reject")),
        }
    }
    if effect != "act" {
        return;
    }
    let cited = list(record, "/evidence_refs");
    for (requirement, lacking) in required {
        let name = requirement["name"].as_str().unwrap();
        if open.iter().any(|gate| gate.eq_ignore_ascii_case(name)) {
            continue;
        }
        if requirement["status"] != "met" {
            found.push(("evidence", lacking));
        } else if !list(requirement, "/refs").iter().any(|r| has(&cited, r)) {
            found.push(("evidence", "replan"));
        }
    }
}

fn policy(context: &Value, record: &Value, effect: &str, found: &mut Found) {
    let ledger = list(context, "/context_ledger/policy_decisions");
    let short = |d: &Value| {
        json!({ "policy_decision_id": d["policy_decision_id"], "rule_id": d["rule_id"], "bundle_id": d["bundle_id"],
                "verdict": d["verdict"] })
    };
    let decided: Vec<Value> = ledger.iter().map(|d| short(d)).collect();
    let stated = list(record, "/policy_decisions");
    if decided.iter().any(|d| !has(&stated, d)) || stated.iter().any(|s| !decided.contains(s)) {
        found.push(("policy", "reject"));
    }
    let denies = |d: &&&Value| {
        let bound = d["decision_binding"].as_str().is_none_or(|key| record["decision_key"] == key);
        d["verdict"] == "deny" && bound
    };
    if effect != "refuse" && ledger.iter().any(|d| denies(&d)) {
        found.push(("policy", "reject"));
    }
}

fn controls(context: &Value, record: &Value, effect: &str, found: &mut Found) {
    let own = &context["runtime_controls"];
    let names = ["approval_gates_active", "must_escalate", "must_refuse", "redaction_rules_active"];
    if names.iter().any(|name| record["controls_active"][name] != own[name]) {
        found.push(("controls", "reject"));
    }
    if context["outcome"] == "must_refuse" && effect != "refuse" {
        found.push(("controls", "reject"));
    }
    let active = |c: &Value| c["kind"] == "must_escalate" && c["active"] == true;
    let own_decision = format!("decision:{}", record["decision_key"].as_str().unwrap());
    let wants = |source: &Value| {
        let source = source.as_str().unwrap();
        source.starts_with("rule:") || source == own_decision
    };
    let person = list(context, "/context_ledger/controls").into_iter().any(active)
        || list(context, "/runtime_controls/must_escalate").into_iter().any(wants);
    if person && effect == "act" {
        found.push(("controls", "escalate"));
    }
    // The one bounded argument that the support pack's outputs carry; the tie is to the amount of the request.
    let amount = &record["outputs"]["amount_inr"];
    let payments = |entry: &&Value| entry["adapter_id"] == "adp_payments";
    let surfaced = list(context, "/manifests/tool_manifest").into_iter().find(payments);
    let bounds = surfaced.and_then(|entry| entry.pointer("/capability_metadata/issue_refund/arg_constraints"));
    let bound = bounds.and_then(|all| all.as_array()?.iter().find_map(|one| one.pointer("/arguments/amount_inr")));
    if let Some(bound) = bound.filter(|_| effect == "act" && !amount.is_null()) {
        let n = amount.as_f64();
        if n.is_none() || n != bound["equals"].as_f64() {
            found.push(("controls", "reject"));
        }
    }
}

/// Judges the approvals, and returns the gates that they open.
fn gates(world: &World, record: &Value, effect: &str, found: &mut Found) -> BTreeSet<String> {
    let demands = list(&world.json, "/runtime_controls/approvals");
    let (mut open, mut closed) = (BTreeSet::new(), BTreeSet::new());
    for approval in list(record, "/approvals") {
        let said = &approval["approval"];
        let gate = said["gate_id"].as_str().unwrap().to_owned();
        match standing(world, record, approval, &demands) {
            Ok(true) if said["decision"] == "approved" => {
                open.insert(gate);
            }
            Ok(true) => {
                closed.insert(gate);
                if effect == "act" {
                    found.push(("approvals", "reject"));
                }
            }
            Ok(false) => {}
            Err(verdict) => found.push(("approvals", verdict)),
        }
    }
    open.retain(|gate| !closed.contains(gate));
    if effect == "act" {
        let active = demands.iter().filter(|d| d["depends_on_call"] == false);
        if active.map(|d| d["gate"]["gate_id"].as_str().unwrap()).any(|gate| !open.contains(gate)) {
            found.push(("approvals", "escalate"));
        }
    }
    open
}

/// True if an approval counts, false if the context does not ask at its gate.
fn standing(world: &World, record: &Value, approval: &Value, demands: &[&Value]) -> Result<bool, &'static str> {
    let said = &approval["approval"];
    let signed: SignedApproval = serde_json::from_value(approval.clone()).map_err(|_| "reject")?;
    let known = |id: &deed_canon::KeyId| Some(key().public()).filter(|own| own.id() == *id);
    let verified = signed.envelope.verify("application/vnd.in-toto+json", known).map_err(|_| "reject")?;
    let statement: Value = serde_json::from_slice(&verified.payload).map_err(|_| "reject")?;
    let journaled = world.journal.iter().flat_map(|j| &j.approvals).find(|own| own.signed == signed);
    let name = match journaled {
        Some(own) => format!("{}/{}", own.subject.run_id, signed.approval.gate_id),
        None => format!("decision/{}", signed.approval.gate_id),
    };
    let subject = &statement["subject"][0];
    if statement["predicate"] != *said || subject["name"] != name.as_str() {
        return Err("reject");
    }
    let Some(demand) = demands.iter().find(|d| d["gate"]["gate_id"] == said["gate_id"]) else { return Ok(false) };
    match journaled {
        Some(own) => {
            if record["lineage"]["run"] != own.subject.run_id.as_str() {
                return Err("reject");
            }
            let step = record["lineage"]["plan_step"].as_str();
            if !own.subject.contracts.iter().any(|c| Some(c.step.as_str()) == step) {
                return Err("escalate");
            }
        }
        None => {
            let shown = json!({
                "gate_id": said["gate_id"], "approver_role": said["role"],
                "context": world.json["context_ledger"]["compiled_context_hash"],
                "decision_key": record["decision_key"], "version": record["version"], "actor": record["actor"],
                "subject_ids": record["subject_ids"], "inputs": record["inputs"], "outputs": record["outputs"],
                "evidence_refs": record["evidence_refs"], "expires_at": said["expires_at"],
            });
            let tag = TypeTag::literal("deed/decision-subject/v1");
            if said["subject_hash"] != hash(&tag, &shown).unwrap().to_string() {
                return Err("escalate");
            }
        }
    }
    let (decided, expires) = (at(said["decided_at"].as_str().unwrap()), at(said["expires_at"].as_str().unwrap()));
    let longest = SignedDuration::from_secs(demand["gate"]["ttl_seconds"].as_i64().unwrap());
    let in_role = demand["gate"]["required_approver_role"] == said["role"];
    let in_time = decided <= at(AS_OF) && at(AS_OF) < expires && expires.duration_since(decided) <= longest;
    if in_role && in_time { Ok(true) } else { Err("escalate") }
}

fn identity(world: &World, record: &Value, found: &mut Found) {
    let actor = &record["actor"];
    if actor["id"].as_str().unwrap().trim().is_empty() {
        found.push(("identity", "replan"));
    }
    if actor["tenant_id"] != "tenant_acme_prod" {
        found.push(("identity", "reject"));
    }
    // The user of the run, or who approved this very decision.
    let mut roles: Vec<&str> = Vec::new();
    if actor["id"] == "agt_17" {
        roles.push("support_agent");
    }
    let demands = list(&world.json, "/runtime_controls/approvals");
    for signed in list(record, "/approvals") {
        let said = &signed["approval"];
        let counts = said["decision"] == "approved" && standing(world, record, signed, &demands) == Ok(true);
        if counts && said["approver"] == actor["id"] {
            roles.push(said["role"].as_str().unwrap());
        }
    }
    if roles.is_empty() && !actor["id"].as_str().unwrap().trim().is_empty() {
        found.push(("identity", "escalate"));
    }
    if !roles.is_empty() && actor.get("role").is_some_and(|role| !roles.contains(&role.as_str().unwrap())) {
        found.push(("identity", "reject"));
    }
    let subjects = list(record, "/subject_ids");
    if subjects.is_empty() {
        found.push(("identity", "replan"));
    }
    let shown = list(&world.json, "/manifests/evidence_manifest");
    for subject in subjects.iter().map(|subject| subject.as_str().unwrap()) {
        let parts =
            subject.split_once(':').filter(|(space, id)| ["customer", "order"].contains(space) && !id.is_empty());
        if parts.is_none() {
            found.push(("identity", "reject"));
        }
        let of_evidence =
            shown.iter().any(|e| e["evidence_ref"].as_str().unwrap().starts_with(&format!("kg:{subject}#")));
        if subject != "customer:cus_17" && !of_evidence {
            found.push(("identity", "replan"));
        }
    }
}
