// Generated from schemas/evidence.v1.schema.json by `make schemas`.

export type Evidence = EvidenceItem[];

/**
 * A piece of evidence: an object with these fields. A missing or invalid field rejects the piece with a reason; a
 * field of the wrong type refuses the list.
 */
export type EvidenceItem = {
  /**
   * `PUBLIC`, `INTERNAL`, `CONFIDENTIAL` or `RESTRICTED`; at most the classification of the pack, and of the run if
   * it names one.
   */
  classification?: string | null;
  /** References of evidence that contradicts it. */
  conflicts_with?: string[];
  /** The content: a text, or any JSON. */
  content?: unknown;
  /** `kg:<type>:<id>#<snapshot>`, `tool:<adapter>.<capability>:<call>` or `session:<id>`. */
  evidence_ref: string;
  /** The time from which it is no longer valid, in RFC 3339. */
  expires_at?: string | null;
  /** `sha256:<hex>` over the bytes of a text, or over the canonical JSON of anything else. */
  payload_hash?: string | null;
  /**
   * Its relevance as the retrieval judged it: the smaller, the earlier it is packed. Evidence without a rank comes
   * last.
   */
  rank?: number | null;
  /** The decision that resolves a conflict in favour of this piece. */
  resolution_ref?: string | null;
  /** The time of retrieval, in RFC 3339. */
  retrieved_at?: string | null;
  /** The id of its source. */
  source_id?: string | null;
  /** Free tags such as `PII`. */
  tags?: string[];
  /** The tenant that it belongs to; must be the run's tenant. */
  tenant_id?: string | null;
};
