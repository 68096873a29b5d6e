// Generated from schemas/context-pack.v2.schema.json by `make schemas`.

/** A Context Pack: everything that any model in a run may see and do, as one signed, immutable document. */
export type ContextPack = {
  /** The URL of the schema of this document, for editors. */
  "$schema"?: string | null;
  /** The allocation of a run's tokens. */
  budget_layer?: BudgetLayer | null;
  /** Business summary and non-negotiable constraints. */
  business_context: BusinessContext;
  /** Artifact identity, issuer and compatibility. */
  contract_meta: ContractMeta;
  /** The typed decisions that a run may emit. */
  decision_layer: DecisionLayer;
  /** Score targets and release gates. */
  evaluation_layer: EvaluationLayer;
  /** Ontology, graph snapshot rule, identity namespaces and embeddings. */
  intelligence_refs: IntelligenceRefs;
  /** The catalogue of intents; without it, the intents of the score targets are used. */
  intent_layer?: IntentLayer | null;
  /** Lifetimes of memory, and rules for write-back. */
  memory_layer: MemoryLayer;
  /** Pack identity, tenant, environment defaults, cache lifetime and classification. */
  pack_meta: PackMeta;
  /** Policy bundles, guardrails and approval gates. */
  policy_layer: PolicyLayer;
  /** The tone of final text. */
  tone_and_comms: ToneAndComms;
  /** Adapters with their capabilities, and the permissions that expose them. */
  tooling_layer: ToolingLayer;
};

/** A service that tools are called through. */
export type Adapter = {
  /** Unique id of the adapter. */
  adapter_id: string;
  /** The highest mode that any of its capabilities may have. */
  approval_mode: ApprovalMode;
  /** Its capabilities: names, or objects with their own mode and schema. */
  capabilities: Capability[];
  /** A description; has no effect. */
  description?: string | null;
  /** A registry reference such as `internal://orders`; never a URL with credentials. */
  endpoint_ref: string;
  /** The highest classification of data that the service may receive; a pack or run above it does not surface it. */
  max_classification?: Classification | null;
  /** The schema of its calls, if all capabilities share one. */
  schema_ref?: string | null;
  /** The protocol. */
  type: AdapterType;
};

/** The protocol of an adapter. */
export type AdapterType = "OPENAPI" | "INTERNAL" | "MCP" | "A2A";

/** An approval gate: a person must approve while it is active. */
export type ApprovalGate = {
  /** The requests that the gate applies to; all by default. */
  applies_to?: IntentScope | null;
  /** Unique id of the gate. */
  gate_id: string;
  /** A description; has no effect. */
  rationale?: string | null;
  /** The roles that may approve. */
  required_approver_role: string;
  /** Seconds that an approval is valid. */
  ttl_seconds: number;
  /**
   * The predicate that activates the gate, always strict JsonLogic. One that reads `call` is decided when a tool is
   * called.
   */
  when: unknown;
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

/** Totals and splits; defaults apply to everything that is left out. */
export type BudgetLayer = {
  /** Total tokens if the run names none. */
  default_total?: number | null;
  /** Splits by intent. */
  splits?: {
    [key: string]: BudgetSplit;
  };
};

/** Shares by bucket, as exact decimals that sum to 1. */
export type BudgetSplit = {
  /** Business summary and non-negotiables. */
  business?: number | null;
  /** Admitted evidence. */
  evidence?: number | null;
  /** Recalled memory. */
  memory?: number | null;
  /** Fired rules. */
  policy?: number | null;
  /** Recent turns. */
  session?: number | null;
  /** Surfaced tools. */
  tool?: number | null;
};

/** Durable business constraints; kept short, since they compete for the business budget. */
export type BusinessContext = {
  /** Short constraints that always hold. */
  non_negotiables?: string[];
  /** The business summary. */
  summary: BusinessSummary;
};

/** The business summary: what the business does and for whom. */
export type BusinessSummary = {
  /** What sets the service apart. */
  differentiators?: string[];
  /** One sentence. */
  what_we_do: string;
  /** The customers. */
  who_we_serve?: string[];
};

/** A capability by name, or as an object with its own mode and schema. */
export type Capability = string | CapabilityObject;

/** A capability with its own mode and schema. */
export type CapabilityObject = {
  /** Its mode; at most the adapter's. */
  approval_mode?: ApprovalMode | null;
  /** A description; has no effect. */
  description?: string | null;
  /** Name of the capability, unique within its adapter. */
  id: string;
  /** The kind of capability, such as `query` or `command`. */
  kind?: string | null;
  /** The risk level, in the pack's own words. */
  risk_level?: string | null;
  /** Schema of its calls. */
  schema_ref?: string | null;
};

/** A classification level, most open first. */
export type Classification = "PUBLIC" | "INTERNAL" | "CONFIDENTIAL" | "RESTRICTED";

/** The requirements of a pack. */
export type Compatibility = {
  /** Version ranges by component (`runtime`, `ontology`): comparators joined by commas, all of which must hold. */
  requires: {
    [key: string]: string;
  };
};

/** Consent requirements. */
export type ConsentGating = {
  /** True if personal data may be written back. */
  pii_write_back_allowed: boolean;
};

/** The issuer of the contract and its requirements. */
export type ContractMeta = {
  /** The requirements of the pack. */
  compatibility: Compatibility;
  /** Stable name of the contract. */
  contract_name: string;
  /** Version of the contract's schema: three numbers, independent of the pack's version. */
  contract_version: string;
  /** The time of writing, in RFC 3339. */
  created_at: string;
  /** A sentence about the purpose of the pack; has no effect. */
  description?: string | null;
  /** The tenant or authority that publishes; its key signs. */
  issuer: string;
  /** Contact; has no effect. */
  owner?: string | null;
};

/** The decisions of a pack. */
export type DecisionLayer = {
  /** At least one: without decisions a run could only return free text. */
  decision_specs: DecisionSpec[];
  /** JSON Schemas of inputs and outputs, by name: `schema://<name>` refers to one. */
  schemas?: {
    [key: string]: unknown;
  };
};

/** A type of decision. */
export type DecisionSpec = {
  /** The allowed outcomes. */
  allowed_outcomes: string[];
  /** The approval mode; at least as strict as any effect of the decision. */
  approval_mode: ApprovalMode;
  /** Unique key, such as `support.refund.execute`. */
  decision_key: string;
  /** The authority that the decision carries, such as `execute` or `recommend`. */
  decision_right: string;
  /** A description; has no effect. */
  description?: string | null;
  /** Schema of its inputs. */
  inputs_schema_ref?: string | null;
  /** The effect of a compile without all required evidence; `note` by default. */
  on_insufficient_evidence?: InsufficientEvidence | null;
  /** The effect of each outcome; an outcome that is not listed counts as `act`. */
  outcome_effects?: {
    [key: string]: OutcomeEffect;
  };
  /** Schema of its outputs. */
  outputs_schema_ref?: string | null;
  /** The owner. */
  owner_role: string;
  /** Evidence that is required before the decision. */
  required_evidence?: string[];
  /** Version of the spec: three numbers. */
  version: string;
};

/** Defaults that overlays may set for an environment. */
export type EnvironmentDefaults = {
  /** ISO 4217 currency code, such as `INR`. */
  currency?: string | null;
  /** Language tag, such as `en` or `en-IN`. */
  language?: string | null;
  /** Locale tag, if it differs from the language. */
  locale?: string | null;
  /** Deployment region, such as `ap-south-1`. */
  region?: string | null;
  /** IANA time zone, such as `Asia/Kolkata`. */
  timezone?: string | null;
};

/** The target of one intent. */
export type EvalTarget = {
  /** Cost of a decision in cents; lower is better. */
  economics_cents_per_decision?: number | null;
  /** The intent. */
  intent: string;
  /** 99th percentile of latency in milliseconds; lower is better. */
  latency_p99_ms?: number | null;
  /** Share of runs that comply with policy; higher is better. */
  policy?: number | null;
  /** Share of runs without harm; higher is better. */
  safety?: number | null;
  /** Share of runs that complete the task; higher is better. */
  utility?: number | null;
};

/** Score targets and release gates. */
export type EvaluationLayer = {
  /** A target for each intent. */
  eval_targets: EvalTarget[];
  /** Limits on regressions between versions. */
  release_gates: ReleaseGate[];
};

/** A static label, or a predicate that activates. */
export type Guardrail = string | GuardrailPredicate;

/** The object form of a guardrail. */
export type GuardrailPredicate = {
  /** Unique id. */
  id: string;
  /** The rationale. */
  rationale?: string | null;
  /** The predicate, always strict JsonLogic. */
  when: unknown;
};

/** Refusals, escalations and redactions. */
export type Guardrails = {
  /** Conditions under which a run must hand over to a person. */
  must_escalate?: Guardrail[];
  /** Conditions under which a run must refuse. */
  must_refuse?: Guardrail[];
  /** Redaction rules: built-in rules by name, such as `credit_card`, and the pack's own patterns. */
  redaction_rules?: RedactionRule[];
};

/** The identity namespaces of subjects. */
export type IdentityLayer = {
  /** Namespaces of canonical entity ids. */
  ceid_namespaces: string[];
};

/** The effect of missing evidence on a compile; the strictest of several decisions applies. */
export type InsufficientEvidence = "note" | "escalate" | "refuse";

/** The sources of the pack's vocabulary. */
export type IntelligenceRefs = {
  /** Versioned embedding indexes, such as `support_orders_v1`. */
  embedding_keys?: string[];
  /** The identity namespaces of subjects. */
  identity_layer: IdentityLayer;
  /** How graph reads are pinned. */
  knowledge_graph: KnowledgeGraph;
  /** The ontology and the types of it that the pack uses. */
  ontology: Ontology;
};

/** One intent. */
export type IntentEntry = {
  /** A description; has no effect. */
  description?: string | null;
  /** Unique id, such as `support.refund`. */
  id: string;
  /** The class of intents that it belongs to. */
  intent_class: string;
  /** The entry of the task catalogue. */
  task_id: string;
};

/** The intents that a pack handles. */
export type IntentLayer = {
  /** One entry for each intent. */
  catalog: IntentEntry[];
};

/** The requests that a rule or a gate applies to: those of the intents that it names, all if it names none. */
export type IntentScope = {
  /** The intent. */
  intent?: string | null;
  /** Several intents. */
  intents?: string[];
};

/** How graph reads are pinned. */
export type KnowledgeGraph = {
  /** `alias:<name>` for live reads, or `snapshot:<id>` for a fixed snapshot. */
  snapshot_pin_rule: string;
};

/** Recall and write-back rules. */
export type MemoryLayer = {
  /** Lifetimes, write classes and consent. */
  memory_policy: MemoryPolicy;
  /** Thresholds for promotion. */
  promotion_thresholds?: PromotionThresholds | null;
  /** Limits on recall. */
  recall_policy?: RecallPolicy | null;
};

/** Lifetimes, write classes and consent. */
export type MemoryPolicy = {
  /** Consent requirements. */
  consent_gating?: ConsentGating | null;
  /** The scope in which a memory is shared; the tenant by default. */
  scope?: MemoryScope | null;
  /** The lifetime of each tier, such as `1h` or `365d`. */
  tier_ttls: TierTtls;
  /** Classes that may be proposed for writing. */
  write_classes_allowed?: string[];
};

/** The scope in which a memory is shared. */
export type MemoryScope = "subject" | "tenant" | "global";

/** A metric. */
export type Metric = "policy" | "utility" | "latency_p99_ms" | "safety" | "economics_cents_per_decision";

/** An ontology version and the types that the pack uses. */
export type Ontology = {
  /** Entity types that the pack refers to. */
  entity_types?: string[];
  /** Namespace, such as `ont.support`. */
  namespace: string;
  /** Relationship types that the pack refers to. */
  relationship_types?: string[];
  /** Version: three numbers. */
  version: string;
};

/** The effect of an outcome. */
export type OutcomeEffect = "refuse" | "escalate" | "act";

/** The deployable identity of a pack. */
export type PackMeta = {
  /** The classification of the data that the pack handles. */
  data_classification: Classification;
  /** Free tags beside the classification, such as `PII`. */
  data_tags?: string[];
  /** Defaults that overlays may set for an environment. */
  environment_defaults: EnvironmentDefaults;
  /** Overlays in the order of application, each `<pack_id>.<name>@x.y.z`. */
  overlays?: string[];
  /** Stable id: lowercase letters, digits, `.`, `_` and `-`, beginning with a letter. */
  pack_id: string;
  /** Version of the pack: three numbers, no prerelease. */
  pack_version: string;
  /** True if other tenants may pin the pack too. */
  shared?: boolean;
  /** The tenant that owns the pack. */
  tenant: Tenant;
  /** How long a cached copy is fresh, in seconds; the version itself never changes. */
  ttl_seconds: number;
};

/** A permission: exposes or withholds one capability. */
export type Permission = {
  /** The adapter. */
  adapter_id: string;
  /** False withholds the capability; of two permissions that disagree, the one that withholds wins. */
  allow: boolean;
  /** Bounds on the call's arguments. */
  arg_constraints?: {
    [key: string]: ArgConstraint;
  };
  /** The capability. */
  capability: string;
  /** Unique id of the permission. */
  permission_id: string;
  /** The rationale; has no effect. */
  rationale?: string | null;
  /** The approval gate that a call needs while it is active. */
  requires_approval_gate?: string | null;
};

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

/** Rules in a language. */
export type PolicyDsl = {
  /** The language of the predicates. */
  language: PolicyLanguage;
  /** The rules, evaluated in this order. */
  rules: Rule[];
};

/** The language of predicates. */
export type PolicyLanguage = "jsonlogic" | "jsonlogic-compat";

/** Deterministic rules, evaluated outside any model. */
export type PolicyLayer = {
  /** Approval gates. */
  approval_gates?: ApprovalGate[];
  /** Refusals and escalations, evaluated before any rule. */
  guardrails: Guardrails;
  /** Bundles of rules; higher priority is evaluated first. */
  policy_bundles: PolicyBundle[];
  /** The sign-offs that are required before the pack can be signed; all four roles by default. */
  review_policy?: ReviewPolicy | null;
};

/** Thresholds for promotion. */
export type PromotionThresholds = {
  /** The confidence from which no person is asked. */
  auto_promote_confidence: number;
};

/** A piece of prompt text. */
export type PromptBlock = {
  /** The kind of text. */
  kind: string;
  /** Higher comes first. */
  priority?: number;
  /** The text. */
  text: string;
};

/** Limits on recall. */
export type RecallPolicy = {
  /** The maximum number of memories for one intent; 8 by default. */
  max_per_intent: number;
};

/** A redaction rule of the pack's own. */
export type RedactionPattern = {
  /** Unique id: letters, digits, `_`, `-` and `.`. */
  id: string;
  /** A regular expression that runs in linear time; if it has a group `value`, only that is redacted. */
  pattern: string;
  /** A description; has no effect. */
  rationale?: string | null;
};

/** A built-in redaction rule by name, or a pattern of the pack's own. */
export type RedactionRule = string | RedactionPattern;

/** A limit on the regression of a metric between versions. */
export type ReleaseGate = {
  /** The largest regression that is allowed. */
  max_delta: number;
  /** The metric. */
  metric: Metric;
};

/** The sign-offs that are required before a pack can be signed. */
export type ReviewPolicy = {
  /** The required roles. */
  required_roles: ReviewRole[];
};

/** A review role. */
export type ReviewRole = "architecture" | "security" | "data" | "evaluation";

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

/** The tenant that owns a pack. */
export type Tenant = {
  /** Display name. */
  name?: string | null;
  /** Stable id of the tenant. */
  tenant_id: string;
};

/** The lifetime of each tier. */
export type TierTtls = {
  /** Facts that are kept for years. */
  durable?: string | null;
  /** Across recent tasks. */
  episodic?: string | null;
  /** Facts. */
  semantic?: string | null;
  /** Within a task. */
  working?: string | null;
};

/** Communication style; policy takes precedence. */
export type ToneAndComms = {
  /** Text for the developer part of the prompt. */
  developer_blocks?: PromptBlock[];
  /** Things to do. */
  do?: string[];
  /** Things to avoid. */
  dont?: string[];
  /** Text for the system part of the prompt. */
  system_blocks?: PromptBlock[];
  /** Adjectives. */
  voice_attributes?: string[];
};

/** The inventory of tools, and the permissions that expose them. */
export type ToolingLayer = {
  /** The inventory. */
  adapter_registry: Adapter[];
  /** The permissions. */
  permissions: Permission[];
};
