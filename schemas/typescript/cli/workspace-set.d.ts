// Generated from schemas/cli/workspace-set.schema.json by `make schemas`.

export type WorkspaceSetOutput = {
  /** Null where the command was refused. */
  data: ChangedSettings | null;
  /** Findings, as in schemas/diagnostic.v1.schema.json. */
  diagnostics: DiagnosticRecord[];
  /** False where something was found or refused. */
  ok: boolean;
  /** Version of this form. */
  version: 1;
};

/** Settings that were changed. */
export type ChangedSettings = {
  /** True where an event was recorded; false where they were so before. */
  recorded: boolean;
  /** All settings from now on. */
  settings: WorkspaceSettings;
  /** The workspace. */
  workspace: string;
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
  quota: WorkspaceQuota;
  /** The secrets that runs may send, by name, each with its source. Never a value. */
  secrets?: {
    [key: string]: SecretSource;
  };
};
