//! Random histories against a model that shares no code with the pipeline: plain lists, judged by reading the rules of the
//! documentation once more.

use super::fixture::*;
use deed_memory::{MemoryStatus, RecallQuery, recall};
use deed_model::{MemoryEvent, MemoryProposal, MemoryRules, MemoryScope, PackOrigin, PromotionBasis};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::collections::BTreeSet;

const SUBJECTS: [&str; 3] = ["customer:1", "customer:2", "*"];
const INTENTS: [&str; 3] = ["desk.answer", "desk.close", "*"];
const TENANTS: [&str; 2] = ["acme", "other"];

#[derive(Debug, Clone)]
enum Op {
    Propose { what: Draft, under: Pack },
    Review { target: usize, accepted: bool },
    Promote { target: usize },
    Revoke { target: usize },
    Expire,
}

#[derive(Debug, Clone)]
struct Draft {
    tenant: usize,
    subject: usize,
    intent: usize,
    tier: usize,
    class: usize,
    /// A text, or the value of one of two facts.
    says: Says,
    confidence: usize,
    personal: bool,
    consent: bool,
    corrects: Option<usize>,
}

#[derive(Debug, Clone, PartialEq)]
enum Says {
    Text(usize),
    Fact(usize, usize),
}

#[derive(Debug, Clone)]
struct Pack {
    tenant: usize,
    proven: bool,
    threshold: usize,
    personal: bool,
    one_subject: bool,
}

const CONFIDENCES: [f64; 4] = [0.5, 0.949, 0.95, 1.0];
const THRESHOLDS: [Option<f64>; 3] = [Some(0.95), Some(0.5), None];
const CLASSES: [&str; 3] = ["preference", "correction", "gossip"];
const TIERS: [(&str, i64); 2] = [("working", 10), ("semantic", 100)];

fn drafts() -> impl Strategy<Value = Draft> {
    let says =
        prop_oneof![(0..2usize).prop_map(Says::Text), (0..2usize, 0..2usize).prop_map(|(f, v)| Says::Fact(f, v))];
    let place = (prop_oneof![9 => Just(0usize), 1 => Just(1)], 0..3usize, 0..3usize, 0..2usize);
    let class = prop_oneof![6 => Just(0usize), 4 => Just(1), 1 => Just(2)];
    let rest =
        (class, says, 0..4usize, prop::bool::weighted(0.15), any::<bool>(), prop::option::weighted(0.2, 0..40usize));
    (place, rest).prop_map(
        |((tenant, subject, intent, tier), (class, says, confidence, personal, consent, corrects))| Draft {
            tenant,
            subject,
            intent,
            tier,
            class,
            says,
            confidence,
            personal,
            consent,
            corrects,
        },
    )
}

fn packs() -> impl Strategy<Value = Pack> {
    let tenant = prop_oneof![9 => Just(0usize), 1 => Just(1)];
    let threshold = prop_oneof![6 => Just(0usize), 2 => Just(1), 1 => Just(2)];
    (tenant, prop::bool::weighted(0.9), threshold, any::<bool>(), prop::bool::weighted(0.2)).prop_map(
        |(tenant, proven, threshold, personal, one_subject)| Pack { tenant, proven, threshold, personal, one_subject },
    )
}

fn ops() -> impl Strategy<Value = Vec<(i64, Op)>> {
    let op = prop_oneof![
        6 => (drafts(), packs()).prop_map(|(what, under)| Op::Propose { what, under }),
        4 => (0..40usize, prop::bool::weighted(0.8)).prop_map(|(target, accepted)| Op::Review { target, accepted }),
        4 => (0..40usize).prop_map(|target| Op::Promote { target }),
        2 => (0..40usize).prop_map(|target| Op::Revoke { target }),
        1 => Just(Op::Expire),
    ];
    // Time stands still, goes on, and at times goes back: clocks of several machines differ.
    let step = prop_oneof![3 => Just(0i64), 5 => 1..6i64, 1 => 20..120i64, 1 => -8..0i64];
    prop::collection::vec((step, op), 1..60)
}

fn written(draft: &Draft, ids: &[String]) -> MemoryProposal {
    let mut fields = json!({
        "tenant_id": TENANTS[draft.tenant], "subject": SUBJECTS[draft.subject], "intent_id": INTENTS[draft.intent],
        "tier": TIERS[draft.tier].0, "class": CLASSES[draft.class], "confidence": CONFIDENCES[draft.confidence],
        "personal_data": draft.personal,
    });
    let more: Value = match draft.says {
        Says::Text(n) => json!({ "text": format!("text {n}") }),
        Says::Fact(fact, value) => json!({ "entity": format!("order:{fact}"), "predicate": "state", "value": value }),
    };
    let fields_map = fields.as_object_mut().unwrap();
    fields_map.extend(more.as_object().unwrap().clone());
    if draft.consent {
        fields_map.insert("consent".to_owned(), json!("consent:1"));
    }
    if let Some(target) = draft.corrects {
        let id = if ids.is_empty() { "mem_none" } else { &ids[target % ids.len()] };
        fields_map.insert("corrects".to_owned(), json!(id));
    }
    proposal(fields)
}

fn judged_by(pack: &Pack) -> MemoryRules {
    let mut rules = rules();
    rules.tenant_id = TENANTS[pack.tenant].to_owned();
    rules.pack_origin = if pack.proven { PackOrigin::Proven } else { PackOrigin::Folder };
    rules.auto_promote_confidence = THRESHOLDS[pack.threshold];
    rules.pii_write_back_allowed = pack.personal;
    rules.scope = if pack.one_subject { MemoryScope::Subject } else { MemoryScope::Tenant };
    rules
}

/// A memory of the model.
#[derive(Debug, Clone)]
struct Known {
    id: String,
    draft: Draft,
    target: Option<usize>,
    phase: Phase,
    /// Given up by the reviewer, by place in the model's list.
    given_up: Vec<usize>,
    ever_live: bool,
    /// A person accepted it.
    accepted: bool,
}

#[derive(Debug, Clone, PartialEq)]
enum Phase {
    Rejected,
    Waiting,
    Accepted,
    Live { from: i64, to: i64 },
    Replaced,
    Revoked,
}

#[derive(Default)]
struct Model {
    list: Vec<Known>,
    /// The latest time of an event.
    latest: i64,
}

impl Known {
    fn live_at(&self, now: i64) -> bool {
        matches!(self.phase, Phase::Live { to, .. } if now < to)
    }

    fn says_the_same(&self, other: &Draft) -> bool {
        let about = matches!(other.says, Says::Fact(..)) || self.draft.subject == other.subject;
        self.draft.tenant == other.tenant && self.draft.says == other.says && about
    }

    fn contradicts(&self, other: &Draft) -> bool {
        match (&self.draft.says, &other.says) {
            (Says::Fact(a, x), Says::Fact(b, y)) => self.draft.tenant == other.tenant && a == b && x != y,
            _ => false,
        }
    }
}

impl Model {
    fn revoked(&self, draft: &Draft) -> bool {
        self.list.iter().any(|k| k.phase == Phase::Revoked && k.says_the_same(draft))
    }

    /// Those that must make room, and those that a person must decide about.
    fn rivals(&self, draft: &Draft, target: Option<usize>, now: i64) -> (Vec<usize>, Vec<usize>) {
        let (mut gone, mut open) = (Vec::new(), Vec::new());
        for (place, k) in self.list.iter().enumerate().filter(|(_, k)| k.live_at(now)) {
            let same_place = k.draft.subject == draft.subject && k.draft.intent == draft.intent;
            let named = target == Some(place);
            if k.says_the_same(draft) && (same_place || named) {
                gone.push(place);
            } else if named || k.contradicts(draft) {
                // What a person accepted gives way only after a review.
                let wins = draft.class == 1 && (k.draft.class != 1 || named) && !k.accepted;
                if wins { gone.push(place) } else { open.push(place) }
            }
        }
        (gone, open)
    }

    fn is_rejected(&self, draft: &Draft, pack: &Pack, target: Option<usize>) -> bool {
        let wrong_target = draft.corrects.is_some()
            && (draft.class != 1
                || target.is_none_or(|t| {
                    let its = &self.list[t];
                    let elsewhere = match (&its.draft.says, &draft.says) {
                        (Says::Fact(a, _), Says::Fact(b, _)) => a != b,
                        _ => false,
                    };
                    !its.ever_live || its.draft.tenant != draft.tenant || elsewhere
                }));
        draft.class == 2
            || draft.tenant != pack.tenant
            || (draft.subject == 2 && pack.one_subject)
            || (draft.personal && !(pack.personal && draft.consent))
            || wrong_target
            || self.revoked(draft)
    }

    fn make_live(&mut self, place: usize, now: i64) {
        let known = self.list[place].clone();
        let (gone, open) = self.rivals(&known.draft, known.target, now);
        for other in gone.into_iter().chain(open) {
            self.list[other].phase = Phase::Replaced;
        }
        self.list[place].phase = Phase::Live { from: now, to: now + TIERS[known.draft.tier].1 };
        self.list[place].ever_live = true;
    }

    fn propose(&mut self, id: &str, draft: &Draft, pack: &Pack, target: Option<usize>, now: i64) {
        let known = |phase| Known {
            id: id.to_owned(),
            draft: draft.clone(),
            target,
            phase,
            given_up: Vec::new(),
            ever_live: false,
            accepted: false,
        };
        if self.is_rejected(draft, pack, target) {
            self.list.push(known(Phase::Rejected));
            return;
        }
        let (_, open) = self.rivals(draft, target, now);
        let sure = THRESHOLDS[pack.threshold].is_some_and(|t| CONFIDENCES[draft.confidence] >= t);
        self.list.push(known(Phase::Waiting));
        if sure && pack.proven && !draft.personal && open.is_empty() {
            self.make_live(self.list.len() - 1, now);
        }
    }

    fn review(&mut self, place: usize, accepted: bool, now: i64) -> bool {
        if !matches!(self.list[place].phase, Phase::Waiting | Phase::Accepted) {
            return false;
        }
        let known = self.list[place].clone();
        self.list[place].given_up = self.rivals(&known.draft, known.target, now).1;
        self.list[place].phase = if accepted { Phase::Accepted } else { Phase::Rejected };
        true
    }

    fn promote(&mut self, place: usize, now: i64) -> bool {
        let known = self.list[place].clone();
        match known.phase {
            // What has expired stays expired, whatever the clock says since.
            Phase::Live { .. } => return known.live_at(now.max(self.latest)),
            Phase::Accepted => {}
            _ => return false,
        }
        let (_, open) = self.rivals(&known.draft, known.target, now);
        if self.revoked(&known.draft) || open.iter().any(|rival| !known.given_up.contains(rival)) {
            return false;
        }
        self.make_live(place, now);
        self.list[place].accepted = true;
        true
    }

    fn revoke(&mut self, place: usize) -> bool {
        if !self.list[place].ever_live {
            return false;
        }
        let draft = self.list[place].draft.clone();
        for known in &mut self.list {
            if known.ever_live && known.says_the_same(&draft) {
                known.phase = Phase::Revoked;
            }
        }
        true
    }

    fn recalled(&self, tenant: usize, subject: usize, intent: usize, now: i64) -> BTreeSet<&str> {
        let fits = |k: &&Known| {
            matches!(k.phase, Phase::Live { from, to } if from <= now && now < to)
                && k.draft.tenant == tenant
                && (k.draft.subject == subject || k.draft.subject == 2)
                && (k.draft.intent == intent || k.draft.intent == 2)
        };
        self.list.iter().filter(fits).map(|k| k.id.as_str()).collect()
    }
}

/// Runs a history through both, comparing after each operation; returns the log and the last instant.
fn run(history: &[(i64, Op)]) -> Result<(Log, i64), TestCaseError> {
    let (mut log, mut model, mut now) = (Log::default(), Model::default(), 0i64);
    let mut ids: Vec<String> = Vec::new();
    let mut ended: BTreeSet<String> = BTreeSet::new();
    for (step, op) in history {
        now = (now + step).max(0);
        let known = log.entries.len();
        match op {
            Op::Propose { what, under } => {
                let whole = written(what, &ids);
                let proposed = log.propose(&whole, &judged_by(under), now);
                if !proposed.events.is_empty() {
                    let target = what.corrects.filter(|_| !ids.is_empty()).map(|target| target % ids.len());
                    model.propose(&proposed.memory_id, what, under, target, now);
                    prop_assert!(!ids.contains(&proposed.memory_id), "an id was given twice");
                    ids.push(proposed.memory_id);
                }
            }
            Op::Review { target, accepted } if !ids.is_empty() => {
                let place = target % ids.len();
                let done = log.review(&ids[place], *accepted, now).is_ok();
                prop_assert_eq!(done, model.review(place, *accepted, now));
            }
            Op::Promote { target } if !ids.is_empty() => {
                let place = target % ids.len();
                let done = log.promote(&ids[place], now).is_ok();
                prop_assert_eq!(done, model.promote(place, now));
            }
            Op::Revoke { target } if !ids.is_empty() => {
                let place = target % ids.len();
                prop_assert_eq!(log.revoke(&ids[place], now).is_ok(), model.revoke(place));
            }
            Op::Review { .. } | Op::Promote { .. } | Op::Revoke { .. } => {}
            Op::Expire => drop(log.expire(now)),
        }
        if log.entries.len() > known {
            model.latest = model.latest.max(now);
        }
        compare(&log, &model, now)?;
        // Nothing comes back: neither what expired nor what was replaced or revoked.
        for record in log.state.records() {
            let over = [MemoryStatus::Expired, MemoryStatus::Superseded, MemoryStatus::Revoked];
            let is_over = over.contains(&record.status(log.state.now(at(now))));
            prop_assert!(is_over || !ended.contains(&record.memory_id), "{} came back at {}", record.memory_id, now);
            if is_over && log.entries.len() > known {
                ended.insert(record.memory_id.clone());
            }
        }
    }
    // Each event with an earlier time than one before it is named.
    let times: Vec<jiff::Timestamp> = log.entries.iter().map(|entry| entry.at.parse().unwrap()).collect();
    let earlier = |i: &usize| times[..*i].iter().any(|before| *before > times[*i]);
    let backwards: Vec<u64> = (0..times.len()).filter(earlier).map(|i| i as u64).collect();
    let named: Vec<u64> = log.state.set_back().map(|found| found.seq).collect();
    prop_assert_eq!(named, backwards);
    Ok((log, now))
}

fn compare(log: &Log, model: &Model, now: i64) -> Result<(), TestCaseError> {
    for (tenant, tenant_id) in TENANTS.iter().enumerate() {
        for as_of in [now - 10, now - 1, now, now + 1, now + 10, now + 99, now + 100] {
            for (subject, intent) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                let query = RecallQuery {
                    tenant_id,
                    subjects: BTreeSet::from([SUBJECTS[subject]]),
                    intent_id: INTENTS[intent],
                    as_of: at(as_of),
                };
                let found = recall(&log.state, &query);
                let ids: BTreeSet<&str> = found.iter().map(|record| record.memory_id.as_str()).collect();
                prop_assert_eq!(ids, model.recalled(tenant, subject, intent, as_of), "as of {}", as_of);
            }
        }
    }
    Ok(())
}

/// The laws, read from the log alone.
fn hold(log: &Log, until: i64) -> Result<(), TestCaseError> {
    let mut promoted = BTreeSet::new();
    for entry in &log.entries {
        if let MemoryEvent::MemoryPromoted { memory_id, basis, .. } = &entry.event {
            promoted.insert(memory_id.clone());
            let record = log.state.get(memory_id).unwrap();
            let summary = record.summary.as_ref().unwrap();
            if *basis == PromotionBasis::Confidence {
                prop_assert!(record.demands.is_empty() && summary.confidence >= 0.5 && !summary.personal_data);
            }
        }
    }
    for as_of in 0..=until + 101 {
        let everyone: Vec<_> = log
            .state
            .records()
            .filter(|r| r.status(at(as_of)) == MemoryStatus::Promoted)
            .filter(|r| r.promotion.as_ref().unwrap().at <= at(as_of).to_string())
            .collect();
        for record in &everyone {
            prop_assert!(promoted.contains(&record.memory_id));
            prop_assert!(
                record.revoked.is_none() && !log.state.is_revoked(&record.summary.as_ref().unwrap().statement)
            );
        }
        let mut facts = BTreeSet::new();
        let mut statements = BTreeSet::new();
        for summary in everyone.iter().filter_map(|r| r.summary.as_ref()) {
            if let Some(about) = summary.about
                && statements.insert(summary.statement)
            {
                prop_assert!(facts.insert(about), "two values of one fact at {}", as_of);
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, ..ProptestConfig::default() })]

    #[test]
    fn random_histories_are_as_the_model_has_them_and_keep_the_laws(history in ops()) {
        let (log, now) = run(&history)?;
        hold(&log, now)?;
    }

    /// A log follows from its operations; an event that is doubled, or is about another memory, does not.
    #[test]
    fn a_log_can_be_made_again_from_its_operations(history in ops(), place in any::<prop::sample::Index>()) {
        let (log, _) = run(&history)?;
        prop_assert_eq!(replayed(&log, &log.entries), Ok(()));
        if log.entries.is_empty() {
            return Ok(());
        }
        let place = place.index(log.entries.len());
        let mut doubled = log.entries.clone();
        doubled.insert(place, doubled[place].clone());
        prop_assert!(replayed(&log, &doubled).is_err(), "event {} twice", place);
        let mut changed = log.entries.clone();
        let mut event = serde_json::to_value(&changed[place].event).unwrap();
        event["memory_id"] = json!("mem_x");
        changed[place].event = serde_json::from_value(event).unwrap();
        prop_assert!(replayed(&log, &changed).is_err(), "event {} about another memory", place);
    }
}

/// Makes every operation again; the error is the place of the first event that does not follow.
fn replayed(log: &Log, entries: &[deed_model::MemoryLogEvent]) -> Result<(), usize> {
    let mut again = Log::default();
    let mut rest = entries;
    while let Some(first) = rest.first() {
        let done = entries.len() - rest.len();
        let documents = match &first.event {
            MemoryEvent::MemoryCaptured { content, rules, .. } => Some((&log.proposals[content], &log.rules[rules])),
            _ => None,
        };
        let next = rest.get(1).map(|entry| &entry.event);
        let expected = deed_memory::expected_events(&again.state, first, next, documents).map_err(|_| done)?;
        if expected.is_empty() || rest.len() < expected.len() {
            return Err(done);
        }
        for (entry, event) in rest.iter().zip(&expected) {
            if entry.event != *event || entry.at != first.at || entry.actor != first.actor {
                return Err(done);
            }
            again.append(&entry.actor, entry.at.parse().unwrap(), std::slice::from_ref(&entry.event));
        }
        rest = &rest[expected.len()..];
    }
    Ok(())
}
