// Generated from schemas/cli/files-list.schema.json by `make schemas`.

export type FilesListOutput = {
  /** Null where the command was refused. */
  data: FileList | null;
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

/** The files of a workspace. */
export type FileList = {
  /** The files, by path. */
  files: FileSummary[];
  /** The workspace. */
  workspace: string;
};

/** The origin of a version of a file. */
export type FileOrigin = {
  by: "person";
  /** A remark. */
  note?: string | null;
  /** The name of the file that was uploaded. */
  source?: string | null;
} | {
  /** The path in the run. */
  artifact: string;
  by: "run";
  /** The hash of its compiled plan. */
  plan_hash: string;
  /** The hash of the signed postflight receipt of the step: plain SHA-256 of its canonical envelope. */
  receipt_hash: string;
  /** The run. */
  run_id: string;
  /** The step. */
  step_id: string;
};

/** A version of a file that a run wrote, as it stands for another one. */
export type FileSuccessor = {
  /** The path. */
  path: string;
  /** The run that wrote it. */
  run_id: string;
  /** The version. */
  version: number;
};

/** A file in short. */
export type FileSummary = {
  /** The newest version. */
  latest: FileVersion;
  /** The path. */
  path: string;
  /** The number of its versions. */
  versions: number;
};

/** A version of a file. */
export type FileVersion = {
  /** The actor. */
  actor: string;
  /** The time, in RFC 3339. */
  at: string;
  /** The content; none for a removal. */
  content?: StoredContent | null;
  /** The hash of its event in the log of the workspace. */
  event: string;
  /** The origin; none for a removal. */
  origin?: FileOrigin | null;
  /** The reason of a removal. */
  reason?: string | null;
  /** For a removal, the output that took the place of the file. */
  replaced_by?: FileSuccessor | null;
  /** The version of a run that was submitted later. It was there when this one was written, and stays the newest. */
  superseded_by?: FileSuccessor | null;
  /** The version, counted from 1. */
  version: number;
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

/** A related place. */
export type RelatedRecord = {
  /** The place. */
  location: LocationRecord;
  /** Its relation to the finding. */
  message: string;
};

/** The severity of a diagnostic. */
export type SeverityRecord = "info" | "warning" | "error";

/** Stored content by its hash. */
export type StoredContent = {
  /** Plain SHA-256 of its bytes. */
  sha256: string;
  /** The size in bytes. */
  size_bytes: number;
};
