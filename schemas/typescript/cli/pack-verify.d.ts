// Generated from schemas/cli/pack-verify.schema.json by `make schemas`.

export type PackVerifyOutput = {
  /** Null where the command was refused. */
  data: VerifiedPack | null;
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

/** A review that holds. */
export type ProvenReview = {
  /** The key that signed it. */
  key_id: string;
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

/** The severity of a diagnostic. */
export type SeverityRecord = "info" | "warning" | "error";

/** The end of a hash chain. */
export type ShownHead = {
  /** The hash of that event. */
  hash: string;
  /** The place of its last event. */
  seq: number;
};

/** The result of a verification: of a version or pin, files alone, or the whole registry. */
export type VerifiedPack = {
  /** Its hash. */
  content_hash: string;
  /** Its issuer. */
  issuer: string;
  /** The version. */
  pack_ref: string;
  /** The reviews that hold. */
  reviews: ProvenReview[];
  /** The key that signed it. */
  signer: string;
  /** Its state. */
  state: string;
} | {
  /** Its hash. */
  content_hash: string;
  /** Its issuer. */
  issuer: string;
  /** The facts that cannot be proved without the registry. */
  not_proved: string[];
  /** The version. */
  pack_ref: string;
  /** The facts that were proved. */
  proved: string[];
  /** The key that signed it. */
  signer: string;
} | {
  /** The number of events in its log. */
  events: number;
  /** The end of the log. */
  head: ShownHead | null;
};
