// Generated from schemas/validation-receipt.v1.schema.json by `make schemas`.

/** The validation of a run before its first step, or after its last one. */
export type ValidationReceipt = {
  /** The plan. */
  plan_hash: string;
  /** The run. */
  run_id: string;
  /** The hash of the profile's frozen snapshot, which holds the packs. */
  snapshot_hash: string;
  /** The part of the run. */
  stage: ValidationStage;
  /** The verdicts. */
  validation: ValidationRecord[];
};

/** A file by path and content. */
export type ArtifactRecord = {
  /** The path in the workspace. */
  path: string;
  /** Plain SHA-256 of its bytes. */
  sha256: string;
  /** The size in bytes; `bytes` in older records. */
  size_bytes: number;
};

/**
 * What a model was asked to propose for an artifact. The proposals are frozen, so that the verdict follows from them without
 * the model.
 */
export type AskedCorrector = {
  /** The key of the call whose reply has the proposals; none if no reply could be used. */
  call?: string | null;
  /** The reason why there are no proposals. */
  fault?: CorrectorFault | null;
  /** The proposals, as the ladder was given them; kept under a path of their own. None if no reply could be used. */
  proposals?: ArtifactRecord | null;
};

/** A correction: the bytes before and after it, and its record, which can be undone. */
export type CorrectionRecord = {
  /** The hash of the corrected bytes. */
  after: string;
  /** The number of changes. */
  changes: number;
  /** The bytes that entered, kept under a path of their own. */
  original: ArtifactRecord;
  /** The report of the ladder with every change and its inverse, kept likewise. */
  report: ArtifactRecord;
};

/** The reason why a model proposed nothing. */
export type CorrectorFault = {
  /** The stable code. */
  code: string;
  /** The message. */
  message: string;
};

/** The phase of a run in which a ladder is climbed. */
export type Phase = "ingestion" | "planner_candidate" | "compiled_plan" | "step_input" | "step_output" | "final_output";

/** A finding of a validation. */
export type ValidationFinding = {
  /** The rung of the ladder, or the check. */
  by: string;
  /** Its stable code. */
  code: string;
  /** True if the artifact fails by it. */
  fails: boolean;
  /** Help: how to fix it. */
  help?: string | null;
  /** The message; never what a guard stopped. */
  message: string;
  /** The place in the payload, as a JSON Pointer; none for the whole. */
  pointer?: string | null;
  /** The row of a table, counted from 1. */
  row?: number | null;
};

/** The effect of a failed validation, weakest first. */
export type ValidationMode = "off" | "report" | "block";

/** The verdict of a validation pack on an artifact. */
export type ValidationRecord = {
  /** The hash of the bytes that entered. */
  before?: string | null;
  /** The correction, if the bytes that left are others. */
  correction?: CorrectionRecord | null;
  /** What a model was asked to propose for it, if one was asked. */
  corrector?: AskedCorrector | null;
  /** The findings; at most 20 are listed. */
  findings?: ValidationFinding[];
  /** The mode of the phase. */
  mode: ValidationMode;
  /** The hash of the pack. */
  pack_hash?: string | null;
  /** The pack; none where the phase is off, or no matcher and no default pack stands for the path. */
  pack_ref?: string | null;
  /** The path of the artifact; none where the phase is off. */
  path?: string | null;
  /** The phase. */
  phase: Phase;
  /** The rule of the pack that judged. */
  rule?: string | null;
  /** The number of findings that are not listed. */
  unlisted?: number;
  /** The verdict. */
  verdict: ValidationVerdict;
};

/** A part of a run that belongs to no step. */
export type ValidationStage = "submission" | "delivery";

/** The verdict on an artifact. */
export type ValidationVerdict = "off" | "passed" | "corrected" | "not_validated" | "correctable" | "failed";
