// Generated from schemas/policy-bundle.v1.schema.json by `make schemas`.

/** A bundle of rules. */
export type PolicyBundle = {
  /** Unique id of the bundle. */
  bundle_id: string;
  /** A description; has no effect. */
  description?: string | null;
  /** The rules and their language. */
  policy_dsl: PolicyDsl;
  /** Higher is evaluated first; ties are broken by bundle id. */
  priority: number;
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

/** The requests that a rule or a gate applies to: those of the intents that it names, all if it names none. */
export type IntentScope = {
  /** The intent. */
  intent?: string | null;
  /** Several intents. */
  intents?: string[];
};

/** Rules in a language. */
export type PolicyDsl = {
  /** The language of the predicates. */
  language: PolicyLanguage;
  /** The rules, evaluated in this order. */
  rules: Rule[];
};

/** The language of predicates. */
export type PolicyLanguage = "jsonlogic" | "jsonlogic-compat";

/** One rule. */
export type Rule = {
  /** The requests that the rule applies to; all by default. */
  applies_to?: IntentScope | null;
  /** The decision that the rule governs. */
  decision_binding?: string | null;
  /** The outcome if it does not. */
  else?: RuleOutcome | null;
  /** The predicate. */
  if: unknown;
  /** True if an error in the predicate skips the rule instead of denying. */
  non_enforcing?: boolean | null;
  /** The rationale, for people who are affected by it. */
  rationale?: string | null;
  /** Unique id of the rule. */
  rule_id: string;
  /** The outcome if the predicate holds. */
  then: RuleOutcome;
};

/** The outcome of a rule. */
export type RuleOutcome = {
  /** `false` denies. */
  allow?: boolean | null;
  /** The approval mode; never above the declared one. */
  approval_mode?: ApprovalMode | null;
  /** Bounds on arguments by name. */
  arg_constraints?: {
    [key: string]: ArgConstraint;
  };
  /**
   * The capabilities (`adapter.capability`) that mode and argument bounds apply to; without it, only the rule's
   * decision.
   */
  capabilities?: string[];
  /** Capabilities (`adapter.capability`) that the rule forbids. */
  forbids?: string[];
  /** An alias of `forbids`. */
  prohibits?: string[];
  /** The reason, for the person concerned. */
  reason?: string | null;
  /** Evidence and obligations that the rule requires; `approval` requires a person. */
  requires?: string[];
  /** The approval gate that it requires. */
  requires_approval_gate?: string | null;
};
