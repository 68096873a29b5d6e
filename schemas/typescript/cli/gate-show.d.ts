// Generated from schemas/cli/gate-show.schema.json by `make schemas`.

export type GateShowOutput = {
  /** Null where the command was refused. */
  data: ShownGate | null;
  /** Findings, as in schemas/diagnostic.v1.schema.json. */
  diagnostics: DiagnosticRecord[];
  /** False where something was found or refused. */
  ok: boolean;
  /** Version of this form. */
  version: 1;
};

/** An approver's decision at a gate. It is valid once, for what was shown, until it expires. */
export type Approval = {
  /** Its id, derived from all other fields. */
  approval_id: string;
  /** The approver. */
  approver: string;
  /** The authority of the approver, for a run of a workspace. */
  authority?: ApproverAuthority | null;
  /** The event of the workspace's log since which the approver had this authority without a break. */
  authority_since?: string | null;
  /** The time of the decision, in RFC 3339. */
  decided_at: string;
  /** The decision. */
  decision: GateDecision;
  /** The time at which it expires, in RFC 3339. */
  expires_at: string;
  /** The gate. */
  gate_id: string;
  /** A comment. */
  note?: string | null;
  /** The role that the approver claimed. */
  role: string;
  /** The hash of what the approver was shown. */
  subject_hash: string;
};

/** A call that waits for an approval. */
export type ApprovedCall = {
  /** The complete arguments. */
  arguments: unknown;
  /** The tool. */
  tool: string;
  /** The hash of the tool's definition. */
  tool_digest: string;
};

/** A contract that continues when a gate opens. */
export type ApprovedContract = {
  /** The hash of its contract. */
  contract_hash: string;
  /** Its effects beyond the workspace. */
  effects: string[];
  /** The step's instruction. */
  label: string;
  /** The egress rules of its code. */
  reaches?: string[];
  /** The step. */
  step: string;
};

/** The authority by which an approver decided in a role. */
export type ApproverAuthority = "directory" | "sole_person";

/** A file by path and content. */
export type ArtifactRecord = {
  /** The path in the workspace. */
  path: string;
  /** Plain SHA-256 of its bytes. */
  sha256: string;
  /** The size in bytes; `bytes` in older records. */
  size_bytes: number;
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

/** The difference of a file from an earlier run. */
export type FileChange = {
  change: "same";
} | {
  change: "new";
} | {
  /** Rows (or lines) that the earlier file lacks; none where they cannot be compared. */
  added: number | null;
  change: "changed";
  /** Rows (or lines) that this file lacks; none where they cannot be compared. */
  removed: number | null;
};

/** The decision at a gate. */
export type GateDecision = "approved" | "rejected";

/** The files that an approver reviews. */
export type GateReview = {
  /** The last run of the same plan that was approved at this gate and succeeded, which the files are compared with. */
  compared_with: string | null;
  /** The files that the decision rests on and those that the waiting steps read, by path. */
  files: ReviewedFile[];
  /** Files that the earlier run had at this gate, and this one has not. */
  gone: string[];
};

/** Everything that an approver is shown, and nothing else. Its hash is what is approved. */
export type GateSubject = {
  /** The role that decides. */
  approver_role: string;
  /** The call that waits, for a gate inside a step. */
  call?: ApprovedCall | null;
  /** The contracts that continue when the gate opens, by step. */
  contracts: ApprovedContract[];
  /** The files that the decision is based on. */
  evidence: ArtifactRecord[];
  /** The time at which the request expires, in RFC 3339. */
  expires_at: string;
  /** The gate: its name in the plan, or `call:` and the key of the call. */
  gate_id: string;
  /** The question. */
  question: string;
  /** The run. */
  run_id: string;
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

/** A position in a text. */
export type PositionRecord = {
  /** Bytes from the start. */
  byte: number;
  /** Column from 1, in characters. */
  column: number;
  /** Line from 1. */
  line: number;
};

/** The beginning of a file. */
export type Preview = {
  /** The names in the first row, in the order of the file. */
  columns: string[];
  form: "rows";
  /** The first rows, a cell for each column. */
  rows: string[][];
  /** All rows. */
  total: number;
} | {
  form: "text";
  /** The first lines. */
  lines: string[];
  /** All lines; none where the file is too large to count them. */
  total: number | null;
} | {
  form: "binary";
};

/** A related place. */
export type RelatedRecord = {
  /** The place. */
  location: LocationRecord;
  /** Its relation to the finding. */
  message: string;
};

/** A file behind a decision. */
export type ReviewedFile = {
  /** Its size. */
  bytes: number;
  /** The difference from the earlier run; none where there is no earlier run. */
  change: FileChange | null;
  /** Its path in the run. */
  path: string;
  /** Its beginning. */
  preview: Preview;
  /** The waiting steps that read it; none where it is shown to decide with, and read by no step. */
  read_by: string[];
  /** Its hash. */
  sha256: string;
};

/** The severity of a diagnostic. */
export type SeverityRecord = "info" | "warning" | "error";

/** A gate, and what an approver looks at. */
export type ShownGate = {
  /** The decision; null where it waits. */
  decided: Approval | null;
  /** The last approval or question of this gate that lapsed, with the reason. */
  lapse?: LapseData | null;
  /** True where the question has lapsed. */
  lapsed: boolean;
  /** The other gates of the run that wait, where no gate was named. */
  others: ShownGate[];
  /** The files behind the decision. They are not part of the hash, except those that the subject lists. */
  review: GateReview;
  /** The subject that an approval is bound to. */
  subject: GateSubject;
  /** Its hash. */
  subject_hash: string;
};
