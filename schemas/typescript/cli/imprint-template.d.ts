// Generated from schemas/cli/imprint-template.schema.json by `make schemas`.

export type ImprintTemplateOutput = {
  /** Null where the command was refused. */
  data: TemplateData | null;
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

/** One part of a template. */
export type Section = {
  /** The JSON pointer of its place in the filled template; empty for the spine. */
  name: string;
  /** True if it is larger than asked for and cannot be split further. */
  oversize: boolean;
  /** Head and skeleton. */
  text: string;
  /** Its tokens. */
  tokens: number;
};

/** The severity of a diagnostic. */
export type SeverityRecord = "info" | "warning" | "error";

/** A template; with `--limit` in parts. */
export type TemplateData = {
  /** The dialect of the schema. */
  dialect: string;
  /** The instructions; null with `--skeleton`. */
  head: string | null;
  /** The document with its tokens. */
  skeleton: string;
  /** The number of its tokens. */
  tokens: number | null;
  /** Demands of the schema that the template does not show. */
  unshown: Unshown[];
} | {
  /** The spine, then the sections. */
  parts: Section[];
  /** Demands of the schema that the template does not show. */
  unshown: Unshown[];
};

/** Something that a schema says and a template cannot show; it is still enforced on the way back. */
export type Unshown = {
  /** The place in the template, `*` standing for any item or key. */
  at: string;
  /** The keyword, or the name of the limit that was reached. */
  what: string;
};
