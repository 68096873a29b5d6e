// Generated from schemas/cli/profile-list.schema.json by `make schemas`.

export type ProfileListOutput = {
  /** Null where the command was refused. */
  data: ListedProfile[] | null;
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

/** A profile that can be named. */
export type ListedProfile = {
  /** The scopes that it is bound to. */
  bound_to: ProfileScope[];
  /** Its hash. */
  content_hash: string;
  /** Its origin. */
  origin: ProfileOrigin;
  /** Its reference. */
  profile_ref: string;
  /** The reason of its deprecation or revocation. */
  reason: string | null;
  /** Its state in the registry, such as `published`; null where it ships. */
  state: string | null;
  /** Its purpose; none where it is published, since its file is not read for a list. */
  summary: string | null;
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

/** The origin of a profile. */
export type ProfileOrigin = "shipped" | "published" | "file";

/** The scope that a profile is bound to. For a run the narrowest binding decides. */
export type ProfileScope = {
  kind: "tenant";
  /** The tenant. */
  tenant_id: string;
} | {
  kind: "workspace";
  /** The workspace. */
  workspace: string;
} | {
  kind: "run";
  /** The run. */
  run_id: string;
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
