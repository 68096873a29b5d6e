// Generated from schemas/preflight-receipt.v1.schema.json by `make schemas`.

/** A preflight receipt: the inputs of a step. */
export type PreflightReceipt = {
  /** The checks of the inputs. */
  checks: CheckReceipt[];
  /** The files that it reads. */
  inputs: FileReceipt[];
  /** The run, the step and its contract. */
  of: ReceiptSubject;
  /** The sets that some of those files belong to. */
  sets?: ArtifactSet[];
  /** The verdicts of validation packs on the inputs; empty without a profile. */
  validation?: ValidationRecord[];
};

/** The agreement of an artifact with its contract. */
export type Agreement = "yes" | "not_asked" | "no";

/** The format of an artifact's bytes. */
export type ArtifactFormat = "json" | "csv" | "parquet" | "html" | "md" | "txt" | "pdf" | "yaml" | "tsv" | "other";

/** A file by path and content. */
export type ArtifactRecord = {
  /** The path in the workspace. */
  path: string;
  /** Plain SHA-256 of its bytes. */
  sha256: string;
  /** The size in bytes; `bytes` in older records. */
  size_bytes: number;
};

/** A set of files that a step wrote or read. */
export type ArtifactSet = {
  /** The total size in bytes. */
  bytes: number;
  /** The number of files. */
  files: number;
  /** Plain SHA-256 of the canonical bytes of the [`SetManifest`], under which it is stored. */
  manifest: string;
  /** The path with its `*`, as in the contract. */
  path: string;
};

/**
 * What a model was asked to propose for an artifact. The proposals are frozen, so that the verdict follows from them without
 * the model.
 */
export type AskedCorrector = {
  /** The key of the call whose reply has the proposals; none if no reply could be used. */
  call?: string | null;
  /** The reason why there are no proposals. */
  fault?: CorrectorFault | null;
  /** The proposals, as the ladder was given them; kept under a path of their own. None if no reply could be used. */
  proposals?: ArtifactRecord | null;
};

/** Columns whose values identify every row. */
export type CandidateKey = {
  /** The names of the columns. */
  columns: string[];
  /** `unique`, or `unknown` if not all rows could be compared. */
  unique: Uniqueness;
};

/** The result of a check. */
export type CheckReceipt = {
  /** True if the step fails when it does not hold. */
  blocks: boolean;
  /** What, such as `parses` or `entity_schema`. */
  check: string;
  /** The finding, if it does not hold. */
  found?: string | null;
  /** True if it holds. */
  holds: boolean;
  /** Of which file, if of one. */
  path?: string | null;
};

/** One column of a table. */
export type ColumnSummary = {
  /** The number of distinct values, without null; `None` if they are not compared. */
  distinct?: DistinctCount | null;
  /** The one type that all its values have. */
  inferred: ColumnType;
  /** The largest value, if all are comparable. */
  max?: Extreme | null;
  /** The smallest value, if all are comparable. */
  min?: Extreme | null;
  /** The number of values that are null or absent. */
  missing: number;
  /** Its name, shortened to 128 characters. */
  name: string;
  /** The nullability. */
  nullability: Nullability;
  /** The number of values of each type; null is an empty cell. */
  types: {
    [key: string]: number;
  };
  /** The uniqueness of its values. */
  unique: Uniqueness;
};

/** The type of a column. */
export type ColumnType = "null" | "boolean" | "integer" | "number" | "date" | "timestamp" | "text" | "array" | "object" | "mixed";

/** A summary of an artifact's content. */
export type ContentSummary = "opaque" | {
  table: TableSummary;
} | {
  document: DocumentSummary;
} | {
  text: TextSummary;
} | {
  html: HtmlSummary;
} | {
  zip: ZipSummary;
} | {
  pdf: PdfSummary;
};

/** A correction: the bytes before and after it, and its record, which can be undone. */
export type CorrectionRecord = {
  /** The hash of the corrected bytes. */
  after: string;
  /** The number of changes. */
  changes: number;
  /** The bytes that entered, kept under a path of their own. */
  original: ArtifactRecord;
  /** The report of the ladder with every change and its inverse, kept likewise. */
  report: ArtifactRecord;
};

/** The reason why a model proposed nothing. */
export type CorrectorFault = {
  /** The stable code. */
  code: string;
  /** The message. */
  message: string;
};

/** How far an artifact was read for its summary. */
export type Coverage = "complete" | "partial" | "declared";

/** The format of bytes, by their content. */
export type DetectedFormat = "empty" | "json" | "json_rows" | "json_lines" | "csv" | "tsv" | "parquet" | "yaml" | "html" | "markdown" | "text" | "utf16" | "zip" | "pdf" | "binary";

/** A number of distinct values. */
export type DistinctCount = {
  /** The number. */
  count: number;
  /** Its precision. */
  precision: Precision;
};

/** A summary of one JSON or YAML document. */
export type DocumentSummary = {
  /** How far it was read. */
  coverage: Coverage;
  /** The deepest nesting. */
  depth: number;
  /** The number of items of the list by type. */
  items: {
    [key: string]: number;
  };
  /** The keys of the object and the types of their values; keys beyond a limit are only counted. */
  keys: {
    [key: string]: ValueType;
  };
  /** Keys of the object or items of the list. */
  size: number;
  /** The type of the whole. */
  top_level: ValueType;
};

/** The smallest or largest value of a column. */
export type Extreme = {
  integer: number;
} | {
  number: string;
} | {
  text: string;
};

/** An inspected file. */
export type FileReceipt = {
  /** Always true; a missing file has an [`AbsentFile`]. */
  exists?: boolean;
  /** The inspection. */
  found: Inspection;
  /** The step that wrote it; `None` for an input of the mission. */
  from_step?: string | null;
  /** The path in the workspace. */
  path: string;
};

/** A place in an artifact, as far as it is known. All fields but the offset count from one. */
export type FoundAt = {
  /** The byte of that line. */
  column?: number | null;
  /** The name of the field of that row, shortened. */
  field?: string | null;
  /** The line of a text. */
  line?: number | null;
  /** The byte of the artifact, counted from zero. */
  offset?: number | null;
  /** The row of a table; the header is not counted. */
  row?: number | null;
};

/** A summary of an HTML page. */
export type HtmlSummary = {
  /** Elements, counted by their start tags. */
  elements: number;
  /** Headings, `h1` to `h6`. */
  headings: number;
  /** The parts of a complete page that it has: `doctype`, `html`, `head`, `body`. */
  parts: string[];
  /** End tags without a start tag. */
  stray_ends: number;
  /** Its title, shortened to 128 characters. */
  title?: string | null;
  /** Elements whose end tag is missing although HTML demands it. */
  unclosed: number;
};

/** The inspection of an artifact. */
export type Inspection = {
  /** The agreement of the two. */
  agrees: Agreement;
  /** The format of the bytes, by their content. */
  detected: DetectedFormat;
  /** The format that the contract expects. */
  expected?: ArtifactFormat | null;
  /** Assumptions, truncations and omissions of the inspection. */
  notes: string[];
  /** The parse result: in the expected format, or in the detected one if none is expected. */
  parse_validation: ParseValidation;
  /** Placeholders that were left in it. */
  sentinels: SentinelReport;
  /** Plain SHA-256 of the bytes. */
  sha256: string;
  /** The size in bytes; `bytes` in older receipts. */
  size_bytes: number;
  /** A summary of the content. */
  summary: ContentSummary;
};

/** The line ending of a text. */
export type LineEnding = "none" | "lf" | "crlf" | "cr" | "mixed";

/** The nullability of a column. */
export type Nullability = "never_null" | "nullable" | "unknown";

/** The parse result. */
export type ParseValidation = {
  /** The message, with at most 40 characters of the input. */
  message?: string | null;
  /** True if all of it parses; null if it was not parsed to the end. */
  ok?: boolean | null;
  /** The place of the first error. */
  place?: FoundAt | null;
  /** The reason why it was not parsed to the end. */
  reason?: string | null;
};

/** A summary of a PDF, without rendering it. */
export type PdfSummary = {
  /** How far the file was read. */
  coverage: Coverage;
  /** Pages, if they can be counted without inflating anything. */
  pages?: number | null;
  /** The protection. */
  protection: Protection;
  /** The version that it states, such as `1.7`. */
  version?: string | null;
};

/** The phase of a run in which a ladder is climbed. */
export type Phase = "ingestion" | "planner_candidate" | "compiled_plan" | "step_input" | "step_output" | "final_output";

/** The precision of a count. */
export type Precision = "exact" | "approximate";

/** The protection of a file. */
export type Protection = "open" | "encrypted";

/** The subject of a receipt. */
export type ReceiptSubject = {
  /** The attempt, counted from 1. */
  attempt: number;
  /** The hash of its code, if it has any. */
  code_hash?: string | null;
  /**
   * Its frozen contract: the compiled contract under the profile of the run. Without `snapshot_hash` the compiled
   * contract alone.
   */
  contract_hash: string;
  /** The plan. */
  plan_hash: string;
  /** The run. */
  run_id: string;
  /**
   * The frozen snapshot of the profile that governs the run; left out in runs without one, and in receipts from before
   * it was part of them.
   */
  snapshot_hash?: string | null;
  /** The compiled contract; left out where `contract_hash` is it. */
  spec_hash?: string | null;
  /** The step. */
  step_id: string;
};

/**
 * A placeholder, with the place of its first occurrence and the number of occurrences in that column (or in the
 * artifact).
 */
export type SentinelFinding = {
  /** The number of occurrences. */
  count: number;
  /** The first occurrence. */
  place: FoundAt;
  /** The rule that found it, such as `imprint_token`. */
  sentinel: string;
  /** The strength of the finding. */
  strength: SentinelStrength;
  /** The text there, shortened to 40 characters. */
  text: string;
};

/** Placeholders that were left in an artifact. */
export type SentinelReport = {
  /** The number of certain placeholders. One of them fails a step. */
  certain: number;
  /** The first of them, certain before suspected, at most twenty. */
  findings: SentinelFinding[];
  /** The number of suspected placeholders. */
  suspect: number;
  /** Findings that are counted above and not listed. */
  unlisted: number;
};

/** The strength of a placeholder finding; ordered, the strongest last. */
export type SentinelStrength = "suspect" | "certain";

/** A summary of a table. */
export type TableSummary = {
  /** Columns, or pairs of columns if no single column will do, whose values identify every row. */
  candidate_keys: CandidateKey[];
  /** How many columns there are. */
  column_count: number;
  /** The columns in their order; columns beyond a limit are only counted. */
  columns: ColumnSummary[];
  /** How far the rows were read. */
  coverage: Coverage;
  /** Rows, without the header. */
  rows: number;
};

/** The encoding of a text. */
export type TextEncoding = "utf8" | "utf8_mark" | "utf16_little_endian" | "utf16_big_endian" | "not_utf8";

/** A summary of a text. */
export type TextSummary = {
  /** Blank lines. */
  blank_lines: number;
  /** The encoding. */
  encoding: TextEncoding;
  /** Headings, for Markdown. */
  headings: number;
  /** The line ending. */
  line_ending: LineEnding;
  /** Lines; the last one need not be terminated. */
  lines: number;
};

/** The uniqueness of a column's values; ordered, the best first. */
export type Uniqueness = "unique" | "unknown" | "not_unique";

/** A finding of a validation. */
export type ValidationFinding = {
  /** The rung of the ladder, or the check. */
  by: string;
  /** Its stable code. */
  code: string;
  /** True if the artifact fails by it. */
  fails: boolean;
  /** Help: how to fix it. */
  help?: string | null;
  /** The message; never what a guard stopped. */
  message: string;
  /** The place in the payload, as a JSON Pointer; none for the whole. */
  pointer?: string | null;
  /** The row of a table, counted from 1. */
  row?: number | null;
};

/** The effect of a failed validation, weakest first. */
export type ValidationMode = "off" | "report" | "block";

/** The verdict of a validation pack on an artifact. */
export type ValidationRecord = {
  /** The hash of the bytes that entered. */
  before?: string | null;
  /** The correction, if the bytes that left are others. */
  correction?: CorrectionRecord | null;
  /** What a model was asked to propose for it, if one was asked. */
  corrector?: AskedCorrector | null;
  /** The findings; at most 20 are listed. */
  findings?: ValidationFinding[];
  /** The mode of the phase. */
  mode: ValidationMode;
  /** The hash of the pack. */
  pack_hash?: string | null;
  /** The pack; none where the phase is off, or no matcher and no default pack stands for the path. */
  pack_ref?: string | null;
  /** The path of the artifact; none where the phase is off. */
  path?: string | null;
  /** The phase. */
  phase: Phase;
  /** The rule of the pack that judged. */
  rule?: string | null;
  /** The number of findings that are not listed. */
  unlisted?: number;
  /** The verdict. */
  verdict: ValidationVerdict;
};

/** The verdict on an artifact. */
export type ValidationVerdict = "off" | "passed" | "corrected" | "not_validated" | "correctable" | "failed";

/** The type of one value. */
export type ValueType = "null" | "boolean" | "integer" | "number" | "date" | "timestamp" | "text" | "array" | "object";

/** A summary of an archive, by its directory; no entry is inflated. */
export type ZipSummary = {
  /** How far the directory was read. */
  coverage: Coverage;
  /** Entries with the name of an earlier one. */
  duplicate_names: number;
  /** Entries that are encrypted. */
  encrypted: number;
  /** Entries. */
  entries: number;
  /** Entries that are links. */
  links: number;
  /** Bytes of all entries packed, as the directory states them. */
  packed_bytes: number;
  /** Bytes of all entries unpacked, as the directory states them. */
  unpacked_bytes: number;
  /** The first of those names, shortened. */
  unsafe_examples: string[];
  /** Entries whose names could lead out of the target folder. */
  unsafe_names: number;
};
