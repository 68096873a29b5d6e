// Generated from schemas/cli/plan-explain.schema.json by `make schemas`.

export type PlanExplainOutput = {
  /** Null where the command was refused. */
  data: Explanation | null;
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

/** A part of the budget. */
export type ExplainedCost = {
  /** The number of attempts. */
  attempts: number;
  /** The most that one attempt can spend; none if the total is not a multiple of it. */
  each: number | null;
  /** The most of all attempts. */
  most: number;
  /** The unit that is spent. */
  part: string;
};

/** The outcome of a class of failure. */
export type ExplainedFailure = {
  /** The class, in words. */
  failure: string;
  /** The outcome. */
  then: string;
};

/** An input, and where it comes from. */
export type ExplainedInput = {
  /** Adapters on the way, with what they lose. */
  adapters: string[];
  /** Its producer; none if it is not bound. */
  from: string | null;
  /** The values that adapters drop on the way. */
  loses: string[];
  /** The rank of the binding. */
  rank: string | null;
  /** Its slot. */
  slot: string;
  /** Its description. */
  what: string;
  /** The reason for this producer. */
  why: string | null;
};

/** An output, and who reads it. */
export type ExplainedOutput = {
  /** The demands on it, a sentence each. */
  contract: string[];
  /** The path that it is written to. */
  path: string;
  /** The steps that read it. */
  read_by: string[];
  /** Its slot; none for a file without meaning. */
  slot: string | null;
};

/** The checks of one phase. */
export type ExplainedPhase = {
  /** The checks by file, a sentence each. */
  checks: string[];
  /** The phase. */
  phase: string;
};

/** The explanation of a step. */
export type Explanation = {
  /** Steps it comes after only to keep the order. */
  after: string[];
  /** The most it can spend, and how that comes about. */
  budget: ExplainedCost[];
  /** Its checks, by phase. */
  checks: ExplainedPhase[];
  /** Files it reads by path alone. */
  files: string[];
  /** Gates that it waits for, and gates at which its outputs are shown, a sentence each. */
  gates: string[];
  /** The hash of its contract. */
  hash: string;
  /** Its inputs by meaning. */
  inputs: ExplainedInput[];
  /** Its label. */
  label: string;
  /** Its objective. */
  objective: string;
  /** Its outputs. */
  outputs: ExplainedOutput[];
  /** Names of its policies. */
  policies: string[];
  /** The outcome of each class of failure. */
  repair: ExplainedFailure[];
  /** Its repair strategy and the number of retries. */
  retries: string;
  /** The demands of its policies, a sentence each. */
  rules: string[];
  /** Its kind, its backend and the reason for it, and what it may use; a sentence each. */
  runs: string[];
  /** Its name. */
  step: string;
  /** Its success criteria. */
  success: string[];
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
