// Generated from schemas/replay-packet.v2.schema.json by `make schemas`.

/** The label of a recorded compile. */
export type ReplayPacket = {
  /** The operator's correction; required for an `operator_correction`, and for nothing else. */
  correction?: Correction | null;
  /** The recorded result. */
  expected: PacketExpectation;
  /** The latest result. It is null in a recording, which is never written again: the life beside it has the results. */
  latest_result?: PacketResult | null;
  /** The pack that was compiled, `id@x.y.z`. */
  pack_ref: string;
  /** The packet's id, derived from the recording. */
  packet_id: string;
  /** The sessions that it belongs to, sorted. */
  session_ids?: string[];
  /** Side effects that a replay may have. */
  side_effect_policy: SideEffectPolicy;
  /** The snapshot of the graph that evidence was read from. */
  snapshot_ref?: string | null;
  /** The kind of source. */
  source_kind: SourceKind;
  /** The run or request that was recorded. */
  source_ref: string;
  /** The packet that this one supersedes. */
  supersedes?: string | null;
  /** The head of the hash chain over the transcript of tool calls. */
  tool_transcript_chain_hash?: string | null;
  /** The trace that the recorded request belongs to. */
  trace_id?: string | null;
};

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

/** The verdict on a call; the strictest wins. */
export type CallVerdict = "allow" | "needs_approval" | "deny";

/** An operator's correction of a recorded compile. */
export type Correction = {
  /** The instant of the correction, in RFC 3339. */
  at: string;
  /** The operator. */
  by: string;
  /** The result that the request should have had. Fields that are left out are not judged. */
  expect: GoldenExpectation;
  /** The reason. */
  reason: string;
};

/** A reason why a piece of evidence was rejected. */
export type EvidenceReason = "malformed_ref" | "other_snapshot" | "unknown_entity_type" | "unknown_embedding" | "other_session" | "missing_tenant" | "other_tenant" | "missing_classification" | "unknown_classification" | "above_classification" | "unlisted_tag" | "missing_hash" | "hash_mismatch" | "expired" | "malformed_time" | "repeated_ref" | "unresolved_conflict" | "superseded";

/** A call of a tool, and the expected verdict. */
export type GoldenCall = {
  /** Its arguments. */
  arguments?: {
    [key: string]: unknown;
  };
  /** `allow`, `needs_approval` or `deny`. */
  expect: CallVerdict;
  /** `adapter.capability`. */
  tool: string;
};

/**
 * The expected outcome of a compile. Lists are compared as wholes, maps by the keys that are listed, unless stated
 * otherwise.
 */
export type GoldenExpectation = {
  /** The active approval gates, in order. */
  approval_gates_active?: string[] | null;
  /** Bounds on arguments by capability; each must be among those in force. */
  arguments?: {
    [key: string]: {
      [key: string]: ArgConstraint;
    };
  };
  /** Blocks in the prompt, by priority. */
  blocks?: string[] | null;
  /** Calls, each with the verdict on it. They show policy that a compile leaves open until a tool is called. */
  calls?: GoldenCall[];
  /** The code of the refusal. */
  code?: string | null;
  /**
   * The hash of the compiled context. It covers the version and every text of the pack, so it is compared only if the
   * case names the version that it lies beside, or none.
   */
  compiled_context_hash?: string | null;
  /** Dropped blocks by bucket; buckets that are not listed must drop none. */
  dropped?: {
    [key: string]: string[];
  } | null;
  /** References in the evidence manifest, in order. */
  evidence?: string[] | null;
  /** The checks that hide a capability, by capability. */
  hidden?: {
    [key: string]: ToolCheck[];
  };
  /** Memories that are kept, in order. */
  memory?: string[] | null;
  /** The `must_escalate` controls, in order. */
  must_escalate?: string[] | null;
  /** The `must_refuse` controls, in order. */
  must_refuse?: string[] | null;
  /** `compiled`, `must_escalate`, `must_refuse` or `refused`. */
  outcome: string;
  /** Texts that the prompt must contain. */
  prompt_has?: string[];
  /** Texts that the prompt must not contain. */
  prompt_lacks?: string[];
  /** Redaction rules in force, in order. */
  redaction_rules_active?: string[] | null;
  /** The number of redactions by rule; rules that are not listed must redact nothing. */
  redactions?: {
    [key: string]: number;
  } | null;
  /** The reasons against a piece of evidence, by reference. */
  rejected_evidence?: {
    [key: string]: EvidenceReason[];
  };
  /** The reasons against a memory, by id. */
  rejected_memory?: {
    [key: string]: MemoryReason[];
  };
  /** Rules that fire, in order. */
  rules?: string[] | null;
  /**
   * A hash of what each stage decided, without the version and the hashes of the pack; stages that are not listed are
   * not compared.
   */
  stages?: {
    [key: string]: string;
  };
  /** Tokens allocated to each bucket. */
  tokens_allocated?: {
    [key: string]: number;
  };
  /** Surfaced tools (`adapter.capability`), in order. */
  tools?: string[] | null;
  /** Verdicts by rule. */
  verdicts?: {
    [key: string]: RuleVerdict;
  };
};

/** A reason why a memory was rejected. */
export type MemoryReason = "no_content" | "not_promoted" | "promoted_later" | "missing_tenant" | "other_tenant" | "missing_subject" | "other_subject" | "missing_intent" | "other_intent" | "missing_classification" | "unknown_classification" | "above_classification" | "unknown_tier" | "tier_without_ttl" | "expired" | "malformed_time" | "repeated_id" | "missing_class" | "class_not_allowed" | "missing_provenance" | "any_subject" | "personal_data_not_allowed" | "missing_consent" | "below_confidence" | "corrected" | "contradicted" | "over_cap";

/** The recorded result of a compile. */
export type PacketExpectation = {
  /** The hash of the compiled context, if there is one. */
  compiled_context_hash?: string | null;
  /** `compiled`, `must_escalate`, `must_refuse` or `refused`. */
  outcome: string;
};

/** The result of a replay, with the first difference and the evaluation that judged it. */
export type PacketResult = {
  /** The value there now. */
  after?: unknown;
  /** The recorded value. */
  before?: unknown;
  /** The evaluation run that judged the replay. */
  eval_run_id?: string | null;
  /** JSON Pointer into the stage's record. */
  pointer?: string | null;
  /** The result. */
  result: ReplayResult;
  /** The score that the evaluation run gave, from 0 to 1. */
  score?: number | null;
  /** The first stage whose hash changed. */
  stage?: Stage | null;
  /** The parts of the bundle that were changed since the recording. */
  tampered?: string[];
  /** The parts of a correction that do not hold, as JSON Pointers into the correction. */
  unmet?: string[];
};

/** The result of a replay. */
export type ReplayResult = "not_run" | "replay_equal" | "replay_mismatch" | "fixed" | "still_failing" | "invalid" | "superseded";

/** The verdict of a rule; the strictest wins. */
export type RuleVerdict = "allow" | "require" | "deny";

/** Side effects that a replay may have. None reaches a live system. */
export type SideEffectPolicy = "transcript_only" | "sandbox" | "live_disallowed";

/** The kind of source of a recording. */
export type SourceKind = "decision_record" | "quality_replay_case" | "environment_episode" | "operator_correction" | "golden_case";

/** A stage of the context compiler, in the order of execution. */
export type Stage = "intent" | "policy" | "tools" | "evidence" | "memory" | "budget" | "buckets" | "manifests";

/** The four checks of a capability, in order. */
export type ToolCheck = "permission" | "prohibition" | "policy" | "safety_mode" | "classification" | "arguments";
