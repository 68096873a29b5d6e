// Generated from schemas/cli/pack-show.schema.json by `make schemas`.

export type PackShowOutput = {
  /** Null where the command was refused. */
  data: ShownPack | null;
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

/** A position in a text. */
export type PositionRecord = {
  /** Bytes from the start. */
  byte: number;
  /** Column from 1, in characters. */
  column: number;
  /** Line from 1. */
  line: number;
};

/** A change of something that a pack refers to. */
export type RecheckTrigger = "POLICY_BUNDLE_UPDATED" | "ONTOLOGY_UPDATED" | "ADAPTER_SCHEMA_UPDATED" | "DECISION_CATALOG_UPDATED" | "MEMORY_POLICY_UPDATED" | "EVALUATOR_UPDATED" | "MODEL_CONFIG_UPDATED" | "RUNTIME_UPDATED";

/** The metric of a regression. */
export type RegressionMetric = "policy" | "utility" | "latency_p99_ms" | "safety" | "economics_cents_per_decision" | "golden" | "prompt_text" | "correction";

/** A related place. */
export type RelatedRecord = {
  /** The place. */
  location: LocationRecord;
  /** Its relation to the finding. */
  message: string;
};

/** The severity of a diagnostic. */
export type SeverityRecord = "info" | "warning" | "error";

/** A regression that is accepted. */
export type ShownAcceptance = {
  /** The hash of the finding. */
  finding: string;
  /** The metric. */
  metric: RegressionMetric;
  /** The reason. */
  reason: string;
  /** The role. */
  role: string;
  /** The finding in words. */
  what: string;
};

/** The age of the registry's copy of a version. */
export type ShownCopy = {
  /** The instant from which it counts as stale, by `ttl_seconds` of the pack. */
  fresh_until: string;
  /** True if it is stale now; it was verified again to be shown. */
  stale: boolean;
  /** The last recorded verification: the publication, or a pin. */
  taken_at: string;
};

/** A key, and the person that it belongs to. */
export type ShownKey = {
  /** The key. */
  key_id: string;
  /** The person. */
  person: string | null;
};

/** A step that is left until the publication. */
export type ShownNeed = {
  /** The keys that could take it. */
  could: ShownKey[];
  /** The step, such as `security review`. */
  step: string;
};

/** A pack; with `--document` or `--layer` that part of its document. */
export type ShownPack = {
  /** Regressions that are accepted for exactly these bytes. */
  accepted: ShownAcceptance[];
  /** Its hash. */
  content_hash: string;
  /** The age of the registry's copy; null for what is not published. */
  copy: ShownCopy | null;
  /** The whole document. */
  document: {
    [key: string]: unknown;
  };
  /** The number of its golden cases. */
  golden_cases: number;
  /** The intents that it handles. */
  intents: string[];
  /** The issuer that signs it. */
  issuer: string;
  /** Steps that are left until its publication, and the keys that could take them. */
  needs: ShownNeed[];
  /** The first use in each environment, and without one. */
  observed: ShownUse[];
  /** Its origin: `proven` by the registry, a `folder`, or a `candidate` that was reviewed and not published. */
  origin: string;
  /** Its reference. */
  pack_ref: string;
  /** Environments that have it pinned. */
  pinned_in: ShownPin[];
  /** The last recheck for each trigger and each thing that changed. */
  rechecks: ShownRecheck[];
  /** Reviews that are recorded for exactly these bytes. */
  reviews: ShownReview[];
  /** Keys that signed exactly these bytes. */
  signers: ShownKey[];
  /** The tenant that owns it. */
  tenant_id: string;
} | {
  [key: string]: unknown;
};

/** An environment that has a version pinned. */
export type ShownPin = {
  /** The environment. */
  environment: string;
  /** True where the version is promoted there. */
  promoted: boolean;
  /** Its tenant. */
  tenant_id: string;
};

/** A recheck. */
export type ShownRecheck = {
  /** The name of what changed. */
  dependency: string;
  /** The number of errors; 0 where the version fits. */
  errors: number;
  /** The trigger. */
  trigger: RecheckTrigger;
};

/** A review that is recorded. */
export type ShownReview = {
  /** The reviewer's key. */
  key: ShownKey;
  /** The role. */
  role: string;
};

/** The first use of a version. */
export type ShownUse = {
  /** The run or the recording. */
  by: string;
  /** The environment; null where the version was named directly. */
  environment: string | null;
};
