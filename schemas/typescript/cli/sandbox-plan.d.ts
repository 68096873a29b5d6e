// Generated from schemas/cli/sandbox-plan.schema.json by `make schemas`.

export type SandboxPlanOutput = {
  /** Null where the command was refused. */
  data: SandboxPlan | null;
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

/** The resources that code in the sandbox may use. */
export type SandboxLimits = {
  /** Bytes of output that are kept of each stream. */
  captured_bytes: number;
  /** CPU seconds per process. */
  cpu_seconds: number;
  /** Bytes of memory. */
  memory_bytes: number;
  /** Bytes that it may write under `work/` and `output/` together. */
  output_bytes: number;
  /** Files and folders that it may create there. */
  output_files: number;
  /** Processes and threads at the same time. */
  processes: number;
  /** Bytes of its private `/tmp`. */
  scratch_bytes: number;
  /** Wall-clock seconds. */
  wall_seconds: number;
};

export type SandboxPlan = {
  args: string[];
  /** Path of bubblewrap. */
  bwrap: string | null;
  cwd: string;
  env: {
    [key: string]: string;
  };
  forward: {
    port: number;
    socket: string;
  } | null;
  groups: {
    controllers: string[];
    parent: string;
    settings: {
      file: string;
      optional: boolean;
      value: string;
    }[];
    version: number;
  }[];
  landlock: {
    connect: number[];
    paths: {
      access: string;
      path: string;
    }[];
  } | null;
  level: IsolationLevel;
  limits: SandboxLimits;
  mounts: {
    inside: string;
    /** Kind of the mount, with the path on the host or a size. */
    kind: "processes" | "folder" | "sealed" | {
      read_only: string;
    } | {
      writable: string;
    } | {
      device: string;
    } | {
      link: string;
    } | {
      memory: number;
    };
    private: boolean;
  }[];
  namespaces: string[];
  notes: string[];
  own_folder: string | null;
  program: string;
  report: SandboxReport;
  rlimits: {
    resource: string;
    value: number;
  }[];
  sockets: string[];
  syscalls: {
    allowed: string[];
    conditional: string[];
    sockets: string;
    unknown: string[];
  } | null;
  tools: ToolPaths;
  /** User that the code runs as. */
  user: "same" | {
    ordinary: number;
  };
  /** Version of this form. */
  version: number;
  writable: string[];
};

/** The sandbox as the receipt describes it. */
export type SandboxReport = {
  /** The layers that were enforced, such as `user namespace` or `seccomp allow-list`. */
  layers: string[];
  /** The layers of higher levels that are missing, and why. */
  missing: string[];
  /** The isolation level that was reached. */
  obtained: IsolationLevel;
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
