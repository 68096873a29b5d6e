//! A hash for each stage: over the hash of what the stage read, and what it decided.
//!
//! What a stage decided is a part of the compiled context, so that whoever holds one can take the hashes again; what
//! it read is known by its hash there, and in full in a recording.

use crate::refusal::{Refusal, codes};
use deed_canon::{CanonError, ContentHash, Scratch, TypeTag, hash_of_with};
use deed_diag::Invariant as _;
use deed_model::{COMPILED_CONTEXT_TAG, RecordedStage, STAGE_READS_TAG, STAGE_TAGS, Stage, StageHash};
use serde::Serialize;

/// Takes the hashes, and keeps the records where somebody wants to replay them.
#[derive(Debug, Default)]
pub(crate) struct Seals {
    pub(crate) hashes: Vec<StageHash>,
    scratch: Scratch,
    records: Option<Vec<RecordedStage>>,
}

#[derive(Serialize)]
struct Sealed<'d, D: Serialize> {
    decided: &'d D,
    reads: ContentHash,
}

impl Seals {
    /// Only hashes.
    pub(crate) fn new() -> Self {
        Self { hashes: Vec::with_capacity(Stage::ALL.len()), scratch: Scratch::default(), records: None }
    }

    /// Hashes and records.
    pub(crate) fn recording() -> Self {
        Self { records: Some(Vec::new()), ..Self::new() }
    }

    /// The records, where they were kept.
    pub(crate) fn into_records(self) -> Vec<RecordedStage> {
        self.records.unwrap_or_default()
    }

    /// Seals a stage.
    pub(crate) fn seal<R: Serialize, D: Serialize>(
        &mut self,
        stage: Stage,
        reads: &R,
        decided: &D,
    ) -> Result<(), Refusal> {
        let read = self.hash(&STAGE_READS_TAG, reads).map_err(|error| no_canonical_form(stage, &error))?;
        let hash = self.stage_hash(stage, read, decided).map_err(|error| no_canonical_form(stage, &error))?;
        self.hashes.push(StageHash { hash, reads: read, stage });
        if let Some(records) = &mut self.records {
            // The same values had a canonical form a moment ago.
            let value = |result: Result<serde_json::Value, serde_json::Error>| result.invariant("a stage is JSON");
            let (reads, decided) = (value(serde_json::to_value(reads)), value(serde_json::to_value(decided)));
            records.push(RecordedStage { decided, hash, reads, stage });
        }
        Ok(())
    }

    /// The hash of a stage, from the hash of what it read.
    pub(crate) fn stage_hash<D: Serialize>(
        &mut self,
        stage: Stage,
        reads: ContentHash,
        decided: &D,
    ) -> Result<ContentHash, CanonError> {
        self.hash(tag(stage), &Sealed { decided, reads })
    }

    /// The hash of the whole, from the hashes of the stages.
    pub(crate) fn whole(&mut self, stages: &[StageHash]) -> Result<ContentHash, CanonError> {
        self.hash(&COMPILED_CONTEXT_TAG, &stages)
    }

    /// The typed hash of a value, through the same buffer.
    pub(crate) fn hash<T: Serialize>(&mut self, tag: &TypeTag, value: &T) -> Result<ContentHash, CanonError> {
        hash_of_with(tag, value, &mut self.scratch)
    }
}

/// The tag of a stage's hash.
fn tag(stage: Stage) -> &'static TypeTag {
    let [intent, policy, tools, evidence, memory, budget, buckets, manifests] = &STAGE_TAGS;
    match stage {
        Stage::Intent => intent,
        Stage::Policy => policy,
        Stage::Tools => tools,
        Stage::Evidence => evidence,
        Stage::Memory => memory,
        Stage::Budget => budget,
        Stage::Buckets => buckets,
        Stage::Manifests => manifests,
    }
}

/// The hash that a recorded stage has, which is another one where somebody changed the record.
pub(crate) fn recorded_hash(recorded: &RecordedStage) -> Option<ContentHash> {
    let mut seals = Seals::new();
    let reads = seals.hash(&STAGE_READS_TAG, &recorded.reads).ok()?;
    seals.stage_hash(recorded.stage, reads, &recorded.decided).ok()
}

/// The refusal for an input that has no canonical form, and so no hash.
pub(crate) fn no_canonical_form(stage: Stage, error: &CanonError) -> Refusal {
    Refusal::at(stage, codes::NO_CANONICAL_FORM, format!("an input has no canonical form: {error}"))
}
