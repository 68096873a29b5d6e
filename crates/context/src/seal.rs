//! A hash for each stage: over the hash of what the stage read, and what it decided.
//!
//! The decisions of a stage are a part of the compiled context, so that any holder of one can compute the hashes again
//! ([`verify`](crate::verify)). What the stage read is there as a hash, and in full in a recording.

use crate::refusal::Refusal;
use crate::stages::Cx;
use deed_canon::{CanonError, ContentHash, Scratch, TypeTag, hash_of_with};
use deed_diag::Invariant as _;
use deed_diag::codes;
use deed_model::{COMPILED_CONTEXT_TAG, CompiledContext, RecordedStage, STAGE_READS_TAG, STAGE_TAGS, Stage, StageHash};
use serde::Serialize;

/// The output of a stage, which can show what it read and what it decided.
pub(crate) trait StageOutput<'a> {
    /// The stage that it is the output of.
    const STAGE: Stage;

    /// Everything that the stage read besides the outputs of earlier stages.
    fn reads(&self, cx: Cx<'a>) -> impl Serialize;

    /// The parts of the compiled context that the stage decided.
    fn decided(&self, cx: Cx<'a>) -> impl Serialize;
}

/// Seals each stage of a compile, and records it if the caller asked for that.
#[derive(Debug, Default)]
pub(crate) struct Recorder {
    hashes: Vec<StageHash>,
    scratch: Scratch,
    records: Option<Vec<RecordedStage>>,
}

#[derive(Serialize)]
struct Sealed<'d, D: Serialize> {
    decided: &'d D,
    reads: ContentHash,
}

impl Recorder {
    /// A recorder that keeps hashes only.
    pub(crate) fn new() -> Self {
        Self { hashes: Vec::with_capacity(Stage::ALL.len()), scratch: Scratch::default(), records: None }
    }

    /// A recorder that keeps hashes and records.
    pub(crate) fn recording() -> Self {
        Self { records: Some(Vec::new()), ..Self::new() }
    }

    /// The records; empty unless this is a recording one.
    pub(crate) fn into_records(self) -> Vec<RecordedStage> {
        self.records.unwrap_or_default()
    }

    /// Seals the output of a stage and returns it.
    pub(crate) fn stage<'a, O: StageOutput<'a>>(&mut self, cx: Cx<'a>, output: O) -> Result<O, Refusal> {
        self.seal(O::STAGE, &output.reads(cx), &output.decided(cx))?;
        Ok(output)
    }

    fn seal<R: Serialize, D: Serialize>(&mut self, stage: Stage, reads: &R, decided: &D) -> Result<(), Refusal> {
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

    /// Puts the stage hashes, and the hash over all of them, into the finished context.
    pub(crate) fn finish<'a>(&mut self, mut context: CompiledContext<'a>) -> Result<CompiledContext<'a>, Refusal> {
        let hashes = std::mem::take(&mut self.hashes);
        let whole = self.whole(&hashes).map_err(|error| no_canonical_form(Stage::Manifests, &error))?;
        context.context_ledger.stage_hashes = hashes;
        context.context_ledger.compiled_context_hash = Some(whole);
        Ok(context)
    }

    /// Computes the hash of a stage from the hash of what it read.
    pub(crate) fn stage_hash<D: Serialize>(
        &mut self,
        stage: Stage,
        reads: ContentHash,
        decided: &D,
    ) -> Result<ContentHash, CanonError> {
        self.hash(tag(stage), &Sealed { decided, reads })
    }

    /// Computes the hash of the compiled context from the hashes of its stages.
    pub(crate) fn whole(&mut self, stages: &[StageHash]) -> Result<ContentHash, CanonError> {
        self.hash(&COMPILED_CONTEXT_TAG, &stages)
    }

    /// Computes the typed hash of a value, reusing one buffer.
    pub(crate) fn hash<T: Serialize>(&mut self, tag: &TypeTag, value: &T) -> Result<ContentHash, CanonError> {
        hash_of_with(tag, value, &mut self.scratch)
    }
}

/// Returns the tag of a stage's hash.
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

/// Computes the hash of a recorded stage again. It differs from the recorded hash if the record was changed since.
pub(crate) fn recorded_hash(recorded: &RecordedStage) -> Option<ContentHash> {
    let mut recorder = Recorder::new();
    let reads = recorder.hash(&STAGE_READS_TAG, &recorded.reads).ok()?;
    recorder.stage_hash(recorded.stage, reads, &recorded.decided).ok()
}

/// Returns the refusal of an input that has no canonical form, and so no hash.
pub(crate) fn no_canonical_form(stage: Stage, error: &CanonError) -> Refusal {
    Refusal::at(stage, codes::INPUT_WITHOUT_CANONICAL_FORM, format!("an input has no canonical form: {error}"))
}
