// Generated from schemas/cli/runs-show.schema.json by `make schemas`.

export type RunsShowOutput = {
  /** Null where the command was refused. */
  data: RunData | null;
  /** Findings, as in schemas/diagnostic.v1.schema.json. */
  diagnostics: DiagnosticRecord[];
  /** False where something was found or refused. */
  ok: boolean;
  /** Version of this form. */
  version: 1;
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

/** An amount of each resource. */
export type Budget = {
  /** Bytes that leave the workspace: URL, headers set by code, and body of each request. */
  bytes_out?: number | null;
  /** Governed calls from inside the sandbox. */
  governed_calls?: number | null;
  /** Tokens of model calls. */
  model_tokens?: number | null;
  /** Money, in millionths of the currency of prices. */
  money_micros?: number | null;
  /** Tool calls of the executor's own loop. Accepted in documents; no backend spends them yet. */
  tool_calls?: number | null;
  /** Wall-clock seconds. */
  wall_seconds?: number | null;
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

/** A secret that is added to requests outside the sandbox, and that code inside never sees. */
export type EgressCredential = {
  /** The format of the header's value, with `{}` for the secret; the secret alone if it is left out. */
  format?: string | null;
  /** The name of the header that carries it. */
  header: string;
  /** The reference of the secret: `secret://name`. */
  secret: string;
};

/** The retry policy for requests whose answer was lost. Requests without effects may always be retried. */
export type EgressRepeat = "never" | "by_key";

/** An egress rule. Requests that no rule allows are denied. */
export type EgressRule = {
  /** The path of the endpoint's address, which the compiler fills in. */
  base_path?: string | null;
  /** The credential that is added to requests outside the sandbox. */
  credential?: EgressCredential | null;
  /**
   * An endpoint of the pack that governs the run, in place of a host: its `endpoint_ref`, such as `internal://orders`,
   * or `adapter://` and an id of an adapter. The paths are those below the endpoint.
   */
  endpoint?: string | null;
  /** Headers that code may send beside the credential, in addition to those that only describe the request and its body. */
  headers?: string[];
  /** The host: a name, or an IP address. The compiler fills it in where an endpoint is named. */
  host: string;
  /** Methods, in capitals; `GET` and `HEAD` if the list is empty. */
  methods?: string[];
  /** Paths: `/v1/rates` for one, `/v1/*` for all below; all if the list is empty. */
  paths?: string[];
  /** The port; the default of the scheme if it is left out. */
  port?: number | null;
  /** The price of one request, in millionths of the budget's currency. */
  price_micros?: number | null;
  /** True if the host may have a private, loopback or otherwise special address. */
  private_addresses: boolean;
  /** The retry policy for requests whose answer was lost. */
  repeat: EgressRepeat;
  /** The scheme. */
  scheme: EgressScheme;
  /** True if the rule covers subdomains too. */
  subdomains: boolean;
};

/** The scheme of an egress rule. */
export type EgressScheme = "https" | "http";

/** The cause of a failure; repair decisions depend on it. */
export type FailureCause = "SANDBOX_SESSION_DEAD" | "SANDBOX_TRANSPORT_5XX" | "READINESS_PROBE" | "STALE_CONTINUATION" | "MAX_RETRIES_REACHED" | "POLICY_BLOCKED" | "DETERMINISTIC_CODE_ERROR" | "SCHEMA_MISMATCH";

/** A class of failures. */
export type FailureClass = "contract_schema" | "missing_artifact" | "sandbox_runtime" | "tool_bridge" | "semantic_verdict" | "output_shape" | "policy_violation" | "budget_exhaustion" | "human_gate_pending";

/** A version of a file that a run wrote, as it stands for another one. */
export type FileSuccessor = {
  /** The path. */
  path: string;
  /** The run that wrote it. */
  run_id: string;
  /** The version. */
  version: number;
};

/** The run that a fork was made from. */
export type ForkedFrom = {
  /**
   * The first run of the family, if that run was itself a fork: calls are keyed by it, so that a host that honours
   * `Idempotency-Key` does nothing twice.
   */
  first?: string | null;
  /** The run. */
  run_id: string;
  /** The first step that is executed again. */
  step: string;
};

/** The profile of a run, frozen when the run was submitted. */
export type FrozenProfile = {
  /** The profile. */
  profile_ref: ProfileRef;
  /** The blob with the snapshot: plain SHA-256 of its canonical bytes. */
  snapshot_blob: string;
  /** The typed hash of its snapshot. */
  snapshot_hash: string;
};

/**
 * The workspace of a run, frozen when the run was submitted. The people of the workspace are not frozen: whether an approver
 * holds a role is checked when a step goes on.
 */
export type FrozenWorkspace = {
  /** The file versions that the run reads, by input. */
  inputs: WorkspaceInput[];
  /** The secrets that its steps may send, by name, each with its source. Never a value. */
  secrets?: {
    [key: string]: SecretSource;
  };
  /** The name. */
  workspace: string;
};

/** A file that a run wrote to its workspace. */
export type KeptFileData = {
  /** The path in the workspace. */
  path: string;
  /** The files whose place it took, each with the version that says so. */
  replaced?: ReplacedFile[];
  /** The version that stays the newest, since its run was submitted later. */
  superseded_by?: FileSuccessor | null;
  /** The version. */
  version: number;
};

/** An approval or a question that lapsed. */
export type LapseData = {
  /** The approver, where it was decided. */
  approver?: string | null;
  /** The time; null where it lapses when the run is resumed. */
  at: string | null;
  /** The gate. */
  gate: string;
  /** The reason. */
  why: string;
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

/** The reason why outputs are not in their workspace. */
export type NotKept = {
  /** The code. */
  code: string;
  /** The fix. */
  help?: string | null;
  /** The reason. */
  why: string;
};

export type PackRef = string;

/** The phase of a run in which a ladder is climbed. */
export type Phase = "ingestion" | "planner_candidate" | "compiled_plan" | "step_input" | "step_output" | "final_output";

/** A position in a text. */
export type PositionRecord = {
  /** Bytes from the start. */
  byte: number;
  /** Column from 1, in characters. */
  column: number;
  /** Line from 1. */
  line: number;
};

/** A profile by id and version: `strict-compliance@1.0.0`. It has the form of a reference to a pack. */
export type ProfileRef = PackRef;

/** A related place. */
export type RelatedRecord = {
  /** The place. */
  location: LocationRecord;
  /** Its relation to the finding. */
  message: string;
};

/** A file whose place an output took. */
export type ReplacedFile = {
  /** The path. */
  path: string;
  /** The version that says so. */
  version: number;
};

/** A run with its steps. */
export type RunData = {
  /** Actors that continued it although its journal lacked events. */
  accepted_rollbacks: string[];
  /** The actor that submitted it. */
  actor: string | null;
  /** The process that drives it. */
  driven_by: number | null;
  /** Rules that `--learn-egress` found to be needed. */
  egress?: EgressRule[] | null;
  /** Requests that these rules do not cover. */
  egress_left_out?: UncoveredRequest[] | null;
  /** The time at which it ended. */
  ended_at: string | null;
  /** The run and the step that it was forked from. */
  forked: ForkedFrom | null;
  /** The gates that wait for a decision. */
  gates: WaitingGate[];
  /** The budget that it may spend. */
  grant: Budget | null;
  /** The end of its journal. */
  head: ShownHead | null;
  /** The files that it wrote to its workspace; null where it has not ended, or they are not there. */
  kept?: KeptFileData[] | null;
  /** The last approval or question of each gate that lapsed. */
  lapses?: LapseData[];
  /** The reason why its outputs are not in its workspace although it has ended. */
  not_kept?: NotKept | null;
  /** The name of its plan. */
  plan: string | null;
  /** The hash of its compiled plan. */
  plan_hash: string | null;
  /** The profile that governs it, with the hash of its frozen snapshot. */
  profile?: FrozenProfile | null;
  /** The transcripts that answered its models in place of providers. */
  replays?: ServedTranscript[];
  /** The command that resumes it; null where it has ended or is driven. */
  resume: string | null;
  /** Runs whose outputs steps took over, by step. */
  reused: {
    [key: string]: string;
  };
  /** Its name. */
  run_id: string;
  /** True where its end is signed. */
  sealed: boolean;
  /** The budget that it has spent. */
  spent: Budget;
  /**
   * Its status: `succeeded`, `failed`, `cancelled`, `running`, `waiting`, `approved`, `rejected`, `submitted` or
   * `interrupted`.
   */
  status: string;
  /** Its steps. */
  steps: StepData[];
  /** The time at which it was submitted. */
  submitted_at: string | null;
  /** The verdicts of validation packs; empty without a profile. */
  validation?: ValidationRecord[];
  /** The reason of its outcome. */
  why: string | null;
  /** The workspace that it belongs to, with the file versions that it reads. */
  workspace?: FrozenWorkspace | null;
};

/** The source of a secret. */
export type SecretSource = {
  from: "project";
} | {
  /** The name of the file. */
  file: string;
  from: "file";
} | {
  from: "environment";
  /** The name of the variable. */
  variable: string;
};

/** A transcript that answered calls of models in place of providers. */
export type ServedTranscript = {
  /** The name of the file, without its folder. */
  file: string;
  /** Plain SHA-256 of its bytes. */
  sha256: string;
};

/** The severity of a diagnostic. */
export type SeverityRecord = "info" | "warning" | "error";

/** The end of a hash chain. */
export type ShownHead = {
  /** The hash of that event. */
  hash: string;
  /** The place of its last event. */
  seq: number;
};

/** A step of a run. */
export type StepData = {
  /** The number of the last attempt; 0 before the first. */
  attempt: number;
  /** The time at which the last attempt began. */
  began_at: string | null;
  /** The number of its calls. */
  calls: number;
  /** The time at which the last attempt ended. */
  ended_at: string | null;
  /** The failure. */
  failure: StepFailure | null;
  /** The number of its calls of models, if it made any. */
  model_calls?: number | null;
  /** The files that it wrote; null before it was started. */
  outputs: ArtifactRecord[] | null;
  /** Remarks that did not fail it and should be reviewed. */
  remarks: string[];
  /** The run whose outputs it took over. */
  reused_from: string | null;
  /**
   * Its status: `pending`, `running`, `interrupted`, `parked`, `retrying`, `retry due`, `reused`, `succeeded`,
   * `failed` or `stopped`.
   */
  status: string;
  /** Its name. */
  step: string;
  /** The runs of code inside it. */
  sub_steps: SubStep[];
};

/** The failure of a step. */
export type StepFailure = {
  /** The causes, the first one first; `MAX_RETRIES_REACHED` is appended after the last retry. */
  causes?: FailureCause[];
  /** The class, which decides how the failure is handled. */
  class: FailureClass;
  /** The diagnostic code. */
  code: string;
  /** Help: how to fix it. */
  help?: string | null;
  /** The message. */
  message: string;
  /** The end of the code's output, if it ran. */
  printed?: string | null;
  /** The file, tool or host that it concerns. */
  subject?: string | null;
};

/** One execution of a step's program. */
export type SubStep = {
  /** The executed program: the plain SHA-256 of the code, under which its text is stored, or the adapter's id. */
  code: string;
  /** Wall-clock milliseconds. */
  duration_ms: number;
  /** The exit code; `None` for code that runs in this process, and for processes that were killed or stopped. */
  exit_code: number | null;
  /** The step's instruction. */
  label: string;
  /** True if it ran to its end without an error. Its outputs are checked separately. */
  ok: boolean;
  /** Its place among all executions of the step in this run, from 1. */
  sequence: number;
  /** The language, or `adapter`. */
  type: string;
};

/** A request that learned rules do not cover. */
export type UncoveredRequest = {
  /** The request. */
  request: string;
  /** The step. */
  step: string;
  /** The reason why no rule covers it. */
  why: string;
};

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
  unlisted: number;
  /** The verdict. */
  verdict: ValidationVerdict;
};

/** The verdict on an artifact. */
export type ValidationVerdict = "off" | "passed" | "corrected" | "not_validated" | "correctable" | "failed";

/** A gate that waits for a decision. */
export type WaitingGate = {
  /** Its name. */
  gate: string;
  /** The question. */
  question: string;
  /** The role that decides. */
  role: string;
};

/** A version of a file that a run reads. */
export type WorkspaceInput = {
  /** The path in the run, such as `input/people/hours.csv`. */
  input: string;
  /** The path in the workspace. */
  path: string;
  /** Plain SHA-256 of its bytes. */
  sha256: string;
  /** The size in bytes. */
  size_bytes: number;
  /** The version. */
  version: number;
};
