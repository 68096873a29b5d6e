//! Stage 4, evidence.
//!
//! Enters: evidence that was retrieved before, the run's snapshot, tenant, session, ceiling and instant. Leaves:
//! admitted pieces with the ids of their blocks, and rejected ones with their reasons. Must prove: every admitted piece
//! is bound to the pinned snapshot, belongs to the tenant, is within the ceiling, has not expired, matches its hash,
//! and contradicts no other.

mod conflicts;
mod reference;

use super::Cx;
use super::intent::Intent;
use super::policy::Policy;
use super::sufficiency::{requirements, supplies};
use crate::block_id::block_id;
use crate::decided::EvidenceView;
use crate::hydrate::Requirement;
use crate::refusal::Refusal;
use crate::seal::StageOutput;
use crate::tally::Tally;
use conflicts::Conflicts;
use deed_canon::timestamp;
use deed_canon::{ContentHash, to_canonical_of};
use deed_diag::{Invariant as _, codes, quote};
use deed_model::{Classification, EvidenceItem, EvidenceReason, Stage};
use reference::Reference;
use serde::Serialize;
use serde_json::Value;
use std::borrow::Cow;

/// The judged evidence.
pub(crate) struct Evidence<'a> {
    /// Every distinct piece, in order of its reference.
    pub(crate) items: Vec<JudgedEvidence<'a>>,
    /// The admitted pieces in order of packing, as indices.
    order: Vec<usize>,
}

/// A piece of evidence, judged.
pub(crate) struct JudgedEvidence<'a> {
    pub(crate) item: &'a EvidenceItem,
    /// Copies with the same reference and content and other metadata.
    also: Vec<&'a EvidenceItem>,
    /// The number of times that it was supplied.
    supplied: u64,
    pub(crate) reasons: Vec<EvidenceReason>,
    /// Hash of the content as it was supplied.
    pub(crate) hash: ContentHash,
    /// The id of its block, if it was admitted.
    pub(crate) block_id: Option<Cow<'a, str>>,
}

#[derive(Serialize)]
struct Reads<'a> {
    as_of: &'a str,
    ceiling: Classification,
    items: Vec<ItemRead<'a>>,
    layer: ContentHash,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_classification: Option<Classification>,
    session_id: Option<&'a str>,
    snapshot: Option<&'a str>,
    tenant_id: &'a str,
}

/// Everything of an item that the stage reads.
#[derive(Serialize)]
struct ItemRead<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    classification: Option<&'a str>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    conflicts_with: &'a [String],
    /// The hash of the content, unless it is the payload hash.
    #[serde(skip_serializing_if = "Option::is_none")]
    content_hash: Option<ContentHash>,
    evidence_ref: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    expires_at: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    payload_hash: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rank: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    resolution_ref: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    retrieved_at: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    source_id: Option<&'a str>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    tags: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    tenant_id: Option<&'a str>,
}

pub(crate) fn admit<'a>(cx: Cx<'a>, intent: Intent<'a>, policy: &Policy<'a>) -> Result<Evidence<'a>, Refusal> {
    let supplied = cx.inputs.evidence.items();
    snapshot_is_pinned(cx, supplied)?;
    let mut evidence = Evidence { items: distinct(supplied)?, order: Vec::new() };
    evidence.judge(cx);
    evidence.number(&requirements(cx, intent, policy));
    Ok(evidence)
}

impl<'a> StageOutput<'a> for Evidence<'a> {
    const STAGE: Stage = Stage::Evidence;

    fn reads(&self, cx: Cx<'a>) -> impl Serialize {
        let run = cx.inputs.run.context();
        Reads {
            as_of: cx.inputs.run.as_of_text(),
            ceiling: ceiling(cx),
            items: self.items.iter().flat_map(item_reads).collect(),
            layer: cx.pack.layers.evidence,
            max_classification: run.max_classification,
            session_id: session(cx),
            snapshot: run.kg_snapshot_id.as_deref(),
            tenant_id: &run.tenant_id,
        }
    }

    fn decided(&self, _: Cx<'a>) -> impl Serialize {
        self.items.iter().map(JudgedEvidence::view).collect::<Vec<EvidenceView<'_>>>()
    }
}

/// A `kg:` reference can only be judged against a fixed snapshot, which must be the pack's if the pack names one.
fn snapshot_is_pinned(cx: Cx<'_>, supplied: &[EvidenceItem]) -> Result<(), Refusal> {
    let rule = &cx.pack.pack.intelligence_refs.knowledge_graph.snapshot_pin_rule;
    let refused = |message: String| {
        Refusal::at(Stage::Evidence, codes::SNAPSHOT_MISSING, message)
            .place("run context", "/kg_snapshot_id")
            .help("resolve the alias to a fixed snapshot before compiling and put its id into `kg_snapshot_id`")
    };
    match (cx.inputs.run.context().kg_snapshot_id.as_deref(), rule.strip_prefix("snapshot:")) {
        // An empty pin would match nothing or everything, so it is refused whatever is supplied.
        (Some(""), _) => Err(refused("the run pins an empty snapshot".to_owned())),
        (Some(pin), _) if pin.starts_with("alias:") => {
            Err(refused(format!("{} is an alias, and stands for another snapshot tomorrow", quote(pin))))
        }
        (Some(pin), Some(fixed)) if pin != fixed => {
            let message = format!("the pack is fixed to the snapshot {} and the run to {}", quote(fixed), quote(pin));
            Err(refused(message).help("run it on the snapshot that the pack names"))
        }
        (Some(_), _) => Ok(()),
        (None, _) => {
            // The smallest, so that the message does not depend on the order.
            let graph = supplied.iter().map(|item| item.evidence_ref.as_str()).filter(|r| r.starts_with("kg:")).min();
            match graph {
                None => Ok(()),
                Some(first) => {
                    Err(refused(format!("{} is graph evidence, and the run pins no snapshot", quote(first))))
                }
            }
        }
    }
}

/// Returns each piece once, in an order independent of the supply: by reference, then by content.
fn distinct(supplied: &[EvidenceItem]) -> Result<Vec<JudgedEvidence<'_>>, Refusal> {
    let mut all = Vec::with_capacity(supplied.len());
    for item in supplied {
        let hash =
            content_hash(&item.content).map_err(|error| crate::seal::no_canonical_form(Stage::Evidence, &error))?;
        all.push(JudgedEvidence { item, also: Vec::new(), supplied: 1, reasons: Vec::new(), hash, block_id: None });
    }
    all.sort_by(|a, b| key(a).cmp(&key(b)).then_with(|| rest(a).cmp(&rest(b))));
    all.dedup_by(|again, first| {
        let same = key(again) == key(first) && rest(again) == rest(first);
        first.supplied += u64::from(same);
        same
    });
    Ok(all)
}

fn key<'j>(judged: &'j JudgedEvidence<'_>) -> (&'j str, &'j [u8; 32]) {
    (&judged.item.evidence_ref, judged.hash.as_bytes())
}

/// Returns the other fields in which two pieces with the same reference and content may differ.
fn rest<'j>(judged: &'j JudgedEvidence<'_>) -> impl Ord + use<'j> {
    let item = judged.item;
    let dates = (&item.retrieved_at, &item.expires_at);
    let lists = (&item.tags, &item.conflicts_with, &item.resolution_ref);
    (&item.payload_hash, &item.tenant_id, &item.classification, &item.source_id, &item.rank, dates, lists)
}

/// Computes the plain SHA-256 of the bytes of a text, or of the canonical JSON of anything else.
fn content_hash(content: &Value) -> Result<ContentHash, deed_canon::CanonError> {
    match content {
        Value::String(text) => Ok(ContentHash::of_bytes(text.as_bytes())),
        other => to_canonical_of(other).map(|bytes| ContentHash::of_bytes(&bytes)),
    }
}

impl<'a> Evidence<'a> {
    /// Finds every reason against each piece by itself, then those that follow from repetitions and contradictions.
    fn judge(&mut self, cx: Cx<'a>) {
        for judged in &mut self.items {
            judged.reasons = reasons(cx, judged.item, &judged.hash);
        }
        self.merge();
        self.repeated();
        let conflicts =
            Conflicts::of(self.items.iter().filter(|judged| judged.is_credible()).flat_map(JudgedEvidence::copies));
        for judged in &mut self.items {
            judged.reasons.extend(conflicts.judge(judged.item));
        }
    }

    /// Merges pieces with the same reference and hash; the metadata of all of them counts.
    fn merge(&mut self) {
        self.items.dedup_by(|again, first| {
            let same = key(again) == key(first) && again.item.payload_hash == first.item.payload_hash;
            let merged = same && first.is_credible() && again.is_credible();
            if merged {
                first.supplied += again.supplied;
                first.also.push(again.item);
                first.reasons.append(&mut again.reasons);
                first.reasons.sort_unstable();
                first.reasons.dedup();
            }
            merged
        });
    }

    /// Rejects pieces with the same reference and different hashes: which one is meant is unknown. Foreign pieces are
    /// ignored.
    fn repeated(&mut self) {
        let groups = self.items.chunk_by_mut(|a, b| a.item.evidence_ref == b.item.evidence_ref);
        for group in groups {
            let mut ours: Vec<&mut JudgedEvidence<'a>> =
                group.iter_mut().filter(|judged| !judged.is_foreign()).collect();
            if ours.len() > 1 {
                ours.iter_mut().for_each(|judged| judged.reasons.push(EvidenceReason::RepeatedRef));
            }
        }
    }

    /// Orders the admitted pieces for packing (required ones, then by rank, then by reference), and gives each the id of
    /// its block.
    fn number(&mut self, required: &[&'a Requirement]) {
        let key = |judged: &JudgedEvidence<'_>| {
            let is_required = required.iter().any(|requirement| supplies(requirement, &judged.item.evidence_ref));
            (!is_required, judged.rank().unwrap_or(u64::MAX))
        };
        let admitted = self.items.iter().enumerate().filter(|(_, judged)| judged.reasons.is_empty());
        let mut order: Vec<((bool, u64), usize)> = admitted.map(|(at, judged)| (key(judged), at)).collect();
        order.sort_unstable();
        self.order = order.into_iter().map(|(_, at)| at).collect();
        for (index, at) in self.order.iter().enumerate() {
            let judged = self.items.get_mut(*at).invariant("the order names items");
            judged.block_id = Some(block_id("ev", index));
        }
    }

    /// The admitted pieces with the ids of their blocks, in order.
    pub(crate) fn admitted(&self) -> impl Iterator<Item = (&Cow<'a, str>, &JudgedEvidence<'a>)> {
        let judged = self.order.iter().map(|at| self.items.get(*at).invariant("the order names items"));
        judged.filter_map(|judged| Some((judged.block_id.as_ref()?, judged)))
    }
}

impl<'a> JudgedEvidence<'a> {
    /// Returns the piece and its copies.
    fn copies(&self) -> impl Iterator<Item = &'a EvidenceItem> + Clone + use<'a> {
        std::iter::once(self.item).chain(self.also.clone())
    }

    /// Returns its rank; the best of all copies.
    fn rank(&self) -> Option<u64> {
        self.copies().filter_map(|item| item.rank).min()
    }

    /// Returns the number of times that it was supplied, if more than once.
    pub(crate) fn repeated(&self) -> Option<u64> {
        (self.supplied > 1).then_some(self.supplied)
    }

    fn view(&self) -> EvidenceView<'_> {
        EvidenceView { evidence_ref: &self.item.evidence_ref, reasons: &self.reasons, supplied: self.repeated() }
    }

    fn is_foreign(&self) -> bool {
        self.reasons.iter().any(|r| matches!(r, EvidenceReason::MissingTenant | EvidenceReason::OtherTenant))
    }

    /// Returns true if the piece may contradict or resolve others: it is what it claims to be, and belongs to this
    /// tenant and session.
    fn is_credible(&self) -> bool {
        !self.reasons.iter().any(|reason| {
            matches!(
                reason,
                EvidenceReason::MalformedRef
                    | EvidenceReason::OtherSession
                    | EvidenceReason::MissingTenant
                    | EvidenceReason::OtherTenant
                    | EvidenceReason::MissingHash
                    | EvidenceReason::HashMismatch
            )
        })
    }
}

/// Returns the highest classification that may be admitted.
pub(crate) fn ceiling(cx: Cx<'_>) -> Classification {
    let pack = cx.pack.pack.pack_meta.data_classification;
    cx.inputs.run.context().max_classification.map_or(pack, |run| run.min(pack))
}

/// Returns the session that `session:` references must belong to.
pub(crate) fn session<'a>(cx: Cx<'a>) -> Option<&'a str> {
    cx.inputs.run.context().session_id.as_deref().or_else(|| cx.inputs.request.session_id())
}

/// Returns every reason against a piece of evidence by itself.
fn reasons(cx: Cx<'_>, item: &EvidenceItem, hash: &ContentHash) -> Vec<EvidenceReason> {
    let run = cx.inputs.run.context();
    let mut found = Vec::new();
    match Reference::parse(&item.evidence_ref) {
        None => found.push(EvidenceReason::MalformedRef),
        Some(Reference::Graph { kind, snapshot }) => {
            if run.kg_snapshot_id.as_deref() != Some(snapshot) {
                found.push(EvidenceReason::OtherSnapshot);
            }
            if !is_in_ontology(cx, kind) {
                found.push(EvidenceReason::UnknownEntityType);
            }
        }
        Some(Reference::Session { id }) if session(cx) != Some(id) => found.push(EvidenceReason::OtherSession),
        Some(Reference::Session { .. } | Reference::Tool) => {}
    }
    if found_by_unknown_embedding(cx, item) {
        found.push(EvidenceReason::UnknownEmbedding);
    }
    match item.tenant_id.as_deref() {
        None | Some("") => found.push(EvidenceReason::MissingTenant),
        Some(tenant) if tenant != run.tenant_id => found.push(EvidenceReason::OtherTenant),
        Some(_) => {}
    }
    match item.classification.as_deref() {
        None | Some("") => found.push(EvidenceReason::MissingClassification),
        Some(text) => match text.parse::<Classification>() {
            Err(()) => found.push(EvidenceReason::UnknownClassification),
            Ok(level) if level > ceiling(cx) => found.push(EvidenceReason::AboveClassification),
            Ok(_) => {}
        },
    }
    // A pack that lists no tags bounds none.
    let listed = &cx.pack.pack.pack_meta.data_tags;
    if !listed.is_empty() && item.tags.iter().any(|tag| !listed.contains(tag)) {
        found.push(EvidenceReason::UnlistedTag);
    }
    match item.payload_hash.as_deref() {
        None | Some("") => found.push(EvidenceReason::MissingHash),
        Some(text) if text.parse() != Ok(*hash) => found.push(EvidenceReason::HashMismatch),
        Some(_) => {}
    }
    found.extend(lifetime(cx, item));
    found
}

/// Returns true if the pack's ontology has a type of entity or relationship. A pack that lists none bounds none.
fn is_in_ontology(cx: Cx<'_>, kind: &str) -> bool {
    let types = &cx.pack.graph_types;
    types.is_empty() || types.binary_search_by(|known| known.as_str().cmp(kind)).is_ok()
}

/// Returns true if the source is an embedding index, as `embedding:<key>`, that the pack does not use.
fn found_by_unknown_embedding(cx: Cx<'_>, item: &EvidenceItem) -> bool {
    let key = item.source_id.as_deref().and_then(|source| source.strip_prefix("embedding:"));
    key.is_some_and(|key| !cx.pack.pack.intelligence_refs.embedding_keys.iter().any(|known| known == key))
}

/// `expires_at` equal to `as_of` is expired; a malformed time is rejected.
fn lifetime(cx: Cx<'_>, item: &EvidenceItem) -> Option<EvidenceReason> {
    let unreadable = |text: &Option<String>| text.as_deref().is_some_and(|t| timestamp(t).is_none());
    if unreadable(&item.retrieved_at) || unreadable(&item.expires_at) {
        return Some(EvidenceReason::MalformedTime);
    }
    let expires = item.expires_at.as_deref().and_then(timestamp)?;
    (expires <= cx.inputs.run.as_of()).then_some(EvidenceReason::Expired)
}

/// Renders an admitted piece as a fenced block.
pub(crate) fn render(cx: Cx<'_>, item: &EvidenceItem, block_id: &str, tally: &mut Tally) -> String {
    let written;
    let raw = match &item.content {
        Value::String(text) => text.as_str(),
        other => {
            written = tally.written(cx.pack, other);
            &written
        }
    };
    // The whole reference: the model cites what it sees.
    tally.block(cx.pack, block_id, [Some(item.evidence_ref.as_str())], raw)
}

/// Returns one entry for each copy of a piece.
fn item_reads<'a>(judged: &JudgedEvidence<'a>) -> impl Iterator<Item = ItemRead<'a>> + use<'a> {
    let wrong = |reason: &EvidenceReason| matches!(reason, EvidenceReason::HashMismatch | EvidenceReason::MissingHash);
    let (hash, matches) = (judged.hash, !judged.reasons.iter().any(wrong));
    judged.copies().map(move |item| ItemRead {
        classification: item.classification.as_deref(),
        conflicts_with: &item.conflicts_with,
        content_hash: Some(hash).filter(|_| !matches),
        evidence_ref: &item.evidence_ref,
        expires_at: item.expires_at.as_deref(),
        payload_hash: item.payload_hash.as_deref(),
        rank: item.rank,
        resolution_ref: item.resolution_ref.as_deref(),
        retrieved_at: item.retrieved_at.as_deref(),
        source_id: item.source_id.as_deref(),
        tags: &item.tags,
        tenant_id: item.tenant_id.as_deref(),
    })
}
