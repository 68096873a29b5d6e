// Generated from schemas/cli/pack-diff.schema.json by `make schemas`.

export type PackDiffOutput = {
  /** Null where the command was refused. */
  data: PackDiff | null;
  /** Findings, as in schemas/diagnostic.v1.schema.json. */
  diagnostics: DiagnosticRecord[];
  /** False where something was found or refused. */
  ok: boolean;
  /** Version of this form. */
  version: 1;
};

/** One difference between two versions. */
export type Change = {
  /** The value after. */
  after: unknown;
  /** The value before. */
  before: unknown;
  /** The class: the version bump that it needs. */
  class: ChangeClass;
  /** The effect on what the pack enforces. */
  effect: ChangeEffect;
  /** The layer, by its key in the pack; `overlays` and `golden` for the files beside it. */
  layer: string;
  /**
   * JSON Pointer into the newer pack, or into the older one for a removal. Overlay files are under
   * `/overlays/<name>`, golden cases under `/golden/<name>`.
   */
  pointer: string;
  /** The changed thing, such as `rule R_X`. */
  subject: string;
  /** The kind of change. */
  what: ChangeKind;
  /** The reason for the class. */
  why: string;
};

/** The version bump that a change needs, least first; the greatest decides. */
export type ChangeClass = "patch" | "minor" | "major" | "reject";

/** The effect of a change on what the pack enforces, least first. A version number does not alter it. */
export type ChangeEffect = "none" | "tightens" | "prompt_text" | "unproven";

/** The kind of a change. */
export type ChangeKind = "added" | "removed" | "changed";

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

/** Two versions compared. */
export type PackDiff = {
  /** The newer version. */
  after: string;
  /** The older version. */
  before: string;
  /** The differences, layer by layer. */
  changes: Change[];
  /** The change of the version number that was made. */
  declared: string;
  /** The change of the version number that the differences need; null where there are none. */
  required: ChangeClass | null;
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
