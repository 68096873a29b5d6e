// Generated from schemas/decision-draft.v1.schema.json by `make schemas`.

/**
 * A decision before the critic judged it. What the compiled context decided may be left out and is then taken from
 * there; where it is stated, it must agree.
 */
export type DecisionDraft = {
  /** The party that decided. */
  actor: DecisionActor;
  /** The approvals that were given. */
  approvals?: SignedApproval[];
  /** The controls that were active. */
  controls_active?: ControlsActive | null;
  /** The key of the decision's spec. */
  decision_key: string;
  /** The evidence that the decision cites, by the references that the model was shown. */
  evidence_refs: string[];
  /** What is decided about, by the spec's schema. */
  inputs: {
    [key: string]: unknown;
  };
  /** The intent of the request. */
  intent?: string | null;
  /** What the decision was made from. */
  lineage?: DraftLineage | null;
  /** What is decided, by the spec's schema; `outcome` is one of the allowed outcomes. */
  outputs: {
    [key: string]: unknown;
  };
  /** The verdict of every rule that fired. */
  policy_decisions?: PolicyRecord[] | null;
  /** The subjects of the decision, each `<namespace>:<id>`. */
  subject_ids: string[];
  /** The trace that it belongs to. */
  trace_id?: string | null;
  /** The version of the spec. */
  version: string;
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

/** The controls of the context, by name. */
export type ControlsActive = {
  /** Approval gates. */
  approval_gates_active: string[];
  /** Standing labels, guardrails and rules that demand a person. */
  must_escalate: string[];
  /** Standing labels, guardrails and rules that refuse. */
  must_refuse: string[];
  /** Redaction rules. */
  redaction_rules_active: string[];
};

/** The party that decided. */
export type DecisionActor = {
  /** Its id. */
  id: string;
  /** The role in which it decided. */
  role?: string | null;
  /** Its tenant. */
  tenant_id: string;
};

/** What a draft says that it was made from. */
export type DraftLineage = {
  /** The hash of the compiled context. */
  context?: string | null;
  /** The overlays, in order of application. */
  overlays?: LineageDocument[] | null;
  /** The pack. */
  pack?: LineageDocument | null;
  /** The step of the run's plan. */
  plan_step?: string | null;
  /** The run. */
  run?: string | null;
};

/** The decision at a gate. */
export type GateDecision = "approved" | "rejected";

/** A pack or an overlay by reference and hash. */
export type LineageDocument = {
  /** Typed hash of the authored document. */
  hash: string;
  /** `id@x.y.z`. */
  reference: string;
};

/** The verdict of a rule, as the ledger of the context has it. */
export type PolicyRecord = {
  /** The rule's bundle. */
  bundle_id: string;
  /** The id of the policy decision. */
  policy_decision_id: string;
  /** The rule. */
  rule_id: string;
  /** The verdict. */
  verdict: RuleVerdict;
};

/** The verdict of a rule; the strictest wins. */
export type RuleVerdict = "allow" | "require" | "deny";

/** A decision with its signature. */
export type SignedApproval = {
  /** The decision. */
  approval: Approval;
  /** The decision as a signed statement. */
  envelope: unknown;
};
