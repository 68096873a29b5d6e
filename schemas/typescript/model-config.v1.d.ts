// Generated from schemas/model-config.v1.schema.json by `make schemas`.

/** The configuration of a model. */
export type ModelConfig = {
  /** Tokens that a prompt and its answer may have together. */
  context_window_tokens: number;
  /** `deed/model-config/v1`. */
  format: string;
  /** Tokens that an answer may have. */
  max_output_tokens: number;
  /** The model. */
  model: string;
  /** The tokenizer that counts prompts: `o200k_base`, `cl100k_base` or `bytes/4`. */
  tokenizer: string;
};
