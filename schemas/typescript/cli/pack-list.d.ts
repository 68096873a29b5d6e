// Generated from schemas/cli/pack-list.schema.json by `make schemas`.

export type PackListOutput = {
  /** Null where the command was refused. */
  data: ListedPack[] | null;
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

/** A version in the registry. */
export type ListedPack = {
  /** The hash of the document; null where none is stored. */
  content_hash: string | null;
  /** The version. */
  pack_ref: string;
  /** The environments that have it pinned. */
  pinned_in: PinnedIn[];
  /** The reason of its deprecation or revocation. */
  reason: string | null;
  /** The roles that have reviewed it. */
  reviewed_by: ReviewRole[];
  /** Its state, such as `published`. */
  state: string;
  /** The tenant that owns it. */
  tenant_id: string | null;
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

/** An environment that has a version pinned. */
export type PinnedIn = {
  /** The environment. */
  environment: string;
  /** The tenant. */
  tenant_id: string;
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

/** A review role. */
export type ReviewRole = "architecture" | "security" | "data" | "evaluation";

/** The severity of a diagnostic. */
export type SeverityRecord = "info" | "warning" | "error";
