// Generated from schemas/run-checkpoint.v1.schema.json by `make schemas`.

/**
 * A checkpoint: the journal of a run up to an event, signed while the run is driven. Events before it cannot be
 * changed without the key.
 */
export type RunCheckpoint = {
  /** The last event that it covers, together with all before it. */
  journal: unknown;
  /** The outcome of the run, on its last checkpoint. */
  outcome?: RunOutcome | null;
  /** The run. */
  run_id: string;
};

/** The outcome of a run. */
export type RunOutcome = "succeeded" | "failed" | "cancelled";
