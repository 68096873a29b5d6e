// Generated from schemas/evaluator-results.v1.schema.json by `make schemas`.

/** The results of an evaluator over the runs of a pack version. */
export type EvaluatorResults = {
  /** The evaluator. */
  evaluator_id: string;
  /** Its version. */
  evaluator_version: string;
  /** `deed/evaluator-results/v1`. */
  format: string;
  /** The scores. */
  scores: EvaluatorScore[];
};

/** A score of an evaluator. */
export type EvaluatorScore = {
  /** The score now. */
  after: number;
  /** The score of the evaluator before it changed. */
  before?: number | null;
  /** The intent. */
  intent: string;
  /** The metric. */
  metric: Metric;
};

/** A metric. */
export type Metric = "policy" | "utility" | "latency_p99_ms" | "safety" | "economics_cents_per_decision";
