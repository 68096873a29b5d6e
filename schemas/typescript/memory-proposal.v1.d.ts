// Generated from schemas/memory-proposal.v1.schema.json by `make schemas`.

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
