// Generated from schemas/cli/dev-imprint-audit.schema.json by `make schemas`.

export type DevImprintAuditOutput = {
  /** Null where the command was refused. */
  data: AuditedSchemas | null;
  /** Findings, as in schemas/diagnostic.v1.schema.json. */
  diagnostics: DiagnosticRecord[];
  /** False where something was found or refused. */
  ok: boolean;
  /** Version of this form. */
  version: 1;
};

/** The table of many verdicts. */
export type Audit = {
  /** Schemas that have a template. */
  accepted: number;
  /** Invalid instances that the template alone would refuse. */
  caught_by_template: number;
  /** Invalid instances that were accepted. */
  invalid_accepted: number;
  /** Invalid instances that were refused. */
  invalid_refused: number;
  /** Instances that have no canonical form. */
  not_canonical: number;
  /** Templates that are not the same when read and written again. */
  not_rewritten: number;
  /** Schemas refused, by reason. */
  refused: {
    [key: string]: number;
  };
  /** Valid instances that came back byte for byte. */
  round_tripped: number;
  /** Schemas tried. */
  schemas: number;
  /** Tokens of the skeleton, in percent of the minified schema. */
  skeleton_percent: Spread;
  /** Tokens of head and skeleton, in percent of the minified schema. */
  template_percent: Spread;
  /** Valid instances that the template alone would refuse. */
  template_too_strict: number;
  /** Keywords that templates do not show, with the number of schemas. */
  unshown: {
    [key: string]: number;
  };
  /** Valid instances that did not come back. */
  valid_rejected: number;
  /** Valid instances that came back as something else. */
  wrong: number;
};

/** The result of testing templates on many schemas. */
export type AuditedSchemas = {
  /** The counts. */
  audit: Audit;
  /** Schemas that were refused or went wrong, with `--failures`. */
  failures?: Verdict[] | null;
  /** Operations that take no body. */
  operations_without_body: number;
  /** The duration in seconds. */
  seconds: number;
  /** Lines and files that could not be read. */
  unreadable: number;
  /** The verdict on each schema; in the file of `--report` alone. */
  verdicts?: Verdict[] | null;
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

/** The distribution of a number. */
export type Spread = {
  /** The largest. */
  max: number;
  /** Half lies below. */
  median: number;
  /** A quarter lies below. */
  p25: number;
  /** A twentieth lies below. */
  p5: number;
  /** A quarter lies above. */
  p75: number;
  /** A twentieth lies above. */
  p95: number;
};

/** The verdict on one schema. */
export type Verdict = {
  /** Invalid instances that the template alone would refuse. */
  caught_by_template: number;
  /** The message about the first instance that failed. */
  first_fault?: string | null;
  /** Its name. */
  id: string;
  /** Invalid instances that were accepted. */
  invalid_accepted: number;
  /** Invalid instances that were refused. */
  invalid_refused: number;
  /** The message of the refusal. */
  message?: string | null;
  /** Instances that have no canonical form, such as integers beyond 2^53. */
  not_canonical: number;
  /** The named reason, if it was refused. */
  refused?: string | null;
  /** True if the written template, read and written again, is the same. */
  rewritten: boolean;
  /** Valid instances that came back byte for byte. */
  round_tripped: number;
  /** Tokens of the schema without white space. */
  schema_tokens: number;
  /** Tokens of the skeleton. */
  skeleton_tokens: number;
  /** Tokens of the head and the skeleton. */
  template_tokens: number;
  /** Valid instances that the template alone, without its schema, would refuse. */
  template_too_strict: number;
  /** Keywords of the schema that the template does not show. */
  unshown: string[];
  /** Valid instances that did not come back. */
  valid_rejected: number;
  /** Valid instances that came back as something else. */
  wrong: number;
};
