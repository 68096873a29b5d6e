// Generated from schemas/cli/context-compile.schema.json by `make schemas`.

export type ContextCompileOutput = {
  /** Null where the command was refused. */
  data: CompiledData | null;
  /** Findings, as in schemas/diagnostic.v1.schema.json. */
  diagnostics: DiagnosticRecord[];
  /** False where something was found or refused. */
  ok: boolean;
  /** Version of this form. */
  version: 1;
};

/** The protocol of an adapter. */
export type AdapterType = "OPENAPI" | "INTERNAL" | "MCP" | "A2A";

/** An approval that a request needs, or that some of its calls may need. */
export type ApprovalDemand = {
  /** True if the gate depends on the arguments of a call and is decided when one is made. */
  depends_on_call: boolean;
  /** The instant until which an approval that is given now is valid, in RFC 3339 and UTC. */
  expires_at?: string | null;
  /** The gate and whom it asks. */
  gate: GateRequirement;
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

/** Bounds on the arguments of a call, from one source. All of them apply. */
export type BoundArguments = {
  /** Bounds by argument. */
  arguments: {
    [key: string]: ArgConstraint;
  };
  /** `permission:<id>` or `rule:<id>`. */
  source: string;
};

/** A token bucket. The order decides ties. */
export type Bucket = "business" | "policy" | "tool" | "evidence" | "memory" | "session";

/** The tokens that were allocated and used, and the blocks that did not fit. */
export type BudgetReport = {
  /** `true` for each bucket that dropped a block. */
  bucket_truncations: {
    [key: string]: boolean;
  };
  /** Ids of dropped blocks, by bucket. */
  dropped_block_ids: {
    [key: string]: string[];
  };
  /** Each dropped block, with the budget that would have kept it. */
  dropped_blocks: DroppedBlock[];
  /** Tokens of system, developer and task, reserved before any bucket. */
  head_tokens: HeadTokens;
  /** Tokens allocated to each bucket. */
  tokens_allocated: TokensByBucket;
  /** The token limit: head and buckets together. */
  tokens_total: number;
  /** Tokens of all blocks. */
  tokens_used_at_compile: number;
  /** Tokens of all blocks, by bucket. */
  tokens_used_by_bucket: TokensByBucket;
  /** Assumptions that the allocation made. */
  warnings: string[];
};

/** The bounds and the derivation of a capability. */
export type CapabilityMetadata = {
  /** The approval gates that a call must pass now. */
  approval_gates?: string[];
  /** The approval gates that a call may have to pass, depending on its arguments. */
  approval_gates_by_call?: string[];
  /** The effective mode: the declared one, unless policy lowers it. */
  approval_mode: ApprovalMode;
  /** Bounds on its arguments, each with its source. */
  arg_constraints?: BoundArguments[];
  /** The mode that the registry declares. */
  declared_mode: ApprovalMode;
  /** The parts of pack and policy that surfaced it: adapter, permissions and rules. */
  derivation: string[];
  /** The kind of capability. */
  kind?: string | null;
  /** The risk level, in the pack's own words. */
  risk_level?: string | null;
  /** Rules that decide about a call when it is made, by its arguments. */
  rules_by_call?: string[];
  /** Schema of its calls. */
  schema_ref?: string | null;
};

/**
 * Everything that a model sees and that bounds what it does, compiled from a pack, a run and a request, from which it
 * borrows.
 */
export type CompiledContext = {
  /** Where the tokens went. */
  budget_report: BudgetReport;
  /** The prompt for the model. */
  compiled_prompt: CompiledPrompt;
  /** The decisions of each stage, and its hash. */
  context_ledger: ContextLedger;
  /** The decisions that the request may lead to, each with the state of its evidence. */
  decisions: DecisionManifest[];
  /** The rules that fired, the tools that may be used, the evidence that may be cited. */
  manifests: Manifests;
  /** The evidence that fired rules require, and its state. */
  obligations: Obligation[];
  /** The verdict that the runtime must follow. */
  outcome: Verdict;
  /** The controls that the runtime must enforce. */
  runtime_controls: RuntimeControls;
};

/** A compiled context; with `--earlier` also how its stable prefix compares. */
export type CompiledData = {
  /** The compiled context. */
  compiled_context: CompiledContext;
  /** The part of the earlier prefix that it shares. */
  prefix_change: PrefixChange;
} | CompiledContext;

/** The prompt for the model. Fields are in canonical order, here and in every type that is hashed often. */
export type CompiledPrompt = {
  /** The blocks that fit, by priority. */
  context_blocks: ContextBlock[];
  /** The developer part: how to work. */
  developer: string;
  /** The system part: who the model is. */
  system: string;
  /** The task: what the request asks for. */
  task: string;
};

/** One block of context. */
export type ContextBlock = {
  /** Unique within the compile, such as `pol_0`. */
  block_id: string;
  /** The bucket whose tokens it takes. */
  bucket: Bucket;
  /** The text. */
  content: string;
  /** The priority; higher comes first. */
  priority: number;
  /** References of the sources of its content. */
  provenance_refs: string[];
  /** The token count of the text. */
  tokens: number;
};

/** The audit summary of a compile. */
export type ContextLedger = {
  /** The instant that lifetimes were judged at. */
  as_of?: string | null;
  /** A summary of the budget. */
  budget: LedgerBudget;
  /** Typed hash over the hashes of the stages, which cover every other field. */
  compiled_context_hash?: string | null;
  /** Every guardrail and gate that has a predicate, with its result. */
  controls: LedgerControl[];
  /** Every decision of the intent, with the state of the evidence that it requires. */
  decisions?: LedgerDecision[];
  /** Every piece of evidence that was supplied, admitted or not. */
  evidence: LedgerEvidence[];
  /** The intent. */
  intent: LedgerIntent;
  /** Every memory that was supplied, admitted or not. */
  memory: LedgerMemory[];
  /** Counts of what was neutralized in text from outside. */
  neutralized: Neutralized;
  /** Assumptions, clamps and skipped rules. */
  notices: LedgerNotice[];
  /** What fired rules require, with the state of its evidence. */
  obligations?: Obligation[];
  /** The overlays that were applied, in order. */
  overlays: LedgerPack[];
  /** The pack. */
  pack: LedgerPack;
  /** The origin of the pack, and the party that named it. */
  pack_source?: PackSource;
  /** Every rule that fired or failed. */
  policy_decisions: PolicyDecision[];
  /** Counts of redactions by rule; never the values. */
  redactions: LedgerRedaction[];
  /** The request. */
  request: LedgerRequest;
  /** Typed hash of the pack after its overlays. */
  resolved_pack_hash: string;
  /** Rules whose outcome depends on the call, in order of evaluation. They are decided when a tool is called. */
  rules_by_call?: string[];
  /** The run. */
  run: LedgerRun;
  /** The part of the prompt that does not change from request to request, for provider caches. */
  stable_prefix: StablePrefix;
  /** A hash for each stage, in order. */
  stage_hashes: StageHash[];
  /** The tokenizer. */
  tokenizer: LedgerTokenizer;
  /** Every capability of the registry, surfaced or not. */
  tools: LedgerCapability[];
};

/** The kind of a control. */
export type ControlKind = "approval_gate" | "must_escalate" | "must_refuse";

/** A decision that the request may lead to, as data. */
export type DecisionManifest = {
  /** The allowed outcomes. */
  allowed_outcomes: string[];
  /** The approval mode. */
  approval_mode: ApprovalMode;
  /** The key. */
  decision_key: string;
  /** The authority that the decision carries. */
  decision_right: string;
  /** Schema of its inputs. */
  inputs_schema_ref?: string | null;
  /** The effect of missing evidence. */
  on_insufficient_evidence: InsufficientEvidence;
  /** The effect of each outcome; one that is not listed counts as `act`. */
  outcome_effects?: {
    [key: string]: OutcomeEffect;
  };
  /** Schema of its outputs. */
  outputs_schema_ref?: string | null;
  /** The owner. */
  owner_role: string;
  /** The evidence that it requires, in the pack's order. */
  required_evidence: EvidenceRequirement[];
  /** True if all of its evidence is met. */
  sufficient: boolean;
  /** Version of the spec. */
  version: string;
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

/** A block that did not fit. */
export type DroppedBlock = {
  /** The block's id. */
  block_id: string;
  /** The bucket that it did not fit into. */
  bucket: Bucket;
  /**
   * False if `smallest_budget` is sufficient but maybe not the smallest, because there were too many blocks to
   * search.
   */
  exact: boolean;
  /** The smallest budget above the allocated one that would have kept the block. */
  smallest_budget: number;
  /** The token count of the block. */
  tokens: number;
};

/** A piece of evidence that a decision may cite. */
export type EvidenceEntry = {
  /** Its reference. */
  evidence_ref: string;
  /** Hash of its payload as it was supplied. */
  hash: string;
  /** The id of its source. */
  source_id?: string | null;
};

/** A reason why a piece of evidence was rejected. */
export type EvidenceReason = "malformed_ref" | "other_snapshot" | "unknown_entity_type" | "unknown_embedding" | "other_session" | "missing_tenant" | "other_tenant" | "missing_classification" | "unknown_classification" | "above_classification" | "unlisted_tag" | "missing_hash" | "hash_mismatch" | "expired" | "malformed_time" | "repeated_ref" | "unresolved_conflict" | "superseded";

/** Evidence that is required by name, and its status. */
export type EvidenceRequirement = {
  /** The name. */
  name: string;
  /** The references that meet it, or that would: admitted, expired, rejected or dropped. */
  refs?: string[];
  /** The status. */
  status: EvidenceStatus;
};

/** The status of required evidence; the best of all its sources counts. */
export type EvidenceStatus = "met" | "dropped" | "stale" | "rejected" | "missing";

/** A gate that a call or a request must pass: whom to ask, and for how long an approval is valid. */
export type GateRequirement = {
  /** The gate. */
  gate_id: string;
  /** The role that may approve; none if the pack does not declare the gate. */
  required_approver_role?: string | null;
  /** Seconds that an approval is valid. */
  ttl_seconds?: number | null;
};

/** Token counts of system, developer and task. */
export type HeadTokens = {
  /** The count of `developer`. */
  developer: number;
  /** The count of `system`. */
  system: number;
  /** The count of `task`. */
  task: number;
};

/** A check that hid a capability. */
export type HidingCheck = {
  /** The check. */
  check: ToolCheck;
  /** The permission, prohibition or rule; the run's mode for the safety check. */
  source?: string | null;
};

/** The effect of missing evidence on a compile; the strictest of several decisions applies. */
export type InsufficientEvidence = "note" | "escalate" | "refuse";

/** The status of an item of evidence or memory. */
export type ItemStatus = "kept" | "dropped" | "rejected";

/** A summary of the budget. */
export type LedgerBudget = {
  /** Tokens of system, developer and task. */
  head: number;
  /** Head and buckets together. */
  total: number;
  /** Buckets that dropped a block. */
  truncated: Bucket[];
  /** Tokens of all blocks. */
  used: number;
};

/** A capability of the registry, surfaced or hidden. */
export type LedgerCapability = {
  /** The adapter. */
  adapter_id: string;
  /** Its block, if it is surfaced. */
  block_id?: string | null;
  /** The capability. */
  capability: string;
  /** The mode that the registry declares, at most the adapter's. */
  declared_mode: ApprovalMode;
  /** All checks that hid it, in order; empty if it is surfaced. */
  hidden_by?: HidingCheck[];
  /** True if it is surfaced. */
  surfaced: boolean;
};

/** A guardrail or a gate, with the result of its predicate. */
export type LedgerControl = {
  /** True if it is active. */
  active: boolean;
  /** True if its predicate depends on the call; it is decided when a tool is called. */
  depends_on_call?: boolean;
  /** The reason why the predicate failed; such a control is active. */
  error?: string | null;
  /** Its id. */
  id: string;
  /** The kind of control. */
  kind: ControlKind;
  /** The fired rules that name it, for a gate. */
  named_by?: string[];
};

/**
 * A decision of the intent: whether its evidence suffices, and what follows if it does not. It repeats what the compiled
 * context says, so that the ledger alone shows why a compile refused or escalated.
 */
export type LedgerDecision = {
  /** The decision. */
  decision_key: string;
  /** The effect of missing evidence. */
  on_insufficient_evidence: InsufficientEvidence;
  /** The state of each piece of evidence that it requires. */
  required_evidence: EvidenceRequirement[];
  /** True if all of it is met. */
  sufficient: boolean;
  /** Its version. */
  version: string;
};

/** A piece of evidence, admitted or not. */
export type LedgerEvidence = {
  /** Its block, if it was admitted. */
  block_id?: string | null;
  /** Its reference. */
  evidence_ref: string;
  /** The hash that was supplied with it, unless it is in the manifest. */
  payload_hash?: string | null;
  /** All reasons against it, in order. */
  reasons?: EvidenceReason[];
  /** The status. */
  status: ItemStatus;
  /** The number of times that it was supplied, if more than once. */
  supplied?: number | null;
};

/** The intent of a request. */
export type LedgerIntent = {
  /** Its class, if the pack has a catalogue. */
  class: string | null;
  /** Its id. */
  id: string;
  /** Its task, if the pack has a catalogue. */
  task: string | null;
};

/** A memory, admitted or not. */
export type LedgerMemory = {
  /** Its block, if it was admitted. */
  block_id?: string | null;
  /** Its id. */
  id: string;
  /** Its origin; absent in documents from before it was stated. */
  origin?: MemoryOrigin | null;
  /** All reasons against it, in order. */
  reasons?: MemoryReason[];
  /** The status. */
  status: ItemStatus;
};

/** An assumption, a clamp or a skipped rule. */
export type LedgerNotice = {
  /** The diagnostic code. */
  code: string;
  /** The message. */
  message: string;
  /** The stage. */
  stage: Stage;
};

/** A pack or overlay by reference and hash. */
export type LedgerPack = {
  /** Typed hash of the authored document. */
  hash: string;
  /** `id@x.y.z`. */
  reference: string;
};

/** The number of redactions by one rule. */
export type LedgerRedaction = {
  /** The number of redactions. */
  count: number;
  /** The rule. */
  rule: string;
};

/** A request by id and hash. */
export type LedgerRequest = {
  /** Typed hash of the request after redaction. */
  hash: string;
  /** Its id. */
  request_id: string;
};

/** A run by id and hash. */
export type LedgerRun = {
  /** Typed hash of the run context after redaction. */
  hash: string;
  /** Its id. */
  run_id: string;
  /** The run's safety mode. */
  safety_mode: ApprovalMode;
  /** The tenant of the run. */
  tenant_id: string;
};

/** The tokenizer. */
export type LedgerTokenizer = {
  /** False for an estimate. */
  exact: boolean;
  /** The tokenizer's id, such as `o200k_base`. */
  id: string;
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

/** The three manifests. */
export type Manifests = {
  /** Admitted evidence whose block was kept. */
  evidence_manifest: EvidenceEntry[];
  /** Rules that fired, by bundle. */
  policy_manifest: PolicyEntry[];
  /** Surfaced tools, by adapter. */
  tool_manifest: ToolEntry[];
};

/** The origin of a memory of a compile. */
export type MemoryOrigin = {
  from: "file";
} | {
  from: "store";
  /** The hash of that event. */
  promotion: string;
};

/** A reason why a memory was rejected. */
export type MemoryReason = "no_content" | "not_promoted" | "promoted_later" | "missing_tenant" | "other_tenant" | "missing_subject" | "other_subject" | "missing_intent" | "other_intent" | "missing_classification" | "unknown_classification" | "above_classification" | "unknown_tier" | "tier_without_ttl" | "expired" | "malformed_time" | "repeated_id" | "missing_class" | "class_not_allowed" | "missing_provenance" | "any_subject" | "personal_data_not_allowed" | "missing_consent" | "below_confidence" | "corrected" | "contradicted" | "over_cap";

/** Counts of what was neutralized in text from outside. */
export type Neutralized = {
  /** Bidirectional control characters. */
  bidi: number;
  /** Control characters. */
  control: number;
  /** Runs of characters that imitate a fence. */
  fence: number;
  /** Invisible characters. */
  invisible: number;
};

/** An obligation of a rule that fired. */
export type Obligation = {
  /** The required evidence. */
  requirement: EvidenceRequirement;
  /** The rule. */
  rule_id: string;
};

/** The effect of an outcome. */
export type OutcomeEffect = "refuse" | "escalate" | "act";

/** The party that named the pack of a compile. */
export type PackNaming = {
  by: "request";
} | {
  by: "caller";
} | {
  by: "environment";
  /** The environment's name. */
  environment: string;
} | {
  by: "workspace";
  /** The environment that has it pinned, where the workspace names an id. */
  environment?: string | null;
  /** The workspace's name. */
  workspace: string;
};

/** The origin of a pack's documents. */
export type PackOrigin = "proven" | "folder";

/**
 * Where the pack of a compile came from, and who named it. Both are absent in recordings from before they were stated.
 *
 * A folder and a pack that the request names are hashed as if nothing were stated, so that a compile from a folder keeps
 * its hash. A proven pack, a caller's choice and an environment are covered by the hash of the last stage.
 */
export type PackSource = {
  /** The party that named the pack. */
  named_by?: PackNaming | null;
  /** The origin of the documents. */
  origin?: PackOrigin | null;
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

/** The rules of one bundle that fired, in order of evaluation. */
export type PolicyEntry = {
  /** The bundle. */
  bundle_id: string;
  /** Its rules. */
  rule_ids: string[];
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

/** The part of an earlier prompt's stable prefix that a later one shares. */
export type PrefixChange = {
  /** The part that broke it: a block, `system` or `developer`; `None` if the prefixes are the same. */
  broken_by: string | null;
  /** Tokens before that part, which a provider's cache still holds. */
  shared_tokens: number;
  /** Tokens of the later prefix. */
  tokens: number;
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

/** The controls that the runtime must enforce. */
export type RuntimeControls = {
  /** Approval gates that are active now. */
  approval_gates_active: string[];
  /** Whom to ask at each gate that is active or may become active with a call, and until when. */
  approvals?: ApprovalDemand[];
  /**
   * The instant until which a copy of the pack, and of this context, counts as fresh: `as_of` and the pack's
   * `ttl_seconds`, in RFC 3339 and UTC.
   */
  fresh_until?: string | null;
  /** Standing labels, active guardrails, and rules that demand a person without a gate (`rule:<rule_id>`). */
  must_escalate: string[];
  /** Standing labels, active guardrails, and rules that denied (`rule:<rule_id>`). */
  must_refuse: string[];
  /** Redaction rules that were applied, and that also apply to output. */
  redaction_rules_active: string[];
  /** The score targets of the intent, after overlays: what the caller holds the run to. */
  targets?: ScoreTargets | null;
};

/** The score targets of an intent. */
export type ScoreTargets = {
  /** Cost of a decision in cents; lower is better. */
  economics_cents_per_decision?: number | null;
  /** 99th percentile of latency in milliseconds; lower is better. */
  latency_p99_ms?: number | null;
  /** Share of runs that comply with policy; higher is better. */
  policy?: number | null;
  /** Share of runs without harm; higher is better. */
  safety?: number | null;
  /** Share of runs that complete the task; higher is better. */
  utility?: number | null;
};

/** The severity of a diagnostic. */
export type SeverityRecord = "info" | "warning" | "error";

/** The part of the prompt that comes before anything of the request. */
export type StablePrefix = {
  /** The blocks in it, in the order of the prompt; system and developer come before them. */
  blocks: string[];
  /** SHA-256 over the SHA-256 of each of its parts, in order: system, developer, then the blocks. */
  hash: string;
  /** Its token count. */
  tokens: number;
};

/** A stage of the context compiler, in the order of execution. */
export type Stage = "intent" | "policy" | "tools" | "evidence" | "memory" | "budget" | "buckets" | "manifests";

/** The hash of a stage: over the hash of what it read, and what it decided. */
export type StageHash = {
  /** The hash. */
  hash: string;
  /** The hash of everything that the stage read. */
  reads: string;
  /** The stage. */
  stage: Stage;
};

/** A token count for each bucket. */
export type TokensByBucket = {
  business: number;
  evidence: number;
  memory: number;
  policy: number;
  session: number;
  tool: number;
};

/** The four checks of a capability, in order. */
export type ToolCheck = "permission" | "prohibition" | "policy" | "safety_mode" | "classification" | "arguments";

/** The endpoint of an adapter in the tool manifest. */
export type ToolEndpoint = {
  /** The address in the environment; none if the reference is not registered there. */
  base_url?: string | null;
  /** The reference, after overlays. */
  endpoint_ref: string;
  /** The environment. */
  environment: string;
  /** The protocol that the adapter declares. */
  type: AdapterType;
};

/** The surfaced capabilities of one adapter. */
export type ToolEntry = {
  /** The adapter. */
  adapter_id: string;
  /** Its capabilities, in the order of the registry. */
  capabilities: string[];
  /** The bounds and the derivation of each capability. */
  capability_metadata: {
    [key: string]: CapabilityMetadata;
  };
  /** The endpoint, where an environment is named. */
  endpoint?: ToolEndpoint | null;
};

/** The verdict on a request. The strictest that applies wins. */
export type Verdict = "compiled" | "must_escalate" | "must_refuse";
