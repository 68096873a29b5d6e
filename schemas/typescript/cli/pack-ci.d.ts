// Generated from schemas/cli/pack-ci.schema.json by `make schemas`.

export type PackCiOutput = {
  /** Null where the command was refused. */
  data: CheckedPack | null;
  /** Findings, as in schemas/diagnostic.v1.schema.json. */
  diagnostics: DiagnosticRecord[];
  /** False where something was found or refused. */
  ok: boolean;
  /** Version of this form. */
  version: 1;
};

/** A regression that was accepted in a report. */
export type AcceptedFinding = {
  /** The actor. */
  by: string;
  /** The hash of the finding, which covers the documents of the candidate. */
  finding: string;
  /** The metric that gets worse. */
  metric: RegressionMetric;
  /** The reason. */
  reason: string;
  /** The role that accepts it, as the caller stated it. */
  role: ReviewRole;
  /** The finding. */
  what: string;
};

/** The report of the checklist; with `--workflow` the file for GitHub Actions. */
export type CheckedPack = CiReport | {
  /** Its text. */
  workflow: string;
};

/** A difference between base and candidate. */
export type CiChange = {
  /** The class: the version number that the change needs. */
  class: string;
  /** The effect on what is enforced: `none`, `tightens`, `prompt_text` or `unproven`. */
  effect: string;
  /** The layer. */
  layer: string;
  /** The changed thing. */
  subject: string;
  /** The kind: `added`, `removed` or `changed`. */
  what: string;
  /** The reason for the class. */
  why: string;
};

/** A line of the checklist with its state. */
export type CiLine = {
  /** The number of errors. */
  errors: number;
  /** What was looked at, or why it did not run. */
  note: string | null;
  /** Its number, from 1. */
  number: number;
  /** Its state. */
  state: LineState;
  /** The line. */
  step: CiStep;
  /** The number of warnings. */
  warnings: number;
};

/** The report of the checklist. */
export type CiReport = {
  /** The regressions that are accepted in this report alone. */
  accepted: AcceptedFinding[];
  /** The version that it was compared with. */
  base: string | null;
  /** The differences from the base. */
  changes: CiChange[];
  /** Its hash. */
  content_hash: string | null;
  /** The score targets. */
  evaluators: EvaluatorResult[];
  /** `deed/pack-ci/v1`. */
  format: string;
  /** The steps that are left until the publication. */
  left: string[];
  /** The eight lines. */
  lines: CiLine[];
  /** The candidate; none if the document is not a pack. */
  pack_ref: string | null;
  /** True if no line failed. */
  passed: boolean;
  /** The release gates. */
  release_gates: GateJudgement[];
  /** The tool surface of each intent. */
  surface: SurfaceEntry[];
};

/** A line of the checklist, in the order of execution. */
export type CiStep = "schema" | "references" | "surface" | "golden" | "replay" | "evaluators" | "diff" | "readiness";

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

/** A score target, and what was measured. */
export type EvaluatorResult = {
  /** What was measured and what was not, in words. */
  basis: string;
  /** The intent. */
  intent: string;
  /** What was measured, if compiles can tell. */
  measured: number | null;
  /** The metric. */
  metric: Metric;
  /** The number of requests that it was measured on. */
  requests: number;
  /** The target. */
  target: number;
  /** The verdict. */
  verdict: EvaluatorVerdict;
};

/** The verdict on a score target. */
export type EvaluatorVerdict = "met" | "missed" | "not_judged";

/** A release gate and its judgement. */
export type GateJudgement = {
  /** The measured regression, if a compile can tell. */
  delta: number | null;
  /** The largest regression that is allowed. */
  max_delta: number;
  /** A description of the measure. */
  measured: string;
  /** The metric. */
  metric: Metric;
  /** The verdict. */
  verdict: GateVerdict;
};

/** The verdict on a release gate. */
export type GateVerdict = "passed" | "failed" | "not_judged";

/** The state of a line. */
export type LineState = "passed" | "failed" | "not_run";

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

/** A metric. */
export type Metric = "policy" | "utility" | "latency_p99_ms" | "safety" | "economics_cents_per_decision";

/** A position in a text. */
export type PositionRecord = {
  /** Bytes from the start. */
  byte: number;
  /** Column from 1, in characters. */
  column: number;
  /** Line from 1. */
  line: number;
};

/** The metric of a regression. */
export type RegressionMetric = "policy" | "utility" | "latency_p99_ms" | "safety" | "economics_cents_per_decision" | "golden" | "prompt_text" | "correction";

/** A related place. */
export type RelatedRecord = {
  /** The place. */
  location: LocationRecord;
  /** Its relation to the finding. */
  message: string;
};

/** A review role. */
export type ReviewRole = "architecture" | "security" | "data" | "evaluation";

/** The severity of a diagnostic. */
export type SeverityRecord = "info" | "warning" | "error";

/** A capability on the surface of an intent. */
export type SurfaceEntry = {
  /** The capability, as `adapter.capability`. */
  capability: string;
  /** True if a golden case of the intent expects it. */
  expected: boolean;
  /** The intent. */
  intent: string;
  /** The number of golden requests and recordings that surface it. */
  surfaced: number;
  /** The number of them that have a result of it. */
  used: number;
};
