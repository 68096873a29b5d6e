use super::super::*;
use deed_canon::{ContentHash, Envelope, KeyId, SigningKey};
use deed_diag::Diagnostic;
use deed_model::{
    AuditEvent, KeyStatus, PackRef, PackUse, RecheckTrigger, RegistryEvent, RegistryPolicy, ReviewRole, SelfReview,
    TrustedKey,
};
use serde_json::{Value, json};

pub(super) const ROLES: [ReviewRole; 2] = [ReviewRole::Security, ReviewRole::Data];

pub(super) fn document(version: &str, words: &str) -> Value {
    let mut value: Value = serde_json::from_str(include_str!("pack.json")).unwrap();
    value["pack_meta"]["pack_version"] = json!(version);
    value["business_context"]["summary"]["what_we_do"] = json!(words);
    value
}

pub(super) fn candidate(version: &str) -> Candidate {
    Candidate::new(&document(version, "answers tickets"), &[]).unwrap()
}

pub(super) fn with_overlay(version: &str, language: &str) -> (Value, Value) {
    let mut pack = document(version, "answers tickets");
    pack["pack_meta"]["overlays"] = json!(["ctxpack.desk.prod@1.0.0"]);
    let overlay = json!({
        "overlay_ref": "ctxpack.desk.prod@1.0.0",
        "base": format!("ctxpack.desk@{version}"),
        "changes": [{ "kind": "locale_default", "key": "language", "value": language }],
    });
    (pack, overlay)
}

pub(super) fn key(seed: u8) -> SigningKey {
    SigningKey::from_seed(&[seed; 32])
}

pub(super) fn signer(seed: u8, issuer: &str) -> TrustedKey {
    grant(seed, issuer, true, &[])
}

pub(super) fn reviewer(seed: u8) -> TrustedKey {
    grant(seed, "acme", false, &ROLES)
}

pub(super) fn grant(seed: u8, issuer: &str, may_sign: bool, roles: &[ReviewRole]) -> TrustedKey {
    let public_key = key(seed).public();
    TrustedKey {
        key_id: public_key.id(),
        public_key,
        issuer: issuer.to_owned(),
        may_sign,
        review_roles: roles.to_vec(),
        person: None,
        status: KeyStatus::Active,
    }
}

pub(super) fn signed(candidate: &Candidate, seed: u8) -> Envelope {
    signature_statement(candidate).unwrap().sign(&key(seed)).unwrap()
}

pub(super) fn reviewed(candidate: &Candidate, role: ReviewRole, seed: u8) -> Envelope {
    review_statement(candidate, role, None).unwrap().sign(&key(seed)).unwrap()
}

pub(super) fn codes(findings: &[Diagnostic]) -> Vec<&'static str> {
    findings.iter().map(|d| d.code.as_str()).collect()
}

/// Asserts that a refusal has these codes, each with a place and help.
#[track_caller]
pub(super) fn refused<T: std::fmt::Debug>(result: Result<T, Vec<Diagnostic>>, expected: &[&str]) {
    let findings = result.expect_err("this should have been refused");
    assert_eq!(codes(&findings), expected);
    for finding in findings {
        assert!(finding.place.is_some() && finding.help.is_some(), "{finding:?}");
        assert!(!finding.message.ends_with('.'), "{finding:?}");
    }
}

/// A log in memory.
#[derive(Default)]
pub(super) struct Book {
    pub(super) events: Vec<AuditEvent>,
    envelopes: Vec<(ContentHash, Envelope)>,
}

impl Book {
    /// A book in which key 1 signs and key 2 reviews for `acme`.
    pub(super) fn new() -> Self {
        let mut book = Self::default();
        let policy = RegistryPolicy { required_roles: ROLES.to_vec(), self_review: SelfReview::Allowed };
        book.set_policy(policy, "one person tests it").unwrap();
        book.trust(signer(1, "acme"), None).unwrap();
        book.trust(reviewer(2), None).unwrap();
        book
    }

    /// A book in which a version got as far as being signed.
    pub(super) fn signed(candidate: &Candidate) -> Self {
        let mut book = Self::new();
        book.ready(candidate);
        book
    }

    pub(super) fn ready(&mut self, candidate: &Candidate) {
        self.lint(candidate).unwrap();
        for role in ROLES {
            self.review(candidate, &reviewed(candidate, role, 2)).unwrap();
        }
        self.sign(candidate, &signed(candidate, 1)).unwrap();
    }

    fn numbered(&self) -> impl Iterator<Item = (u64, &AuditEvent)> {
        (0u64..).zip(&self.events)
    }

    pub(super) fn state(&self) -> RegistryState {
        RegistryState::fold(self.numbered())
    }

    pub(super) fn trusted(&self) -> Trust {
        Trust::fold(self.numbered())
    }

    pub(super) fn history(&self, candidate: &Candidate) -> PackHistory {
        PackHistory::fold(candidate.pack_ref().clone(), self.numbered())
    }

    pub(super) fn environment(&self, tenant: &str, environment: &str) -> EnvironmentState {
        let key = EnvironmentKey {
            tenant_id: tenant.to_owned(),
            environment: environment.to_owned(),
            pack_id: "ctxpack.desk".to_owned(),
        };
        EnvironmentState::fold(key, self.numbered())
    }

    fn note(&mut self, transition: Result<Transition, Vec<Diagnostic>>) -> Result<Transition, Vec<Diagnostic>> {
        let transition = transition?;
        if let Transition::Append(event) = &transition {
            self.append((**event).clone());
        }
        Ok(transition)
    }

    pub(super) fn append(&mut self, event: RegistryEvent) {
        let (at, actor) = ("2026-01-01T00:00:00Z".to_owned(), "ann".to_owned());
        self.events.push(AuditEvent { format: AUDIT_FORMAT, at, actor, event });
    }

    fn keep(&mut self, envelope: &Envelope) -> ContentHash {
        let hash = ContentHash::of_bytes(&envelope_bytes(envelope).unwrap());
        self.envelopes.push((hash, envelope.clone()));
        hash
    }

    fn envelope(&self, hash: &ContentHash) -> Envelope {
        self.envelopes.iter().find(|(h, _)| h == hash).unwrap().1.clone()
    }

    pub(super) fn reviews(&self, candidate: &Candidate) -> Vec<RecordWithEnvelope<ReviewRecord>> {
        let history = self.history(candidate);
        let records = history.candidate(&candidate.content_hash()).map(|c| c.reviews.clone()).unwrap_or_default();
        records.into_iter().map(|r| RecordWithEnvelope { envelope: self.envelope(&r.envelope), record: r }).collect()
    }

    pub(super) fn signatures(&self, candidate: &Candidate) -> Vec<RecordWithEnvelope<SignatureRecord>> {
        let history = self.history(candidate);
        let records = history.candidate(&candidate.content_hash()).map(|c| c.signatures.clone()).unwrap_or_default();
        records.into_iter().map(|r| RecordWithEnvelope { envelope: self.envelope(&r.envelope), record: r }).collect()
    }

    pub(super) fn set_policy(&mut self, policy: RegistryPolicy, why: &str) -> Result<Transition, Vec<Diagnostic>> {
        self.note(may_set_policy(&self.state().policy, policy, why))
    }

    pub(super) fn trust(&mut self, key: TrustedKey, replaces: Option<KeyId>) -> Result<Transition, Vec<Diagnostic>> {
        self.note(may_trust_key(&self.trusted(), key, replaces))
    }

    pub(super) fn revoke_key(&mut self, key_id: &KeyId, reason: &str) -> Result<Transition, Vec<Diagnostic>> {
        self.note(may_revoke_key(&self.trusted(), key_id, reason))
    }

    pub(super) fn lint(&mut self, candidate: &Candidate) -> Result<Transition, Vec<Diagnostic>> {
        self.note(may_lint(
            &self.history(candidate),
            candidate.content_hash(),
            candidate.signed_overlays(),
            candidate.signed_golden(),
            0,
        ))
    }

    pub(super) fn review(&mut self, candidate: &Candidate, envelope: &Envelope) -> Result<Transition, Vec<Diagnostic>> {
        let blob = self.keep(envelope);
        self.note(may_review(&self.history(candidate), &self.trusted(), candidate, envelope, blob))
    }

    pub(super) fn sign(&mut self, candidate: &Candidate, envelope: &Envelope) -> Result<Transition, Vec<Diagnostic>> {
        let blob = self.keep(envelope);
        let (history, reviews) = (self.history(candidate), self.reviews(candidate));
        let policy = self.state().policy.policy;
        self.note(may_sign(&history, &self.trusted(), candidate, envelope, blob, &reviews, Some(&policy)))
    }

    pub(super) fn publish(&mut self, candidate: &Candidate) -> Result<Transition, Vec<Diagnostic>> {
        let (signatures, reviews) = (self.signatures(candidate), self.reviews(candidate));
        self.note(may_publish(&self.history(candidate), &self.trusted(), candidate, &signatures, &reviews))
    }

    pub(super) fn pin(
        &mut self,
        candidate: &Candidate,
        tenant: &str,
        environment: &str,
    ) -> Result<Transition, Vec<Diagnostic>> {
        self.pin_with(candidate, tenant, environment, &[])
    }

    pub(super) fn pin_with(
        &mut self,
        candidate: &Candidate,
        tenant: &str,
        environment: &str,
        overlays: &[&str],
    ) -> Result<Transition, Vec<Diagnostic>> {
        let overlays: Vec<String> = overlays.iter().map(|name| (*name).to_owned()).collect();
        self.note(may_pin(&self.history(candidate), &self.environment(tenant, environment), &overlays))
    }

    pub(super) fn recheck(
        &mut self,
        candidate: &Candidate,
        (trigger, dependency): (RecheckTrigger, &str),
        errors: u64,
    ) -> Result<Transition, Vec<Diagnostic>> {
        let dependency_hash = ContentHash::of_bytes(dependency.as_bytes());
        let found = RecheckRecord { seq: 0, dependency_hash, errors, warnings: 0 };
        self.note(may_recheck(&self.history(candidate), trigger, dependency, &found))
    }

    pub(super) fn roll_back(
        &mut self,
        candidate: &Candidate,
        environment: &str,
    ) -> Result<Transition, Vec<Diagnostic>> {
        self.note(may_roll_back(&self.history(candidate), &self.environment("acme", environment)))
    }

    pub(super) fn unpin(&mut self, environment: &str, why: &str) -> Result<Transition, Vec<Diagnostic>> {
        self.note(may_unpin(&self.environment("acme", environment), why))
    }

    pub(super) fn observe(
        &mut self,
        candidate: &Candidate,
        environment: Option<&str>,
        run: &str,
    ) -> Result<Transition, Vec<Diagnostic>> {
        let by = PackUse::Run { run_id: run.to_owned() };
        self.note(may_observe(&self.history(candidate), environment, "acme", &by))
    }

    pub(super) fn promote(&mut self, candidate: &Candidate, environment: &str) -> Result<Transition, Vec<Diagnostic>> {
        self.note(may_promote(&self.history(candidate), &self.environment("acme", environment)))
    }

    pub(super) fn deprecate(&mut self, candidate: &Candidate, why: &str) -> Result<Transition, Vec<Diagnostic>> {
        self.note(may_deprecate(&self.history(candidate), why, PinnedUse::TakenDown))
    }

    pub(super) fn revoke(&mut self, candidate: &Candidate, why: &str) -> Result<Transition, Vec<Diagnostic>> {
        self.note(may_revoke(&self.history(candidate), why, PinnedUse::TakenDown))
    }

    pub(super) fn proof(&self, candidate: &Candidate) -> Result<PublicationProof, Vec<Diagnostic>> {
        let (signatures, reviews) = (self.signatures(candidate), self.reviews(candidate));
        verify_publication(&self.history(candidate), &self.trusted(), candidate, &signatures, &reviews)
    }

    pub(super) fn state_of(&self, candidate: &Candidate) -> PackState {
        self.history(candidate).state(&candidate.required_reviews())
    }
}

pub(super) fn pack_ref(text: &str) -> PackRef {
    text.parse().unwrap()
}
