//! Every contract of Deed as a documented type.
//!
//! Types here are passive: they are read, written and described by a JSON Schema, and decide nothing.
//! The schemas under `schemas/` at the root of the repository are generated from them.
//!
//! Authored documents are read leniently and described strictly: an unknown key is a finding of the
//! schema gate, with a place and a suggestion, and not a reason to skip every other gate.

mod approval_mode;
mod catalog;
mod classification;
mod context;
mod diagnostic_record;
mod execution;
mod ladder;
mod overlay;
mod pack;
mod pack_ref;
mod plan;
mod registry;
mod schema;
mod tags;

pub use approval_mode::ApprovalMode;
pub use catalog::*;
pub use classification::Classification;
pub use context::*;
pub use diagnostic_record::{DiagnosticRecord, LocationRecord, PositionRecord, RelatedRecord, SeverityRecord};
pub use execution::*;
pub use ladder::*;
pub use overlay::{Overlay, OverlayChange};
pub use pack::*;
pub use pack_ref::{OverlayRef, PackRef, RefError, Version};
pub use plan::*;
pub use registry::*;
pub use schema::{SchemaFile, schema_for, schemas};
pub use tags::{
    APPROVAL_PREDICATE, APPROVAL_TAG, AUDIT_EVENT_TAG, CALL_ARGUMENTS_TAG, CALL_IDENTITY_TAG, CATALOG_TAG,
    COMPILED_CONTEXT_TAG, COMPILED_PLAN_TAG, CONTEXT_PACK_TAG, ENTITY_TAG, EVIDENCE_TAG, GATE_SUBJECT_TAG,
    LADDER_CONTRACT_TAG, MEMORY_TAG, OVERLAY_TAG, PACK_REVIEW_PREDICATE, PACK_SIGNATURE_PREDICATE, PAYLOAD_TAG,
    POSTFLIGHT_PREDICATE, PREFLIGHT_PREDICATE, REPLAY_BUNDLE_TAG, REQUEST_TAG, RESOLVED_PACK_TAG,
    RUN_CHECKPOINT_PREDICATE, RUN_REQUEST_TAG, RUN_SEAL_PREDICATE, RUN_TAG, STAGE_READS_TAG, STAGE_TAGS, STEP_CODE_TAG,
    STEP_CONTRACT_TAG, TOOL_TAG,
};
