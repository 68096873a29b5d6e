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
  /** The transcripts that answered its models in place of providers, each once. */
  replays?: ServedTranscript[];
  /** The run. */
  run_id: string;
  /** The frozen snapshot of the profile that governed it, if one did. */
  snapshot_hash?: string | null;
  /** The workspace that it belongs to, if it has one. */
  workspace?: SealedWorkspace | null;
};

/** The authority by which an approver decided in a role. */
export type ApproverAuthority = "directory" | "sole_person";

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

/** An approval that was used in a run of a workspace. */
export type SealedApproval = {
  /** The approval. */
  approval_id: string;
  /** The approver. */
  approver: string;
  /** Their authority: a workspace of one person is its own approver. */
  authority?: ApproverAuthority | null;
  /** The gate. */
  gate_id: string;
  /** The role in which they decided. */
  role: string;
};

/** The workspace of a run in its seal, with the approvals that were used in it. */
export type SealedWorkspace = {
  /** The approvals that were used, by gate. */
  approvals?: SealedApproval[];
  /** The name. */
  workspace: string;
};

/** A transcript that answered calls of models in place of providers. */
export type ServedTranscript = {
  /** The name of the file, without its folder. */
  file: string;
  /** Plain SHA-256 of its bytes. */
  sha256: string;
};
