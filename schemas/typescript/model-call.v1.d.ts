// Generated from schemas/model-call.v1.schema.json by `make schemas`.

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

/** A consumer of models. Profiles bind each to a model, a prompt and parameters; costs and metrics are counted by it. */
export type ModelConsumer = "operator_router" | "operator_intent_normalizer" | "operator_planner" | "operator_intent_resolver" | "operator_skill_resolver" | "operator_executor.sandbox_session" | "operator_executor.tool_loop" | "operator_executor.edge_isolate" | "operator_executor.native" | "operator_evaluator" | "operator_auditor" | "operator_corrector" | "operator_distiller" | "operator_brief";

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

/** A tool that a model may call. */
export type ModelTool = {
  /** Its description for the model. */
  description: string;
  /** The JSON Schema of its arguments. */
  input_schema: unknown;
  /** Its name. */
  name: string;
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
