// Generated from schemas/cli/keys-trust.schema.json by `make schemas`.

export type KeysTrustOutput = {
  /** Null where the command was refused. */
  data: Trusted | null;
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

/** The status of a key. */
export type KeyStatus = {
  state: "active";
} | {
  /** The key that replaced it. */
  replaced_by: string;
  state: "retired";
} | {
  /** The reason. */
  reason: string;
  state: "revoked";
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

/** An event that was appended to the log. */
export type Recorded = {
  /** Its hash. */
  hash: string;
  /** Its place. */
  seq: number;
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

/** The event that was recorded about a key. */
export type Trusted = {
  /** The event in the log; null where it was recorded before. */
  event: Recorded | null;
  /** The key. */
  key_id: string;
  /** The reason. */
  reason: string;
  /** Always `revoked`. */
  status: string;
} | {
  /** The event in the log; null where it was recorded before. */
  event: Recorded | null;
  /** The key, and what it may do. */
  key: TrustedKey;
  /** The key that it replaces. */
  replaces: string | null;
};

/** A key and its permissions. */
export type TrustedKey = {
  /** The issuer that it signs for. */
  issuer: string;
  /** The key's id. */
  key_id: string;
  /** True if it may sign packs. */
  may_sign: boolean;
  /** The person that it belongs to, such as `Ann Lee <ann@acme.example>`. */
  person?: string | null;
  /** The public key. */
  public_key: string;
  /** The roles in which it may review. */
  review_roles: ReviewRole[];
  /** The status. */
  status: KeyStatus;
};
