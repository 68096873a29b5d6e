// Generated from schemas/memory.v1.schema.json by `make schemas`.

export type Memory = MemoryItem[];

/**
 * A memory, recalled before the compile: an object with these fields. A missing or invalid field rejects the memory
 * with a reason; a field of the wrong type refuses the list.
 */
export type MemoryItem = {
  /** The class of memory, such as `preference`. */
  class?: string | null;
  /**
   * `PUBLIC`, `INTERNAL`, `CONFIDENTIAL` or `RESTRICTED`; at most the classification of the pack, and of the run if
   * it names one.
   */
  classification?: string | null;
  /** The confidence that it was proposed with, from 0 to 1. */
  confidence?: number | null;
  /** The reference of the consent that personal data in it was given under. */
  consent?: string | null;
  /** The id of the memory that it corrects; only for the class `correction`. */
  corrects?: string | null;
  /** The entity that the fact is about. */
  entity?: string;
  /** Unique id of the memory. */
  id: string;
  /** The intent that it serves, or `*` for any. */
  intent_id?: string | null;
  /** True if it holds personal data that no detector knows, such as a name. */
  personal_data?: boolean;
  /** The predicate. */
  predicate?: string;
  /** The time of its promotion, in RFC 3339; a capture that was not promoted has none. */
  promoted_at?: string | null;
  /** References of its sources. */
  provenance?: string[];
  /** The role of the person who accepted it. */
  reviewed_by?: string | null;
  /** The subject that it is about, or `*` for any. */
  subject?: string | null;
  /** The tenant that it belongs to; must be the run's tenant. */
  tenant_id?: string | null;
  /** The memory as text. */
  text?: string | null;
  /** `working`, `episodic`, `semantic` or `durable`; its lifetime is the pack's. */
  tier?: string | null;
  /** The value. */
  value?: unknown;
};
