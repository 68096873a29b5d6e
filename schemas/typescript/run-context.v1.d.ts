// Generated from schemas/run-context.v1.schema.json by `make schemas`.

/**
 * Everything about a run that the compiler may read. Predicates see its fields, and any others that the caller adds,
 * at their top level.
 */
export type RunContext = {
  /** The agents besides the user that may decide in this run. */
  agents?: RunAgent[];
  /** The instant that lifetimes are judged at, as an RFC 3339 time. */
  as_of?: string | null;
  /** Versions of components beyond `runtime` and `ontology`, for `compatibility.requires`. */
  components?: {
    [key: string]: string;
  };
  /** Pinned pack and overlays, if the run names them too. */
  context_pack_refs?: string[];
  /** The intent, if the run was opened for one; must agree with the request. */
  intent?: string | null;
  /** The graph snapshot that `kg:` evidence must be bound to. */
  kg_snapshot_id?: string | null;
  /** A ceiling below the pack's own for the classification of evidence and memory. */
  max_classification?: Classification | null;
  /** The ontology versions that are available to the run, by namespace. */
  ontologies?: {
    [key: string]: string[];
  } | null;
  /** Capabilities that this run may not use. The order has no meaning: rules see them sorted. */
  prohibitions?: Prohibition[];
  /** The token budget. */
  run_budget?: RunBudget | null;
  /** Unique id of the run. */
  run_id: string;
  /** The highest mode that a surfaced capability may have. */
  safety_mode: ApprovalMode;
  /** The session that `session:` evidence must belong to. */
  session_id?: string | null;
  /**
   * The subjects of the run; recalled memory must be about one of them. The user if it is left out. The order has no
   * meaning: rules see them sorted.
   */
  subject_ids?: string[];
  /** The tenant of the run. */
  tenant_id: string;
  /** The tokenizer: `o200k_base` (the default), `cl100k_base`, or `bytes/<n>` for an estimate of `n` bytes per token. */
  tokenizer?: string | null;
  /** The user on whose behalf the run acts. */
  user?: RunUser | null;
  [key: string]: unknown;
};

/** An approval mode. A capability is surfaced only if its mode is at most the run's safety mode. */
export type ApprovalMode = "read_only" | "local_write" | "network" | "delegated" | "destructive";

/** Tokens of the context. */
export type BucketTokens = number | {
  [key: string]: number;
};

/** A classification level, most open first. */
export type Classification = "PUBLIC" | "INTERNAL" | "CONFIDENTIAL" | "RESTRICTED";

/** A capability that a run may not use. */
export type Prohibition = {
  /** The adapter. */
  adapter_id: string;
  /** The capability; all of the adapter's if it is left out. */
  capability?: string | null;
};

/** An agent that may decide in a run besides its user. */
export type RunAgent = {
  /** Id of the agent. */
  id: string;
  /** The role in which it decides. */
  role?: string | null;
};

/** The token budget of a run. */
export type RunBudget = {
  /** Tokens of the context: in all, or by bucket. */
  bucket_tokens?: BucketTokens | null;
};

/** The user on whose behalf a run acts. */
export type RunUser = {
  /** Id of the user. */
  id?: string | null;
  /** The user's role. */
  role?: string | null;
  [key: string]: unknown;
};
