//! The law of overlays: whatever is accepted, no context is allowed more than before.
//!
//! The surface is computed here on its own, by evaluating every predicate, and shares nothing with the proofs.

use deed_logic::{Mode, Program};
use deed_model::{
    ApprovalMode, ArgConstraint, ContextPack, EvalTarget, Guardrail, Metric, MetricDirection, PolicyLanguage, Rule,
    RuleOutcome,
};
use deed_pack::{Bundle, PackFiles, Selection, SourceFile, resolve};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value, json};
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

const PACK: &str = include_str!("fixtures/claims.yaml");

/// What a run may do in one context.
#[derive(Debug, Default)]
struct Surface {
    denied: bool,
    escalated: bool,
    requires: BTreeSet<String>,
    gates: BTreeSet<String>,
    forbidden: BTreeSet<String>,
    bounds: Vec<(String, String, ArgConstraint)>,
    modes: BTreeMap<String, ApprovalMode>,
}

/// A predicate compiled once: true, false, or an error.
struct Predicate(Option<Program>);

impl Predicate {
    fn new(source: &Value, mode: Mode) -> Self {
        Self(Program::compile(source, mode).ok())
    }

    fn holds(&self, context: &Value) -> Option<bool> {
        self.0.as_ref()?.test(context).ok()
    }
}

/// A pack with its predicates compiled.
struct Judge<'a> {
    pack: &'a ContextPack,
    guardrails: Vec<(bool, Predicate)>,
    gates: Vec<(&'a str, Predicate)>,
    rules: Vec<(&'a Rule, Predicate)>,
}

impl<'a> Judge<'a> {
    fn new(pack: &'a ContextPack) -> Self {
        let guards = &pack.policy_layer.guardrails;
        let labelled =
            guards.must_refuse.iter().map(|g| (true, g)).chain(guards.must_escalate.iter().map(|g| (false, g)));
        let guardrails = labelled.filter_map(|(refuse, guardrail)| match guardrail {
            Guardrail::Predicate { when, .. } => Some((refuse, Predicate::new(when, Mode::Strict))),
            Guardrail::Label(_) => None,
        });
        let gates = pack.policy_layer.approval_gates.iter();
        let rules = pack.rules().map(|(bundle, rule)| {
            let mode = match bundle.policy_dsl.language {
                PolicyLanguage::Strict => Mode::Strict,
                PolicyLanguage::Compat => Mode::Compat,
            };
            (rule, Predicate::new(&rule.condition, mode))
        });
        Self {
            pack,
            guardrails: guardrails.collect(),
            gates: gates.map(|g| (g.gate_id.as_str(), Predicate::new(&g.when, Mode::Strict))).collect(),
            rules: rules.collect(),
        }
    }

    fn surface(&self, context: &Value) -> Surface {
        let mut out = Surface::default();
        for (refuse, _) in self.guardrails.iter().filter(|(_, when)| when.holds(context) != Some(false)) {
            if *refuse { out.denied = true } else { out.escalated = true }
        }
        let active = self.gates.iter().filter(|(_, when)| when.holds(context) != Some(false));
        out.gates.extend(active.map(|(id, _)| (*id).to_owned()));
        for (rule, condition) in &self.rules {
            match condition.holds(context) {
                Some(true) => fire(&mut out, &rule.then),
                Some(false) => rule.otherwise.iter().for_each(|o| fire(&mut out, o)),
                None if rule.non_enforcing == Some(true) => {}
                None => out.denied = true,
            }
        }
        out.escalated |= !out.gates.is_empty() || out.requires.contains("approval");
        out
    }
}

fn fire(out: &mut Surface, outcome: &RuleOutcome) {
    out.denied |= outcome.allow == Some(false);
    out.requires.extend(outcome.requires.iter().cloned());
    out.gates.extend(outcome.requires_approval_gate.iter().cloned());
    out.forbidden.extend(outcome.forbidden().map(str::to_owned));
    let concerned = if outcome.capabilities.is_empty() { vec![String::new()] } else { outcome.capabilities.clone() };
    for capability in concerned {
        for (name, bound) in &outcome.arg_constraints {
            out.bounds.push((capability.clone(), name.clone(), bound.clone()));
        }
        if let Some(mode) = outcome.approval_mode {
            out.modes.entry(capability).and_modify(|m| *m = (*m).max(mode)).or_insert(mode);
        }
    }
}

impl Surface {
    /// The capabilities that can be called, with the mode that each is gated by.
    fn callable(&self, pack: &ContextPack) -> BTreeMap<String, ApprovalMode> {
        let mut out = BTreeMap::new();
        for permission in pack.tooling_layer.permissions.iter().filter(|p| p.allow) {
            let adapter =
                pack.tooling_layer.adapter_registry.iter().find(|a| a.adapter_id == permission.adapter_id).unwrap();
            let capability = adapter.capabilities.iter().find(|c| c.id() == permission.capability).unwrap();
            let declared = capability.declared_mode(adapter);
            let name = format!("{}.{}", permission.adapter_id, permission.capability);
            if self.forbidden.contains(&name) || (self.denied && declared.writes()) {
                continue;
            }
            let effective = self.modes.get(&name).map_or(declared, |m| (*m).min(declared));
            out.insert(name, effective);
        }
        out
    }

    fn admits(&self, capability: &str, argument: &str, value: f64) -> bool {
        self.bounds.iter().filter(|(c, a, _)| c == capability && a == argument).all(|(_, _, bound)| {
            bound.min.as_ref().is_none_or(|m| value >= m.as_f64().unwrap())
                && bound.max.as_ref().is_none_or(|m| value <= m.as_f64().unwrap())
                && bound.max_length.is_none_or(|m| value <= m as f64)
        })
    }
}

/// Everything that the resolved pack allows in a context was allowed by the base.
fn within(base: &Judge<'_>, resolved: &Judge<'_>, context: &Value) -> Result<(), TestCaseError> {
    let (before, after) = (base.surface(context), resolved.surface(context));
    let (base, resolved) = (base.pack, resolved.pack);
    prop_assert!(!before.denied || after.denied, "no longer denied: {before:?} {after:?}");
    if !after.denied {
        prop_assert!(!before.escalated || after.escalated, "no longer escalated: {before:?} {after:?}");
        prop_assert!(before.requires.is_subset(&after.requires), "less required: {before:?} {after:?}");
        prop_assert!(before.gates.is_subset(&after.gates), "fewer gates: {before:?} {after:?}");
    }
    let old = before.callable(base);
    for (name, mode) in after.callable(resolved) {
        let was = old.get(&name);
        prop_assert!(was.is_some_and(|was| after.denied || mode >= *was), "{name}: {was:?} became {mode}");
        let gated = |s: &Surface| {
            let mut permissions = base.tooling_layer.permissions.iter();
            let own = permissions.find(|p| format!("{}.{}", p.adapter_id, p.capability) == name).unwrap();
            own.requires_approval_gate.as_ref().is_some_and(|g| s.gates.contains(g))
        };
        prop_assert!(!gated(&before) || gated(&after), "{name} lost its gate");
        for value in [-1.0, 0.0, 5.0, 10.0, 10.5, 50.0, 79.0, 80.0, 500.0, 999.0, 1000.0, 1001.0, 60000.0] {
            for argument in ["amount", "note"] {
                let grew = after.admits(&name, argument, value) && !before.admits(&name, argument, value);
                prop_assert!(!grew, "{name} admits {argument} {value}");
            }
        }
    }
    Ok(())
}

fn targets_only_stricter(base: &ContextPack, resolved: &ContextPack) -> Result<(), TestCaseError> {
    let stricter = |metric: Metric, from: &EvalTarget, to: &EvalTarget| match (from.get(metric), to.get(metric)) {
        (None, _) => true,
        (Some(a), Some(b)) => {
            if metric.aim() == MetricDirection::Higher {
                b >= a
            } else {
                b <= a
            }
        }
        (Some(_), None) => false,
    };
    for (from, to) in base.evaluation_layer.eval_targets.iter().zip(&resolved.evaluation_layer.eval_targets) {
        prop_assert!(Metric::ALL.into_iter().all(|m| stricter(m, from, to)), "{from:?} {to:?}");
    }
    for (from, to) in base.policy_layer.approval_gates.iter().zip(&resolved.policy_layer.approval_gates) {
        prop_assert!((1..=from.ttl_seconds).contains(&to.ttl_seconds));
    }
    let same = (&base.tooling_layer.permissions, &base.decision_layer, &base.intelligence_refs)
        == (&resolved.tooling_layer.permissions, &resolved.decision_layer, &resolved.intelligence_refs);
    prop_assert!(same, "an overlay touched what it must not");
    Ok(())
}

// ---- random packs

fn number() -> impl Strategy<Value = Value> {
    prop_oneof![
        proptest::sample::select(vec![0, 1, 10, 50, 77, 99, 100, 101, 500, 1000, 3000]).prop_map(|n| json!(n)),
        (-5..40i64).prop_map(|n| json!(n)),
        proptest::sample::select(vec![0.1, 0.5, 0.75, 0.8, 0.95]).prop_map(|n| json!(n)),
    ]
}

fn variable() -> impl Strategy<Value = Value> {
    proptest::sample::select(vec![
        json!({"var": "request.context.amount"}),
        json!({"var": "request.context.risk"}),
        json!({"var": ["request.context.days_late", 0]}),
    ])
}

fn comparison() -> impl Strategy<Value = Value> {
    let operator = proptest::sample::select(vec!["<", "<=", ">", ">="]);
    (operator, variable(), number(), any::<bool>(), proptest::option::of(number())).prop_map(
        |(op, x, n, turned, third)| match (turned, third) {
            (false, Some(third)) if op.starts_with('<') => json!({ op: [n, x, third] }),
            (true, _) => json!({ op: [n, x] }),
            (false, _) => json!({ op: [x, n] }),
        },
    )
}

fn leaf() -> impl Strategy<Value = Value> {
    prop_oneof![
        6 => comparison(),
        1 => Just(json!({"==": [{"var": "request.context.flag"}, true]})),
        1 => Just(json!({"==": [{"var": "user.role"}, "agent"]})),
        1 => Just(json!({"in": [{"var": "user.role"}, ["agent", "lead"]]})),
        1 => Just(json!({"some": [{"var": "request.context.items"}, {">": [{"var": "price"}, 5]}]})),
        1 => (variable(), number()).prop_map(|(x, n)| json!({"==": [x, n]})),
        1 => Just(json!(true)),
    ]
}

fn predicate() -> impl Strategy<Value = Value> {
    leaf().prop_recursive(2, 6, 3, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 1..4).prop_map(|args| json!({"and": args})),
            proptest::collection::vec(inner.clone(), 1..4).prop_map(|args| json!({"or": args})),
            inner.clone().prop_map(|arg| json!({"!": [arg]})),
            inner.clone().prop_map(|arg| json!({"!!": arg})),
            (inner.clone(), inner.clone(), inner).prop_map(|(a, b, c)| json!({"if": [a, b, c]})),
        ]
    })
}

fn outcome() -> impl Strategy<Value = Value> {
    proptest::sample::select(vec![
        json!({"allow": true}),
        json!({"allow": false}),
        json!({"allow": false, "requires": ["a"]}),
        json!({"allow": false, "forbids": ["adp_orders.lookup"]}),
        json!({}),
        json!({"requires": ["a"]}),
        json!({"allow": true, "requires": ["a", "b"]}),
        json!({"requires": ["approval"]}),
        json!({"requires_approval_gate": "GATE_RISK"}),
        json!({"requires_approval_gate": "GATE_FINANCE", "approval_mode": "destructive"}),
        json!({"forbids": ["adp_pay.payout"]}),
        json!({"prohibits": ["adp_orders.lookup", "adp_pay.payout"]}),
        json!({"approval_mode": "network", "capabilities": ["adp_pay.payout"]}),
        json!({"approval_mode": "local_write", "capabilities": ["adp_pay.payout"], "requires": ["a"]}),
        json!({"approval_mode": "destructive", "capabilities": ["adp_pay.payout"]}),
        json!({"capabilities": ["adp_pay.payout"], "arg_constraints": {"amount": {"min": 10, "max": 1000}}}),
        json!({"capabilities": ["adp_pay.payout"], "arg_constraints": {"amount": {"max": 500}, "note": {"max_length": 80}}}),
        json!({"capabilities": ["adp_orders.lookup"], "arg_constraints": {"amount": {"max": 50}}}),
    ])
}

fn rule() -> impl Strategy<Value = Value> {
    (predicate(), outcome(), proptest::option::of(outcome()), any::<bool>(), proptest::bool::weighted(0.2)).prop_map(
        |(condition, then, otherwise, bound, soft)| {
            let mut rule = json!({ "if": condition, "then": then });
            if let Some(otherwise) = otherwise {
                rule["else"] = otherwise;
            }
            if bound {
                rule["decision_binding"] = json!("claims.pay.execute");
            }
            if soft {
                rule["non_enforcing"] = json!(true);
            }
            rule
        },
    )
}

fn base_pack() -> impl Strategy<Value = Value> {
    let rules = proptest::collection::vec((rule(), any::<bool>()), 1..3);
    (rules, predicate()).prop_map(|(rules, when)| {
        let mut pack =
            deed_diag::Document::read("pack.yaml", PACK.as_bytes(), deed_diag::Format::Yaml).unwrap().value().clone();
        for (i, (mut rule, compat)) in rules.into_iter().enumerate() {
            rule["rule_id"] = json!(format!("R_{i}"));
            let list = format!("/policy_layer/policy_bundles/{}/policy_dsl/rules", usize::from(compat));
            let list = pack.pointer_mut(&list).unwrap().as_array_mut().unwrap();
            // The random rules stand alone: the fixture's would deny most contexts for want of a variable.
            list.retain(|r| r["rule_id"].as_str().is_some_and(|id| id.len() < 4));
            list.push(rule);
        }
        for bundle in pack["policy_layer"]["policy_bundles"].as_array_mut().unwrap() {
            bundle["policy_dsl"]["rules"].as_array_mut().unwrap().retain(|r| r["rule_id"].as_str().unwrap().len() < 4);
        }
        pack["policy_layer"]["approval_gates"][1]["when"] = when;
        pack["policy_layer"]["guardrails"]["must_refuse"] = json!([]);
        pack["pack_meta"]["overlays"] = json!(["ctxpack.claims.a@1.0.0", "ctxpack.claims.b@1.0.0"]);
        pack
    })
}

/// Every number of a predicate or an outcome, by pointer.
fn numbers(value: &Value, at: &str, out: &mut Vec<String>) {
    match value {
        Value::Number(_) => out.push(at.to_owned()),
        Value::Array(items) => items.iter().enumerate().for_each(|(i, v)| numbers(v, &format!("{at}/{i}"), out)),
        Value::Object(members) => members.iter().for_each(|(k, v)| numbers(v, &format!("{at}/{k}"), out)),
        _ => {}
    }
}

fn thresholds(pack: &Value, wanted: &str) -> Vec<(&'static str, String, String)> {
    let mut found = Vec::new();
    let mut collect = |key: &'static str, owner: &Value| {
        let mut pointers = Vec::new();
        numbers(owner, "", &mut pointers);
        found.extend(pointers.into_iter().map(|p| (key, owner[key].as_str().unwrap().to_owned(), p)));
    };
    for bundle in pack["policy_layer"]["policy_bundles"].as_array().unwrap() {
        bundle["policy_dsl"]["rules"].as_array().unwrap().iter().for_each(|rule| collect("rule_id", rule));
    }
    pack["policy_layer"]["approval_gates"].as_array().unwrap().iter().for_each(|gate| collect("gate_id", gate));
    if found.iter().any(|(key, _, _)| *key == wanted) {
        found.retain(|(key, _, _)| *key == wanted);
    }
    found
}

/// Dice for one change; which threshold is meant is known once the pack is.
type Dice = (u8, proptest::sample::Index, Value, proptest::sample::Index);

fn change(pack: &Value, (kind, which, value, other): Dice) -> Value {
    match kind {
        0 => json!({ "kind": "endpoint_ref", "adapter_id": "adp_orders", "value": "internal://orders-staging" }),
        1 => {
            let (key, text) = other.get(&[("currency", "INR"), ("language", "de"), ("region", "eu-west-1")]);
            json!({ "kind": "locale_default", "key": key, "value": text })
        }
        2 => {
            let metric = which.get(&Metric::ALL).as_str();
            json!({ "kind": "evaluator_threshold", "intent": "claims.pay", "metric": metric, "value": value })
        }
        _ => {
            let all = thresholds(pack, if kind < 6 { "gate_id" } else { "rule_id" });
            let (key, id, pointer) = which.get(&all);
            json!({ "kind": "policy_threshold", *key: id, "pointer": pointer, "value": value })
        }
    }
}

fn dice() -> impl Strategy<Value = Dice> {
    (0..16u8, any::<proptest::sample::Index>(), number(), any::<proptest::sample::Index>())
}

// ---- random contexts

fn datum() -> impl Strategy<Value = Option<Value>> {
    prop_oneof![
        6 => number().prop_map(Some),
        1 => Just(None),
        1 => proptest::sample::select(vec![json!("x"), json!("50"), json!(null), json!(true), json!([7]), json!("")]).prop_map(Some),
    ]
}

fn context() -> impl Strategy<Value = Value> {
    let flag = proptest::option::of(proptest::sample::select(vec![json!(true), json!(false), json!("yes")]));
    let role = proptest::option::of(proptest::sample::select(vec![json!("agent"), json!("lead"), json!(5)]));
    let items = proptest::option::of(proptest::sample::select(vec![json!([]), json!([{"price": 9}]), json!([{}])]));
    (datum(), datum(), datum(), flag, role, items).prop_map(|(amount, risk, late, flag, role, items)| {
        let mut request = serde_json::Map::new();
        for (name, value) in [("amount", amount), ("risk", risk), ("days_late", late), ("flag", flag), ("items", items)]
        {
            value.into_iter().for_each(|v| drop(request.insert(name.to_owned(), v)));
        }
        let user = role.map_or(json!({}), |role| json!({ "role": role }));
        json!({ "request": { "context": request }, "user": user })
    })
}

fn source(name: &str, value: &Value) -> SourceFile {
    SourceFile { name: name.to_owned(), bytes: value.to_string().into_bytes() }
}

#[test]
fn resolution_never_widens() {
    let (accepted, refused, moved) = (Cell::new(0u32), Cell::new(0u32), Cell::new(0u32));
    let changes = || prop_oneof![3 => proptest::collection::vec(dice(), 1), 1 => proptest::collection::vec(dice(), 2)];
    let case =
        (base_pack(), changes(), changes(), proptest::bool::weighted(0.25), proptest::collection::vec(context(), 40));
    let config = Config { cases: 1000, failure_persistence: None, ..Config::default() };
    let run = TestRunner::new(config).run(&case, |(pack, first, second, both, contexts)| {
        let overlay = |name: &str, dice: Vec<Dice>| {
            let list: Vec<Value> = dice.into_iter().map(|d| change(&pack, d)).collect();
            let own = format!("ctxpack.claims.{name}@1.0.0");
            source(
                &format!("overlays/{name}.json"),
                &json!({ "overlay_ref": own, "base": "ctxpack.claims@1.2.3", "changes": list }),
            )
        };
        let overlays = BTreeMap::from([("a".to_owned(), overlay("a", first)), ("b".to_owned(), overlay("b", second))]);
        let files = PackFiles { pack: source("pack.json", &pack), overlays, golden: Vec::new() };
        let bundle = Bundle::read(&files).unwrap();
        let base = bundle.typed().unwrap();
        let selection = if both { Selection::All } else { Selection::Named(vec!["a".to_owned()]) };
        let Ok(resolved) = resolve(&bundle, &base, &selection) else {
            refused.set(refused.get() + 1);
            return Ok(());
        };
        accepted.set(accepted.get() + 1);
        let thresholds = resolved.changes.iter().filter(|c| c.kind == "policy_threshold" && c.before != c.after);
        moved.set(moved.get() + u32::try_from(thresholds.count()).unwrap());
        let typed: ContextPack = serde_json::from_value(resolved.pack).unwrap();
        targets_only_stricter(&base, &typed)?;
        let (base, resolved) = (Judge::new(&base), Judge::new(&typed));
        contexts.iter().try_for_each(|context| within(&base, &resolved, context))
    });
    run.unwrap();
    assert!(accepted.get() > 50, "{} accepted", accepted.get());
    assert!(refused.get() > 100, "{} refused", refused.get());
    assert!(moved.get() > 50, "{} thresholds moved", moved.get());
}
