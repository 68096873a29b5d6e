// Generated from schemas/pack-signature.v1.schema.json by `make schemas`.

/** The statement that an issuer signs: this document, with these overlays, is this version. */
export type PackSignature = {
  /** Typed hash of the document. */
  content_hash: string;
  /**
   * The golden cases that belong to it, by name. Absent in statements from before they were part of a pack, which are
   * about a pack without any.
   */
  golden?: SignedGolden[];
  /** The issuer. */
  issuer: string;
  /** The overlays that belong to it, in order of application. */
  overlays: SignedOverlay[];
  /** The pack. */
  pack_ref: PackRef;
};

export type OverlayRef = string;

export type PackRef = string;

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
