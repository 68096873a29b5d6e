// Generated from schemas/cli/memory-show.schema.json by `make schemas`.

export type MemoryShowOutput = {
  /** Null where the command was refused. */
  data: MemoryHistory | null;
  /** Findings, as in schemas/diagnostic.v1.schema.json. */
  diagnostics: DiagnosticRecord[];
  /** False where something was found or refused. */
  ok: boolean;
  /** Version of this form. */
  version: 1;
};

/** A classification level, most open first. */
export type Classification = "PUBLIC" | "INTERNAL" | "CONFIDENTIAL" | "RESTRICTED";

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

/** An event with its place in the log. */
export type LoggedEvent = {
  /** The event. */
  entry: MemoryLogEvent;
  /** The hash. */
  hash: string;
  /** The place. */
  seq: number;
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

/** A transition of a memory. */
export type MemoryEvent = {
  /** The hash of the proposal. */
  content: string;
  kind: "memory_captured";
  /** The memory. */
  memory_id: string;
  /** The hash of the rules that judged it. */
  rules: string;
} | {
  kind: "memory_rejected";
  /** The memory. */
  memory_id: string;
  /** All reasons, in order. */
  reasons: RejectionReason[];
} | {
  /** The promoted facts that it contradicts and does not outrank. */
  contradicts: string[];
  kind: "memory_checked";
  /** The memory. */
  memory_id: string;
  /** The reasons why a person must review it; empty if none has to. */
  review: ReviewDemand[];
  /** The parts of the proposal that decide its life. */
  summary: MemorySummary;
} | {
  /** The promoted facts that it contradicts, as the reviewer saw them; accepting it gives them up. */
  contradicts: string[];
  /** The decision. */
  decision: ReviewDecision;
  kind: "memory_reviewed";
  /** The memory. */
  memory_id: string;
  /** The reason. */
  reason: string;
  /** The role of the reviewer. */
  role: ReviewRole;
  /** True if the reviewer had proposed it too, which the registry's policy allowed. */
  self_review: boolean;
} | {
  /** The grounds for its promotion. */
  basis: PromotionBasis;
  /** The first instant at which it is not recalled any more. */
  expires_at: string;
  kind: "memory_promoted";
  /** The memory. */
  memory_id: string;
  /** The memories that it takes the place of. */
  supersedes: string[];
  /** Its tier. */
  tier: string;
  /** The lifetime of the tier, in seconds. */
  ttl_seconds: number;
} | {
  /** The memory that took its place. */
  by: string;
  kind: "memory_superseded";
  /** The memory. */
  memory_id: string;
} | {
  kind: "memory_expired";
  /** The memory. */
  memory_id: string;
} | {
  kind: "memory_revoked";
  /** The memory. */
  memory_id: string;
  /** The reason. */
  reason: string;
};

/** A memory with its history. */
export type MemoryHistory = {
  /** Its events, in order. */
  events: LoggedEvent[];
  /** The memory. */
  memory: MemoryData;
  /** What was proposed; null where the checks rejected it. */
  proposal: MemoryProposal | null;
  /** The rules that judged it. */
  rules: MemoryRules;
};

/** One entry of the memory log: the body of a link in the hash chain. */
export type MemoryLogEvent = {
  /** The actor, as named by the caller. */
  actor: string;
  /** The time, in RFC 3339 and UTC. */
  at: string;
  /** The event. */
  event: MemoryEvent;
  /** The version of this record's format. A reader refuses a version that it does not know. */
  format: number;
};

/** A memory that is proposed for promotion. It is a candidate and no memory: nothing recalls it before it is promoted. */
export type MemoryProposal = {
  /** The class of memory; one that the pack allows. */
  class: string;
  /** `PUBLIC`, `INTERNAL`, `CONFIDENTIAL` or `RESTRICTED`; at most the classification of the pack. */
  classification: string;
  /** The confidence of the proposer, from 0 to 1. */
  confidence: number;
  /** The reference of the consent that it was given under, such as `consent:cus_17:2026-03-01`. */
  consent?: string | null;
  /** The id of the memory that it corrects; only for the class `correction`. */
  corrects?: string | null;
  /** The entity of a fact: with `predicate` and `value`, in place of `text`. */
  entity?: string | null;
  /** The intent that it serves, or `*` for any. */
  intent_id: string;
  /** True if it holds personal data that no detector knows, such as a name or an address. */
  personal_data?: boolean;
  /** The predicate of a fact. */
  predicate?: string | null;
  /** References of its sources, such as `tool:orders.get_order:call_7` or `feedback:fb_204`. */
  provenance: string[];
  /** The subject that it is about, or `*` for any, where the pack's scope is the tenant. */
  subject: string;
  /** The tenant that it belongs to; must be the pack's. */
  tenant_id: string;
  /** The memory as text. */
  text?: string | null;
  /** `working`, `episodic`, `semantic` or `durable`; its lifetime is the pack's. */
  tier: string;
  /** The value of a fact. */
  value?: unknown;
};

/**
 * The memory rules of a pack, as they stood when a proposal was judged. They are stored with it, so that the judgement can
 * be repeated without the pack.
 */
export type MemoryRules = {
  /** The confidence from which no person is asked; without one a person is always asked. */
  auto_promote_confidence?: number | null;
  /** The classification of the pack: the highest that a memory may have. */
  data_classification: Classification;
  /** The intents of the pack. */
  intents: string[];
  /** The hash of the pack with its overlays. */
  pack_hash: string;
  /** The origin of the pack. One that was not proven promotes nothing without a review. */
  pack_origin: PackOrigin;
  /** The version of the pack. */
  pack_ref: PackRef;
  /** True if personal data may be written, with consent. False where the pack does not say. */
  pii_write_back_allowed: boolean;
  /** The scope in which a memory is shared. */
  scope: MemoryScope;
  /** The tenant of the pack. */
  tenant_id: string;
  /** The tiers to which the pack gives a lifetime. */
  tiers: TierLifetime[];
  /** The classes that may be written. */
  write_classes_allowed: string[];
};

/** The scope in which a memory is shared. */
export type MemoryScope = "subject" | "tenant" | "global";

/** The parts of a proposal that decide its life, without what it says. */
export type MemorySummary = {
  /** The hash of entity and predicate; none for a text. */
  about?: string | null;
  /** The class. */
  class: string;
  /** The confidence of the proposer. */
  confidence: number;
  /** The memory that it corrects. */
  corrects?: string | null;
  /** The intent, or `*`. */
  intent_id: string;
  /** True if it holds personal data. */
  personal_data: boolean;
  /** The hash of what it states: two memories with the same one say the same. */
  statement: string;
  /** The subject, or `*`. */
  subject: string;
  /** The tenant. */
  tenant_id: string;
  /** The tier. */
  tier: string;
  /** The lifetime of the tier in the pack, in seconds. */
  ttl_seconds: number;
};

/** The origin of a pack's documents. */
export type PackOrigin = "proven" | "folder";

export type PackRef = string;

/** A position in a text. */
export type PositionRecord = {
  /** Bytes from the start. */
  byte: number;
  /** Column from 1, in characters. */
  column: number;
  /** Line from 1. */
  line: number;
};

/** The grounds for a promotion. */
export type PromotionBasis = "confidence" | "review";

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

/** The lifetime of a tier. */
export type TierLifetime = {
  /** The tier. */
  tier: string;
  /** Its lifetime in seconds. */
  ttl_seconds: number;
};
