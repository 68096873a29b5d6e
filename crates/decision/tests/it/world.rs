//! Compiled contexts of the support pack, and decisions made from them.

use deed_canon::{SigningKey, Statement, Subject, derive_id, hash_of, timestamp};
use deed_context::{Hydrations, PackMaterial, Recording, record, reopen};
use deed_decision::{Approver, CriticInputs, Judged, approve, critique, recheck, subject};
use deed_diag::{Document, Format};
use deed_model::{
    APPROVAL_PREDICATE, APPROVAL_TAG, Approval, CompiledContext, ContextPack, DecisionDraft, DecisionRecord,
    EvidenceItem, GATE_SUBJECT_TAG, GateDecision, GateSubject, JournaledApproval, RunContext, RunEvidence,
    SignedApproval, SourceKind,
};
use deed_pack::{Bundle, PackFiles, SourceFile};
use jiff::Timestamp;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::path::Path;

pub(crate) const AS_OF: &str = "2026-05-09T11:00:00Z";
pub(crate) const RUN: &str = "run_2026_05_09_001";
pub(crate) const GATE: &str = "GATE_FINANCE_APPROVAL";
const SNAPSHOT: &str = "snapshot_kg_2026_05_03_T0930";

pub(crate) fn at(text: &str) -> Timestamp {
    timestamp(text).unwrap()
}

/// The key whose signatures count.
pub(crate) fn key() -> SigningKey {
    SigningKey::from_seed(&[7; 32])
}

/// A compiled context, and everything that the critic reads with it.
pub(crate) struct World {
    pub(crate) name: &'static str,
    pub(crate) context: CompiledContext<'static>,
    pub(crate) json: Value,
    pub(crate) pack: ContextPack,
    pub(crate) pack_hash: deed_canon::ContentHash,
    pub(crate) facts: Map<String, Value>,
    pub(crate) run: RunContext,
    pub(crate) evidence: Vec<EvidenceItem>,
    pub(crate) journal: Option<RunEvidence>,
}

fn file(path: &str) -> SourceFile {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../packs/support");
    SourceFile { name: path.to_owned(), bytes: std::fs::read(root.join(path)).unwrap() }
}

pub(crate) fn example(name: &str) -> Value {
    let path = format!("examples/{name}.yaml");
    Document::read(&path, &file(&path).bytes, Format::Yaml).unwrap().value().clone()
}

/// The inputs of a compile of the support pack, before they are varied.
pub(crate) struct Given {
    pub(crate) pack: Value,
    pub(crate) request: Value,
    pub(crate) run: Value,
    pub(crate) evidence: Value,
}

impl World {
    /// The worked example, varied.
    pub(crate) fn new(name: &'static str, vary: impl FnOnce(&mut Given)) -> Self {
        let files = PackFiles { pack: file("pack.yaml"), overlays: BTreeMap::new(), golden: Vec::new() };
        let material = PackMaterial::of_bundle(&Bundle::read(&files).unwrap(), &[]);
        let mut given = Given {
            pack: material.pack.clone(),
            request: example("request"),
            run: example("run"),
            evidence: example("evidence"),
        };
        given.pack["pack_meta"].as_object_mut().unwrap().remove("overlays");
        given.run["tokenizer"] = json!("bytes/4");
        vary(&mut given);
        let recording = Recording {
            pack: PackMaterial { pack: given.pack, ..material },
            request: given.request,
            run: given.run,
            evidence: given.evidence,
            memory: json!([]),
            source_kind: SourceKind::DecisionRecord,
            origin: Default::default(),
            recalled_memory: None,
            reported_tokens: None,
        };
        let cache = Hydrations::new();
        let bundle = record(recording, &cache).unwrap_or_else(|found| panic!("{name}: {found:?}"));
        let opened = reopen(&bundle, &cache, |reopened| {
            let json = serde_json::to_value(reopened.context).unwrap();
            Self {
                name,
                context: CompiledContext::deserialize(&json).unwrap(),
                json,
                pack: ContextPack::deserialize(&reopened.pack.pack).unwrap(),
                pack_hash: reopened.pack.hash,
                facts: reopened.facts.clone(),
                run: reopened.run.clone(),
                evidence: reopened.evidence.to_vec(),
                journal: None,
            }
        });
        opened.unwrap_or_else(|report| panic!("{name}: {report:?}"))
    }

    pub(crate) fn inputs<'w>(&'w self, keys: &'w [deed_canon::PublicKey]) -> CriticInputs<'w> {
        CriticInputs {
            context: &self.context,
            pack: &self.pack,
            pack_hash: self.pack_hash,
            facts: &self.facts,
            run_context: &self.run,
            evidence: &self.evidence,
            journal: self.journal.as_ref(),
            approver_keys: keys,
            as_of: at(AS_OF),
        }
    }

    pub(crate) fn judge(&self, draft: &DecisionDraft) -> Judged {
        critique(draft, self.inputs(&[key().public()])).unwrap()
    }

    pub(crate) fn recheck(&self, record: &DecisionRecord) -> Judged {
        recheck(record, self.inputs(&[key().public()])).unwrap()
    }

    /// A sound decision of this world with an outcome.
    pub(crate) fn draft(&self, outcome: &str) -> DecisionDraft {
        let mut draft = example("decision");
        draft["outputs"]["outcome"] = json!(outcome);
        let amount = self.run_amount();
        draft["inputs"]["refund_amount"] = amount.clone();
        draft["outputs"]["amount_inr"] = amount;
        let offered = self.offered();
        draft["evidence_refs"].as_array_mut().unwrap().retain(|r| offered.contains(&r.as_str().unwrap().to_owned()));
        let known = |subject: &Value| subject == "customer:cus_17" || offered.iter().any(|r| r.starts_with("kg:order"));
        draft["subject_ids"].as_array_mut().unwrap().retain(known);
        let mut draft: DecisionDraft = serde_json::from_value(draft).unwrap();
        if self.journal.is_some() {
            draft.lineage = Some(serde_json::from_value(json!({ "plan_step": "pay" })).unwrap());
            draft.approvals = self.journal.iter().flat_map(|j| &j.approvals).map(|own| own.signed.clone()).collect();
        } else if !self.context.runtime_controls.approvals.is_empty() {
            draft.approvals =
                vec![self.approval(&draft, "finance_lead", GateDecision::Approved, "2026-05-09T10:30:00Z")];
        }
        draft
    }

    fn run_amount(&self) -> Value {
        json!(if self.context.runtime_controls.approval_gates_active.is_empty() { 1200 } else { 4200 })
    }

    /// The references that the manifest or a met requirement offers.
    pub(crate) fn offered(&self) -> Vec<String> {
        let manifest = self.json["manifests"]["evidence_manifest"].as_array().unwrap().iter();
        let mut refs: Vec<String> = manifest.map(|e| e["evidence_ref"].as_str().unwrap().to_owned()).collect();
        let required =
            self.json["decisions"].as_array().unwrap().iter().flat_map(|d| d["required_evidence"].as_array());
        let met = required.flatten().filter(|r| r["status"] == "met").flat_map(|r| r["refs"].as_array()).flatten();
        refs.extend(met.map(|r| r.as_str().unwrap().to_owned()));
        refs
    }

    /// An answer of an approver to a draft; roles that the gate is not for are signed all the same.
    pub(crate) fn approval(
        &self,
        draft: &DecisionDraft,
        role: &str,
        answer: GateDecision,
        when: &str,
    ) -> SignedApproval {
        let mut shown = subject(draft, &self.context, GATE, "finance_lead", at(when)).unwrap();
        shown.approver_role = role.to_owned();
        let approver = Approver { name: "fin_3", role, decision: answer, at: at(when), note: None };
        approve(&shown, approver, &key()).unwrap()
    }
}

/// The worlds of the tests.
pub(crate) fn worlds() -> Vec<World> {
    let mut journaled = World::new("journaled", |_| {});
    journaled.journal = Some(journal(GateDecision::Approved));
    vec![
        World::new("gated", |_| {}),
        World::new("small", |given| given.request["input"]["context"]["refund_amount"] = json!(1200)),
        World::new("unverified", |given| given.request["input"]["context"]["identity_verified"] = json!(false)),
        World::new("no lookup", |given| {
            given.request["input"]["context"]["refund_amount"] = json!(1200);
            given
                .evidence
                .as_array_mut()
                .unwrap()
                .retain(|e| !e["evidence_ref"].as_str().unwrap().starts_with("tool:"));
        }),
        World::new("lookup expires", |given| {
            given.request["input"]["context"]["refund_amount"] = json!(1200);
            given.evidence[4]["expires_at"] = json!("2026-05-09T10:45:00Z");
            given.evidence[3]["tenant_id"] = json!("tenant_other");
        }),
        World::new("starved", |given| {
            given.request["input"]["context"]["refund_amount"] = json!(1200);
            given.run["run_budget"]["bucket_tokens"]["evidence"] = json!(20);
        }),
        World::new("calm", |given| {
            given.request["input"]["context"]["refund_amount"] = json!(1200);
            given.run["safety_mode"] = json!("network");
        }),
        World::new("advised", |given| {
            given.request["input"]["context"]["refund_amount"] = json!(1200);
            given.pack["decision_layer"]["decision_specs"][0]["decision_right"] = json!("recommend");
        }),
        World::new("strict evidence", |given| {
            given.request["input"]["context"]["refund_amount"] = json!(1200);
            given.pack["decision_layer"]["decision_specs"][0]["on_insufficient_evidence"] = json!("escalate");
            given
                .evidence
                .as_array_mut()
                .unwrap()
                .retain(|e| !e["evidence_ref"].as_str().unwrap().starts_with("tool:"));
        }),
        World::new("guarded", |given| {
            given.request["input"]["context"]["refund_amount"] = json!(1200);
            given.pack["policy_layer"]["guardrails"]["must_escalate"] =
                json!([{ "id": "fraud", "when": { "==": [{ "var": "request.context.refund_amount" }, 1200] } }]);
        }),
        journaled,
    ]
}

/// A journal with one decision at the finance gate, which stands before the step `pay`.
pub(crate) fn journal(answer: GateDecision) -> RunEvidence {
    let contract = deed_canon::ContentHash::of_bytes(b"contract");
    let subject: GateSubject = serde_json::from_value(json!({
        "run_id": RUN,
        "gate_id": GATE,
        "question": "Pay the refund?",
        "approver_role": "finance_lead",
        "contracts": [{ "step": "pay", "label": "Pay.", "effects": [], "contract_hash": contract }],
        "evidence": [],
        "expires_at": "2026-05-09T12:00:00Z",
    }))
    .unwrap();
    let subject_hash = hash_of(&GATE_SUBJECT_TAG, &subject).unwrap();
    let mut approval = Approval {
        approval_id: String::new(),
        gate_id: GATE.to_owned(),
        subject_hash,
        decision: answer,
        role: "finance_lead".to_owned(),
        approver: "fin_3".to_owned(),
        decided_at: "2026-05-09T10:10:00Z".to_owned(),
        expires_at: subject.expires_at.clone(),
        note: None,
        authority: None,
        authority_since: None,
    };
    approval.approval_id = derive_id("apr", &hash_of(&APPROVAL_TAG, &approval).unwrap());
    let digest = BTreeMap::from([("sha256".to_owned(), subject_hash.hex())]);
    let about = Subject { name: format!("{RUN}/{GATE}"), digest };
    let predicate = serde_json::to_value(&approval).unwrap();
    let envelope = Statement::new(vec![about], APPROVAL_PREDICATE, predicate).sign(&key()).unwrap();
    let signed = SignedApproval { approval, envelope };
    let steps = ["look", "pay"].map(str::to_owned).to_vec();
    RunEvidence { run_id: RUN.to_owned(), steps, approvals: vec![JournaledApproval { subject, signed }] }
}

/// A reference that no context of these tests offers.
pub(crate) fn fabricated() -> String {
    format!("kg:order:ord_999#{SNAPSHOT}")
}
