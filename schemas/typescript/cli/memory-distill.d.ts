// Generated from schemas/cli/memory-distill.schema.json by `make schemas`.

export type MemoryDistillOutput = {
  /** Null where the command was refused. */
  data: DistilledMemories | null;
  /** Findings, as in schemas/diagnostic.v1.schema.json. */
  diagnostics: DiagnosticRecord[];
  /** False where something was found or refused. */
  ok: boolean;
  /** Version of this form. */
  version: 1;
};

/** A candidate, and what became of it. */
export type CandidateData = {
  /** The memory that it was proposed as; null if it was refused before that. */
  memory: MemoryData | null;
  /** Its sources; empty if it was not proposed, or the checks rejected it. */
  provenance: string[];
  /** The reason why it was not proposed. */
  refused: string | null;
  /** Its statement. */
  statement: string;
};

/** A diagnostic in JSON. */
export type DiagnosticRecord = {
  /** The stable code, explained by `deed explain`. */
  code: string;
  /** Help: how to fix it. */
  help: string | null;
  /** The place. */
  location: LocationRecord | null;
  /** The message. */
  message: string;
  /** Related places. */
  related: RelatedRecord[];
  /** The severity. */
  severity: SeverityRecord;
  /** The stage, gate or command that reported it. */
  stage: string;
};

/** What was distilled from a run. */
export type DistilledMemories = {
  /** The candidates, in the order of the reply. */
  candidates: CandidateData[];
  /** The journal of the distillation. */
  distillation: string;
  /** False if an earlier command distilled the run: nothing was asked and nothing proposed. */
  is_new: boolean;
  /** Artifacts that the model did not read; of a distillation that was made now. */
  left_out: LeftOutArtifact[];
  /** The run. */
  run_id: string;
};

/** An artifact that the model did not read. */
export type LeftOutArtifact = {
  /** Its path. */
  path: string;
  /** The reason. */
  reason: string;
};

/** A place in a file. */
export type LocationRecord = {
  /** The end of the place, exclusive. */
  end: PositionRecord | null;
  /** The file's name as the user gave it. */
  file: string;
  /** JSON Pointer into the document. */
  pointer: string | null;
  /** The start of the place. */
  start: PositionRecord | null;
};

/** A memory. */
export type MemoryData = {
  /** The time of its capture. */
  captured_at: string;
  /** Its class. */
  class: string | null;
  /** The confidence of the proposer. */
  confidence: number | null;
  /** The promoted facts that it contradicted when it was checked. */
  contradicts: string[];
  /** Its intent. */
  intent_id: string | null;
  /** Its id. */
  memory_id: string;
  /** The promotion. */
  promotion: PromotionData | null;
  /** The actor who proposed it. */
  proposer: string;
  /** The reasons of the checks that rejected it. */
  rejected: RejectionReason[];
  /** The last review. */
  review: ReviewData | null;
  /** The reasons why a person must review it. */
  review_demanded: ReviewDemand[];
  /** The reason of its revocation. */
  revoked: string | null;
  /** `captured`, `rejected`, `in_review`, `accepted`, `promoted`, `expired`, `superseded` or `revoked`. */
  status: string;
  /** Its subject. */
  subject: string | null;
  /** The memory that took its place. */
  superseded_by: string | null;
  /** Its tenant; null where the checks rejected it, as all of the next five. */
  tenant_id: string | null;
  /** Its tier. */
  tier: string | null;
};

/** A position in a text. */
export type PositionRecord = {
  /** Bytes from the start. */
  byte: number;
  /** Column from 1, in characters. */
  column: number;
  /** Line from 1. */
  line: number;
};

/** A promotion. */
export type PromotionData = {
  /** The time. */
  at: string;
  /** `confidence` or `review`. */
  basis: string;
  /** The hash of the event. */
  event: string;
  /** The first instant at which it is not recalled any more. */
  expires_at: string;
  /** The memories whose place it took. */
  supersedes: string[];
};

/** A reason why the checks reject a proposal. */
export type RejectionReason = "no_content" | "too_large" | "confidence_out_of_range" | "missing_provenance" | "malformed_provenance" | "class_not_allowed" | "other_tenant" | "any_subject" | "unknown_intent" | "unknown_tier" | "tier_without_ttl" | "unknown_classification" | "above_classification" | "personal_data_not_allowed" | "missing_consent" | "malformed_consent" | "not_a_correction" | "corrects_unknown" | "corrects_another_fact" | "revoked_before";

/** A related place. */
export type RelatedRecord = {
  /** The place. */
  location: LocationRecord;
  /** Its relation to the finding. */
  message: string;
};

/** A review. */
export type ReviewData = {
  /** The decision. */
  decision: ReviewDecision;
  /** The reason. */
  reason: string;
  /** The reviewer. */
  reviewer: string;
  /** The role of the reviewer. */
  role: ReviewRole;
  /** True if the reviewer had proposed it too. */
  self_review: boolean;
};

/** The decision of a reviewer about a candidate. */
export type ReviewDecision = "accepted" | "rejected";

/** A reason why a person has to review a candidate before it can be promoted. */
export type ReviewDemand = "low_confidence" | "no_threshold" | "unproven_pack" | "personal_data" | "contradiction";

/** A review role. */
export type ReviewRole = "architecture" | "security" | "data" | "evaluation";

/** The severity of a diagnostic. */
export type SeverityRecord = "info" | "warning" | "error";
