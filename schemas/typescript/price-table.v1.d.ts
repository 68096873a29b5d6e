// Generated from schemas/price-table.v1.schema.json by `make schemas`.

/** A dated table of prices. Prices are data: a table is replaced, never edited. */
export type PriceTable = {
  /** The currency, such as `USD`. */
  currency: string;
  /** The day on which the prices were taken from the providers, `YYYY-MM-DD`. */
  dated: string;
  /** The version of this format: 1. */
  format: number;
  /** The models. */
  models: ModelPrice[];
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
  free?: boolean;
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

/** The pages that a price was compared with. */
export type PriceCheck = {
  /** True if the pages are the provider's own; others repeat what it says. */
  official: boolean;
  /** The day of the copies that were read, `YYYY-MM-DD`: that of the copy if it has one, or else that of the reading. */
  on: string;
  /** The addresses of the pages. */
  pages: string[];
};
