// Generated from schemas/cli/runs-list.schema.json by `make schemas`.

export type RunsListOutput = {
  /** Null where the command was refused. */
  data: RunList | null;
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

/** A run of the list. */
export type ListedRun = {
  /** The process that drives it. */
  driven_by: number | null;
  /** The number of events in its journal. */
  events: number;
  /** The name of its plan. */
  plan: string;
  /** Its name. */
  run_id: string;
  /** True where its end is signed. */
  sealed: boolean;
  /** Its status. */
  status: string;
  /** The number of steps that succeeded. */
  steps_done: number;
  /** The time at which it was submitted. */
  submitted_at: string;
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

/** The runs of a project, the newest first. */
export type RunList = {
  /** The number of runs that are not listed. */
  more: number;
  /** The runs. */
  runs: ListedRun[];
  /** The number of all runs. */
  total: number;
};

/** The severity of a diagnostic. */
export type SeverityRecord = "info" | "warning" | "error";
