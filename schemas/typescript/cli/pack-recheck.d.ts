// Generated from schemas/cli/pack-recheck.schema.json by `make schemas`.

export type PackRecheckOutput = {
  /** Null where the command was refused. */
  data: LintedPack | null;
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

/** A validation gate, in the order of execution. */
export type Gate = "schema" | "references" | "policy" | "risk" | "tenancy" | "replay" | "evaluation" | "security";

/** The result of a gate. */
export type GateOutcome = {
  /** The number of errors. */
  errors: number;
  /** The gate. */
  gate: Gate;
  /** False if it could not run because the document is not a pack. */
  ran: boolean;
  /** The number of warnings. */
  warnings: number;
};

/** The result of linting a pack. */
export type LintedPack = {
  /** Its hash; null where the document is not a pack. */
  content_hash: string | null;
  /** The validation gates. */
  gates: GateOutcome[];
  /** The pack, as it was named. */
  pack: string;
  /** Its reference; null where the document is not a pack. */
  pack_ref: string | null;
  /** True where no validation gate found an error. */
  passed: boolean;
  /** True where the registry recorded that it passed. */
  recorded: boolean;
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
