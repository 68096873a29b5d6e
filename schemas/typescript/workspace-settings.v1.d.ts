// Generated from schemas/workspace-settings.v1.schema.json by `make schemas`.

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

/** A pack that runs use by default. */
export type DefaultPack = {
  /** The environment whose pinned version is used. */
  environment?: string | null;
  /** A published version, or with an environment an id. */
  pack: string;
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

/** The limits of what a workspace keeps. */
export type WorkspaceQuota = {
  /** The bytes of all versions together; equal content counts once. */
  bytes: number;
  /** The number of versions of all files together. */
  versions: number;
};
