//! A log in memory, proposals, and the rules of a pack.

use deed_canon::{ChainHead, ContentHash, append, to_canonical_of};
use deed_diag::Diagnostic;
use deed_memory::{
    MEMORY_FORMAT, MemoryState, MemoryStatus, Proposed, Review, Submission, expire, promote, propose, review, revoke,
};
use deed_model::{
    Classification, MemoryEvent, MemoryLogEvent, MemoryProposal, MemoryRules, MemoryScope, PackOrigin, PackRef,
    ReviewDecision, ReviewRole, SelfReview, TierLifetime,
};
use jiff::Timestamp;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The instant that many seconds after the beginning of the tests.
pub(crate) fn at(second: i64) -> Timestamp {
    Timestamp::from_second(1_767_225_600 + second).unwrap()
}

pub(crate) fn rules() -> MemoryRules {
    MemoryRules {
        pack_ref: PackRef::of("ctxpack.desk", "1.0.0").unwrap(),
        pack_hash: ContentHash::of_bytes(b"pack"),
        pack_origin: PackOrigin::Proven,
        tenant_id: "acme".to_owned(),
        data_classification: Classification::Confidential,
        intents: vec!["desk.answer".to_owned(), "desk.close".to_owned()],
        tiers: vec![
            TierLifetime { tier: "working".to_owned(), ttl_seconds: 10 },
            TierLifetime { tier: "semantic".to_owned(), ttl_seconds: 100 },
        ],
        write_classes_allowed: vec!["preference".to_owned(), "correction".to_owned()],
        pii_write_back_allowed: false,
        auto_promote_confidence: Some(0.95),
        scope: MemoryScope::Tenant,
    }
}

pub(crate) fn proposal(changes: Value) -> MemoryProposal {
    let mut whole = json!({
        "tenant_id": "acme", "subject": "customer:1", "intent_id": "desk.answer", "tier": "semantic",
        "class": "preference", "classification": "INTERNAL", "provenance": ["feedback:1"], "confidence": 0.99,
    });
    let fields = whole.as_object_mut().unwrap();
    fields.extend(changes.as_object().unwrap().clone());
    serde_json::from_value(whole).unwrap()
}

pub(crate) fn fact(value: Value, changes: Value) -> MemoryProposal {
    let mut fields = json!({ "entity": "customer:1", "predicate": "language", "value": value });
    fields.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
    proposal(fields)
}

fn hash_of(value: &impl serde::Serialize) -> ContentHash {
    ContentHash::of_bytes(&to_canonical_of(value).unwrap())
}

/// A log in memory, and the fold over it.
#[derive(Default)]
pub(crate) struct Log {
    pub(crate) state: MemoryState,
    pub(crate) entries: Vec<MemoryLogEvent>,
    pub(crate) proposals: BTreeMap<ContentHash, MemoryProposal>,
    pub(crate) rules: BTreeMap<ContentHash, MemoryRules>,
    head: Option<ChainHead>,
}

type Refused = Vec<Diagnostic>;

impl Log {
    pub(crate) fn append(&mut self, actor: &str, at: Timestamp, events: &[MemoryEvent]) {
        for event in events {
            let entry = MemoryLogEvent {
                format: MEMORY_FORMAT,
                at: at.to_string(),
                actor: actor.to_owned(),
                event: event.clone(),
            };
            let link = append(self.head.as_ref(), serde_json::to_value(&entry).unwrap()).unwrap();
            self.head = Some(link.head());
            self.state.apply(&link.head(), &entry);
            self.entries.push(entry);
        }
    }

    pub(crate) fn propose(&mut self, proposal: &MemoryProposal, rules: &MemoryRules, second: i64) -> Proposed {
        let submission =
            Submission { proposal, content: hash_of(proposal), rules, rules_hash: hash_of(rules), at: at(second) };
        let proposed = propose(&self.state, submission).unwrap();
        self.proposals.insert(submission.content, proposal.clone());
        self.rules.insert(submission.rules_hash, rules.clone());
        self.append("agent", at(second), &proposed.events);
        proposed
    }

    pub(crate) fn review(&mut self, id: &str, accepted: bool, second: i64) -> Result<Vec<MemoryEvent>, Refused> {
        self.review_as(id, accepted, ("ann", ReviewRole::Data, SelfReview::Refused), second)
    }

    pub(crate) fn review_as(
        &mut self,
        id: &str,
        accepted: bool,
        (reviewer, role, self_review): (&str, ReviewRole, SelfReview),
        second: i64,
    ) -> Result<Vec<MemoryEvent>, Refused> {
        let decision = if accepted { ReviewDecision::Accepted } else { ReviewDecision::Rejected };
        let asked = Review { memory_id: id, decision, reviewer, role, reason: "seen", self_review, at: at(second) };
        let events = review(&self.state, asked)?;
        self.append(reviewer, at(second), &events);
        Ok(events)
    }

    pub(crate) fn promote(&mut self, id: &str, second: i64) -> Result<Vec<MemoryEvent>, Refused> {
        let events = promote(&self.state, id, at(second))?;
        self.append("ann", at(second), &events);
        Ok(events)
    }

    pub(crate) fn revoke(&mut self, id: &str, second: i64) -> Result<Vec<MemoryEvent>, Refused> {
        let events = revoke(&self.state, id, "wrong", at(second))?;
        self.append("ann", at(second), &events);
        Ok(events)
    }

    pub(crate) fn expire(&mut self, second: i64) -> Vec<MemoryEvent> {
        let events = expire(&self.state, at(second));
        self.append("clock", at(second), &events);
        events
    }

    pub(crate) fn status(&self, id: &str, second: i64) -> MemoryStatus {
        self.state.get(id).unwrap().status(at(second))
    }

    /// Proposes what must be promoted at once, and returns its id.
    #[track_caller]
    pub(crate) fn promoted(&mut self, proposal: &MemoryProposal, second: i64) -> String {
        let proposed = self.propose(proposal, &rules(), second);
        assert_eq!(self.status(&proposed.memory_id, second), MemoryStatus::Promoted, "{proposed:?}");
        proposed.memory_id
    }
}

#[track_caller]
pub(crate) fn refused<T: std::fmt::Debug>(result: Result<T, Refused>, code: &str) {
    let findings = result.expect_err("this should have been refused");
    assert_eq!(findings.iter().map(|d| d.code.as_str()).collect::<Vec<_>>(), [code], "{findings:?}");
    assert!(findings.iter().all(|d| d.place.is_some() && d.help.is_some()), "{findings:?}");
}
