// Generated from schemas/cli/runs-tools.schema.json by `make schemas`.

export type RunsToolsOutput = {
  /** Null where the command was refused. */
  data: RunTools | null;
  /** Findings, as in schemas/diagnostic.v1.schema.json. */
  diagnostics: DiagnosticRecord[];
  /** False where something was found or refused. */
  ok: boolean;
  /** Version of this form. */
  version: 1;
};

/** An approval mode. A capability is surfaced only if its mode is at most the run's safety mode. */
export type ApprovalMode = "read_only" | "local_write" | "network" | "delegated" | "destructive";

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

/** A call of an earlier run. */
export type EarlierCall = {
  /** The key of the call. */
  key: string;
  /** The run. */
  run_id: string;
};

/** The decision at a gate. */
export type GateDecision = "approved" | "rejected";

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

/** A call that was refused before it had any effect. */
export type RefusedCall = {
  /** The code of the refusal. */
  code: string;
  /** The reason. */
  message: string;
  /** The time of the refusal, in RFC 3339. */
  refused_at: string;
  /** The step. */
  step_id: string;
};

/** A related place. */
export type RelatedRecord = {
  /** The place. */
  location: LocationRecord;
  /** Its relation to the finding. */
  message: string;
};

/** The calls that the code of a run made, in order, and those that were refused. */
export type RunTools = {
  /** The calls, each with its result. */
  calls: ToolEnvelope[];
  /** The calls that were refused before they had any effect. */
  refused: RefusedCall[];
  /** The run. */
  run_id: string;
};

/** The severity of a diagnostic. */
export type SeverityRecord = "info" | "warning" | "error";

/** A decision of an approver about a call. */
export type ToolApproval = {
  /** The approval. */
  approval_id: string;
  /** The decision. */
  decision: GateDecision;
  /** The gate. */
  gate_id: string;
  /** The role that decided. */
  role: string;
};

/** The three modes of a call: declared at most, in effect, and allowed at most. */
export type ToolApprovalModes = {
  /** The mode in effect for this call, at most the declared one. */
  approval_mode: ApprovalMode;
  /** The most that the tool can do. */
  declared_mode: ApprovalMode;
  /** The ceiling of the caller: no tool above it is surfaced. */
  safety_mode: ApprovalMode;
};

/** A call of a tool, and its result. */
export type ToolEnvelope = {
  /** The call. */
  call: ToolRequest;
  /** `deed/tool-envelope/v1`. */
  format: string;
  /** The result; none while the call is under way, and for one whose outcome is unknown. */
  result?: ToolResult | null;
};

/** The outcome of a call. */
export type ToolOutcome = {
  status: "ok";
  /** The result. */
  value: unknown;
} | {
  /** Plain SHA-256 of the canonical bytes of the result. */
  sha256: string;
  status: "stored";
} | {
  /** The kind of error, for code to match on. */
  kind: string;
  /** The message. */
  message: string;
  status: "failed";
};

/** A call of a tool. */
export type ToolRequest = {
  /** The modes of the call; none in journals from before they were recorded. */
  approval_modes?: ToolApprovalModes | null;
  /** The decisions of approvers about this call. */
  approvals?: ToolApproval[];
  /** The arguments, where an approver was shown them. Otherwise only their hash is kept. */
  arguments?: unknown;
  /** The hash of the canonical arguments. */
  arguments_hash: string;
  /** Its id: the key of the call, derived from run, contract, tool, arguments and occurrence. */
  call_id: string;
  /** The number of earlier calls of the same tool with the same arguments. */
  occurrence: number;
  /** True if it may be repeated when its answer is lost. */
  repeatable: boolean;
  /** The call of an earlier run that it repeats, or whose answer it reuses. */
  repeats?: EarlierCall | null;
  /** The time at which it was recorded, in RFC 3339. */
  requested_at: string;
  /** The budget that was reserved for it. */
  reserved: Budget;
  /** The run. */
  run_id: string;
  /** The step. */
  step_id: string;
  /** A one-line description. */
  summary: string;
  /** The tool. */
  tool_id: string;
};

/** The result of a call. */
export type ToolResult = {
  /** The time at which it was recorded, in RFC 3339. */
  answered_at: string;
  /** The outcome. */
  outcome: ToolOutcome;
  /** The proof: digests of the request and the response. */
  proof?: unknown;
  /** The budget that it spent. */
  spent: Budget;
};
