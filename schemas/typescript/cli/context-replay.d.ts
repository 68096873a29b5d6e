// Generated from schemas/cli/context-replay.schema.json by `make schemas`.

export type ContextReplayOutput = {
  /** Null where the command was refused. */
  data: Replayed | null;
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

/** The part of a compile that a difference is in, regardless of its cause. */
export type DifferenceKind = "evidence" | "policy" | "tool" | "memory" | "budget" | "tamper";

/** The document that a pointer refers to. */
export type DifferenceScope = "record" | "pack" | "calls";

/** An expectation that does not hold: the stage that decides it, its place, and the values before and after. */
export type GoldenMove = {
  /** The value there now; none if it cannot be expected any more. */
  after: unknown;
  /** The expected value. */
  before: unknown;
  /** JSON Pointer into the case, or into the correction of a packet. */
  pointer: string;
  /** The stage; none if only the hash of the whole moved, and neither the case nor a base says where. */
  stage: Stage | null;
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

/** A related place. */
export type RelatedRecord = {
  /** The place. */
  location: LocationRecord;
  /** Its relation to the finding. */
  message: string;
};

/** The report of a replay. */
export type ReplayReport = {
  /** Overlays of the recording that the other pack does not have. */
  missing_overlays: string[];
  /** The first stage that changed. */
  moved: StageDifference | null;
  /** The present outcome. */
  outcome_after: string;
  /** The recorded outcome. */
  outcome_before: string;
  /** The overlays that were applied. */
  overlays: string[];
  /** Typed hash of that pack as authored; none if it could not be compiled with. */
  pack_hash: string | null;
  /** The pack that it was replayed with. */
  pack_ref: string;
  /** The id of the recording. */
  packet_id: string;
  /** The result. */
  result: ReplayResult;
  /** The kind of source. */
  source_kind: SourceKind;
  /** The parts of the bundle that were changed since the recording. */
  tampered: string[];
  /** The parts of an operator's correction that do not hold. */
  unmet: GoldenMove[];
};

/** The result of a replay. */
export type ReplayResult = "not_run" | "replay_equal" | "replay_mismatch" | "fixed" | "still_failing" | "invalid" | "superseded";

/** The result of a replay: of one bundle, or of a folder. */
export type Replayed = {
  /** Bundles that could be read. */
  bundles: number;
  /** The share that came out the same, from 0 to 1; null if nothing was judged. */
  determinism_rate: number | null;
  /** Those that came out the same. */
  equal: number;
  /** Each of them. */
  reports: ReplayedFile[];
  /** The number of packets by result. */
  results: {
    [key: string]: number;
  };
  /** Those that could not be read. */
  unreadable: number;
} | ReplayReport;

/** The replay of one file. */
export type ReplayedFile = {
  /** The file. */
  file: string;
  /** Overlays of the recording that the other pack does not have. */
  missing_overlays: string[];
  /** The first stage that changed. */
  moved: StageDifference | null;
  /** The present outcome. */
  outcome_after: string;
  /** The recorded outcome. */
  outcome_before: string;
  /** The overlays that were applied. */
  overlays: string[];
  /** Typed hash of that pack as authored; none if it could not be compiled with. */
  pack_hash: string | null;
  /** The pack that it was replayed with. */
  pack_ref: string;
  /** The id of the recording. */
  packet_id: string;
  /** The result. */
  result: ReplayResult;
  /** The kind of source. */
  source_kind: SourceKind;
  /** The parts of the bundle that were changed since the recording. */
  tampered: string[];
  /** The parts of an operator's correction that do not hold. */
  unmet: GoldenMove[];
};

/** The severity of a diagnostic. */
export type SeverityRecord = "info" | "warning" | "error";

/** The kind of source of a recording. */
export type SourceKind = "decision_record" | "quality_replay_case" | "environment_episode" | "operator_correction" | "golden_case";

/** A stage of the context compiler, in the order of execution. */
export type Stage = "intent" | "policy" | "tools" | "evidence" | "memory" | "budget" | "buckets" | "manifests";

/** The first stage that changed, and the place of the difference. */
export type StageDifference = {
  /** The present value. */
  after: unknown;
  /** The recorded value. */
  before: unknown;
  /** The kind of difference, regardless of its cause. */
  kind: DifferenceKind;
  /** JSON Pointer into the stage's record, or into the pack. */
  pointer: string;
  /** The stage. */
  stage: Stage;
  /** The document that the pointer refers to. */
  within: DifferenceScope;
};
