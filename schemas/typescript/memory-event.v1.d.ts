// Generated from schemas/memory-event.v1.schema.json by `make schemas`.

/** One entry of the memory log: the body of a link in the hash chain. */
export type MemoryEventDocument = {
  /** The actor, as named by the caller. */
  actor: string;
  /** The time, in RFC 3339 and UTC. */
  at: string;
  /** The event. */
  event: MemoryEvent;
  /** The version of this record's format. A reader refuses a version that it does not know. */
  format: number;
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

/** The grounds for a promotion. */
export type PromotionBasis = "confidence" | "review";

/** A reason why the checks reject a proposal. */
export type RejectionReason = "no_content" | "too_large" | "confidence_out_of_range" | "missing_provenance" | "malformed_provenance" | "class_not_allowed" | "other_tenant" | "any_subject" | "unknown_intent" | "unknown_tier" | "tier_without_ttl" | "unknown_classification" | "above_classification" | "personal_data_not_allowed" | "missing_consent" | "malformed_consent" | "not_a_correction" | "corrects_unknown" | "corrects_another_fact" | "revoked_before";

/** The decision of a reviewer about a candidate. */
export type ReviewDecision = "accepted" | "rejected";

/** A reason why a person has to review a candidate before it can be promoted. */
export type ReviewDemand = "low_confidence" | "no_threshold" | "unproven_pack" | "personal_data" | "contradiction";

/** A review role. */
export type ReviewRole = "architecture" | "security" | "data" | "evaluation";
