// Generated from schemas/cli/decision-approve.schema.json by `make schemas`.

export type DecisionApproveOutput = {
  /** Null where the command was refused. */
  data: SignedApproval | null;
  /** Findings, as in schemas/diagnostic.v1.schema.json. */
  diagnostics: DiagnosticRecord[];
  /** False where something was found or refused. */
  ok: boolean;
  /** Version of this form. */
  version: 1;
};

/** An approver's decision at a gate. It is valid once, for what was shown, until it expires. */
export type Approval = {
  /** Its id, derived from all other fields. */
  approval_id: string;
  /** The approver. */
  approver: string;
  /** The authority of the approver, for a run of a workspace. */
  authority?: ApproverAuthority | null;
  /** The event of the workspace's log since which the approver had this authority without a break. */
  authority_since?: string | null;
  /** The time of the decision, in RFC 3339. */
  decided_at: string;
  /** The decision. */
  decision: GateDecision;
  /** The time at which it expires, in RFC 3339. */
  expires_at: string;
  /** The gate. */
  gate_id: string;
  /** A comment. */
  note?: string | null;
  /** The role that the approver claimed. */
  role: string;
  /** The hash of what the approver was shown. */
  subject_hash: string;
};

/** The authority by which an approver decided in a role. */
export type ApproverAuthority = "directory" | "sole_person";

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

/** The decision at a gate. */
export type GateDecision = "approved" | "rejected";

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

/** A decision with its signature. */
export type SignedApproval = {
  /** The decision. */
  approval: Approval;
  /** The decision as a signed statement. */
  envelope: unknown;
};
