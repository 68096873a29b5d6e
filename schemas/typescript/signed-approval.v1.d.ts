// Generated from schemas/signed-approval.v1.schema.json by `make schemas`.

/** A decision with its signature. */
export type SignedApproval = {
  /** The decision. */
  approval: Approval;
  /** The decision as a signed statement. */
  envelope: unknown;
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

/** The decision at a gate. */
export type GateDecision = "approved" | "rejected";
