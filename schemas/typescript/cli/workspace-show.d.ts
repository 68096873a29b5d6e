// Generated from schemas/cli/workspace-show.schema.json by `make schemas`.

export type WorkspaceShowOutput = {
  /** Null where the command was refused. */
  data: WorkspaceData | null;
  /** Findings, as in schemas/diagnostic.v1.schema.json. */
  diagnostics: DiagnosticRecord[];
  /** False where something was found or refused. */
  ok: boolean;
  /** Version of this form. */
  version: 1;
};

/** A pack that runs use by default. */
export type DefaultPack = {
  /** The environment whose pinned version is used. */
  environment?: string | null;
  /** A published version, or with an environment an id. */
  pack: string;
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

/** The profile of runs that name none. */
export type ProfileInForce = {
  /** Why it is in force: bound to the `workspace`, its `default`, or bound to the `tenant`. */
  origin: string;
  /** The profile. */
  profile: string;
};

/** A related place. */
export type RelatedRecord = {
  /** The place. */
  location: LocationRecord;
  /** Its relation to the finding. */
  message: string;
};

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

/** The severity of a diagnostic. */
export type SeverityRecord = "info" | "warning" | "error";

/** The end of a hash chain. */
export type ShownHead = {
  /** The hash of that event. */
  hash: string;
  /** The place of its last event. */
  seq: number;
};

/** A workspace. */
export type WorkspaceData = {
  /** The bytes of all versions; equal content counts once. */
  bytes: number;
  /** The time of its creation. */
  created_at: string;
  /** The person who created it. */
  created_by: string;
  /** The end of its log. */
  head: ShownHead | null;
  /** The number of its memories. */
  memories: number;
  /** The people. */
  people: WorkspacePerson[];
  /** The profile of runs that name none. */
  profile?: ProfileInForce | null;
  /** The latest runs, the newest first. */
  runs: WorkspaceRun[];
  /** The number of all runs. */
  runs_total: number;
  /** The settings. */
  settings: WorkspaceSettings;
  /** The workspace in short. */
  summary: WorkspaceSummary;
  /** The tenant. */
  tenant_id: string;
  /** The number of all versions. */
  versions: number;
};

/** A person of a workspace. */
export type WorkspacePerson = {
  /** The time at which the person was added. */
  added_at: string;
  /** The person who added them. */
  added_by: string;
  /** The name for readers. */
  name?: string | null;
  /** The identity, as it is recorded as the actor. */
  person_id: string;
  /** The roles. */
  roles: string[];
};

/** The limits of what a workspace keeps. */
export type WorkspaceQuota = {
  /** The bytes of all versions together; equal content counts once. */
  bytes: number;
  /** The number of versions of all files together. */
  versions: number;
};

/** A run of a workspace. */
export type WorkspaceRun = {
  /** The time of its submission. */
  at: string;
  /** The number of files that it wrote. */
  files: number;
  /** Its outcome; null where it has not ended, or its outputs were not written yet. */
  outcome: string | null;
  /** The name of its plan. */
  plan: string;
  /** The run. */
  run_id: string;
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
  quota: WorkspaceQuota;
  /** The secrets that runs may send, by name, each with its source. Never a value. */
  secrets?: {
    [key: string]: SecretSource;
  };
};

/** A workspace in short. */
export type WorkspaceSummary = {
  /** The number of files of agents. */
  agents_files: number;
  /** True where it is in use. */
  in_use: boolean;
  /** The number of its people. */
  people: number;
  /** The number of files of people. */
  people_files: number;
  /** The kind of work that it is for. */
  purpose?: string | null;
  /** Its name. */
  workspace: string;
};
