//! Random packs and inputs, derived from the support pack and its worked example.

use crate::common::{Given, document};
use deed_canon::{ContentHash, canonical_string};
use deed_context::{Hydrated, tokenizer};
use deed_pack::{Bundle, PackFiles, Selection, SourceFile, resolve};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

pub(crate) const SNAPSHOT: &str = "snapshot_kg_2026_05_03_T0930";
pub(crate) const TENANT: &str = "tenant_acme_prod";
pub(crate) const AS_OF: &str = "2026-05-09T10:00:00Z";
pub(crate) const MODES: [&str; 5] = ["read_only", "local_write", "network", "delegated", "destructive"];
pub(crate) const BUCKETS: [&str; 6] = ["business", "policy", "tool", "evidence", "memory", "session"];

/// The support pack without its overlays.
pub(crate) fn support_pack() -> Value {
    let mut pack = document("packs/support/pack.yaml").value().clone();
    pack["pack_meta"].as_object_mut().unwrap().remove("overlays");
    pack
}

/// An input of the worked example.
pub(crate) fn example(name: &str) -> Value {
    document(&format!("packs/support/examples/{name}.yaml")).value().clone()
}

/// A pack value, ready to compile and counted by bytes, which is quick.
pub(crate) fn hydrate(pack: &Value) -> Hydrated {
    let source = SourceFile { name: "pack.json".to_owned(), bytes: pack.to_string().into_bytes() };
    let bundle = Bundle::read(&PackFiles { pack: source, overlays: BTreeMap::new(), golden: Vec::new() }).unwrap();
    let resolved = resolve(&bundle, &bundle.typed().unwrap(), &Selection::Named(Vec::new())).unwrap();
    Hydrated::new(&resolved, tokenizer("bytes/4").unwrap()).unwrap()
}

/// Inputs as values, before they are read.
#[derive(Debug, Clone)]
pub(crate) struct Raw {
    pub(crate) request: Value,
    pub(crate) run: Value,
    pub(crate) evidence: Value,
    pub(crate) memory: Value,
}

impl Raw {
    pub(crate) fn example() -> Self {
        Self {
            request: example("request"),
            run: example("run"),
            evidence: example("evidence"),
            memory: example("memory"),
        }
    }

    pub(crate) fn read(&self) -> Given {
        Given::of(self.request.clone(), self.run.clone(), self.evidence.clone(), self.memory.clone())
    }

    /// With a budget that holds everything.
    pub(crate) fn with_room(mut self) -> Self {
        let room: Map<String, Value> = BUCKETS.iter().map(|b| ((*b).to_owned(), json!(1_000_000))).collect();
        self.run["run_budget"] = json!({ "bucket_tokens": room });
        self
    }
}

/// The hash that evidence must come with.
pub(crate) fn payload_hash(content: &Value) -> String {
    let text = content.as_str().map_or_else(|| canonical_string(content).unwrap(), str::to_owned);
    ContentHash::of_bytes(text.as_bytes()).to_string()
}

/// Puts a value where there is one.
fn put(object: &mut Value, key: &str, value: Option<impl Into<Value>>) {
    if let Some(value) = value {
        object[key] = value.into();
    }
}

// ---- packs

pub(crate) const GATES: [&str; 3] = ["GATE_A", "GATE_B", "GATE_C"];
/// Every capability that a random pack may have, as adapter and capability.
pub(crate) const TOOLS: [&str; 6] = ["adp_a.one", "adp_a.two", "adp_b.one", "adp_c.one", "adp_c.two", "adp_c.three"];

fn leaf() -> impl Strategy<Value = Value> {
    let number = || select(vec![0, 50, 3000, 4200]);
    prop_oneof![
        2 => Just(json!(true)),
        2 => Just(json!(false)),
        4 => number().prop_map(|n| json!({ ">": [{ "var": "request.context.refund_amount" }, n] })),
        3 => number().prop_map(|n| json!({ "<": [{ "var": ["request.context.refund_amount", 7] }, n] })),
        4 => Just(json!({ "==": [{ "var": "request.context.identity_verified" }, true] })),
        2 => Just(json!({ "==": [{ "var": "user.role" }, "support_agent"] })),
        2 => Just(json!({ "in": [{ "var": "user.role" }, ["support_agent", "lead"]] })),
        1 => Just(json!({ "==": [{ "var": "intent.class" }, null] })),
        1 => Just(json!({ "==": [{ "var": "intent.id" }, "support.refund"] })),
        1 => Just(json!({ "==": [{ "var": "tenant.tenant_id" }, TENANT] })),
        1 => Just(json!({ "==": [{ "var": "env.language" }, "en"] })),
        1 => Just(json!({ "==": [{ "var": "team.size" }, 3] })),
        1 => Just(json!({ "==": [{ "var": "request.context.absent" }, 1] })),
        1 => Just(json!({ "var": "request.context.refund_amount" })),
        1 => Just(json!({ "frobnicate": [1] })),
    ]
}

/// A predicate that may hold, may not, and may fail.
pub(crate) fn predicate() -> impl Strategy<Value = Value> {
    leaf().prop_recursive(2, 6, 3, |inner| {
        prop_oneof![
            vec(inner.clone(), 1..3).prop_map(|args| json!({ "and": args })),
            vec(inner.clone(), 1..3).prop_map(|args| json!({ "or": args })),
            inner.prop_map(|arg| json!({ "!": [arg] })),
        ]
    })
}

/// A predicate of a guardrail or gate: often without effect, so that what others do can be seen.
fn control() -> impl Strategy<Value = Value> {
    prop_oneof![3 => Just(json!(false)), 2 => predicate()]
}

fn mode() -> impl Strategy<Value = &'static str> {
    select(MODES.to_vec())
}

fn outcome() -> impl Strategy<Value = Value> {
    let some_tools = || proptest::sample::subsequence(TOOLS.to_vec(), 0..3);
    let meant = proptest::sample::subsequence(TOOLS.to_vec(), 0..5);
    let gate = select(vec!["GATE_A", "GATE_B", "GATE_C", "GATE_NOWHERE"]);
    let requires =
        select(vec![json!([]), json!([]), json!(["lookup"]), json!(["approval"]), json!(["lookup", "approval"])]);
    let bounds =
        select(vec![json!({ "amount": { "max": 500 } }), json!({ "note": { "max_length": 80, "required": true } })]);
    (
        (option::weighted(0.5, proptest::bool::weighted(0.75)), requires, option::weighted(0.2, gate)),
        (option::weighted(0.2, some_tools()), any::<bool>()),
        (option::weighted(0.5, mode()), option::weighted(0.7, meant), option::weighted(0.3, bounds)),
    )
        .prop_map(|((allow, requires, gate), (forbids, alias), (mode, capabilities, bounds))| {
            let mut outcome = json!({ "requires": requires });
            put(&mut outcome, "allow", allow);
            put(&mut outcome, "requires_approval_gate", gate);
            put(&mut outcome, if alias { "prohibits" } else { "forbids" }, forbids);
            put(&mut outcome, "approval_mode", mode);
            put(&mut outcome, "capabilities", capabilities);
            put(&mut outcome, "arg_constraints", bounds);
            outcome
        })
}

fn rule() -> impl Strategy<Value = Value> {
    let intent = option::weighted(0.4, select(vec!["support.refund", "support.other"]));
    (predicate(), outcome(), option::of(outcome()), intent, option::weighted(0.2, any::<bool>()), any::<bool>())
        .prop_map(|(condition, then, otherwise, intent, soft, bound)| {
            let mut rule = json!({ "if": condition, "then": then });
            put(&mut rule, "else", otherwise);
            put(&mut rule, "applies_to", intent.map(|intent| json!({ "intent": intent })));
            put(&mut rule, "non_enforcing", soft);
            put(&mut rule, "decision_binding", bound.then_some("support.refund.execute"));
            rule
        })
}

/// Bundles with ids that are not in order, and priorities that are often the same.
fn bundles() -> impl Strategy<Value = Value> {
    let bundle = (vec(rule(), 0..4), select(vec![0, 5, 5, 10]), proptest::bool::weighted(0.2));
    vec(bundle, 1..4).prop_map(|bundles| {
        let bundles = bundles.into_iter().enumerate().map(|(i, (mut rules, priority, compat))| {
            for (j, rule) in rules.iter_mut().enumerate() {
                rule["rule_id"] = json!(format!("R_{i}_{j}"));
            }
            let language = if compat { "jsonlogic-compat" } else { "jsonlogic" };
            let id = format!("{}_BUNDLE", ["M", "Z", "A"][i]);
            json!({ "bundle_id": id, "priority": priority, "policy_dsl": { "language": language, "rules": rules } })
        });
        Value::Array(bundles.collect())
    })
}

fn guardrails(prefix: &'static str) -> impl Strategy<Value = Value> {
    vec(option::weighted(0.6, control()), 0..3).prop_map(move |list| {
        let list = list.into_iter().enumerate().map(|(i, when)| match when {
            None => json!(format!("{prefix}_{i}")),
            Some(when) => json!({ "id": format!("{prefix}_{i}"), "when": when }),
        });
        Value::Array(list.collect())
    })
}

fn registry() -> impl Strategy<Value = Value> {
    let capability = || (any::<bool>(), option::of(mode()));
    (vec((mode(), vec(capability(), 3)), 3)).prop_map(|adapters| {
        let adapters = adapters.into_iter().zip(["adp_a", "adp_b", "adp_c"]).map(|((mode, own), id)| {
            let names = TOOLS.iter().filter_map(|tool| tool.strip_prefix(id)?.strip_prefix('.'));
            let capabilities: Vec<Value> = names
                .zip(own)
                .map(|(name, (plain, mode))| match plain {
                    true => json!(name),
                    false => {
                        let mut object = json!({ "id": name, "risk_level": "low" });
                        put(&mut object, "approval_mode", mode);
                        object
                    }
                })
                .collect();
            json!({ "adapter_id": id, "type": "INTERNAL", "endpoint_ref": format!("internal://{id}"),
                "capabilities": capabilities, "approval_mode": mode })
        });
        Value::Array(adapters.collect())
    })
}

/// Zero to two permissions for each capability; most allow.
fn permissions() -> impl Strategy<Value = Value> {
    let one = (proptest::bool::weighted(0.9), option::weighted(0.4, select(GATES.to_vec())), any::<bool>());
    vec(prop_oneof![1 => vec(one.clone(), 0), 6 => vec(one, 1..3)], TOOLS.len()).prop_map(|of_tools| {
        let mut permissions = Vec::new();
        for (tool, own) in TOOLS.iter().zip(of_tools) {
            let (adapter, capability) = tool.split_once('.').unwrap();
            for (allow, gate, bounded) in own {
                let mut permission = json!({ "permission_id": format!("p_{}", permissions.len()),
                    "adapter_id": adapter, "capability": capability, "allow": allow });
                put(&mut permission, "requires_approval_gate", gate);
                put(&mut permission, "arg_constraints", bounded.then(|| json!({ "amount": { "min": 1, "max": 9 } })));
                permissions.push(permission);
            }
        }
        Value::Array(permissions)
    })
}

fn budget_layer() -> impl Strategy<Value = Option<Value>> {
    let split =
        json!({ "business": 0.1, "policy": 0.3, "tool": 0.2, "evidence": 0.2, "memory": 0.15, "session": 0.05 });
    option::of((option::of(1_500u64..9_000), any::<bool>()).prop_map(move |(total, split_it)| {
        let mut layer = json!({ "splits": if split_it { json!({ "support.refund": split }) } else { json!({}) } });
        put(&mut layer, "default_total", total);
        layer
    }))
}

/// The support pack with other tools, rules, guardrails, gates, catalogue, budgets and caps.
pub(crate) fn pack() -> impl Strategy<Value = Value> {
    let gates = vec(option::weighted(0.8, control()), GATES.len());
    let classes = select(vec!["PUBLIC", "INTERNAL", "CONFIDENTIAL", "RESTRICTED"]);
    (
        (bundles(), guardrails("refuse"), guardrails("escalate"), gates),
        (registry(), permissions()),
        (any::<bool>(), budget_layer(), option::of(0u64..4), classes),
    )
        .prop_map(
            |((bundles, refuse, escalate, gates), (registry, permissions), (catalogue, budget, cap, class))| {
                let mut pack = support_pack();
                pack["policy_layer"]["policy_bundles"] = bundles;
                pack["policy_layer"]["guardrails"]["must_refuse"] = refuse;
                pack["policy_layer"]["guardrails"]["must_escalate"] = escalate;
                let gates = GATES.iter().zip(gates).filter_map(|(id, when)| when.map(|when| (id, when)));
                let gates = gates.map(|(id, when)| {
                json!({ "gate_id": id, "when": when, "required_approver_role": "lead", "ttl_seconds": 60 })
            });
                pack["policy_layer"]["approval_gates"] = Value::Array(gates.collect());
                pack["tooling_layer"] = json!({ "adapter_registry": registry, "permissions": permissions });
                pack["pack_meta"]["data_classification"] = json!(class);
                if catalogue {
                    let entry = json!({ "id": "support.refund", "intent_class": "money", "task_id": "refund" });
                    pack["intent_layer"] = json!({ "catalog": [entry] });
                }
                put(&mut pack, "budget_layer", budget);
                put(&mut pack["memory_layer"], "recall_policy", cap.map(|cap| json!({ "max_per_intent": cap })));
                pack
            },
        )
}

// ---- inputs

/// What predicates read of a request, sometimes of the wrong type and sometimes absent.
pub(crate) fn request() -> impl Strategy<Value = Value> {
    let verified = option::weighted(0.9, select(vec![json!(true), json!(true), json!(false), json!("yes")]));
    let amount = select(vec![json!(10), json!(3000), json!(4200), json!(0.5), json!(null), json!("50")]);
    let turns = vec(("user|agent", "[a-z ]{0,60}"), 0..4);
    (verified, option::weighted(0.9, amount), option::of("[a-z <>]{0,40}"), turns).prop_map(
        |(verified, amount, message, turns)| {
            let mut request = example("request");
            let mut context = json!({});
            put(&mut context, "identity_verified", verified);
            put(&mut context, "refund_amount", amount);
            request["input"] = json!({ "intent": "support.refund", "context": context });
            put(&mut request["input"], "message", message);
            let turns: Vec<Value> =
                turns.into_iter().map(|(role, text)| json!({ "role": role, "text": text })).collect();
            request["session"] = json!({ "session_id": "ses_4", "recent_turns": turns });
            request
        },
    )
}

/// A total, a map that may leave buckets out, or nothing.
fn bucket_tokens() -> impl Strategy<Value = Option<Value>> {
    let map = vec(option::weighted(0.9, prop_oneof![0u64..120, Just(10_000u64)]), 6).prop_map(|parts| {
        let mut map = json!({});
        for (bucket, tokens) in BUCKETS.iter().zip(parts) {
            let tokens = if *bucket == "policy" { tokens.map(|_| 10_000) } else { tokens };
            put(&mut map, bucket, tokens);
        }
        Some(map)
    });
    prop_oneof![1 => Just(None), 3 => (1_000u64..6_000).prop_map(|total| Some(json!(total))), 4 => map]
}

/// A run with other modes, roles, prohibitions, ceilings and budgets.
pub(crate) fn run() -> impl Strategy<Value = Value> {
    let safety = prop_oneof![mode(), Just("destructive")];
    let role = select(vec!["support_agent", "lead", "auditor"]);
    let one = (select(TOOLS.to_vec()), proptest::bool::weighted(0.3));
    let prohibitions = prop_oneof![2 => Just(Vec::new()), 1 => vec(one, 1..3)];
    let ceiling = option::weighted(0.3, select(vec!["PUBLIC", "INTERNAL", "CONFIDENTIAL"]));
    (safety, role, prohibitions, ceiling, bucket_tokens(), option::of(2..4)).prop_map(
        |(mode, role, prohibitions, ceiling, budget, team)| {
            let mut run = example("run");
            run["safety_mode"] = json!(mode);
            run["user"] = json!({ "id": "agt_17", "role": role });
            // Names that the compiler's own win over.
            run["tenant"] = json!({ "tenant_id": "elsewhere" });
            run["env"] = json!({ "language": "xx" });
            put(&mut run, "team", team.map(|size| json!({ "size": size })));
            put(&mut run, "max_classification", ceiling);
            let prohibitions = prohibitions.into_iter().map(|(tool, whole)| {
                let (adapter, capability) = tool.split_once('.').unwrap();
                if whole {
                    json!({ "adapter_id": adapter })
                } else {
                    json!({ "adapter_id": adapter, "capability": capability })
                }
            });
            run["prohibitions"] = Value::Array(prohibitions.collect());
            run.as_object_mut().unwrap().remove("run_budget");
            put(&mut run, "run_budget", budget.map(|tokens| json!({ "bucket_tokens": tokens })));
            run
        },
    )
}

fn times() -> impl Strategy<Value = Option<&'static str>> {
    option::weighted(0.3, select(vec![AS_OF, "2026-05-09T09:59:59Z", "2026-05-09T10:00:01Z", "tomorrow"]))
}

fn classes() -> impl Strategy<Value = Option<&'static str>> {
    let known = vec!["PUBLIC", "PUBLIC", "PUBLIC", "INTERNAL", "CONFIDENTIAL", "RESTRICTED", "SECRET", ""];
    option::weighted(0.95, select(known))
}

fn tenants() -> impl Strategy<Value = Option<&'static str>> {
    option::weighted(0.95, select(vec![TENANT, TENANT, TENANT, TENANT, "tenant_other", ""]))
}

/// The references that random evidence has; few, so that they repeat and contradict each other.
pub(crate) fn refs() -> Vec<String> {
    let fixed = [
        "tool:adp_a.one:c1",
        "tool:adp_a.one:c2",
        "tool:adp_a.one:c3",
        "session:ses_4",
        "session:ses_5",
        "kg:order:1",
        "what",
    ];
    let graph = (1..6).map(|i| format!("kg:order:{i}#{SNAPSHOT}")).chain(["kg:order:9#older".to_owned()]);
    fixed.into_iter().map(str::to_owned).chain(graph).collect()
}

fn evidence_item() -> impl Strategy<Value = Value> {
    let contents = select(vec![
        json!("short"),
        json!("a longer text that takes a few more tokens than the short one does"),
        json!({ "b": [1, 2], "a": null }),
        json!(17),
        json!(""),
    ]);
    let hash = select(vec![0, 0, 0, 0, 0, 0, 1, 2, 3]);
    let conflicts = prop_oneof![4 => Just(Vec::new()), 1 => vec(select(refs()), 1..3)];
    let resolution = option::weighted(0.2, select(vec!["decision:1", ""]));
    (
        (select(refs()), contents, hash, tenants(), classes()),
        (times(), times(), conflicts, resolution, option::of("[ab]")),
    )
        .prop_map(|((own, content, hash, tenant, class), (retrieved, expires, conflicts, resolution, source))| {
            let right = payload_hash(&content);
            let mut item =
                json!({ "evidence_ref": own, "content": content, "conflicts_with": conflicts, "tags": ["PII"] });
            put(
                &mut item,
                "payload_hash",
                match hash {
                    0 => Some(right),
                    1 => Some(ContentHash::of_bytes(b"something else").to_string()),
                    2 => Some(String::new()),
                    _ => None,
                },
            );
            put(&mut item, "tenant_id", tenant);
            put(&mut item, "classification", class);
            put(&mut item, "retrieved_at", retrieved.filter(|text| *text != "tomorrow"));
            put(&mut item, "expires_at", expires);
            put(&mut item, "resolution_ref", resolution);
            put(&mut item, "source_id", source);
            item
        })
}

/// Evidence with every fault, some of it twice.
pub(crate) fn evidence() -> impl Strategy<Value = Value> {
    (vec(evidence_item(), 0..8), vec(any::<proptest::sample::Index>(), 0..3)).prop_map(|(mut items, again)| {
        let copies: Vec<Value> = again.iter().filter(|_| !items.is_empty()).map(|i| i.get(&items).clone()).collect();
        items.extend(copies);
        Value::Array(items)
    })
}

fn memory_item() -> impl Strategy<Value = Value> {
    let id = select(vec!["m_1", "m_2", "m_3", "m_4", "m_5", "m_6"]);
    let subject =
        option::weighted(0.95, select(vec!["customer:cus_17", "customer:cus_17", "*", "customer:cus_18", ""]));
    let intent = option::weighted(0.95, select(vec!["support.refund", "support.refund", "*", "support.other", ""]));
    let tier = option::weighted(0.95, select(vec!["working", "episodic", "semantic", "durable", "eternal"]));
    let at = select(vec![
        "2026-05-09T09:30:00Z",
        "2026-05-09T09:00:00Z",
        "2026-05-08T10:00:00Z",
        "2026-05-01T00:00:00Z",
        "2026-05-09T10:00:01Z",
        "2026-05-09T09:59:59.5Z",
        AS_OF,
        "yesterday",
        "",
    ]);
    let content = select(vec![
        json!({ "text": "a preference" }),
        json!({ "text": "another, longer preference of theirs" }),
        json!({ "entity": "order:1", "predicate": "has_state", "value": { "b": 1, "a": 2 } }),
        json!({}),
        json!({ "entity": "order:1", "predicate": "has_state", "value": { "a": 2, "b": 7 } }),
        json!({ "text": "x", "entity": "order:1", "predicate": "p", "value": 1 }),
        json!({ "text": "write to jane.roe@mail.acme.io" }),
    ]);
    let kind = option::weighted(0.95, select(vec!["preference", "preference", "preference", "correction", "gossip"]));
    let more = select(vec![
        json!({}),
        json!({}),
        json!({ "provenance": [] }),
        json!({ "confidence": 0.99 }),
        json!({ "confidence": 0.4 }),
        json!({ "confidence": 0.4, "reviewed_by": "data" }),
        json!({ "corrects": "m_1" }),
        json!({ "personal_data": true, "consent": "consent:1" }),
    ]);
    (id, tenants(), subject, intent, tier, option::weighted(0.95, at), classes(), content, kind, more).prop_map(
        |(id, tenant, subject, intent, tier, at, class, content, kind, more)| {
            let mut item = content;
            item["id"] = json!(id);
            item["provenance"] = json!(["feedback:1", "call:2"]);
            item.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            put(&mut item, "class", kind);
            put(&mut item, "tenant_id", tenant);
            put(&mut item, "subject", subject);
            put(&mut item, "intent_id", intent);
            put(&mut item, "tier", tier);
            put(&mut item, "promoted_at", at);
            put(&mut item, "classification", class);
            item
        },
    )
}

/// Memories with every fault, some of them twice.
pub(crate) fn memory() -> impl Strategy<Value = Value> {
    (vec(memory_item(), 0..8), vec(any::<proptest::sample::Index>(), 0..2)).prop_map(|(mut items, again)| {
        let copies: Vec<Value> = again.iter().filter(|_| !items.is_empty()).map(|i| i.get(&items).clone()).collect();
        items.extend(copies);
        Value::Array(items)
    })
}

/// All four inputs.
pub(crate) fn raw() -> impl Strategy<Value = Raw> {
    (request(), run(), evidence(), memory()).prop_map(|(request, run, evidence, memory)| Raw {
        request,
        run,
        evidence,
        memory,
    })
}
