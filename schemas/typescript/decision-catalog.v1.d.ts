// Generated from schemas/decision-catalog.v1.schema.json by `make schemas`.

/** A catalogue of decisions. */
export type DecisionCatalog = {
  /** The decisions, as packs write them. */
  decision_specs: DecisionSpec[];
  /** `deed/decision-catalog/v1`. */
  format: string;
};

/** An approval mode. A capability is surfaced only if its mode is at most the run's safety mode. */
export type ApprovalMode = "read_only" | "local_write" | "network" | "delegated" | "destructive";

/** A type of decision. */
export type DecisionSpec = {
  /** The allowed outcomes. */
  allowed_outcomes: string[];
  /** The approval mode; at least as strict as any effect of the decision. */
  approval_mode: ApprovalMode;
  /** Unique key, such as `support.refund.execute`. */
  decision_key: string;
  /** The authority that the decision carries, such as `execute` or `recommend`. */
  decision_right: string;
  /** A description; has no effect. */
  description?: string | null;
  /** Schema of its inputs. */
  inputs_schema_ref?: string | null;
  /** The effect of a compile without all required evidence; `note` by default. */
  on_insufficient_evidence?: InsufficientEvidence | null;
  /** The effect of each outcome; an outcome that is not listed counts as `act`. */
  outcome_effects?: {
    [key: string]: OutcomeEffect;
  };
  /** Schema of its outputs. */
  outputs_schema_ref?: string | null;
  /** The owner. */
  owner_role: string;
  /** Evidence that is required before the decision. */
  required_evidence?: string[];
  /** Version of the spec: three numbers. */
  version: string;
};

/** The effect of missing evidence on a compile; the strictest of several decisions applies. */
export type InsufficientEvidence = "note" | "escalate" | "refuse";

/** The effect of an outcome. */
export type OutcomeEffect = "refuse" | "escalate" | "act";
