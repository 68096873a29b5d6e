// Generated from schemas/cli/pack-pin.schema.json by `make schemas`.

export type PackPinOutput = {
  /** Null where the command was refused. */
  data: PinnedPack | null;
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

/** A version that is pinned. */
export type PinnedPack = {
  /** The regressions that are accepted on the record. */
  accepted: string[];
  /** The requests that were compared with the version before. */
  compared: number;
  /** The environment. */
  environment: string;
  /** The event in the log; null where it was pinned before. */
  event: Recorded | null;
  /** The golden cases of the version that were run before. */
  golden_cases: number;
  /** The time that they took, in milliseconds. */
  golden_ms: number;
  /** The overlays that the environment applies. */
  overlays: string[];
  /** The version. */
  pack_ref: string;
  /** The version that the environment used before; null where it used none. */
  replaces: string | null;
  /** True where the environment went back to an earlier version. */
  rollback: boolean;
  /** The tenant of the environment. */
  tenant_id: string;
  /** The time that the whole operation took, in milliseconds. */
  took_ms: number;
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

/** A related place. */
export type RelatedRecord = {
  /** The place. */
  location: LocationRecord;
  /** Its relation to the finding. */
  message: string;
};

/** The severity of a diagnostic. */
export type SeverityRecord = "info" | "warning" | "error";
