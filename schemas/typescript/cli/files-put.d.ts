// Generated from schemas/cli/files-put.schema.json by `make schemas`.

export type FilesPutOutput = {
  /** Null where the command was refused. */
  data: PutFiles | null;
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

/** A file that was uploaded. */
export type PutFile = {
  /** The path. */
  path: string;
  /** The hash of its content. */
  sha256: string;
  /** The size in bytes. */
  size_bytes: number;
  /** True where the newest version had this content already, and no version was added. */
  unchanged: boolean;
  /** Its newest version. */
  version: number;
};

/** Files that were uploaded. */
export type PutFiles = {
  /** The files. */
  files: PutFile[];
  /** True where an event was recorded; false where nothing had changed. */
  recorded: boolean;
  /** The workspace. */
  workspace: string;
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
