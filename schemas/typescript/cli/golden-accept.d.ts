// Generated from schemas/cli/golden-accept.schema.json by `make schemas`.

export type GoldenAcceptOutput = {
  /** Null where the command was refused. */
  data: AcceptedGolden | null;
  /** Findings, as in schemas/diagnostic.v1.schema.json. */
  diagnostics: DiagnosticRecord[];
  /** False where something was found or refused. */
  ok: boolean;
  /** Version of this form. */
  version: 1;
};

/** Golden cases that moved. */
export type AcceptedGolden = {
  /** The cases that failed, with what moved. */
  cases: GoldenResult[];
  /** The files that were rewritten; none without `--yes`. */
  written: string[];
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

/** A golden case, and how it stands. */
export type GoldenResult = {
  /** A sentence about what the case shows. */
  description: string;
  /** The file. */
  file: string;
  /** The expectations that do not hold, in the order of stages. */
  moved: GoldenMove[];
  /** The name: the stem of the file. */
  name: string;
  /** True if it was compiled and its expectations hold. */
  passed: boolean;
  /** The first difference in what the stages read and decided, compared with the base. */
  rederived: StageDifference | null;
  /** The first stage that moved. */
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

/** The severity of a diagnostic. */
export type SeverityRecord = "info" | "warning" | "error";

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
