// Generated from schemas/cli/receipts-verify.schema.json by `make schemas`.

export type ReceiptsVerifyOutput = {
  /** Null where the command was refused. */
  data: VerifiedRun | null;
  /** Findings, as in schemas/diagnostic.v1.schema.json. */
  diagnostics: DiagnosticRecord[];
  /** False where something was found or refused. */
  ok: boolean;
  /** Version of this form. */
  version: 1;
};

/** A link of the journal that does not hold. */
export type BrokenEvent = {
  /** The run; null for the list of runs. */
  run_id: string | null;
  /** The place of the event. */
  seq: number;
  /** The error. */
  what: string;
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

/** Something that was checked again. */
export type Reverified = {
  /** The finding, where it does not hold. */
  found?: string | null;
  /** True if it holds. */
  holds: boolean;
  /** The part. */
  what: string;
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

/** The verification of a run. */
export type VerifiedRun = {
  /** The facts that were derived again. */
  checked: Reverified[];
  /** True where the checks of its files were derived again; runs of versions that froze no types do not allow it. */
  complete: boolean;
  /** The end of the run's journal. */
  head: ShownHead | null;
  /** The first link of the journal that does not hold. */
  journal_broken: BrokenEvent | null;
  /** The keys that were trusted. */
  keys: string[];
  /** The facts that were not derived again. */
  not_derived: string[];
  /** The run. */
  run_id: string;
  /** True where the run has ended and its end is signed. */
  sealed: boolean;
  /** True where everything that was derived again holds. */
  sound: boolean;
};
