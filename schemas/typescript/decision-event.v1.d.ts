// Generated from schemas/decision-event.v1.schema.json by `make schemas`.

/** One entry of the decision log: the body of a link in its hash chain. */
export type DecisionEvent = {
  /** The actor, as named by the caller. */
  actor: string;
  /** The time, in RFC 3339 and UTC. */
  at: string;
  /** The decision that was recorded. */
  decision: RecordedDecision;
  /** The version of this record's format. A reader refuses a version that it does not know. */
  format: number;
};

/** The verdict on a decision; the strictest wins. */
export type CriticVerdict = "accept" | "replan" | "escalate" | "reject";

/** The status of a decision. */
export type DecisionStatus = "accepted" | "returned" | "escalated" | "rejected";

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
