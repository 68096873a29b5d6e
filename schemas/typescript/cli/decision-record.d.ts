// Generated from schemas/cli/decision-record.schema.json by `make schemas`.

export type DecisionRecordOutput = {
  /** Null where the command was refused. */
  data: RecordedData | null;
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

/** The score of one check. */
export type CheckScore = {
  /** The check. */
  check: CriticCheck;
  /** The conditions that were asked. */
  of: number;
  /** The conditions that hold. */
  passed: number;
};

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

/** The checks of the critic, in order. */
export type CriticCheck = "lineage" | "decision" | "schema" | "outcome" | "evidence" | "policy" | "controls" | "approvals" | "authority" | "identity";

/** A reason for a verdict. With the verdict `accept` it is a note. */
export type CriticFinding = {
  /** The check. */
  check: CriticCheck;
  /** The reason. */
  message: string;
  /** JSON Pointer into the draft. */
  pointer: string;
  /** The verdict that it demands. */
  verdict: CriticVerdict;
};

/** The verdict on a decision; the strictest wins. */
export type CriticVerdict = "accept" | "replan" | "escalate" | "reject";

/** The critic's judgement of a decision: the same inputs give the same bytes. */
export type Critique = {
  /** The instant that expiry was judged at, in RFC 3339 and UTC. */
  as_of: string;
  /** The reasons for the verdict, and notes, in order of the checks. */
  findings: CriticFinding[];
  /** The schemas of inputs and outputs. */
  schemas: SchemaJudgement;
  /** The strictest verdict of all findings. */
  verdict: CriticVerdict;
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

/** What a decision was made from. */
export type DecisionLineage = {
  /** The hash of the compiled context. */
  context: string;
  /** The overlays, in order of application. */
  overlays: LineageDocument[];
  /** The pack. */
  pack: LineageDocument;
  /** The step of the run's plan. */
  plan_step?: string | null;
  /** The run. */
  run: string;
};

/** A decision with everything that it rests on. The outcome is `outputs.outcome`. */
export type DecisionRecord = {
  /** The party that decided. */
  actor: DecisionActor;
  /** The approvals that were given. */
  approvals: SignedApproval[];
  /** The controls that were active. */
  controls_active: ControlsActive;
  /** The key of the decision's spec. */
  decision_key: string;
  /** The evidence that the decision cites, by the references that the model was shown. */
  evidence_refs: string[];
  /** What was decided about, by the spec's schema. */
  inputs: {
    [key: string]: unknown;
  };
  /** The intent of the request. */
  intent: string;
  /** What the decision was made from. */
  lineage: DecisionLineage;
  /** What was decided, by the spec's schema; `outcome` is one of the allowed outcomes. */
  outputs: {
    [key: string]: unknown;
  };
  /** The verdict of every rule that fired. */
  policy_decisions: PolicyRecord[];
  /** Typed hash of all other fields. */
  record_hash: string;
  /** Derived from all other fields but `record_hash`. */
  record_id: string;
  /** The critic's scores. */
  scorecard: Scorecard;
  /** The status that the critic's verdict gives it. */
  status: DecisionStatus;
  /** The subjects of the decision, each `<namespace>:<id>`. */
  subject_ids: string[];
  /** The trace that it belongs to. */
  trace_id?: string | null;
  /** The version of the spec. */
  version: string;
};

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

/** The decision at a gate. */
export type GateDecision = "approved" | "rejected";

/** A pack or an overlay by reference and hash. */
export type LineageDocument = {
  /** Typed hash of the authored document. */
  hash: string;
  /** `id@x.y.z`. */
  reference: string;
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

/** A judged decision, and its entry in the log. */
export type RecordedData = {
  /** The judgement. */
  critique: Critique;
  /** The new entry; null where nothing was recorded, or the same was recorded before. */
  entry: Recorded | null;
  /** The record. */
  record: DecisionRecord;
  /** True if the decision is in the log. */
  recorded: boolean;
};

/** A related place. */
export type RelatedRecord = {
  /** The place. */
  location: LocationRecord;
  /** Its relation to the finding. */
  message: string;
};

/** The verdict of a rule; the strictest wins. */
export type RuleVerdict = "allow" | "require" | "deny";

/** The schemas of a decision's inputs and outputs. */
export type SchemaJudgement = {
  /** The schema of the inputs. */
  inputs: SchemaStatus;
  /** The schema of the outputs. */
  outputs: SchemaStatus;
};

/** The use that was made of a schema. */
export type SchemaStatus = "checked" | "not_declared" | "not_found" | "not_usable";

/** The critic's scores: conditions that hold, of those that were asked. */
export type Scorecard = {
  /** The score of each check, in order. */
  checks: CheckScore[];
  /** Conditions of all checks that hold, in parts per thousand, rounded down. */
  per_mille: number;
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
