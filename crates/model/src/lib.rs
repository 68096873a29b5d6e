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
mod decision;
mod dependency;
mod diagnostic_record;
mod execution;
mod ladder;
mod memory;
mod models;
mod overlay;
mod pack;
mod pack_ref;
mod plan;
mod profile;
mod registry;
mod schema;
mod tags;
mod validation;
mod words;
mod workspace;

pub use approval_mode::ApprovalMode;
pub use catalog::{
    AdapterDeclaration, AdapterUse, ArtifactFormat, Disambiguation, DisambiguationRule, EntitySchemaId, Kind, KindKey,
    KindShape, Library, Loss, NameError, PolicyProfile, PolicyProfileId, PolicyRules, Profile, ProfileId,
    ProvenanceDemand, RegisteredCapability, Slot, TypicalSlots,
};
pub use classification::Classification;
pub use context::{
    ApprovalDemand, BoundArguments, Bucket, BucketTokens, BudgetReport, BundleExpectation, BundleInputs, BundleSeal,
    CallDecision, CallReason, CallVerdict, CapabilityMetadata, CompileMeasurement, CompileOutcome, CompiledContext,
    CompiledPrompt, ContextBlock, ContextLedger, ControlKind, Correction, DecisionManifest, DifferenceKind,
    DroppedBlock, EndpointAddress, EnvironmentEndpoints, EvidenceEntry, EvidenceItem, EvidenceReason,
    EvidenceRequirement, EvidenceStatus, GateRequirement, GoldenCall, GoldenCase, GoldenExpectation, HeadTokens,
    HidingCheck, InvokeRequest, ItemStatus, LedgerBudget, LedgerCapability, LedgerControl, LedgerDecision,
    LedgerEvidence, LedgerIntent, LedgerMemory, LedgerNotice, LedgerPack, LedgerRedaction, LedgerRequest, LedgerRun,
    LedgerTokenizer, LifeEntry, LifeHead, Manifests, MemoryFact, MemoryItem, MemoryReason, Neutralized, Obligation,
    PackNaming, PackOrigin, PackSource, PacketEvent, PacketExpectation, PacketLife, PacketResult, PolicyDecision,
    PolicyEntry, Prohibition, RecordedCall, RecordedStage, ReplayBundle, ReplayPacket, ReplayResult, RequestInput,
    RequestSession, RuleBranch, RuleVerdict, RunBudget, RunContext, RunUser, RuntimeControls, ScoreTargets,
    SideEffectPolicy, SourceKind, StablePrefix, Stage, StageHash, TokensByBucket, ToolCall, ToolCheck, ToolEndpoint,
    ToolEntry, TranscriptEntry, Turn, UsageReport, Verdict,
};
pub use decision::{
    CheckScore, ControlsActive, CriticCheck, CriticFinding, CriticVerdict, Critique, DecisionActor, DecisionCase,
    DecisionDraft, DecisionEvent, DecisionLineage, DecisionRecord, DecisionStatus, DecisionSubject, DraftLineage,
    JournaledApproval, LineageDocument, PolicyRecord, RecordedDecision, RunEvidence, SchemaJudgement, SchemaStatus,
    Scorecard,
};
pub use dependency::{
    AdapterSchema, CapabilitySchema, DecisionCatalog, EvaluatorResults, EvaluatorScore, ModelConfig, OntologyDocument,
};
pub use diagnostic_record::{DiagnosticRecord, LocationRecord, PositionRecord, RelatedRecord, SeverityRecord};
pub use execution::{
    AbsentFile, Agreement, Approval, ApprovedCall, ApprovedContract, ArtifactRecord, ArtifactSet, BridgeErrorKind,
    CallAnswer, CallEffect, CallIdentity, CallIntent, CallOutcome, CandidateKey, CheckName, CheckReceipt, CodePlace,
    ColumnSummary, ColumnType, ContentSummary, Coverage, DetectedFormat, DistilledCandidate, DistinctCount,
    DocumentSummary, EarlierCall, EgressChannel, EgressCredential, EgressDecision, EgressRepeat, EgressRule,
    EgressScheme, EgressVerdict, ExecutionReceipt, Extreme, FROZEN_MODELS_VERSION, FROZEN_TYPES_VERSION, FailureCause,
    FailureCode, FileReceipt, ForkedFrom, FoundAt, FrozenEndpoint, FrozenEntity, FrozenModels, FrozenPack,
    FrozenProfile, FrozenTypes, GateDecision, GateSubject, HtmlSummary, Inspection, IsolationLevel, LineEnding,
    ModelCallAnswer, ModelCallIntent, ModelCallOutcome, ModelFailureKind, Nullability, ParseOutcome, PdfSummary,
    PostflightReceipt, Precision, PreflightReceipt, Protection, RUN_EVENT_VERSION, ReceiptSubject, ReplySource,
    ReuseSource, RunCheckpoint, RunEvent, RunOptions, RunOutcome, RunRecord, RunRequest, RunSeal, SandboxDemand,
    SandboxLimits, SandboxReport, SentinelFinding, SentinelReport, SentinelStrength, ServedTranscript, SetManifest,
    SignedApproval, StepFailure, StoredExchange, SubStep, TOOL_ENVELOPE_FORMAT, TableSummary, TextEncoding,
    TextSummary, ToolApproval, ToolApprovalModes, ToolEnvelope, ToolOutcome, ToolRequest, ToolResult, Uniqueness,
    ValueType, ZipSummary,
};
pub use ladder::{
    AllowedKeys, AllowedPersonal, BudgetUse, Conversion, DateTransform, DefaultValue, Defaults, DomainRule, EditBudget,
    FieldMapping, ForbiddenContent, GuardRules, JoinConversion, LadderChange, LadderContract, LadderFinding,
    LadderMapping, LadderMode, LadderOutcome, LadderReport, PatchGuardrails, PatchOp, PatchValue, Phase, Proposal,
    ProposalRecord, ProposalVerdict, Proposals, ProposedFinding, ProseRule, RepairName, RuleWeight, Rung, RungRecord,
    RungStatus, ScaleConversion, ScaleTransform, StructuralFix, Structure, Synonym, TextRepair, TextRepairs, Transform,
    TransformKind, UnitPlace, VectorRename, VocabularyWord,
};
pub use memory::{
    MemoryEvent, MemoryLogEvent, MemoryOrigin, MemoryProposal, MemoryRules, MemorySummary, PromotionBasis,
    RecalledMemory, RejectionReason, ReviewDecision, ReviewDemand, TierLifetime,
};
pub use models::{
    AttemptOutcome, AttemptPayment, DroppedParameter, LongInputPrice, MessagePart, MessageRole, ModelAttachment,
    ModelAttempt, ModelCall, ModelCallKey, ModelConsumer, ModelCost, ModelId, ModelIdError, ModelMessage,
    ModelParameters, ModelPrice, ModelProtocol, ModelReply, ModelTool, ModelUsage, OutputCheck, PriceCheck, PriceTable,
    ReasoningEffort, ReasoningRequest, RecordedModelCall, ReplyContract, ReplyNote, ReplyOrigin, StopReason,
    ToolChoice, TranscriptEnd, TranscriptHead, TranscriptLine,
};
pub use overlay::{Overlay, OverlayChange};
pub use pack::{
    Adapter, AdapterType, ApprovalGate, ArgConstraint, BudgetLayer, BudgetSplit, BusinessContext, BusinessSummary,
    Capability, CapabilitySpec, Compatibility, ConsentGating, ContextPack, ContractMeta, DecisionLayer, DecisionSpec,
    EnvironmentDefaults, EvalTarget, EvaluationLayer, Guardrail, Guardrails, IdentityLayer, InsufficientEvidence,
    IntelligenceRefs, IntentEntry, IntentLayer, IntentScope, KnowledgeGraph, MemoryLayer, MemoryPolicy, MemoryScope,
    Metric, MetricDirection, Ontology, OutcomeEffect, PackMeta, Permission, PolicyBundle, PolicyDsl, PolicyLanguage,
    PolicyLayer, PromotionThresholds, PromptBlock, RecallPolicy, RedactionPattern, RedactionRule, ReleaseGate,
    ReviewPolicy, ReviewRole, Rule, RuleOutcome, Tenant, TierTtls, ToneAndComms, ToolingLayer,
};
pub use pack_ref::{OverlayRef, PackRef, RefError, Version};
pub use plan::{
    AbstractInput, AbstractOutput, AdapterSettings, ArtifactContract, ArtifactRef, ArtifactSpec, Backend, Binding,
    BindingRank, Budget, CallGate, CompiledInput, CompiledOutput, CompiledPlan, CompiledStepContract, Condition,
    ConditionCheck, Criterion, DEFAULT_MOST_FILES, ExecutableContract, ExecutionContract, ExecutionPattern,
    ExecutionPolicy, ExpectedOutput, FailureClass, GateContract, HeldEntity, InputContract, IoContract, ItemLoop,
    MOST_FILES, Measure, MeasureKind, Mission, MissionInput, MissionInputContract, OutputContract, OutputLocation,
    OutputRole, Plan, PlanGate, PlanStep, Producer, RepairBoundary, RepairPolicy, RepairStrategy, ResolutionStatus,
    Routing, SemanticHints, SideEffect, StepCode, StepContract, StepKind, StepPolicy, TopLevelType, Validator,
    ValidatorCheck, WriteSet, covers, folder_of_set, in_set, is_set,
};
pub use profile::{
    BindingSlot, ConsumerBinding, ExecutionProfile, ExecutorBindings, ModelEndpoint, ModelParameter, ModelRef,
    ModelRefError, ModelSettings, PhaseValidation, PinnedSkill, PlannerPhase, PlannerPhaseBindings, PowerLimits,
    ProfileBudgets, ProfilePower, ProfileRef, ProfileRouting, ProfileSnapshot, ProfileTimeouts, ProfileValidation,
    PromptBinding, PromptRef, PromptRefError, PromptVariable, ReasoningSwitches, ResolvedBinding, ResolvedPhase,
    RoutingStrategy, RuntimeOverrides, SkillAutoload, SkillPolicy, SkillPriority, SkillScope, UnsentParameter,
    ValidationMatcher, ValidationMode, ValidationPhases, VariableSource,
};
pub use registry::{
    ArchiveKind, AuditEvent, Endpoint, EndpointApi, GoldenRecord, KeyStatus, NamedObject, ObjectKind, ObjectRef,
    ObjectSignature, OverlayRecord, PackEnd, PackEnding, PackExport, PackReview, PackSignature, PackUse, ProfileScope,
    ProfileSignature, PublishedPrompt, RecheckTrigger, RegistryEvent, RegistryPolicy, RegressionMetric, SelfReview,
    SignedGolden, SignedOverlay, TrustStore, TrustedKey,
};
pub use schema::{SchemaFile, schema_for, schemas};
pub use tags::{
    APPROVAL_PREDICATE, APPROVAL_TAG, ARCHIVE_TAG, CALL_ARGUMENTS_TAG, CALL_IDENTITY_TAG, CATALOG_TAG,
    COMPILED_CONTEXT_TAG, COMPILED_PLAN_TAG, CONTEXT_PACK_TAG, DECISION_CASE_FORMAT, DECISION_RECORD_TAG,
    DECISION_SUBJECT_TAG, DEPENDENCY_TAG, ENTITY_TAG, FROZEN_CONTRACT_TAG, GATE_SUBJECT_TAG, GOLDEN_CASE_TAG,
    GOLDEN_STAGE_TAG, LADDER_CONTRACT_TAG, MEMORY_ABOUT_TAG, MEMORY_ID_TAG, MEMORY_STATEMENT_TAG, MEMORY_TAG,
    MODEL_CALL_KEY_TAG, MODEL_CALL_TAG, OBJECT_SIGNATURE_PREDICATE, OVERLAY_TAG, PACK_ENDING_PREDICATE,
    PACK_REVIEW_PREDICATE, PACK_SIGNATURE_PREDICATE, PAYLOAD_TAG, POSTFLIGHT_PREDICATE, PREFLIGHT_PREDICATE,
    PROFILE_SIGNATURE_PREDICATE, PROFILE_SNAPSHOT_TAG, PROFILE_TAG, PROMPT_TAG, RELEASE_FINDING_TAG, REPLAY_BUNDLE_TAG,
    REPLAY_BUNDLE_V1_TAG, REQUEST_TAG, RESOLVED_PACK_TAG, RUN_CHECKPOINT_PREDICATE, RUN_REQUEST_TAG,
    RUN_SEAL_PREDICATE, RUN_TAG, STAGE_READS_TAG, STAGE_TAGS, STEP_CODE_TAG, STEP_CONTRACT_TAG, TOOL_CALL_TAG,
    VALIDATION_PACK_TAG, VALIDATION_PREDICATE,
};
pub use validation::{
    ArtifactCheck, AskedCorrector, BeyondLimit, CorrectionRecord, CorrectorFault, ReadAs, SchemaSource,
    ValidationFinding, ValidationPack, ValidationReceipt, ValidationRecord, ValidationRule, ValidationStage,
    ValidationVerdict,
};
pub use workspace::{
    ApproverAuthority, DefaultPack, FileOrigin, FileSuccessor, FileVersion, FrozenWorkspace, HeldAuthority,
    SealedApproval, SealedWorkspace, SecretSource, StoredContent, WorkspaceEvent, WorkspaceInput, WorkspaceLogEvent,
    WorkspacePerson, WorkspaceQuota, WorkspaceSettings,
};
