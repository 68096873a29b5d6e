// Generated from schemas/cli/context-stats.schema.json by `make schemas`.

export type ContextStatsOutput = {
  /** Null where the command was refused. */
  data: ArchiveStatistics | null;
  /** Findings, as in schemas/diagnostic.v1.schema.json. */
  diagnostics: DiagnosticRecord[];
  /** False where something was found or refused. */
  ok: boolean;
  /** Version of this form. */
  version: 1;
};

/** Metrics over an archive, and the files that they leave out. */
export type ArchiveStatistics = {
  /** The versions that were compared. */
  comparisons: PackComparison[];
  /** Copies of a recording that is counted already: they have its seal. */
  duplicates: DuplicateFile[];
  /** The number of files. */
  files: number;
  /** The metrics, in a fixed order. */
  metrics: MetricReport[];
  /** The recordings that could not be compiled again. They count as not deterministic, and otherwise as recorded. */
  not_replayed: UncountedFile[];
  /** The versions in the archive, in their order. */
  packs: PackSummary[];
  /** The number of recordings that were counted. */
  recordings: number;
  /** Files of the folder that are not recordings by their names. */
  skipped: string[];
  /** The packets that another one has taken the place of. They are counted in no metric. */
  superseded: string[];
  /** The recordings that were changed since they were made. They count as not deterministic, and nowhere else. */
  tampered: string[];
  /** The files that are counted in no metric. */
  unreadable: UncountedFile[];
};

/** The direction in which a metric improves. */
export type Better = "higher" | "lower" | "neither";

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

/** A copy of a recording. */
export type DuplicateFile = {
  /** The copy. */
  file: string;
  /** The file that is counted. */
  of: string;
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

/** A measured value. */
export type Measured = {
  kind: "rate";
  /** The whole; never 0. */
  of: number;
  /** The counted part. */
  part: number;
  /** `part / of`. */
  rate: number;
} | {
  kind: "distribution";
  /** The largest sample. */
  max: number;
  /** The mean. */
  mean: number;
  /** The median. */
  p50: number;
  /** The 95th percentile. */
  p95: number;
  /** The 99th percentile. */
  p99: number;
  /** The number of samples; never 0. */
  samples: number;
  /** The sum of the samples. */
  sum: number;
  /** Cases without a sample. */
  unrecorded: number;
} | {
  kind: "not_known";
  /** The reason. */
  reason: string;
};

/** A value in both versions. */
export type MetricChange = {
  /** The value in the later version, if it has one. */
  after: Measured | null;
  /** The value in the earlier version, if it has one. */
  before: Measured | null;
  /** The judgement. */
  change: RowChange;
  /** The intent; none for all of them. */
  intent: string | null;
  /** The metric. */
  metric: MetricName;
  /** The rule, bucket, evidence, gate or environment. */
  of: string | null;
  /** The reason for the judgement. */
  why: string;
};

/** A metric over an archive of recorded compiles. */
export type MetricName = "compile_success_rate" | "compile_latency" | "tool_surface_size" | "policy_rule_activation_rate" | "bucket_truncation_rate" | "required_evidence_resolution_rate" | "replay_determinism_rate" | "release_gate_pass_rate" | "rollback_time" | "distinct_compile_success_rate" | "compile_time" | "bucket_truncation_by_bucket" | "tool_surface_share" | "identical_context_rate";

/** A metric with its values. */
export type MetricReport = {
  /** The direction in which it improves. */
  better: Better;
  /** The whole that it is a part of, or the samples. */
  denominator: string;
  /** The metric. */
  metric: MetricName;
  /** The counted part, or the measured quantity. */
  numerator: string;
  /** The place that the facts come from. */
  origin: string;
  /** The rule by which a change between two versions is a regression. */
  regression: string;
  /** The values. */
  rows: MetricRow[];
  /** The list that it belongs to. */
  source: MetricSource;
  /** The unit. */
  unit: MetricUnit;
};

/** A value of a metric. */
export type MetricRow = {
  /** The intent; none for all of them. */
  intent: string | null;
  /** The value. */
  measured: Measured;
  /** The rule, bucket, evidence, gate or environment; none for all of them. */
  of: string | null;
  /** The version. */
  pack_ref: string;
};

/** The list that a metric belongs to. */
export type MetricSource = "context_pack" | "compiler";

/** The unit of a metric. */
export type MetricUnit = "share" | "capabilities" | "microseconds" | "milliseconds";

/** Two versions of a pack, compared. */
export type PackComparison = {
  /** The later version. */
  after: string;
  /** The earlier version. */
  before: string;
  /** Every value, in the order of metrics and rows. */
  changes: MetricChange[];
  /** The number of regressions, those of `removed` among them. */
  regressions: number;
  /** Controls that acted in the earlier version and that the later one no longer has. */
  removed: RemovedControl[];
};

/** The kind of a control of a pack. */
export type PackControlKind = "rule" | "guardrail" | "approval_gate" | "redaction" | "tool" | "required_evidence";

/** The recordings of one version. */
export type PackSummary = {
  /** The number of different documents under this version; a published version has one. */
  contents: number;
  /** The intents that were asked for. */
  intents: string[];
  /** The version. */
  pack_ref: string;
  /** Its recordings. */
  recordings: number;
  /** Those that were changed since they were made. They count as not deterministic, and nowhere else. */
  tampered: number;
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

/** A related place. */
export type RelatedRecord = {
  /** The place. */
  location: LocationRecord;
  /** Its relation to the finding. */
  message: string;
};

/** A control that only the earlier of two versions has, and that acted there. */
export type RemovedControl = {
  /** The compiles of the earlier version in which it acted. */
  active: number;
  /** The kind. */
  kind: PackControlKind;
  /** Its name. */
  name: string;
  /** The compiles of the earlier version that had it. */
  of: number;
};

/** A change of one value between two versions. */
export type RowChange = "regression" | "shift" | "improvement" | "same" | "not_comparable";

/** The severity of a diagnostic. */
export type SeverityRecord = "info" | "warning" | "error";

/** A file of an archive, and the first thing that is wrong with it. */
export type UncountedFile = {
  /** The code of the finding. */
  code: string;
  /** The file. */
  file: string;
  /** The finding. */
  message: string;
};
