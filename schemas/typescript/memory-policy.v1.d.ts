// Generated from schemas/memory-policy.v1.schema.json by `make schemas`.

/** Recall and write-back rules. */
export type MemoryPolicyDocument = {
  /** Lifetimes, write classes and consent. */
  memory_policy: MemoryPolicy;
  /** Thresholds for promotion. */
  promotion_thresholds?: PromotionThresholds | null;
  /** Limits on recall. */
  recall_policy?: RecallPolicy | null;
};

/** Consent requirements. */
export type ConsentGating = {
  /** True if personal data may be written back. */
  pii_write_back_allowed: boolean;
};

/** Lifetimes, write classes and consent. */
export type MemoryPolicy = {
  /** Consent requirements. */
  consent_gating?: ConsentGating | null;
  /** The scope in which a memory is shared; the tenant by default. */
  scope?: MemoryScope | null;
  /** The lifetime of each tier, such as `1h` or `365d`. */
  tier_ttls: TierTtls;
  /** Classes that may be proposed for writing. */
  write_classes_allowed?: string[];
};

/** The scope in which a memory is shared. */
export type MemoryScope = "subject" | "tenant" | "global";

/** Thresholds for promotion. */
export type PromotionThresholds = {
  /** The confidence from which no person is asked. */
  auto_promote_confidence: number;
};

/** Limits on recall. */
export type RecallPolicy = {
  /** The maximum number of memories for one intent; 8 by default. */
  max_per_intent: number;
};

/** The lifetime of each tier. */
export type TierTtls = {
  /** Facts that are kept for years. */
  durable?: string | null;
  /** Across recent tasks. */
  episodic?: string | null;
  /** Facts. */
  semantic?: string | null;
  /** Within a task. */
  working?: string | null;
};
