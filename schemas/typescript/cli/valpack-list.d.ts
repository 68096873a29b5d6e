// Generated from schemas/cli/valpack-list.schema.json by `make schemas`.

export type ValpackListOutput = {
  /** Null where the command was refused. */
  data: ListedValidationPack[] | null;
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

/** A validation pack that can be named. */
export type ListedValidationPack = {
  /** Its hash. */
  content_hash: string;
  /** The published profiles that may still be used and name it. */
  named_by: string[];
  /** Its origin. */
  origin: PackOrigin;
  /** Its reference. */
  pack_ref: string;
  /** The phases that it may be used in. */
  phases: Phase[];
  /** The reason why it may not be used: it ended, or its signature is no longer valid. */
  reason: string | null;
  /** Its state in the registry, such as `published`; null where it is not published. */
  state: string | null;
  /** Its purpose. */
  summary: string;
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

/** The origin of a validation pack. */
export type PackOrigin = "shipped" | "profile" | "published" | "file";

/** The phase of a run in which a ladder is climbed. */
export type Phase = "ingestion" | "planner_candidate" | "compiled_plan" | "step_input" | "step_output" | "final_output";

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
