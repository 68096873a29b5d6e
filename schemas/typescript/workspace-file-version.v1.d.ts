// Generated from schemas/workspace-file-version.v1.schema.json by `make schemas`.

/** A version of a file. */
export type WorkspaceFileVersion = {
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

/** Stored content by its hash. */
export type StoredContent = {
  /** Plain SHA-256 of its bytes. */
  sha256: string;
  /** The size in bytes. */
  size_bytes: number;
};
