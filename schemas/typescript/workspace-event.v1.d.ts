// Generated from schemas/workspace-event.v1.schema.json by `make schemas`.

/** One entry of the log of a workspace: the body of a link in the hash chain. */
export type WorkspaceEventDocument = {
  /** The actor, as named by the caller. */
  actor: string;
  /** The time, in RFC 3339 and UTC. */
  at: string;
  /** The event. */
  event: WorkspaceEvent;
  /** The version of this record's format. A reader refuses a version that it does not know. */
  format: number;
};

/** A pack that runs use by default. */
export type DefaultPack = {
  /** The environment whose pinned version is used. */
  environment?: string | null;
  /** A published version, or with an environment an id. */
  pack: string;
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

/** The outcome of a run. */
export type RunOutcome = "succeeded" | "failed" | "cancelled";

/** The source of a secret. */
export type SecretSource = {
  from: "project";
} | {
  /** The name of the file. */
  file: string;
  from: "file";
} | {
  from: "environment";
  /** The name of the variable. */
  variable: string;
};

/** Stored content by its hash. */
export type StoredContent = {
  /** Plain SHA-256 of its bytes. */
  sha256: string;
  /** The size in bytes. */
  size_bytes: number;
};

/** A transition of a workspace. */
export type WorkspaceEvent = {
  kind: "workspace_created";
  /** The kind of work that it is for, in words. */
  purpose?: string | null;
  /** The tenant of the home. */
  tenant_id: string;
  /** The name. */
  workspace: string;
} | {
  kind: "settings_changed";
  /** All settings from now on. */
  settings: WorkspaceSettings;
} | {
  kind: "person_added";
  /** The name for readers. */
  name?: string | null;
  /** The identity, as it is recorded as the actor. */
  person_id: string;
  /** All roles from now on. */
  roles: string[];
} | {
  kind: "person_removed";
  /** The identity. */
  person_id: string;
  /** The reason. */
  reason?: string | null;
} | {
  /** The content. */
  content: StoredContent;
  kind: "file_written";
  /** The origin. */
  origin: FileOrigin;
  /** The path, beginning with `people/` or `agents/`. */
  path: string;
  /** The version, counted from 1 for each path. */
  version: number;
} | {
  kind: "file_removed";
  /** The path. */
  path: string;
  /** The reason. */
  reason: string;
  /** The version. */
  version: number;
} | {
  /** The file versions that it reads. */
  inputs: WorkspaceInput[];
  kind: "run_began";
  /** The name of its plan. */
  plan: string;
  /** The run. */
  run_id: string;
} | {
  /** The number of files that were written. */
  files: number;
  kind: "run_ended";
  /** The outcome. */
  outcome: RunOutcome;
  /** The run. */
  run_id: string;
};

/** A version of a file that a run reads. */
export type WorkspaceInput = {
  /** The path in the run, such as `input/people/hours.csv`. */
  input: string;
  /** The path in the workspace. */
  path: string;
  /** Plain SHA-256 of its bytes. */
  sha256: string;
  /** The size in bytes. */
  size_bytes: number;
  /** The version. */
  version: number;
};

/** The limits of what a workspace keeps. */
export type WorkspaceQuota = {
  /** The bytes of all versions together; equal content counts once. */
  bytes: number;
  /** The number of versions of all files together. */
  versions: number;
};

/** The settings of a workspace. */
export type WorkspaceSettings = {
  /** The pack of runs that name none. */
  default_pack?: DefaultPack | null;
  /** The profile of runs that name none, where the registry binds none to the workspace. */
  default_profile?: string | null;
  /** The settings of models, and limits that only narrow: the workspace's level of the profile chain, as authored. */
  model_settings?: unknown;
  /** The limits of what is kept. */
  quota?: WorkspaceQuota;
  /** The secrets that runs may send, by name, each with its source. Never a value. */
  secrets?: {
    [key: string]: SecretSource;
  };
};
