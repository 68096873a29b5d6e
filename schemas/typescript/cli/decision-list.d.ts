// Generated from schemas/cli/decision-list.schema.json by `make schemas`.

export type DecisionListOutput = {
  /** Null where the command was refused. */
  data: ListedDecision[] | null;
  /** Findings, as in schemas/diagnostic.v1.schema.json. */
  diagnostics: DiagnosticRecord[];
  /** False where something was found or refused. */
  ok: boolean;
  /** Version of this form. */
  version: 1;
};

/** The verdict on a decision; the strictest wins. */
export type CriticVerdict = "accept" | "replan" | "escalate" | "reject";

/** The status of a decision. */
export type DecisionStatus = "accepted" | "returned" | "escalated" | "rejected";

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

/** A recorded decision. */
export type ListedDecision = {
  /** The party that recorded it. */
  actor: string;
  /** The time at which it was recorded. */
  at: string;
  /** The decision. */
  decision: RecordedDecision;
  /** The hash of its entry. */
  hash: string;
  /** Its place in the log. */
  seq: number;
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

/** A decision as the log lists it. */
export type RecordedDecision = {
  /** The approvals that it used up: the id of each, and for one of a run's gate the step after `/`. */
  approvals?: string[];
  /** The blob with the case. */
  case: string;
  /** The key of the decision's spec. */
  decision_key: string;
  /** The outcome. */
  outcome: string;
  /** The record's hash. */
  record_hash: string;
  /** The record's id. */
  record_id: string;
  /** The blob with the recorded compile. */
  recording: string;
  /** The run. */
  run: string;
  /** The status. */
  status: DecisionStatus;
  /** The critic's verdict. */
  verdict: CriticVerdict;
  /** The version of the spec. */
  version: string;
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
