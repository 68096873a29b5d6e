// Generated from schemas/cli/context-call.schema.json by `make schemas`.

export type ContextCallOutput = {
  /** Null where the command was refused. */
  data: CallDecision | null;
  /** Findings, as in schemas/diagnostic.v1.schema.json. */
  diagnostics: DiagnosticRecord[];
  /** False where something was found or refused. */
  ok: boolean;
  /** Version of this form. */
  version: 1;
};

/** An approval mode. A capability is surfaced only if its mode is at most the run's safety mode. */
export type ApprovalMode = "read_only" | "local_write" | "network" | "delegated" | "destructive";

/** A bound on one argument of a capability. */
export type ArgConstraint = {
  /** The only values allowed. */
  enum?: unknown[];
  /**
   * The only value allowed: a constant, or strict JsonLogic over the evaluation context that ties the argument to
   * the request (`{"var": "request.context.amount"}`).
   */
  equals?: unknown;
  /** Largest number. */
  max?: number | null;
  /** Longest text, in characters. */
  max_length?: number | null;
  /** Smallest number. */
  min?: number | null;
  /** A regular expression that the text must match. */
  pattern?: string | null;
  /** True if the argument is required. */
  required?: boolean | null;
};

/** The decision about one call, with its real arguments. */
export type CallDecision = {
  /** The gates that the call must pass. */
  approval_gates: GateRequirement[];
  /** The effective mode of the capability; none if the pack does not have it. */
  approval_mode: ApprovalMode | null;
  /** Typed hash of the call. */
  call_hash: string;
  /** Every rule that fired or failed. */
  policy_decisions: PolicyDecision[];
  /** The reasons against the call, or for asking a person; empty if it is allowed. */
  reasons: CallReason[];
  /** Evidence and obligations that rules require for it. */
  requires: string[];
  /** The capability. */
  tool: string;
  /** The verdict. */
  verdict: CallVerdict;
};

/** A reason against a call, or for asking a person. */
export type CallReason = {
  /** The most similar capability. */
  did_you_mean?: string | null;
  kind: "unknown_tool";
} | {
  /** The check that hides it. */
  check: ToolCheck;
  kind: "hidden";
  /** The source of the check. */
  source?: string | null;
} | {
  kind: "denied";
  /** The reason, for the person concerned. */
  reason?: string | null;
  /** The rule. */
  rule_id: string;
} | {
  /** The guardrail. */
  guardrail: string;
  kind: "must_refuse";
} | {
  /** The decision. */
  decision_key: string;
  /** The effect that the decision states. */
  effect: InsufficientEvidence;
  kind: "insufficient_evidence";
  /** The names of the evidence that is not met. */
  unmet: string[];
} | {
  kind: "must_escalate";
  /** The guardrail, or `rule:<rule_id>`. */
  source: string;
} | {
  /** The argument. */
  argument: string;
  /** The bound that it violates, in words. */
  bound: string;
  kind: "argument";
  /** `permission:<id>` or `rule:<id>`. */
  source: string;
} | {
  /** The gate. */
  gate_id: string;
  kind: "gate";
};

/** The verdict on a call; the strictest wins. */
export type CallVerdict = "allow" | "needs_approval" | "deny";

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

/** A gate that a call or a request must pass: whom to ask, and for how long an approval is valid. */
export type GateRequirement = {
  /** The gate. */
  gate_id: string;
  /** The role that may approve; none if the pack does not declare the gate. */
  required_approver_role?: string | null;
  /** Seconds that an approval is valid. */
  ttl_seconds?: number | null;
};

/** The effect of missing evidence on a compile; the strictest of several decisions applies. */
export type InsufficientEvidence = "note" | "escalate" | "refuse";

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

/** The decision of one rule. */
export type PolicyDecision = {
  /** The approval gate that it requires. */
  approval_gate?: string | null;
  /** The mode that it sets, at most the declared one. */
  approval_mode?: ApprovalMode | null;
  /** Bounds on arguments. */
  arg_constraints?: {
    [key: string]: ArgConstraint;
  } | null;
  /** The branch that applied. */
  branch: RuleBranch;
  /** The rule's bundle. */
  bundle_id: string;
  /** The capabilities that the mode and the argument bounds apply to. */
  capabilities?: string[];
  /** The decision that the rule governs. */
  decision_binding?: string | null;
  /** `policy_eval_error` and the reason, if the predicate failed. */
  error?: string | null;
  /** Capabilities that it forbids. */
  forbids?: string[];
  /** Derived from the rule, the branch and the values that predicates read. */
  policy_decision_id: string;
  /** The rule's rationale. */
  rationale?: string | null;
  /** The reason, for the person concerned. */
  reason?: string | null;
  /** Evidence and obligations that it requires. */
  requires?: string[];
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

/** A related place. */
export type RelatedRecord = {
  /** The place. */
  location: LocationRecord;
  /** Its relation to the finding. */
  message: string;
};

/** The branch of a rule that applied. */
export type RuleBranch = "then" | "else" | "error";

/** The verdict of a rule; the strictest wins. */
export type RuleVerdict = "allow" | "require" | "deny";

/** The severity of a diagnostic. */
export type SeverityRecord = "info" | "warning" | "error";

/** The four checks of a capability, in order. */
export type ToolCheck = "permission" | "prohibition" | "policy" | "safety_mode" | "classification" | "arguments";
