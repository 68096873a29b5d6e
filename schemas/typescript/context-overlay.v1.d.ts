// Generated from schemas/context-overlay.v1.schema.json by `make schemas`.

/** Changes of one version of a pack, for one environment. */
export type ContextOverlay = {
  /** The version of the pack that it applies to. */
  base: PackRef;
  /** The changes, in order. */
  changes: OverlayChange[];
  /** `<pack_id>.<name>@x.y.z` */
  overlay_ref: OverlayRef;
};

/** A change of an overlay. */
export type OverlayChange = {
  /** The adapter. */
  adapter_id: string;
  kind: "endpoint_ref";
  /** The reason. */
  rationale?: string | null;
  /** The registry reference to use. */
  value: string;
} | {
  /** The gate; either this or `rule_id`. */
  gate_id?: string | null;
  kind: "policy_threshold";
  /** JSON Pointer to the number, relative to the rule or gate. */
  pointer: string;
  /** The reason. */
  rationale?: string | null;
  /** The rule; either this or `gate_id`. */
  rule_id?: string | null;
  /** The stricter number. */
  value: number;
} | {
  /** A key of `pack_meta.environment_defaults`. */
  key: string;
  kind: "locale_default";
  /** The reason. */
  rationale?: string | null;
  /** The default to use. */
  value: unknown;
} | {
  /** The intent. */
  intent: string;
  kind: "evaluator_threshold";
  /** The metric of that intent's target. */
  metric: string;
  /** The reason. */
  rationale?: string | null;
  /** The stricter number. */
  value: number;
};

export type OverlayRef = string;

export type PackRef = string;
