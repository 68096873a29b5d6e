// Generated from schemas/cli/profile-lint.schema.json by `make schemas`.

export type ProfileLintOutput = {
  /** Null where the command was refused. */
  data: LintedProfile | null;
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

/** The result of linting a profile. */
export type LintedProfile = {
  /** Its hash; null where the document is not a profile. */
  content_hash: string | null;
  /** The gates. */
  gates: ProfileGateOutcome[];
  /** True where no gate found an error. */
  passed: boolean;
  /** The file, as it was named. */
  profile: string;
  /** Its reference; null where the document is not a profile. */
  profile_ref: string | null;
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

/** A gate of a profile. */
export type ProfileGate = "schema" | "security" | "consumers" | "models" | "parameters" | "prompts" | "timeouts" | "budgets" | "prices" | "skills" | "validation" | "pins" | "egress";

/** The result of a gate. */
export type ProfileGateOutcome = {
  /** The number of errors. */
  errors: number;
  /** The gate. */
  gate: ProfileGate;
  /** False if it could not run because the document does not have the shape of a profile. */
  ran: boolean;
  /** The number of warnings. */
  warnings: number;
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
