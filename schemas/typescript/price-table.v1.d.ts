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

/** The name of a model at a provider: `provider:model`. */
export type ModelId = string;

/** The prices of a model, in millionths of the currency for a million tokens. */
export type ModelPrice = {
  /** Input read from the cache; as `input` if it is left out. */
  cached_read?: number | null;
  /** Input written to the cache; as `input` if it is left out. */
  cached_write?: number | null;
  /** True if the model costs nothing, such as one on this machine. Without it a price of zero is refused. */
  free?: boolean;
  /** Tokens of images; as `input` if it is left out. */
  image?: number | null;
  /** Input that no cache held. */
  input: number;
  /** The model. */
  model: ModelId;
  /** Output. */
  output: number;
  /** Thinking; as `output` if it is left out. */
  reasoning?: number | null;
  /** The most tokens that an image can take. */
  tokens_per_image?: number | null;
};
