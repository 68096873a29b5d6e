// Generated from schemas/pack-ending.v1.schema.json by `make schemas`.

/** The statement that an issuer signs about a published version that may not be used as before. */
export type PackEnding = {
  /** Typed hash of the document. */
  content_hash: string;
  /** The state that it entered. */
  end: PackEnd;
  /** The issuer. */
  issuer: string;
  /** The pack. */
  pack_ref: PackRef;
  /** The reason, as the registry of the issuer has it. */
  reason: string;
};

/** The state in which a version is no longer used for new work. */
export type PackEnd = "deprecated" | "revoked";

export type PackRef = string;
