//! Type tags and predicate types, listed once.

use deed_canon::TypeTag;

/// A context pack, as authored.
pub const CONTEXT_PACK_TAG: TypeTag = TypeTag::literal("deed/context-pack/v2");
/// An overlay, as authored.
pub const OVERLAY_TAG: TypeTag = TypeTag::literal("deed/context-overlay/v1");
/// A golden case of a pack.
pub const GOLDEN_CASE_TAG: TypeTag = TypeTag::literal("deed/golden-case/v1");
/// What a stage decided, as golden cases pin it: without the version and the hashes of the pack.
pub const GOLDEN_STAGE_TAG: TypeTag = TypeTag::literal("deed/golden-stage/v1");
/// A pack after its overlays were applied.
pub const RESOLVED_PACK_TAG: TypeTag = TypeTag::literal("deed/resolved-pack/v1");
/// A finding about a release: the metric, the documents, and what changes.
pub const RELEASE_FINDING_TAG: TypeTag = TypeTag::literal("deed/release-finding/v1");
/// The names and hashes of the recordings of an archive.
pub const ARCHIVE_TAG: TypeTag = TypeTag::literal("deed/archive/v1");
/// A document that a pack refers to, by its own format.
pub const DEPENDENCY_TAG: TypeTag = TypeTag::literal("deed/dependency/v1");
/// The reads of a stage.
pub const STAGE_READS_TAG: TypeTag = TypeTag::literal("deed/stage-reads/v1");
/// A compiled context, by the hashes of its stages.
pub const COMPILED_CONTEXT_TAG: TypeTag = TypeTag::literal("deed/compiled-context/v1");
/// A request, after redaction.
pub const REQUEST_TAG: TypeTag = TypeTag::literal("deed/invoke-request/v1");
/// A run context, after redaction.
pub const RUN_TAG: TypeTag = TypeTag::literal("deed/run-context/v1");
/// A list of memories, as supplied.
pub const MEMORY_TAG: TypeTag = TypeTag::literal("deed/memory/v1");
/// The identity of a memory: its content, and how often that was captured before.
pub const MEMORY_ID_TAG: TypeTag = TypeTag::literal("deed/memory-id/v1");
/// What a memory states.
pub const MEMORY_STATEMENT_TAG: TypeTag = TypeTag::literal("deed/memory-statement/v1");
/// Entity and predicate of a fact in memory.
pub const MEMORY_ABOUT_TAG: TypeTag = TypeTag::literal("deed/memory-about/v1");
/// A catalogue, by the hashes of its parts.
pub const CATALOG_TAG: TypeTag = TypeTag::literal("deed/catalog/v1");
/// An entity schema.
pub const ENTITY_TAG: TypeTag = TypeTag::literal("deed/entity-schema/v1");
/// The contract of a step, as the plan compiler produces it.
pub const STEP_CONTRACT_TAG: TypeTag = TypeTag::literal("deed/step-contract/v1");
/// The code of a step.
pub const STEP_CODE_TAG: TypeTag = TypeTag::literal("deed/step-code/v1");
/// A compiled plan, by the hashes of its steps.
pub const COMPILED_PLAN_TAG: TypeTag = TypeTag::literal("deed/compiled-plan/v1");
/// A ladder contract.
pub const LADDER_CONTRACT_TAG: TypeTag = TypeTag::literal("deed/ladder-contract/v1");
/// A payload on a ladder, or a value of it.
pub const PAYLOAD_TAG: TypeTag = TypeTag::literal("deed/payload/v1");
/// A recorded compile, or a part of one.
pub const REPLAY_BUNDLE_TAG: TypeTag = TypeTag::literal("deed/replay-bundle/v2");
/// A recorded compile of the first version, which is read and no longer written.
pub const REPLAY_BUNDLE_V1_TAG: TypeTag = TypeTag::literal("deed/replay-bundle/v1");
/// The records of the stages, in order.
pub static STAGE_TAGS: [TypeTag; 8] = [
    TypeTag::literal("deed/stage-intent/v1"),
    TypeTag::literal("deed/stage-policy/v1"),
    TypeTag::literal("deed/stage-tools/v1"),
    TypeTag::literal("deed/stage-evidence/v1"),
    TypeTag::literal("deed/stage-memory/v1"),
    TypeTag::literal("deed/stage-budget/v1"),
    TypeTag::literal("deed/stage-buckets/v1"),
    TypeTag::literal("deed/stage-manifests/v1"),
];
/// The identity of a call.
pub const CALL_IDENTITY_TAG: TypeTag = TypeTag::literal("deed/call-identity/v1");
/// An execution profile, as authored.
pub const PROFILE_TAG: TypeTag = TypeTag::literal("deed/execution-profile/v1");
/// The effective values of a profile, frozen when a run starts.
pub const PROFILE_SNAPSHOT_TAG: TypeTag = TypeTag::literal("deed/profile-snapshot/v1");
/// The tag of a validation pack.
pub const VALIDATION_PACK_TAG: TypeTag = TypeTag::literal("deed/validation-pack/v1");
/// A prompt.
pub const PROMPT_TAG: TypeTag = TypeTag::literal("deed/prompt/v1");
/// A call of a tool of a pack.
pub const TOOL_CALL_TAG: TypeTag = TypeTag::literal("deed/tool-call/v1");
/// A call of a model, without its occurrence.
pub const MODEL_CALL_TAG: TypeTag = TypeTag::literal("deed/model-call/v1");
/// The key of a call of a model: its hash and its occurrence.
pub const MODEL_CALL_KEY_TAG: TypeTag = TypeTag::literal("deed/model-call-key/v1");
/// The arguments of a call.
pub const CALL_ARGUMENTS_TAG: TypeTag = TypeTag::literal("deed/call-arguments/v1");
/// The subject of an approval.
pub const GATE_SUBJECT_TAG: TypeTag = TypeTag::literal("deed/gate-subject/v1");
/// The decision of an approver.
pub const APPROVAL_TAG: TypeTag = TypeTag::literal("deed/approval/v1");
/// A request for a run.
pub const RUN_REQUEST_TAG: TypeTag = TypeTag::literal("deed/run-request/v1");
/// The record of a decision.
pub const DECISION_RECORD_TAG: TypeTag = TypeTag::literal("deed/decision-record/v1");
/// What an approver of a decision is shown.
pub const DECISION_SUBJECT_TAG: TypeTag = TypeTag::literal("deed/decision-subject/v1");
/// The format of a recorded decision in the store.
pub const DECISION_CASE_FORMAT: &str = "deed/decision-case/v1";
/// Predicate type of a preflight receipt.
pub const PREFLIGHT_PREDICATE: &str = "urn:deed:predicate:preflight:v1";
/// Predicate type of a postflight receipt.
pub const POSTFLIGHT_PREDICATE: &str = "urn:deed:predicate:postflight:v1";
/// Predicate type of an approver's decision.
pub const APPROVAL_PREDICATE: &str = "urn:deed:predicate:approval:v1";
/// Predicate type of a run's seal.
pub const RUN_SEAL_PREDICATE: &str = "urn:deed:predicate:run-seal:v1";
/// Predicate type of a checkpoint of a run's journal.
pub const RUN_CHECKPOINT_PREDICATE: &str = "urn:deed:predicate:run-checkpoint:v1";
/// A statement that an issuer signs about a profile.
pub const PROFILE_SIGNATURE_PREDICATE: &str = "urn:deed:predicate:profile-signature:v1";
/// The type of a contract under the profile that governs its run.
pub const FROZEN_CONTRACT_TAG: TypeTag = TypeTag::literal("deed/frozen-contract/v1");
/// Predicate type of an issuer's signature over a prompt or a validation pack.
pub const OBJECT_SIGNATURE_PREDICATE: &str = "urn:deed:predicate:object-signature:v1";
/// The predicate of a validation receipt.
pub const VALIDATION_PREDICATE: &str = "urn:deed:predicate:validation:v1";
/// Predicate type of an issuer's signature over a pack.
pub const PACK_SIGNATURE_PREDICATE: &str = "urn:deed:predicate:pack-signature:v1";
/// Predicate type of an issuer's statement that a version ended.
pub const PACK_ENDING_PREDICATE: &str = "urn:deed:predicate:pack-ending:v1";
/// Predicate type of a reviewer's sign-off.
pub const PACK_REVIEW_PREDICATE: &str = "urn:deed:predicate:pack-review:v1";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tag_has_the_form_of_a_tag() {
        let others = [
            CONTEXT_PACK_TAG,
            OVERLAY_TAG,
            GOLDEN_CASE_TAG,
            GOLDEN_STAGE_TAG,
            RESOLVED_PACK_TAG,
            COMPILED_CONTEXT_TAG,
            REQUEST_TAG,
            RUN_TAG,
            MEMORY_TAG,
            MEMORY_ID_TAG,
            MEMORY_STATEMENT_TAG,
            MEMORY_ABOUT_TAG,
            REPLAY_BUNDLE_TAG,
            REPLAY_BUNDLE_V1_TAG,
            CALL_IDENTITY_TAG,
            CALL_ARGUMENTS_TAG,
            GATE_SUBJECT_TAG,
            RELEASE_FINDING_TAG,
            ARCHIVE_TAG,
            DEPENDENCY_TAG,
            APPROVAL_TAG,
            RUN_REQUEST_TAG,
            DECISION_RECORD_TAG,
            DECISION_SUBJECT_TAG,
            MODEL_CALL_TAG,
            MODEL_CALL_KEY_TAG,
            VALIDATION_PACK_TAG,
            FROZEN_CONTRACT_TAG,
        ];
        for tag in others.into_iter().chain(STAGE_TAGS.clone()) {
            assert_eq!(tag.as_str().parse(), Ok(tag));
        }
    }
}
