// Generated from schemas/model-reply.v1.schema.json by `make schemas`.

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

/** A wire protocol of a provider. */
export type ModelProtocol = "anthropic_messages" | "openai_chat" | "openai_responses" | "gemini" | "ollama";

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

/** The reason why a reply ends. Each is a result and not an error. */
export type StopReason = "ended" | "tool_calls" | "length" | "refusal" | "content_filter";
