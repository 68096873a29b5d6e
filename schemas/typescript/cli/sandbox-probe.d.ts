// Generated from schemas/cli/sandbox-probe.schema.json by `make schemas`.

export type SandboxProbeOutput = {
  /** Null where the command was refused. */
  data: Probe | null;
  /** Findings, as in schemas/diagnostic.v1.schema.json. */
  diagnostics: DiagnosticRecord[];
  /** False where something was found or refused. */
  ok: boolean;
  /** Version of this form. */
  version: 1;
};

/** Bubblewrap. */
export type Bwrap = {
  /** Its path. */
  path: string;
  /** Its version. */
  version: string;
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

/** A group in which groups can be created. */
export type Group = {
  /** Its controllers. */
  controllers: string[];
  /** The path of the group. */
  parent: string;
  /** The version of control groups: 1 or 2. */
  version: number;
};

/** An isolation level; ordered, the weakest first. */
export type IsolationLevel = "L0" | "L1" | "L2" | "L3";

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

/** An obstacle to a level. */
export type Missing = {
  /** The fix. */
  help: string;
  /** The level. */
  level: IsolationLevel;
  /** The reason it is not reached. */
  why: string;
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

/** The restrictions that this machine can enforce. */
export type Probe = {
  /** Bubblewrap, or the reason it cannot be used. */
  bwrap: ResultOfBwrapOrString;
  /** The parts of the host's `/etc` that are shown inside. */
  etc: string[];
  /** The control groups that can be created. */
  groups: Group[];
  /** The reasons for missing control groups. */
  groups_missing: string[];
  /** The hard limits of this process, which no process of a sandbox can exceed. */
  hard_limits: Rlimit[];
  /** The entries of the host's root folder that are shown inside. */
  host: RootEntry[];
  /** The version of Landlock; zero if there is none. */
  landlock_abi: number;
  /** The level that a plan can have. */
  level: IsolationLevel;
  /** The obstacles to each level that is not reached, with their fixes. */
  missing: Missing[];
  /** `Ok` if namespaces could be created, or the error. */
  namespaces: ResultOfNullOrString;
  /** `Ok` if the sandbox can run as another user than root, or the reason it cannot. */
  ordinary_user: ResultOfNullOrString;
  /** True if this process is root on the host. */
  root: boolean;
  /** `Ok` if system calls could be filtered, or the error. */
  seccomp: ResultOfNullOrString;
  /** The files that a sandbox needs. */
  tools: ToolPaths;
};

/** A related place. */
export type RelatedRecord = {
  /** The place. */
  location: LocationRecord;
  /** Its relation to the finding. */
  message: string;
};

export type ResultOfBwrapOrString = {
  Ok: Bwrap;
} | {
  Err: string;
};

export type ResultOfNullOrString = {
  Ok: null;
} | {
  Err: string;
};

/** The JSON form of a limit; `deed-init` has no dependency that could describe it. */
export type Rlimit = {
  /** The limited resource. */
  resource: string;
  /** The limit. */
  value: number;
};

/** An entry of the host's root folder. */
export type RootEntry = {
  folder: string;
} | {
  link: [string, string];
};

/** The severity of a diagnostic. */
export type SeverityRecord = "info" | "warning" | "error";

/** The paths of the tools. */
export type ToolPaths = {
  /** The synthetic `/etc`. */
  etc: string;
  /** Its hash. */
  hash: string;
  /** The static binary. */
  init: string;
};
