// Generated from schemas/cli/profile-show.schema.json by `make schemas`.

export type ProfileShowOutput = {
  /** Null where the command was refused. */
  data: ShownProfile | null;
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

/** An event in the life of a published version. */
export type HistoryEntry = {
  /** The actor. */
  actor: string;
  /** The time. */
  at: string;
  /** The scope, the reason or the key, in words. */
  detail: string;
  /** The event, such as `profile_bound`. */
  event: string;
  /** Its place in the audit log. */
  seq: number;
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

/** The origin of a profile. */
export type ProfileOrigin = "shipped" | "published" | "file";

/** A related place. */
export type RelatedRecord = {
  /** The place. */
  location: LocationRecord;
  /** Its relation to the finding. */
  message: string;
};

/** The severity of a diagnostic. */
export type SeverityRecord = "info" | "warning" | "error";

/** A profile. */
export type ShownProfile = {
  /** Its hash; null where the document has no canonical form. */
  content_hash: string | null;
  /** The document, as it was written; null with `--history`. */
  document: unknown;
  /** Its events in the audit log, in order. */
  history: HistoryEntry[];
  /** Its origin. */
  origin: ProfileOrigin;
  /** Its reference; null where the document is not a profile. */
  profile_ref: string | null;
  /** The reason of its deprecation or revocation. */
  reason: string | null;
  /** Its state in the registry, such as `published`; null where it is not published. */
  state: string | null;
};
