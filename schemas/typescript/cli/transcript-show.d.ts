// Generated from schemas/cli/transcript-show.schema.json by `make schemas`.

export type TranscriptShowOutput = {
  /** Null where the command was refused. */
  data: ShownTranscript | null;
  /** Findings, as in schemas/diagnostic.v1.schema.json. */
  diagnostics: DiagnosticRecord[];
  /** False where something was found or refused. */
  ok: boolean;
  /** Version of this form. */
  version: 1;
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

/** The origin of a reply. */
export type ReplyOrigin = {
  recorded_from: ModelId;
} | "written_by_hand";

/** The severity of a diagnostic. */
export type SeverityRecord = "info" | "warning" | "error";

/** A transcript whose chain holds. */
export type ShownTranscript = {
  /** The calls, in order. */
  calls: TranscriptCall[];
  /** The hash of its last line. Kept elsewhere, it shows that a transcript was not written anew. */
  head: string | null;
};

/** The reason why a reply ends. Each is a result and not an error. */
export type StopReason = "ended" | "tool_calls" | "length" | "refusal" | "content_filter";

/** A call of a transcript. */
export type TranscriptCall = {
  /** The consumer that asked. */
  consumer: ModelConsumer;
  /** The cost in millionths of the currency. */
  cost_micros: number | null;
  /** The key of the call. */
  key: string;
  /** The model. */
  model: ModelId;
  /** The number of earlier calls of the same value. */
  occurrence: number;
  /** The origin of the reply. */
  origin: ReplyOrigin;
  /** The reason why the reply ends. */
  stop: StopReason;
  /** The text of the reply, without thinking. */
  text: string;
  /** The tokens. */
  usage: ModelUsage | null;
};
