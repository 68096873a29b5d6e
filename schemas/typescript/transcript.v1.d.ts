// Generated from schemas/transcript.v1.schema.json by `make schemas`.

/** The body of a line of a transcript. A line is a link of the chain: `seq`, `prev`, `body` and `hash`, as canonical JSON. */
export type Transcript = {
  /** The version of this format: 1. */
  format: number;
  line: "head";
} | {
  /** The attempts that were made. */
  attempts?: ModelAttempt[];
  /** The call. */
  call: ModelCall;
  /** The cost, where the model has a price. */
  cost?: ModelCost | null;
  /** The key of the call: the typed hash of its value and its occurrence. */
  key: string;
  line: "call";
  /** The number of earlier calls of the same value, from 0. */
  occurrence: number;
  /** The origin of the reply. */
  origin: ReplyOrigin;
  /** The reply. */
  reply: ModelReply;
} | {
  /** The number of calls. */
  calls: number;
  line: "end";
};

/** The outcome of an attempt. */
export type AttemptOutcome = "replied" | "unreachable" | "denied" | "rate_limited" | "server_failed" | "rejected" | "cut" | "idle" | "late" | "unusable";

/** The payment of an attempt, as far as it is known. */
export type AttemptPayment = "none" | "possible" | "paid";

/** A parameter that the provider does not take, and that was not sent. */
export type DroppedParameter = {
  /** Its path in the call, such as `parameters.top_k`. */
  parameter: string;
  /** The reason. */
  reason: string;
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
  is_error?: boolean;
  kind: "tool_result";
  /** The tool. */
  name: string;
  /** The result, as text. */
  text: string;
} | {
  /** The block as it came, with its signature; null where there is nothing to send back. */
  block?: unknown;
  kind: "thinking";
  /** The protocol that it came from. */
  protocol: ModelProtocol;
  /** The text that may be read; empty where the provider conceals it. */
  text: string;
};

/** The author of a message. */
export type MessageRole = "system" | "user" | "assistant";

/** An attachment. Its bytes are stored elsewhere, under their hash. */
export type ModelAttachment = {
  /** Its size in bytes. */
  bytes: number;
  /** Its media type, such as `image/png`. */
  media_type: string;
  /** Plain SHA-256 of its bytes. */
  sha256: string;
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

/** A call of a model, complete before it is made. */
export type ModelCall = {
  /** The attachments that messages refer to. */
  attachments?: ModelAttachment[];
  /** The hash of the compiled context that the messages come from; none for calls without a pack. */
  compiled_context_hash?: string | null;
  /** The consumer that asks. */
  consumer_key: ModelConsumer;
  /** The messages, in order. */
  messages: ModelMessage[];
  /** The model. */
  model: ModelId;
  /** The form that the reply must have. */
  output?: ReplyContract;
  /** The parameters. */
  parameters: ModelParameters;
  /**
   * The number of first messages that are the same from call to call. Providers with a prompt cache get a marker
   * behind them.
   */
  stable_messages?: number;
  /** The freedom that it has to call them. */
  tool_choice?: ToolChoice;
  /** The tools that the model may call. */
  tools?: ModelTool[];
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

/** A message. */
export type ModelMessage = {
  /** The content, in order. */
  parts: MessagePart[];
  /** The author. */
  role: MessageRole;
};

/** Parameters of a call. What a provider does not take is dropped and listed in the reply. */
export type ModelParameters = {
  /** The maximum number of tokens of the reply, thinking included. */
  max_tokens: number;
  /** False if the model may call one tool at a time only. */
  parallel_tool_calls?: boolean | null;
  /** The thinking that is asked for. */
  reasoning?: ReasoningRequest | null;
  /** The seed of the provider's randomness. */
  seed?: number | null;
  /** Texts that end the reply. */
  stop?: string[];
  /** The temperature. */
  temperature?: number | null;
  /** The number of most probable tokens that tokens are drawn from. */
  top_k?: number | null;
  /** The share of probability that tokens are drawn from. */
  top_p?: number | null;
};

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
  output?: OutputCheck;
  /** The content, in order. */
  parts: MessagePart[];
  /** The provider's id of the request. */
  request_id?: string | null;
  /** The reason why the reply ends. */
  stop: StopReason;
  /** The tokens; none if the provider does not report them. */
  usage?: ModelUsage | null;
};

/** A tool that a model may call. */
export type ModelTool = {
  /** Its description for the model. */
  description: string;
  /** The JSON Schema of its arguments. */
  input_schema: unknown;
  /** Its name. */
  name: string;
};

/** The tokens that a reply used, as the provider reports them. No token is counted in two fields. */
export type ModelUsage = {
  /** Tokens of the input that were read from the provider's cache. */
  cached_read?: number;
  /** Tokens of the input that were written to the provider's cache. */
  cached_write?: number;
  /** Tokens of images in the input, where the provider reports them apart. */
  image?: number;
  /** Tokens of the input that no cache held, without images where these are reported apart. */
  input: number;
  /** Tokens of the reply without thinking. */
  output: number;
  /** Tokens of thinking, where the provider reports them apart. */
  reasoning?: number;
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

/** The effort of thinking. */
export type ReasoningEffort = "minimal" | "low" | "medium" | "high";

/** The thinking that is asked for. A provider takes the effort, the tokens, or neither. */
export type ReasoningRequest = {
  /** The effort. */
  effort?: ReasoningEffort | null;
  /** The maximum number of tokens of thinking; a part of `max_tokens`. */
  max_tokens?: number | null;
};

/** The form that a reply must have. */
export type ReplyContract = {
  kind: "text";
} | {
  kind: "json";
} | {
  kind: "json_schema";
  /** A name for the schema, which some providers show to the model. */
  name: string;
  /** The schema. */
  schema: unknown;
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

/** The reason why a reply ends. Each is a result and not an error. */
export type StopReason = "ended" | "tool_calls" | "length" | "refusal" | "content_filter";

/** The freedom that a model has to call tools. */
export type ToolChoice = {
  kind: "auto";
} | {
  kind: "required";
} | {
  kind: "none";
} | {
  kind: "named";
  /** The tool. */
  name: string;
};
