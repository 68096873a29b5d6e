// Generated from schemas/cli/runs-cost.schema.json by `make schemas`.

export type RunsCostOutput = {
  /** Null where the command was refused. */
  data: RunCost | null;
  /** Findings, as in schemas/diagnostic.v1.schema.json. */
  diagnostics: DiagnosticRecord[];
  /** False where something was found or refused. */
  ok: boolean;
  /** Version of this form. */
  version: 1;
};

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

/** The kind of a call's end. */
export type CallKind = "asked" | "replayed" | "failed" | "open";

/** The cost of one consumer in one step by one model. */
export type CostRow = {
  /** The consumer. */
  consumer_key: ModelConsumer;
  /** The model. */
  model: ModelId;
  /** The step; `memory.distill` for distillations of the run. */
  step: string;
  /** The sums. */
  sum: CostSum;
};

/** Sums over calls. */
export type CostSum = {
  /** Calls that a provider answered. */
  asked: number;
  /** Calls that failed. */
  failed: number;
  /** Times that a process ended while a call was under way: each counts as paid with its whole reservation. */
  lost: number;
  /** The money that was spent, in millionths. */
  money_micros: number;
  /** Calls without an end yet. */
  open: number;
  /** Calls that a transcript answered. */
  replayed: number;
  /** The money that replies of a transcript had cost when they were recorded. */
  saved_micros: number;
  /** The tokens of replies of a transcript. */
  saved_tokens: number;
  /** The tokens that were spent. */
  tokens: number;
  /** The tokens by kind, as providers reported them for replies that were paid for. */
  usage: ModelUsage;
};

/** A call of a model. */
export type CostedCall = {
  /** The attempt of the step. */
  attempt: number;
  /** The consumer. */
  consumer_key: ModelConsumer;
  /** The cost, where the model has a price. */
  cost: ModelCost | null;
  /** The parameters that were not sent. */
  dropped: string[];
  /** The reason of the end of a reply, or the kind of a failure. */
  ended: string | null;
  /** The key. */
  key: string;
  /** The model. */
  model: ModelId;
  /** `asked`, `replayed`, `failed` or `open`. */
  outcome: CallKind;
  /** The provider's id of the request. */
  request_id: string | null;
  /** The budget that it spent. */
  spent: Budget;
  /** The step. */
  step: string;
  /** The usage, as it was reported. */
  usage: ModelUsage | null;
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

/** The tokens that a reply used, as the provider reports them. No token is counted in two fields. */
export type ModelUsage = {
  /** Tokens of the input that were read from the provider's cache. */
  cached_read: number;
  /** Tokens of the input that were written to the provider's cache. */
  cached_write: number;
  /** Tokens of images in the input, where the provider reports them apart. */
  image: number;
  /** Tokens of the input that no cache held, without images where these are reported apart. */
  input: number;
  /** Tokens of the reply without thinking. */
  output: number;
  /** Tokens of thinking, where the provider reports them apart. */
  reasoning: number;
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

/** The cost of a run's models. */
export type RunCost = {
  /** The calls, in the order in which each step made them. */
  calls: CostedCall[];
  /** The currency of the prices; none if no call has a price. */
  currency: string | null;
  /** Costs by consumer, step and model. */
  rows: CostRow[];
  /** The run. */
  run_id: string;
  /** Everything that the run spent, as its budget counts it; distillations of it have budgets of their own. */
  spent: Budget;
  /** The sums of all rows. */
  total: CostSum;
};

/** The severity of a diagnostic. */
export type SeverityRecord = "info" | "warning" | "error";
