// Generated from schemas/cli/models-test.schema.json by `make schemas`.

export type ModelsTestOutput = {
  /** Null where the command was refused. */
  data: TestedModel | null;
  /** Findings, as in schemas/diagnostic.v1.schema.json. */
  diagnostics: DiagnosticRecord[];
  /** False where something was found or refused. */
  ok: boolean;
  /** Version of this form. */
  version: 1;
};

/** The outcome of an attempt. */
export type AttemptOutcome = "replied" | "unreachable" | "denied" | "rate_limited" | "server_failed" | "rejected" | "cut" | "idle" | "late" | "unusable";

/** The payment of an attempt, as far as it is known. */
export type AttemptPayment = "none" | "possible" | "paid";

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

/** A parameter that the provider does not take, and that was not sent. */
export type DroppedParameter = {
  /** Its path in the call, such as `parameters.top_k`. */
  parameter: string;
  /** The reason. */
  reason: string;
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

/** A part of a message. */
export type MessagePart = {
  kind: "text";
  /** The text. */
  text: string;
} | {
  kind: "image";
  /** Plain SHA-256 of its bytes. */
  sha256: string;
} | {
  /** The arguments. */
  arguments: unknown;
  /** The id that its result refers to. */
  id: string;
  kind: "tool_call";
  /** The tool. */
  name: string;
  /** The signature that the provider wants back with it, unchanged. */
  signature?: string | null;
} | {
  /** The id of the call. */
  id: string;
  /** True if the tool failed. */
  is_error: boolean;
  kind: "tool_result";
  /** The tool. */
  name: string;
  /** The result, as text. */
  text: string;
} | {
  /** The block as it came, with its signature; null where there is nothing to send back. */
  block: unknown;
  kind: "thinking";
  /** The protocol that it came from. */
  protocol: ModelProtocol;
  /** The text that may be read; empty where the provider conceals it. */
  text: string;
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

/** A wire protocol of a provider. */
export type ModelProtocol = "anthropic_messages" | "openai_chat" | "openai_responses" | "gemini" | "ollama";

/** A reply of a model. */
export type ModelReply = {
  /** The parameters that were not sent. */
  dropped?: DroppedParameter[];
  /** The model that answered, as the provider names it. */
  model?: string | null;
  /** Notes on what was unusual. */
  notes?: ReplyNote[];
  /** The result of checking the content against the output contract. */
  output: OutputCheck;
  /** The content, in order. */
  parts: MessagePart[];
  /** The provider's id of the request. */
  request_id?: string | null;
  /** The reason why the reply ends. */
  stop: StopReason;
  /** The tokens; none if the provider does not report them. */
  usage?: ModelUsage | null;
};

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

/** The result of checking a reply against its output contract. */
export type OutputCheck = {
  kind: "unchecked";
} | {
  kind: "valid";
} | {
  kind: "cut";
} | {
  kind: "not_json";
} | {
  kind: "violates";
  /** The first violations, each with its place in the reply. */
  violations: string[];
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

/** Something unusual about a reply. */
export type ReplyNote = {
  kind: "usage_missing";
} | {
  /** The number of calls. */
  calls: number;
  kind: "tool_calls_in_text";
} | {
  kind: "unknown_tool";
  /** The tool. */
  name: string;
} | {
  kind: "tool_choice_ignored";
} | {
  /** Its type. */
  content: string;
  kind: "content_dropped";
} | {
  /** The id that it was given. */
  id: string;
  kind: "tool_call_numbered";
};

/** The origin of a reply. */
export type ReplyOrigin = {
  recorded_from: ModelId;
} | "written_by_hand";

/** The severity of a diagnostic. */
export type SeverityRecord = "info" | "warning" | "error";

/** The reason why a reply ends. Each is a result and not an error. */
export type StopReason = "ended" | "tool_calls" | "length" | "refusal" | "content_filter";

/** The reply to a question. */
export type TestedModel = {
  /** The attempts that were made. */
  attempts: ModelAttempt[];
  /** The cost, where the model has a price. */
  cost: ModelCost | null;
  /** The key of the call. */
  key: string;
  /** The model that was asked. */
  model: ModelId;
  /** The origin of the reply. */
  origin: ReplyOrigin;
  /** The reply. */
  reply: ModelReply;
};
