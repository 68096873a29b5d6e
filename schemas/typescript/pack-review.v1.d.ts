// Generated from schemas/pack-review.v1.schema.json by `make schemas`.

/** The statement that a reviewer signs: I reviewed this document in this role. */
export type PackReview = {
  /** Typed hash of the document. */
  content_hash: string;
  /** The golden cases that were reviewed with it, by name. */
  golden?: SignedGolden[];
  /** The issuer. */
  issuer: string;
  /** The reviewer's note. */
  note?: string | null;
  /** The overlays that were reviewed with it, in order of application. */
  overlays: SignedOverlay[];
  /** The pack. */
  pack_ref: PackRef;
  /** The role. */
  role: ReviewRole;
};

export type OverlayRef = string;

export type PackRef = string;

/** A review role. */
export type ReviewRole = "architecture" | "security" | "data" | "evaluation";

/** A golden case inside a signature. */
export type SignedGolden = {
  /** Typed hash of the document. */
  content_hash: string;
  /** Its name: the file's, without its extension. */
  name: string;
};

/** An overlay inside a signature. */
export type SignedOverlay = {
  /** Typed hash of the document. */
  content_hash: string;
  /** The overlay. */
  overlay_ref: OverlayRef;
};
