// Generated from schemas/pack-export.v1.schema.json by `make schemas`.

/**
 * A published version: its documents, and the envelopes of its reviews and signatures. It carries no trust: the registry
 * that imports it judges the keys.
 */
export type PackExport = {
  /** Typed hash of the document. */
  content_hash: string;
  /** The pack. */
  document: unknown;
  /**
   * Signed statements of the issuer that the version was deprecated or revoked, as DSSE envelopes. Absent for a version
   * that may be used.
   */
  endings?: unknown[];
  /** `deed/pack-export/v1`. */
  format: string;
  /** Its golden cases, by name. */
  golden?: {
    [key: string]: unknown;
  };
  /** Its overlays, in order of application. */
  overlays: unknown[];
  /** The version. */
  pack_ref: PackRef;
  /** Signed statements of reviewers, as DSSE envelopes. */
  reviews: unknown[];
  /** Signed statements of the issuer, as DSSE envelopes. */
  signatures: unknown[];
};

export type PackRef = string;
