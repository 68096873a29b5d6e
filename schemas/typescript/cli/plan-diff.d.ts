// Generated from schemas/cli/plan-diff.schema.json by `make schemas`.

export type PlanDiffOutput = {
  /** Null where the command was refused. */
  data: PlanDiff | null;
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

/** One difference between two plans. */
export type PlanChange = {
  /** The new value. */
  after?: unknown;
  /**
   * JSON Pointer into the step's contract, or into the plan where no step is named; into the older one for what is
   * gone. Empty for a whole step.
   */
  at: string;
  /** The old value. */
  before?: unknown;
  /** Its meaning. */
  class: PlanChangeClass;
  /** The step, by its newer name; none where the plan itself changed. */
  step?: string | null;
  /** A sentence that describes the change. */
  what: string;
};

/** The meaning of a change for the users of a plan, least first; the greatest decides. */
export type PlanChangeClass = "compatible" | "tightening" | "breaking";

/** Two plans compared. */
export type PlanDiff = {
  /** Every difference: of the plan, of its steps in their order, and the steps that are gone. */
  changes: PlanChange[];
  /** The greatest class of all changes. */
  class: PlanChangeClass;
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
