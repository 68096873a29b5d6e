// Generated from schemas/cli/context-record.schema.json by `make schemas`.

export type ContextRecordOutput = {
  /** Null where the command was refused. */
  data: RecordedContext | null;
  /** Findings, as in schemas/diagnostic.v1.schema.json. */
  diagnostics: DiagnosticRecord[];
  /** False where something was found or refused. */
  ok: boolean;
  /** Version of this form. */
  version: 1;
};

/** The protocol of an adapter. */
export type AdapterType = "OPENAPI" | "INTERNAL" | "MCP" | "A2A";

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

/** Tokens of the context. */
export type BucketTokens = number | {
  [key: string]: number;
};

/** The result of a compile. */
export type BundleExpectation = {
  /** The decisions about the calls of the transcript. */
  calls?: RecordedCall[];
  /** The hash of the compiled context, if there is one. */
  compiled_context_hash?: string | null;
  /** `compiled`, `must_escalate`, `must_refuse` or `refused`. */
  outcome: string;
  /** The code of the refusal, if the compile was refused. */
  refusal?: string | null;
  /** The stages that ran. */
  stages: RecordedStage[];
};

/** The inputs of a compile, as the documents that were supplied. */
export type BundleInputs = {
  /** The endpoints of the environment, if one was named. */
  endpoints?: EnvironmentEndpoints | null;
  /** Evidence. */
  evidence: EvidenceItem[];
  /** Memory. */
  memory: MemoryItem[];
  /** All overlays that came with the pack, by name. */
  overlays: {
    [key: string]: unknown;
  };
  /** The pack as authored. */
  pack: unknown;
  /** The origin of the pack, and the party that named it. */
  pack_source?: PackSource;
  /** Memory that the store recalled; absent where nothing was asked of it. */
  recalled_memory?: RecalledMemory[] | null;
  /** The request. */
  request: InvokeRequest;
  /** The run, with `as_of` as it was used. */
  run: RunContext;
  /** The overlays that were applied. */
  selected_overlays: string[];
  /** The tokenizer that counted, also if the run names none. */
  tokenizer: string;
  /** The tool calls that were made under the compiled context, in order. */
  tool_transcript?: TranscriptEntry[];
};

/** A hash of each part of a bundle, by name; `bundle` covers all the others. */
export type BundleSeal = {
  [key: string]: string;
};

/** The verdict on a call; the strictest wins. */
export type CallVerdict = "allow" | "needs_approval" | "deny";

/** A classification level, most open first. */
export type Classification = "PUBLIC" | "INTERNAL" | "CONFIDENTIAL" | "RESTRICTED";

/** The time of a compile, as the machine that recorded it measured it. */
export type CompileMeasurement = {
  /** Microseconds from the prepared pack and the checked inputs to the outcome. */
  compile_us: number;
};

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

/** The address of an endpoint. */
export type EndpointAddress = {
  /** The URL that the paths of calls are appended to. */
  base_url: string;
  /** The protocol. */
  type: AdapterType;
};

/** The endpoints of an environment, as far as the pack refers to them. */
export type EnvironmentEndpoints = {
  /** The addresses, by `endpoint_ref`. A reference that is not registered has none. */
  addresses: {
    [key: string]: EndpointAddress;
  };
  /** The environment. */
  environment: string;
};

/**
 * A piece of evidence: an object with these fields. A missing or invalid field rejects the piece with a reason; a
 * field of the wrong type refuses the list.
 */
export type EvidenceItem = {
  /**
   * `PUBLIC`, `INTERNAL`, `CONFIDENTIAL` or `RESTRICTED`; at most the classification of the pack, and of the run if
   * it names one.
   */
  classification?: string | null;
  /** References of evidence that contradicts it. */
  conflicts_with?: string[];
  /** The content: a text, or any JSON. */
  content: unknown;
  /** `kg:<type>:<id>#<snapshot>`, `tool:<adapter>.<capability>:<call>` or `session:<id>`. */
  evidence_ref: string;
  /** The time from which it is no longer valid, in RFC 3339. */
  expires_at?: string | null;
  /** `sha256:<hex>` over the bytes of a text, or over the canonical JSON of anything else. */
  payload_hash?: string | null;
  /**
   * Its relevance as the retrieval judged it: the smaller, the earlier it is packed. Evidence without a rank comes
   * last.
   */
  rank?: number | null;
  /** The decision that resolves a conflict in favour of this piece. */
  resolution_ref?: string | null;
  /** The time of retrieval, in RFC 3339. */
  retrieved_at?: string | null;
  /** The id of its source. */
  source_id?: string | null;
  /** Free tags such as `PII`. */
  tags?: string[];
  /** The tenant that it belongs to; must be the run's tenant. */
  tenant_id?: string | null;
};

/** A reason why a piece of evidence was rejected. */
export type EvidenceReason = "malformed_ref" | "other_snapshot" | "unknown_entity_type" | "unknown_embedding" | "other_session" | "missing_tenant" | "other_tenant" | "missing_classification" | "unknown_classification" | "above_classification" | "unlisted_tag" | "missing_hash" | "hash_mismatch" | "expired" | "malformed_time" | "repeated_ref" | "unresolved_conflict" | "superseded";

/** A call of a tool, and the expected verdict. */
export type GoldenCall = {
  /** Its arguments. */
  arguments: {
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

/** A request to a governed agent. Predicates read it as `request`, with `request.context` for `input.context`. */
export type InvokeRequest = {
  /** The channel that it came in through, such as `chat`. */
  channel?: string | null;
  /** Pinned pack first, then overlays of it, each `id@x.y.z`. */
  context_pack_refs?: string[];
  /** The input: intent, message and facts. */
  input: RequestInput;
  /** The user's locale, such as `en-IN`. */
  locale?: string | null;
  /** Unique id of the request. */
  request_id: string;
  /** The session that the request belongs to. */
  session?: RequestSession | null;
  /** The tenant of the request; must be the run's tenant if it is set. */
  tenant_id?: string | null;
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

/**
 * A memory, recalled before the compile: an object with these fields. A missing or invalid field rejects the memory
 * with a reason; a field of the wrong type refuses the list.
 */
export type MemoryItem = {
  /** The class of memory, such as `preference`. */
  class?: string | null;
  /**
   * `PUBLIC`, `INTERNAL`, `CONFIDENTIAL` or `RESTRICTED`; at most the classification of the pack, and of the run if
   * it names one.
   */
  classification?: string | null;
  /** The confidence that it was proposed with, from 0 to 1. */
  confidence?: number | null;
  /** The reference of the consent that personal data in it was given under. */
  consent?: string | null;
  /** The id of the memory that it corrects; only for the class `correction`. */
  corrects?: string | null;
  /** The entity that the fact is about. */
  entity?: string;
  /** Unique id of the memory. */
  id: string;
  /** The intent that it serves, or `*` for any. */
  intent_id?: string | null;
  /** True if it holds personal data that no detector knows, such as a name. */
  personal_data?: boolean;
  /** The predicate. */
  predicate?: string;
  /** The time of its promotion, in RFC 3339; a capture that was not promoted has none. */
  promoted_at?: string | null;
  /** References of its sources. */
  provenance?: string[];
  /** The role of the person who accepted it. */
  reviewed_by?: string | null;
  /** The subject that it is about, or `*` for any. */
  subject?: string | null;
  /** The tenant that it belongs to; must be the run's tenant. */
  tenant_id?: string | null;
  /** The memory as text. */
  text?: string | null;
  /** `working`, `episodic`, `semantic` or `durable`; its lifetime is the pack's. */
  tier?: string | null;
  /** The value. */
  value?: unknown;
};

/** A reason why a memory was rejected. */
export type MemoryReason = "no_content" | "not_promoted" | "promoted_later" | "missing_tenant" | "other_tenant" | "missing_subject" | "other_subject" | "missing_intent" | "other_intent" | "missing_classification" | "unknown_classification" | "above_classification" | "unknown_tier" | "tier_without_ttl" | "expired" | "malformed_time" | "repeated_id" | "missing_class" | "class_not_allowed" | "missing_provenance" | "any_subject" | "personal_data_not_allowed" | "missing_consent" | "below_confidence" | "corrected" | "contradicted" | "over_cap";

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

/** A position in a text. */
export type PositionRecord = {
  /** Bytes from the start. */
  byte: number;
  /** Column from 1, in characters. */
  column: number;
  /** Line from 1. */
  line: number;
};

/** A capability that a run may not use. */
export type Prohibition = {
  /** The adapter. */
  adapter_id: string;
  /** The capability; all of the adapter's if it is left out. */
  capability?: string | null;
};

/** A memory that the store recalled, with the event that promoted it. */
export type RecalledMemory = {
  /** The memory. */
  item: MemoryItem;
  /** The hash of the event that promoted it, in the memory log. */
  promotion: string;
};

/** The decision about a call of a transcript, as it was when it was recorded. */
export type RecordedCall = {
  /** `adapter.capability`. */
  tool: string;
  /** The verdict. */
  verdict: CallVerdict;
};

/** A recorded compile; with `--out` where it was written. */
export type RecordedContext = {
  /** The file. */
  file: string;
  /** A summary of the recording. */
  packet: ReplayPacket;
  /** Counted and reported tokens. */
  usage: UsageReport | null;
} | ReplayBundle;

/** The record of a stage. */
export type RecordedStage = {
  /** The decisions of the stage. */
  decided: unknown;
  /** Typed hash over the hash of `reads`, and `decided`. */
  hash: string;
  /** Everything that the stage read. */
  reads: unknown;
  /** The stage. */
  stage: Stage;
};

/** A related place. */
export type RelatedRecord = {
  /** The place. */
  location: LocationRecord;
  /** Its relation to the finding. */
  message: string;
};

/** A recorded compile: its inputs and its result. */
export type ReplayBundle = {
  /** The result. */
  expected: BundleExpectation;
  /** `deed/replay-bundle/v2`. */
  format: string;
  /** The inputs. */
  inputs: BundleInputs;
  /** The time that the compile took, if it was measured. A note beside the recording: the seal does not cover it. */
  measured?: CompileMeasurement | null;
  /** The label of the recording. */
  packet: ReplayPacket;
  /** A hash of each part, computed at recording time. */
  seal: BundleSeal;
  /** The token count that the provider reported, if it was supplied. */
  usage?: UsageReport | null;
};

/** The label of a recorded compile. */
export type ReplayPacket = {
  /** The operator's correction; required for an `operator_correction`, and for nothing else. */
  correction?: Correction | null;
  /** The recorded result. */
  expected: PacketExpectation;
  /** The latest result. It is null in a recording, which is never written again: the life beside it has the results. */
  latest_result: PacketResult | null;
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

/** The result of a replay. */
export type ReplayResult = "not_run" | "replay_equal" | "replay_mismatch" | "fixed" | "still_failing" | "invalid" | "superseded";

/** The input of a request. */
export type RequestInput = {
  /** Structured facts that rules read as `request.context`. */
  context?: {
    [key: string]: unknown;
  };
  /** One of the pack's intents. */
  intent: string;
  /**
   * The user's message. It is data: nothing in it changes a manifest or a control, unless a rule of the pack reads
   * it.
   */
  message?: string | null;
};

/** The session that a request belongs to. */
export type RequestSession = {
  /** Recent turns, oldest first. */
  recent_turns?: Turn[];
  /** Id of the session. */
  session_id?: string | null;
};

/** The verdict of a rule; the strictest wins. */
export type RuleVerdict = "allow" | "require" | "deny";

/** An agent that may decide in a run besides its user. */
export type RunAgent = {
  /** Id of the agent. */
  id: string;
  /** The role in which it decides. */
  role?: string | null;
};

/** The token budget of a run. */
export type RunBudget = {
  /** Tokens of the context: in all, or by bucket. */
  bucket_tokens?: BucketTokens | null;
};

/**
 * Everything about a run that the compiler may read. Predicates see its fields, and any others that the caller adds,
 * at their top level.
 */
export type RunContext = {
  /** The agents besides the user that may decide in this run. */
  agents?: RunAgent[];
  /** The instant that lifetimes are judged at, as an RFC 3339 time. */
  as_of?: string | null;
  /** Versions of components beyond `runtime` and `ontology`, for `compatibility.requires`. */
  components?: {
    [key: string]: string;
  };
  /** Pinned pack and overlays, if the run names them too. */
  context_pack_refs?: string[];
  /** The intent, if the run was opened for one; must agree with the request. */
  intent?: string | null;
  /** The graph snapshot that `kg:` evidence must be bound to. */
  kg_snapshot_id?: string | null;
  /** A ceiling below the pack's own for the classification of evidence and memory. */
  max_classification?: Classification | null;
  /** The ontology versions that are available to the run, by namespace. */
  ontologies?: {
    [key: string]: string[];
  } | null;
  /** Capabilities that this run may not use. The order has no meaning: rules see them sorted. */
  prohibitions?: Prohibition[];
  /** The token budget. */
  run_budget?: RunBudget | null;
  /** Unique id of the run. */
  run_id: string;
  /** The highest mode that a surfaced capability may have. */
  safety_mode: ApprovalMode;
  /** The session that `session:` evidence must belong to. */
  session_id?: string | null;
  /**
   * The subjects of the run; recalled memory must be about one of them. The user if it is left out. The order has no
   * meaning: rules see them sorted.
   */
  subject_ids?: string[];
  /** The tenant of the run. */
  tenant_id: string;
  /** The tokenizer: `o200k_base` (the default), `cl100k_base`, or `bytes/<n>` for an estimate of `n` bytes per token. */
  tokenizer?: string | null;
  /** The user on whose behalf the run acts. */
  user?: RunUser | null;
  [key: string]: unknown;
};

/** The user on whose behalf a run acts. */
export type RunUser = {
  /** Id of the user. */
  id?: string | null;
  /** The user's role. */
  role?: string | null;
  [key: string]: unknown;
};

/** The severity of a diagnostic. */
export type SeverityRecord = "info" | "warning" | "error";

/** Side effects that a replay may have. None reaches a live system. */
export type SideEffectPolicy = "transcript_only" | "sandbox" | "live_disallowed";

/** The kind of source of a recording. */
export type SourceKind = "decision_record" | "quality_replay_case" | "environment_episode" | "operator_correction" | "golden_case";

/** A stage of the context compiler, in the order of execution. */
export type Stage = "intent" | "policy" | "tools" | "evidence" | "memory" | "budget" | "buckets" | "manifests";

/** A call of a tool, as a model asks for it. Predicates read it as `call`. */
export type ToolCall = {
  /** Its arguments. */
  arguments: {
    [key: string]: unknown;
  };
  /** `adapter.capability`. */
  tool: string;
};

/** The four checks of a capability, in order. */
export type ToolCheck = "permission" | "prohibition" | "policy" | "safety_mode" | "classification" | "arguments";

/** A tool call that was made under a compiled context, and its answer. */
export type TranscriptEntry = {
  /** The answer; none if the call was not made, or its answer was not kept. */
  answer?: unknown;
  /** The call. */
  call: ToolCall;
};

/** One turn of a conversation. */
export type Turn = {
  /** The speaker's role, such as `user` or `assistant`. */
  role: string;
  /** The text of the turn. */
  text: string;
};

/** The compiler's token count beside the provider's. */
export type UsageReport = {
  /** The compiler's count: head and blocks. */
  counted: number;
  /** Reported minus counted. */
  difference: number;
  /** True if the tokenizer is exact, false for an estimate. */
  exact: boolean;
  /** Reported as parts per thousand of counted. */
  per_mille: number;
  /** The provider's count. */
  reported: number;
  /** The tokenizer. */
  tokenizer: string;
};
