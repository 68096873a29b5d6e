// Generated from schemas/run-seal.v1.schema.json by `make schemas`.

/** The seal of a run: its outcome and the journal up to there, signed, so that nothing can be cut off unnoticed. */
export type RunSeal = {
  /** The last event before the seal. */
  journal: unknown;
  /** The outcome. */
  outcome: RunOutcome;
  /** The files that it delivered. */
  outputs: ArtifactRecord[];
  /** The plan. */
  plan_hash: string;
  /** The run. */
  run_id: string;
};

/** A file by path and content. */
export type ArtifactRecord = {
  /** The path in the workspace. */
  path: string;
  /** Plain SHA-256 of its bytes. */
  sha256: string;
  /** The size in bytes; `bytes` in older records. */
  size_bytes: number;
};

/** The outcome of a run. */
export type RunOutcome = "succeeded" | "failed" | "cancelled";
