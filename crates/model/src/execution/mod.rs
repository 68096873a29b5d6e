//! Executions: egress, calls, approvals, events, inspections and receipts.

mod artifact;
mod bridge_error;
mod call;
mod check;
mod distilled;
mod egress;
mod event;
mod failure;
mod frozen_models;
mod gate;
mod inspection;
mod isolation;
mod model_call;
mod parse_validation;
mod receipt;
mod set;
mod sub_step;
mod tool_envelope;
mod types;

pub use artifact::ArtifactRecord;
pub use bridge_error::BridgeErrorKind;
pub use call::{CallAnswer, CallEffect, CallIdentity, CallIntent, CallOutcome, EarlierCall};
pub use check::CheckName;
pub use distilled::DistilledCandidate;
pub use egress::{
    EgressChannel, EgressCredential, EgressDecision, EgressRepeat, EgressRule, EgressScheme, EgressVerdict,
};
pub use event::{
    CodePlace, ForkedFrom, FrozenProfile, RUN_EVENT_VERSION, RunEvent, RunOptions, RunOutcome, RunRecord, RunRequest,
};
pub use failure::{FailureCause, FailureCode, StepFailure};
pub use frozen_models::{FROZEN_MODELS_VERSION, FrozenEndpoint, FrozenModels, FrozenPack};
pub use gate::{Approval, ApprovedCall, ApprovedContract, GateDecision, GateSubject, SignedApproval};
pub use inspection::{
    Agreement, CandidateKey, ColumnSummary, ColumnType, ContentSummary, Coverage, DetectedFormat, DistinctCount,
    DocumentSummary, Extreme, FoundAt, HtmlSummary, Inspection, LineEnding, Nullability, ParseOutcome, PdfSummary,
    Precision, Protection, SentinelFinding, SentinelReport, SentinelStrength, TableSummary, TextEncoding, TextSummary,
    Uniqueness, ValueType, ZipSummary,
};
pub use isolation::{IsolationLevel, SandboxDemand, SandboxLimits, SandboxReport};
pub use model_call::{
    ModelCallAnswer, ModelCallIntent, ModelCallOutcome, ModelFailureKind, ReplySource, ServedTranscript, StoredExchange,
};
pub use receipt::{
    AbsentFile, CheckReceipt, ExecutionReceipt, FileReceipt, PostflightReceipt, PreflightReceipt, ReceiptSubject,
    ReuseSource, RunCheckpoint, RunSeal,
};
pub use set::{ArtifactSet, SetManifest};
pub use sub_step::SubStep;
pub use tool_envelope::{
    TOOL_ENVELOPE_FORMAT, ToolApproval, ToolApprovalModes, ToolEnvelope, ToolOutcome, ToolRequest, ToolResult,
};
pub use types::{FROZEN_TYPES_VERSION, FrozenEntity, FrozenTypes};
