// Generated from schemas/cli/context-sweep.schema.json by `make schemas`.

export type ContextSweepOutput = {
  /** Null where the command was refused. */
  data: Sweep | null;
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

/** The results of a sweep. */
export type Sweep = {
  /** The paths that were varied, the slowest first. */
  paths: string[];
  /** The points, in their order. */
  points: SweepPoint[];
};

/** The result of one point. */
export type SweepPoint = {
  /**
   * True if outcome, surface, gates, rules or evidence differ from the point before. The first point of a row is
   * compared with the first of the row before.
   */
  changed: boolean;
  /** The code of a refusal. */
  code?: string | null;
  /** The hash of the compiled context. */
  compiled_context_hash?: string | null;
  /** The active approval gates. */
  gates: string[];
  /** True if the hash of the compiled context differs from that point: the value is read, or is part of an input. */
  hash_changed: boolean;
  /** The decisions whose evidence is not sufficient. */
  insufficient: string[];
  /** The outcome: `refused`, or the verdict of the compile. */
  outcome: string;
  /** The rules that fired, with their verdicts. */
  rules: string[];
  /** The capabilities on the surface. */
  tools: string[];
  /** The values, in the order of the paths. */
  values: unknown[];
};
