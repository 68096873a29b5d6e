// Generated from schemas/cli/pack-review.schema.json by `make schemas`.

export type PackReviewOutput = {
  /** Null where the command was refused. */
  data: Reviews | null;
  /** Findings, as in schemas/diagnostic.v1.schema.json. */
  diagnostics: DiagnosticRecord[];
  /** False where something was found or refused. */
  ok: boolean;
  /** Version of this form. */
  version: 1;
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

/** A review that was brought in. */
export type ImportedReview = {
  /** The event in the log; null where it was recorded before. */
  event: Recorded | null;
  /** The file. */
  file: string;
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

/** A position in a text. */
export type PositionRecord = {
  /** Bytes from the start. */
  byte: number;
  /** Column from 1, in characters. */
  column: number;
  /** Line from 1. */
  line: number;
};

/** An event that was appended to the log. */
export type Recorded = {
  /** Its hash. */
  hash: string;
  /** Its place. */
  seq: number;
};

/** A review that was recorded. */
export type RecordedReview = {
  /** The event in the log; null where it was recorded before. */
  event: Recorded | null;
  /** The role. */
  role: ReviewRole;
};

/** A related place. */
export type RelatedRecord = {
  /** The place. */
  location: LocationRecord;
  /** Its relation to the finding. */
  message: string;
};

/** A review role. */
export type ReviewRole = "architecture" | "security" | "data" | "evaluation";

/** A pack that was reviewed. */
export type ReviewedPack = {
  /** Its hash. */
  content_hash: string;
  /** The key that signed. */
  key_id: string;
  /** The version. */
  pack_ref: string;
  /** The roles whose reviews its policy demands. */
  required_roles: ReviewRole[];
  /** The reviews that were recorded now. */
  reviews: RecordedReview[];
};

/** Reviews of a pack: signed here, or brought in with `--import`. */
export type Reviews = ReviewedPack | {
  /** The files, with their events. */
  imported: ImportedReview[];
  /** The version; null where no review was found. */
  pack_ref: string | null;
};

/** The severity of a diagnostic. */
export type SeverityRecord = "info" | "warning" | "error";
