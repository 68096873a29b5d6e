// Generated from schemas/cli/profile-diff.schema.json by `make schemas`.

export type ProfileDiffOutput = {
  /** Null where the command was refused. */
  data: ComparedProfiles | null;
  /** Findings, as in schemas/diagnostic.v1.schema.json. */
  diagnostics: DiagnosticRecord[];
  /** False where something was found or refused. */
  ok: boolean;
  /** Version of this form. */
  version: 1;
};

/** Two versions compared. */
export type ComparedProfiles = {
  /** The newer version. */
  after: string;
  /** The older version. */
  before: string;
  /** The differences, by field. */
  changes: ProfileChange[];
  /** The change of the version number that the differences need; null where there are none. */
  required: ProfileChangeClass | null;
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

/** A difference between two versions of a profile. */
export type ProfileChange = {
  /** The value after; none if there is none. */
  after: unknown;
  /** The value before; none if there was none. */
  before: unknown;
  /** The version bump that it needs. */
  class: ProfileChangeClass;
  /** JSON Pointer of the field. */
  pointer: string;
  /** The reason for the class. */
  why: string;
};

/** The version bump that a change of a profile needs, least first. */
export type ProfileChangeClass = "patch" | "minor" | "major";

/** A related place. */
export type RelatedRecord = {
  /** The place. */
  location: LocationRecord;
  /** Its relation to the finding. */
  message: string;
};

/** The severity of a diagnostic. */
export type SeverityRecord = "info" | "warning" | "error";
