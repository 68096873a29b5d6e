// Generated from schemas/cli/profile-revoke.schema.json by `make schemas`.

export type ProfileRevokeOutput = {
  /** Null where the command was refused. */
  data: RevokedProfile | null;
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

/** A profile that was revoked. */
export type RevokedProfile = {
  /** The event in the log; null where it was recorded before. */
  event: Recorded | null;
  /** Its reference. */
  profile_ref: string;
  /** The reason. */
  reason: string;
  /** The runs under way that go on under their frozen snapshots of it. */
  under_way: string[];
};

/** The severity of a diagnostic. */
export type SeverityRecord = "info" | "warning" | "error";
