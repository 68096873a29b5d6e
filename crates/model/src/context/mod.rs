//! The inputs and the output of a context compile: request, run, evidence and memory; the compiled context.

mod block;
mod budget_report;
mod bundle;
mod call;
mod compiled;
mod controls;
mod decision;
mod endpoint;
mod evidence;
mod golden;
mod ledger;
mod life;
mod manifest;
mod memory;
mod outcome;
mod pack_source;
mod packet;
mod request;
mod run;
mod stage;
mod transcript;

pub use block::{Bucket, CompiledPrompt, ContextBlock};
pub use budget_report::{BudgetReport, DroppedBlock, HeadTokens, TokensByBucket};
pub use bundle::{
    BundleExpectation, BundleInputs, BundleSeal, CompileMeasurement, RecordedStage, ReplayBundle, UsageReport,
};
pub use call::{CallDecision, CallReason, CallVerdict, GateRequirement, ToolCall};
pub use compiled::{CompiledContext, Verdict};
pub use controls::{ApprovalDemand, RuntimeControls, ScoreTargets};
pub use decision::{DecisionManifest, EvidenceRequirement, EvidenceStatus, Obligation};
pub use endpoint::{EndpointAddress, EnvironmentEndpoints, ToolEndpoint};
pub use evidence::EvidenceItem;
pub use golden::{GoldenCall, GoldenCase, GoldenExpectation};
pub use ledger::{
    ContextLedger, ControlKind, EvidenceReason, HidingCheck, ItemStatus, LedgerBudget, LedgerCapability, LedgerControl,
    LedgerDecision, LedgerEvidence, LedgerIntent, LedgerMemory, LedgerNotice, LedgerPack, LedgerRedaction,
    LedgerRequest, LedgerRun, LedgerTokenizer, MemoryReason, Neutralized, PolicyDecision, RuleBranch, RuleVerdict,
    StablePrefix, StageHash, ToolCheck,
};
pub use life::{LifeEntry, LifeHead, PacketEvent, PacketLife};
pub use manifest::{BoundArguments, CapabilityMetadata, EvidenceEntry, Manifests, PolicyEntry, ToolEntry};
pub use memory::{MemoryFact, MemoryItem};
pub use outcome::CompileOutcome;
pub use pack_source::{PackNaming, PackOrigin, PackSource};
pub use packet::{
    Correction, DifferenceKind, PacketExpectation, PacketResult, ReplayPacket, ReplayResult, SideEffectPolicy,
    SourceKind,
};
pub use request::{InvokeRequest, RequestInput, RequestSession, Turn};
pub use run::{BucketTokens, Prohibition, RunBudget, RunContext, RunUser};
pub use stage::Stage;
pub use transcript::{RecordedCall, TranscriptEntry};
