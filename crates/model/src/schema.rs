//! JSON Schemas of the contracts.

use crate::{
    AdapterSchema, AuditEvent, CompiledContext, CompiledPlan, ContextPack, DecisionCase, DecisionCatalog,
    DecisionDraft, DecisionEvent, DecisionRecord, DiagnosticRecord, EvaluatorResults, EvidenceItem, ExecutionProfile,
    FileVersion, GoldenCase, InvokeRequest, LadderContract, LadderMapping, LadderReport, Library, MemoryItem,
    MemoryLayer, MemoryLogEvent, MemoryProposal, ModelCall, ModelConfig, ModelReply, ModelSettings, OntologyDocument,
    Overlay, PackEnding, PackExport, PackReview, PackSignature, PacketLife, Plan, PolicyBundle, PostflightReceipt,
    PreflightReceipt, PriceTable, ProfileSnapshot, PromptBinding, Proposals, ReplayBundle, ReplayPacket, RunCheckpoint,
    RunContext, RunRecord, RunSeal, SignedApproval, ToolEnvelope, TranscriptLine, TrustStore, ValidationPack,
    ValidationReceipt, WorkspaceLogEvent, WorkspacePerson, WorkspaceSettings,
};
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::Value;

/// A generated file under `schemas/`.
pub struct SchemaFile {
    /// File name.
    pub name: &'static str,
    /// The schema.
    pub schema: Value,
}

/// Generates the JSON Schema (2020-12) of a contract.
pub fn schema_for<T: JsonSchema>() -> Value {
    SchemaGenerator::new(SchemaSettings::draft2020_12()).into_root_schema_for::<T>().to_value()
}

/// Returns the id of a schema by the name of its file: `urn:deed:schema:compiled-context:v1`. It names the contract and
/// leads nowhere.
fn schema_id(file: &str) -> String {
    let stem = file.trim_end_matches(".schema.json");
    format!("urn:deed:schema:{}", stem.replace('.', ":"))
}

/// Returns every generated schema, each with an id of its own.
pub fn schemas() -> Vec<SchemaFile> {
    fn file<T: JsonSchema>(name: &'static str) -> SchemaFile {
        let mut schema = schema_for::<T>();
        if let Value::Object(keywords) = &mut schema {
            keywords.insert("$id".to_owned(), Value::from(schema_id(name)));
        }
        SchemaFile { name, schema }
    }
    vec![
        file::<AdapterSchema>("adapter-schema.v1.schema.json"),
        file::<DecisionCatalog>("decision-catalog.v1.schema.json"),
        file::<EvaluatorResults>("evaluator-results.v1.schema.json"),
        file::<MemoryLayer>("memory-policy.v1.schema.json"),
        file::<ModelConfig>("model-config.v1.schema.json"),
        file::<ModelCall>("model-call.v1.schema.json"),
        file::<ModelReply>("model-reply.v1.schema.json"),
        file::<PriceTable>("price-table.v1.schema.json"),
        file::<TranscriptLine>("transcript.v1.schema.json"),
        file::<OntologyDocument>("ontology.v1.schema.json"),
        file::<PolicyBundle>("policy-bundle.v1.schema.json"),
        file::<AuditEvent>("audit-event.v1.schema.json"),
        file::<CompiledContext<'static>>("compiled-context.v1.schema.json"),
        file::<Library>("catalog-pack.v1.schema.json"),
        file::<CompiledPlan>("compiled-plan.v1.schema.json"),
        file::<Overlay>("context-overlay.v1.schema.json"),
        file::<ContextPack>("context-pack.v2.schema.json"),
        file::<DecisionCase>("decision-case.v1.schema.json"),
        file::<DecisionDraft>("decision-draft.v1.schema.json"),
        file::<DecisionEvent>("decision-event.v1.schema.json"),
        file::<DecisionRecord>("decision-record.v1.schema.json"),
        file::<DiagnosticRecord>("diagnostic.v1.schema.json"),
        file::<Vec<EvidenceItem>>("evidence.v1.schema.json"),
        file::<ExecutionProfile>("execution-profile.v1.schema.json"),
        file::<ProfileSnapshot>("profile-snapshot.v1.schema.json"),
        file::<PromptBinding>("prompt-binding.v1.schema.json"),
        file::<ModelSettings>("model-settings.v1.schema.json"),
        file::<GoldenCase>("golden-case.v1.schema.json"),
        file::<InvokeRequest>("invoke-request.v1.schema.json"),
        file::<LadderContract>("ladder-contract.v1.schema.json"),
        file::<LadderMapping>("ladder-mapping.v1.schema.json"),
        file::<Plan>("plan.v1.schema.json"),
        file::<PreflightReceipt>("preflight-receipt.v1.schema.json"),
        file::<PostflightReceipt>("postflight-receipt.v1.schema.json"),
        file::<RunRecord>("run-record.v1.schema.json"),
        file::<RunCheckpoint>("run-checkpoint.v1.schema.json"),
        file::<RunSeal>("run-seal.v1.schema.json"),
        file::<SignedApproval>("signed-approval.v1.schema.json"),
        file::<Proposals>("ladder-proposals.v1.schema.json"),
        file::<LadderReport>("ladder-report.v1.schema.json"),
        file::<Vec<MemoryItem>>("memory.v1.schema.json"),
        file::<MemoryLogEvent>("memory-event.v1.schema.json"),
        file::<MemoryProposal>("memory-proposal.v1.schema.json"),
        file::<PackEnding>("pack-ending.v1.schema.json"),
        file::<PackReview>("pack-review.v1.schema.json"),
        file::<PackSignature>("pack-signature.v1.schema.json"),
        file::<PacketLife>("packet-life.v1.schema.json"),
        file::<ReplayBundle>("replay-bundle.v2.schema.json"),
        file::<ReplayPacket>("replay-packet.v2.schema.json"),
        file::<RunContext>("run-context.v1.schema.json"),
        file::<PackExport>("pack-export.v1.schema.json"),
        file::<ToolEnvelope>("tool-envelope.v1.schema.json"),
        file::<TrustStore>("trust-store.v1.schema.json"),
        file::<ValidationPack>("validation-pack.v1.schema.json"),
        file::<ValidationReceipt>("validation-receipt.v1.schema.json"),
        file::<WorkspaceLogEvent>("workspace-event.v1.schema.json"),
        file::<FileVersion>("workspace-file-version.v1.schema.json"),
        file::<WorkspacePerson>("workspace-person.v1.schema.json"),
        file::<WorkspaceSettings>("workspace-settings.v1.schema.json"),
    ]
}
