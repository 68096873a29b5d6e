// Generated from schemas/run-record.v1.schema.json by `make schemas`.

/** An event with its time and format version. */
export type RunRecord = {
  /** The time of writing, in RFC 3339. The journal defines the order, never this. */
  at: string;
  /** The event. */
  event: RunEvent;
  /** The version of the event's format. */
  version: number;
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

/** An approval mode. A capability is surfaced only if its mode is at most the run's safety mode. */
export type ApprovalMode = "read_only" | "local_write" | "network" | "delegated" | "destructive";

/** A call that waits for an approval. */
export type ApprovedCall = {
  /** The complete arguments. */
  arguments: unknown;
  /** The tool. */
  tool: string;
  /** The hash of the tool's definition. */
  tool_digest: string;
};

/** A contract that continues when a gate opens. */
export type ApprovedContract = {
  /** The hash of its contract. */
  contract_hash: string;
  /** Its effects beyond the workspace. */
  effects: string[];
  /** The step's instruction. */
  label: string;
  /** The egress rules of its code. */
  reaches?: string[];
  /** The step. */
  step: string;
};

/** The authority by which an approver decided in a role. */
export type ApproverAuthority = "directory" | "sole_person";

/** A file by path and content. */
export type ArtifactRecord = {
  /** The path in the workspace. */
  path: string;
  /** Plain SHA-256 of its bytes. */
  sha256: string;
  /** The size in bytes; `bytes` in older records. */
  size_bytes: number;
};

/** A set of files that a step wrote or read. */
export type ArtifactSet = {
  /** The total size in bytes. */
  bytes: number;
  /** The number of files. */
  files: number;
  /** Plain SHA-256 of the canonical bytes of the [`SetManifest`], under which it is stored. */
  manifest: string;
  /** The path with its `*`, as in the contract. */
  path: string;
};

/**
 * What a model was asked to propose for an artifact. The proposals are frozen, so that the verdict follows from them without
 * the model.
 */
export type AskedCorrector = {
  /** The key of the call whose reply has the proposals; none if no reply could be used. */
  call?: string | null;
  /** The reason why there are no proposals. */
  fault?: CorrectorFault | null;
  /** The proposals, as the ladder was given them; kept under a path of their own. None if no reply could be used. */
  proposals?: ArtifactRecord | null;
};

/** The outcome of an attempt. */
export type AttemptOutcome = "replied" | "unreachable" | "denied" | "rate_limited" | "server_failed" | "rejected" | "cut" | "idle" | "late" | "unusable";

/** The payment of an attempt, as far as it is known. */
export type AttemptPayment = "none" | "possible" | "paid";

/** An amount of each resource. */
export type Budget = {
  /** Bytes that leave the workspace: URL, headers set by code, and body of each request. */
  bytes_out?: number | null;
  /** Governed calls from inside the sandbox. */
  governed_calls?: number | null;
  /** Tokens of model calls. */
  model_tokens?: number | null;
  /** Money, in millionths of the currency of prices. */
  money_micros?: number | null;
  /** Tool calls of the executor's own loop. Accepted in documents; no backend spends them yet. */
  tool_calls?: number | null;
  /** Wall-clock seconds. */
  wall_seconds?: number | null;
};

/** The outcome of a call. */
export type CallAnswer = {
  /** The key. */
  key: string;
  /** The answer: a result or an error. */
  outcome: CallOutcome;
  /** The proof: digests of the request and the response. */
  proof?: unknown;
  /** The budget that it spent. */
  spent: Budget;
  /** The step. */
  step: string;
};

/** A request as the other side sees it, independent of how it was written and which channel it took. */
export type CallEffect = {
  /** The hash of method, URL, body and significant headers. */
  exact: string;
  /** The number of earlier calls of the step with the same `exact`. */
  occurrence: number;
  /** The hash of method, URL and body. */
  target: string;
};

/** A call that is about to be made. It is on disk before it can have an effect. */
export type CallIntent = {
  /** The modes of the call. Calls of older versions have none. */
  approval_modes?: ToolApprovalModes | null;
  /** The hash of the canonical arguments. */
  arguments_hash: string;
  /**
   * The request as the other side sees it, for a request that may change something. Calls of older versions have
   * none.
   */
  effect?: CallEffect | null;
  /** The key, derived from the identity. */
  key: string;
  /** The number of earlier calls of the same tool with the same arguments. */
  occurrence: number;
  /** True if it may be repeated when its answer is lost. */
  repeatable: boolean;
  /** The call of an earlier run that it repeats, or whose answer it reuses: the first run that made it. */
  repeats?: EarlierCall | null;
  /** The budget that is reserved for it. */
  reserved: Budget;
  /** The step. */
  step: string;
  /** A one-line description. */
  summary: string;
  /** The tool. */
  tool: string;
};

/** The answer to a call. */
export type CallOutcome = {
  outcome: "result";
  /** The result. */
  value: unknown;
} | {
  outcome: "stored";
  /** Plain SHA-256 of the canonical bytes of the result. */
  sha256: string;
} | {
  /** The kind of error, for code to match on. */
  kind: string;
  /** The message. */
  message: string;
  outcome: "failed";
};

/** A classification level, most open first. */
export type Classification = "PUBLIC" | "INTERNAL" | "CONFIDENTIAL" | "RESTRICTED";

/** The place at which the author of a plan wrote the code of a step. */
export type CodePlace = {
  /** The file, from the folder of the plan. */
  file: string;
  /** The line of the file on which the code begins, from 1. */
  line: number;
};

/** A correction: the bytes before and after it, and its record, which can be undone. */
export type CorrectionRecord = {
  /** The hash of the corrected bytes. */
  after: string;
  /** The number of changes. */
  changes: number;
  /** The bytes that entered, kept under a path of their own. */
  original: ArtifactRecord;
  /** The report of the ladder with every change and its inverse, kept likewise. */
  report: ArtifactRecord;
};

/** The reason why a model proposed nothing. */
export type CorrectorFault = {
  /** The stable code. */
  code: string;
  /** The message. */
  message: string;
};

/** What became of a candidate that a model proposed to remember: proposed to the memory log, or refused before that. */
export type DistilledCandidate = {
  /** The memory that it was proposed as. The memory log decides what becomes of it. */
  memory_id?: string | null;
  /** The reason why it was not proposed. */
  refused?: string | null;
};

/** A call of an earlier run. */
export type EarlierCall = {
  /** The key of the call. */
  key: string;
  /** The run. */
  run_id: string;
};

/** The channel of an egress attempt. */
export type EgressChannel = "fetch" | "proxy" | "redirect" | "model";

/** The decision on an egress attempt. */
export type EgressDecision = {
  /** The address that the name is pinned to. */
  address?: string | null;
  /** The channel of the attempt. */
  channel: EgressChannel;
  /** The host, in its canonical form. */
  host: string;
  /** The method; `CONNECT` for a tunnel. */
  method: string;
  /** The path without the query; empty for a tunnel. */
  path?: string | null;
  /** The port. */
  port: number;
  /** The index of the rule that allowed it. */
  rule?: number | null;
  /** The scheme. */
  scheme: EgressScheme;
  /** The verdict. */
  verdict: EgressVerdict;
};

/** The scheme of an egress rule. */
export type EgressScheme = "https" | "http";

/** The verdict on an egress attempt. */
export type EgressVerdict = "allowed" | "learned" | "host_not_listed" | "path_not_listed" | "method_not_listed" | "private_address" | "unresolved" | "names_disagree" | "malformed" | "over_budget";

/** The cause of a failure; repair decisions depend on it. */
export type FailureCause = "SANDBOX_SESSION_DEAD" | "SANDBOX_TRANSPORT_5XX" | "READINESS_PROBE" | "STALE_CONTINUATION" | "MAX_RETRIES_REACHED" | "POLICY_BLOCKED" | "DETERMINISTIC_CODE_ERROR" | "SCHEMA_MISMATCH";

/** A class of failures. */
export type FailureClass = "contract_schema" | "missing_artifact" | "sandbox_runtime" | "tool_bridge" | "semantic_verdict" | "output_shape" | "policy_violation" | "budget_exhaustion" | "human_gate_pending";

/** The run that a fork was made from. */
export type ForkedFrom = {
  /**
   * The first run of the family, if that run was itself a fork: calls are keyed by it, so that a host that honours
   * `Idempotency-Key` does nothing twice.
   */
  first?: string | null;
  /** The run. */
  run_id: string;
  /** The first step that is executed again. */
  step: string;
};

/** The profile of a run, frozen when the run was submitted. */
export type FrozenProfile = {
  /** The profile. */
  profile_ref: ProfileRef;
  /** The blob with the snapshot: plain SHA-256 of its canonical bytes. */
  snapshot_blob: string;
  /** The typed hash of its snapshot. */
  snapshot_hash: string;
};

/**
 * The workspace of a run, frozen when the run was submitted. The people of the workspace are not frozen: whether an approver
 * holds a role is checked when a step goes on.
 */
export type FrozenWorkspace = {
  /** The file versions that the run reads, by input. */
  inputs: WorkspaceInput[];
  /** The secrets that its steps may send, by name, each with its source. Never a value. */
  secrets?: {
    [key: string]: SecretSource;
  };
  /** The name. */
  workspace: string;
};

/** The decision at a gate. */
export type GateDecision = "approved" | "rejected";

/** Everything that an approver is shown, and nothing else. Its hash is what is approved. */
export type GateSubject = {
  /** The role that decides. */
  approver_role: string;
  /** The call that waits, for a gate inside a step. */
  call?: ApprovedCall | null;
  /** The contracts that continue when the gate opens, by step. */
  contracts: ApprovedContract[];
  /** The files that the decision is based on. */
  evidence: ArtifactRecord[];
  /** The time at which the request expires, in RFC 3339. */
  expires_at: string;
  /** The gate: its name in the plan, or `call:` and the key of the call. */
  gate_id: string;
  /** The question. */
  question: string;
  /** The run. */
  run_id: string;
};

/** An attempt to make a call. Each is recorded before another one is made. */
export type ModelAttempt = {
  /** Its number, from 1. */
  number: number;
  /** Its outcome. */
  outcome: AttemptOutcome;
  /** Its payment, as far as it is known. */
  payment: AttemptPayment;
  /** The provider's id of the request. */
  request_id?: string | null;
  /** The HTTP status, if there was an answer. */
  status?: number | null;
  /** The wait after it, in milliseconds; none if no other attempt follows. */
  wait_ms?: number | null;
};

/** The end of a call of a model. */
export type ModelCallAnswer = {
  /** The attempts that were made; none for a reply from a transcript. */
  attempts?: ModelAttempt[];
  /** The cost, where the model has a price. For a reply from a transcript: what was paid when it was recorded. */
  cost?: ModelCost | null;
  /** The requests and responses as they were sent and received, one for each attempt that left. */
  exchanges?: StoredExchange[];
  /** The key. */
  key: string;
  /** The reply or the error. */
  outcome: ModelCallOutcome;
  /** The budget that it spent. */
  spent: Budget;
  /** The step. */
  step: string;
};

/** A call of a model that is about to be made. It is on disk before it leaves. */
export type ModelCallIntent = {
  /** The number of models that this governed call asked before in this attempt, from 0. */
  ask: number;
  /** The attempt of the step. */
  attempt: number;
  /** The key of the governed call that asks. */
  call: string;
  /** The consumer. */
  consumer_key: ModelConsumer;
  /** The blob with the compiled context that the call was made from. */
  context: string;
  /** The key of the call of the model: the typed hash of its value and its occurrence. */
  key: string;
  /** The model. */
  model: ModelId;
  /** The number of earlier calls of the same value in the run. */
  occurrence: number;
  /** The budget that is reserved for it. */
  reserved: Budget;
  /** The step. */
  step: string;
  /** The blob with the call: plain SHA-256 of its canonical bytes. */
  value: string;
};

/** The outcome of a call of a model. */
export type ModelCallOutcome = {
  /** Its origin. */
  origin: ReplyOrigin;
  outcome: "replied";
  /** The blob with the reply: plain SHA-256 of its canonical bytes. */
  reply: string;
  /** The source that it was read from. */
  source: ReplySource;
} | {
  /** Its kind. */
  kind: string;
  /** The reason, in words. */
  message: string;
  outcome: "failed";
};

/** A consumer of models. Profiles bind each to a model, a prompt and parameters; costs and metrics are counted by it. */
export type ModelConsumer = "operator_router" | "operator_intent_normalizer" | "operator_planner" | "operator_intent_resolver" | "operator_skill_resolver" | "operator_executor.sandbox_session" | "operator_executor.tool_loop" | "operator_executor.edge_isolate" | "operator_executor.native" | "operator_evaluator" | "operator_auditor" | "operator_corrector" | "operator_distiller" | "operator_brief";

/** The cost of a call, in millionths of the currency. */
export type ModelCost = {
  /** The cost that was committed: the reported usage, and the reservation for every attempt that may have been paid. */
  actual_micros: number;
  /** The currency. */
  currency: string;
  /** The date of the price table. */
  dated: string;
  /** The most that the call could cost, reserved before it. */
  reserved_micros: number;
};

/** The name of a model at a provider: `provider:model`. */
export type ModelId = string;

export type PackRef = string;

/** The phase of a run in which a ladder is climbed. */
export type Phase = "ingestion" | "planner_candidate" | "compiled_plan" | "step_input" | "step_output" | "final_output";

/** A profile by id and version: `strict-compliance@1.0.0`. It has the form of a reference to a pack. */
export type ProfileRef = PackRef;

/** The origin of a reply. */
export type ReplyOrigin = {
  recorded_from: ModelId;
} | "written_by_hand";

/** The source that a run read a reply from. */
export type ReplySource = "provider" | "transcript";

/** An event of a run. */
export type RunEvent = {
  kind: "submitted";
  /** The request. */
  run: RunRequest;
} | {
  /** True if it was told to continue although the journal lacks events that existed before. */
  accepted_rollback?: boolean;
  /** The name of the process. */
  by: string;
  kind: "taken";
  /** The transcript that answers the models of the run for this process, in place of providers. */
  replay?: ServedTranscript | null;
} | {
  /** The attempt, counted from 1. */
  attempt: number;
  kind: "step_started";
  /** The step. */
  step: string;
} | {
  /** The attempt. */
  attempt: number;
  kind: "preflighted";
  /** The signed receipt. */
  receipt: unknown;
  /** The step. */
  step: string;
  /** The verdicts of validation packs on the inputs; empty without a profile. */
  validation?: ValidationRecord[];
} | {
  /** The call. */
  call: CallIntent;
  kind: "call_began";
} | {
  /** The answer. */
  answer: CallAnswer;
  kind: "call_ended";
} | {
  /** The reason. */
  failure: StepFailure;
  kind: "call_refused";
  /** The step. */
  step: string;
} | {
  /** The call. */
  call: ModelCallIntent;
  kind: "model_call_began";
} | {
  /** The attempt. */
  attempt: ModelAttempt;
  /** The key of the call. */
  key: string;
  kind: "model_attempted";
  /** The step. */
  step: string;
} | {
  /** The end. */
  answer: ModelCallAnswer;
  kind: "model_call_ended";
} | {
  /** The decision. */
  decision: EgressDecision;
  kind: "egress";
  /** The step. */
  step: string;
} | {
  /** The number of finished items. */
  done: number;
  kind: "progress";
  /** The message. */
  note?: string | null;
  /** The step. */
  step: string;
  /** The total number of items. */
  total?: number | null;
} | {
  kind: "gate_opened";
  /** What the approver is shown. */
  subject: GateSubject;
  /** Its hash. */
  subject_hash: string;
} | {
  kind: "gate_decided";
  /** The decision. */
  signed: SignedApproval;
} | {
  /** Its id. */
  approval_id: string;
  kind: "approval_used";
  /** The step. */
  step: string;
} | {
  /** The gate. */
  gate_id: string;
  kind: "gate_lapsed";
  /** The hash of what the approver was shown. */
  subject_hash: string;
  /** The reason. */
  why: string;
} | {
  /** The attempt. */
  attempt: number;
  /** The gate it waits at. */
  gate_id: string;
  kind: "step_parked";
  /** The budget that it spent so far, without its calls. */
  spent?: Budget;
  /** The step. */
  step: string;
  /** The execution that was stopped. */
  sub_steps?: SubStep[];
} | {
  /** The attempt. */
  attempt: number;
  kind: "step_succeeded";
  /** The files that it wrote. */
  outputs: ArtifactRecord[];
  /** The signed receipt. */
  receipt: unknown;
  /** Findings that did not fail the step, for review. */
  remarks?: string[];
  /** The sets that some of those files belong to. */
  sets?: ArtifactSet[];
  /** The budget that it spent. */
  spent: Budget;
  /** The step. */
  step: string;
  /** The executions of its program. */
  sub_steps?: SubStep[];
  /** The verdicts of validation packs on the files; empty without a profile. */
  validation?: ValidationRecord[];
} | {
  /** The delay of the next attempt in milliseconds, if the step is retried. */
  again_after_ms?: number | null;
  /** The attempt. */
  attempt: number;
  /** The failure. */
  failure: StepFailure;
  kind: "step_failed";
  /** The signed receipt, if the attempt got that far. */
  receipt?: unknown;
  /** The budget that it spent. */
  spent: Budget;
  /** The step. */
  step: string;
  /** The executions of its program. */
  sub_steps?: SubStep[];
} | {
  /** The key of the call whose reply has the candidates. */
  call: string;
  /** What became of each candidate, in the order of the reply. */
  candidates: DistilledCandidate[];
  kind: "distilled";
} | {
  kind: "validated";
  /** The signed receipt. */
  receipt: unknown;
  /** The part of the run. */
  stage: ValidationStage;
  /** The verdicts. */
  validation: ValidationRecord[];
} | {
  /** The actor. */
  by: string;
  kind: "cancel_requested";
  /** The reason. */
  why?: string | null;
} | {
  kind: "ended";
  /** The outcome. */
  outcome: RunOutcome;
  /** The failure, unless it succeeded. */
  why?: string | null;
} | {
  /** The signed checkpoint. */
  checkpoint: unknown;
  kind: "checkpointed";
} | {
  kind: "sealed";
  /** The signed seal. */
  seal: unknown;
};

/** The options of a run. */
export type RunOptions = {
  /** The classification of the pack that governs the run, if one does. */
  classification?: Classification | null;
  /** True if certificates besides the system's were supplied. */
  extra_roots?: boolean;
  /** Seconds that an approval request stays open. */
  gate_seconds: number;
  /** True if requests that no egress rule allows are let through and recorded. */
  learn_egress: boolean;
  /** The number of steps that may run at the same time. */
  parallel: number;
  /** Names that were given an address for this run, in order. The addresses belong to the machine and are not stored. */
  resolve?: string[];
  /** True if steps whose contract, code and inputs are unchanged are reused from earlier runs. */
  reuse: boolean;
};

/** The outcome of a run. */
export type RunOutcome = "succeeded" | "failed" | "cancelled";

/** A run request: frozen and complete. Everything large is named by its content hash. */
export type RunRequest = {
  /** The actor that submitted it. */
  actor: string;
  /** The blobs with the code of each step: plain SHA-256 of the text. */
  code: {
    [key: string]: string;
  };
  /**
   * The places at which the author wrote the code of each step, for tracebacks. Nothing is decided by it, and a run that
   * differs only in it is the same run. Runs of older versions have none.
   */
  code_places?: {
    [key: string]: CodePlace;
  };
  /** The run that it was forked from, if any. */
  forked?: ForkedFrom | null;
  /** The budget of the whole run. */
  grant: Budget;
  /** The input files of the mission, as they were corrected. */
  inputs: ArtifactRecord[];
  /**
   * The blob with what calls of models read besides the profile, if the run may ask one: plain SHA-256 of the canonical
   * bytes of [`FrozenModels`](super::frozen_models::FrozenModels).
   */
  models_blob?: string | null;
  /** The options of the run. */
  options: RunOptions;
  /** The plan's name. */
  plan: string;
  /** The hash of the blob with its canonical bytes. */
  plan_blob: string;
  /** The hash of the compiled plan. */
  plan_hash: string;
  /** The profile that governs it, if one was named. Runs of older versions have none. */
  profile?: FrozenProfile | null;
  /** The run. */
  run_id: string;
  /**
   * The blob with the types that its contracts name: plain SHA-256 of the canonical bytes of [`FrozenTypes`]. Runs
   * of older versions have none and read the catalogue.
   *
   * [`FrozenTypes`]: super::types::FrozenTypes
   */
  types_blob?: string | null;
  /** The verdicts of validation packs on the plan, the compiled plan and the inputs. Runs without a profile have none. */
  validation?: ValidationRecord[];
  /** The workspace that it belongs to, if it has one. Runs of older versions have none. */
  workspace?: FrozenWorkspace | null;
};

/** The source of a secret. */
export type SecretSource = {
  from: "project";
} | {
  /** The name of the file. */
  file: string;
  from: "file";
} | {
  from: "environment";
  /** The name of the variable. */
  variable: string;
};

/** A transcript that answered calls of models in place of providers. */
export type ServedTranscript = {
  /** The name of the file, without its folder. */
  file: string;
  /** Plain SHA-256 of its bytes. */
  sha256: string;
};

/** A decision with its signature. */
export type SignedApproval = {
  /** The decision. */
  approval: Approval;
  /** The decision as a signed statement. */
  envelope: unknown;
};

/** The failure of a step. */
export type StepFailure = {
  /** The causes, the first one first; `MAX_RETRIES_REACHED` is appended after the last retry. */
  causes?: FailureCause[];
  /** The class, which decides how the failure is handled. */
  class: FailureClass;
  /** The diagnostic code. */
  code: string;
  /** Help: how to fix it. */
  help?: string | null;
  /** The message. */
  message: string;
  /** The end of the code's output, if it ran. */
  printed?: string | null;
  /** The file, tool or host that it concerns. */
  subject?: string | null;
};

/** A request to a provider and its response, as blobs. The credential is not part of them. */
export type StoredExchange = {
  /** The blob with the body of the request. */
  request: string;
  /** The blob with the body of the response, as far as it came. */
  response: string;
  /** The status of the response, if one came. */
  status?: number | null;
  /** The URL. */
  url: string;
};

/** One execution of a step's program. */
export type SubStep = {
  /** The executed program: the plain SHA-256 of the code, under which its text is stored, or the adapter's id. */
  code: string;
  /** Wall-clock milliseconds. */
  duration_ms: number;
  /** The exit code; `None` for code that runs in this process, and for processes that were killed or stopped. */
  exit_code?: number | null;
  /** The step's instruction. */
  label: string;
  /** True if it ran to its end without an error. Its outputs are checked separately. */
  ok: boolean;
  /** Its place among all executions of the step in this run, from 1. */
  sequence: number;
  /** The language, or `adapter`. */
  type: string;
};

/** The three modes of a call: declared at most, in effect, and allowed at most. */
export type ToolApprovalModes = {
  /** The mode in effect for this call, at most the declared one. */
  approval_mode: ApprovalMode;
  /** The most that the tool can do. */
  declared_mode: ApprovalMode;
  /** The ceiling of the caller: no tool above it is surfaced. */
  safety_mode: ApprovalMode;
};

/** A finding of a validation. */
export type ValidationFinding = {
  /** The rung of the ladder, or the check. */
  by: string;
  /** Its stable code. */
  code: string;
  /** True if the artifact fails by it. */
  fails: boolean;
  /** Help: how to fix it. */
  help?: string | null;
  /** The message; never what a guard stopped. */
  message: string;
  /** The place in the payload, as a JSON Pointer; none for the whole. */
  pointer?: string | null;
  /** The row of a table, counted from 1. */
  row?: number | null;
};

/** The effect of a failed validation, weakest first. */
export type ValidationMode = "off" | "report" | "block";

/** The verdict of a validation pack on an artifact. */
export type ValidationRecord = {
  /** The hash of the bytes that entered. */
  before?: string | null;
  /** The correction, if the bytes that left are others. */
  correction?: CorrectionRecord | null;
  /** What a model was asked to propose for it, if one was asked. */
  corrector?: AskedCorrector | null;
  /** The findings; at most 20 are listed. */
  findings?: ValidationFinding[];
  /** The mode of the phase. */
  mode: ValidationMode;
  /** The hash of the pack. */
  pack_hash?: string | null;
  /** The pack; none where the phase is off, or no matcher and no default pack stands for the path. */
  pack_ref?: string | null;
  /** The path of the artifact; none where the phase is off. */
  path?: string | null;
  /** The phase. */
  phase: Phase;
  /** The rule of the pack that judged. */
  rule?: string | null;
  /** The number of findings that are not listed. */
  unlisted?: number;
  /** The verdict. */
  verdict: ValidationVerdict;
};

/** A part of a run that belongs to no step. */
export type ValidationStage = "submission" | "delivery";

/** The verdict on an artifact. */
export type ValidationVerdict = "off" | "passed" | "corrected" | "not_validated" | "correctable" | "failed";

/** A version of a file that a run reads. */
export type WorkspaceInput = {
  /** The path in the run, such as `input/people/hours.csv`. */
  input: string;
  /** The path in the workspace. */
  path: string;
  /** Plain SHA-256 of its bytes. */
  sha256: string;
  /** The size in bytes. */
  size_bytes: number;
  /** The version. */
  version: number;
};
