// Generated from schemas/cli/models-list.schema.json by `make schemas`.

export type ModelsListOutput = {
  /** Null where the command was refused. */
  data: KnownModels | null;
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

/** The status of a provider's key. */
export type KeyStatus = "not_needed" | "present" | "missing" | "unreadable";

/** The providers, and the price table. */
export type KnownModels = {
  /** The currency of the prices. */
  currency: string;
  /** The models with a price, in millionths of the currency for a million tokens. */
  models: ModelPrice[];
  /** The day on which the prices were taken. */
  prices_dated: string;
  /** The providers. */
  providers: KnownProvider[];
};

/** A provider. */
export type KnownProvider = {
  /** Its address; none if the user has to give one, or if no local server runs. */
  base_url: string | null;
  /** The status of the key. */
  key: KeyStatus;
  /** Its name, the first part of a model's. */
  name: string;
  /** The protocol that it speaks. */
  protocol: ModelProtocol;
  /** The name of the secret that is its key. */
  secret: string | null;
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

/** The prices of a whole call whose input is longer than a number of tokens, cached tokens and images included. */
export type LongInputPrice = {
  /** The most tokens of input that the other prices hold for. */
  above: number;
  /** Input read from the cache; as `input` if it is left out. */
  cached_read?: number | null;
  /** Input written to the cache; as `input` if it is left out. */
  cached_write?: number | null;
  /** Input that no cache held. */
  input: number;
  /** Output. */
  output: number;
};

/** The name of a model at a provider: `provider:model`. */
export type ModelId = string;

/** The prices of a model, in millionths of the currency for a million tokens. */
export type ModelPrice = {
  /** Input read from the cache; as `input` if it is left out. */
  cached_read?: number | null;
  /** Input written to the cache; as `input` if it is left out. */
  cached_write?: number | null;
  /** The pages that the price was compared with; none if it was not. */
  checked?: PriceCheck | null;
  /** True if the model costs nothing, such as one on this machine. Without it a price of zero is refused. */
  free: boolean;
  /** Tokens of images; as `input` if it is left out. */
  image?: number | null;
  /** Input that no cache held. */
  input: number;
  /** The prices of a whole call with a long input, where they differ. */
  long?: LongInputPrice | null;
  /** The model. */
  model: ModelId;
  /** Output. */
  output: number;
  /** Thinking; as `output` if it is left out. */
  reasoning?: number | null;
  /** The day on which the provider ended the model, `YYYY-MM-DD`. */
  retired?: string | null;
  /** The most tokens that an image can take. */
  tokens_per_image?: number | null;
};

/** A wire protocol of a provider. */
export type ModelProtocol = "anthropic_messages" | "openai_chat" | "openai_responses" | "gemini" | "ollama";

/** A position in a text. */
export type PositionRecord = {
  /** Bytes from the start. */
  byte: number;
  /** Column from 1, in characters. */
  column: number;
  /** Line from 1. */
  line: number;
};

/** The pages that a price was compared with. */
export type PriceCheck = {
  /** True if the pages are the provider's own; others repeat what it says. */
  official: boolean;
  /** The day of the copies that were read, `YYYY-MM-DD`: that of the copy if it has one, or else that of the reading. */
  on: string;
  /** The addresses of the pages. */
  pages: string[];
};

/** A related place. */
export type RelatedRecord = {
  /** The place. */
  location: LocationRecord;
  /** Its relation to the finding. */
  message: string;
};

/** The severity of a diagnostic. */
export type SeverityRecord = "info" | "warning" | "error";
