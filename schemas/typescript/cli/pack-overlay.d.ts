// Generated from schemas/cli/pack-overlay.schema.json by `make schemas`.

export type PackOverlayOutput = {
  /** Null where the command was refused. */
  data: ResolvedPack | null;
  /** Findings, as in schemas/diagnostic.v1.schema.json. */
  diagnostics: DiagnosticRecord[];
  /** False where something was found or refused. */
  ok: boolean;
  /** Version of this form. */
  version: 1;
};

/** One applied change of an overlay. */
export type AppliedChange = {
  /** The new value. */
  after: unknown;
  /** The previous value; `null` if there was none. */
  before: unknown;
  /** The kind of change. */
  kind: string;
  /** The overlay. */
  overlay_ref: OverlayRef;
  /** JSON Pointer into the pack. */
  pointer: string;
  /** The proof that this only tightens, as a sentence. */
  proof: string;
  /** The author's reason. */
  rationale: string | null;
};

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

export type OverlayRef = string;

/** A position in a text. */
export type PositionRecord = {
  /** Bytes from the start. */
  byte: number;
  /** Column from 1, in characters. */
  column: number;
  /** Line from 1. */
  line: number;
};

/** A related place. */
export type RelatedRecord = {
  /** The place. */
  location: LocationRecord;
  /** Its relation to the finding. */
  message: string;
};

/** A pack with its overlays applied. */
export type ResolvedPack = {
  /** The hash of the pack without overlays. */
  base_hash: string;
  /** Every change, with the proof that it only tightens. */
  changes: AppliedChange[];
  /** The hash of the resolved pack. */
  hash: string;
  /** The overlays, in the order in which they were applied. */
  overlays: SignedOverlay[];
  /** The resolved pack. */
  pack: {
    [key: string]: unknown;
  };
};

/** The severity of a diagnostic. */
export type SeverityRecord = "info" | "warning" | "error";

/** An overlay inside a signature. */
export type SignedOverlay = {
  /** Typed hash of the document. */
  content_hash: string;
  /** The overlay. */
  overlay_ref: OverlayRef;
};
