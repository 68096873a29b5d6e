// Generated from schemas/ladder-report.v1.schema.json by `make schemas`.

/** The report of a climb. */
export type LadderReport = {
  /** The use of the edit budget. */
  budget?: BudgetUse | null;
  /** Every change, in order. Their inverses, applied last to first, restore the input. */
  changes: LadderChange[];
  /** The contract's name. */
  contract: string;
  /** The contract's hash. */
  contract_hash: string;
  /** Every finding. */
  findings: LadderFinding[];
  /** The hash of the input: of the value, or of the text as a JSON string if it was not JSON. */
  input_hash: string;
  /** The outcome. */
  outcome: LadderOutcome;
  /** The hash of the payload after the last rung; `None` if there never was one. */
  output_hash?: string | null;
  /** The phase. */
  phase: Phase;
  /** The proposals with their verdicts, so that a replay needs no model. */
  proposals?: ProposalRecord[];
  /** Repairs of the text, in the order of their places. */
  repairs?: TextRepair[];
  /** The result of each rung, in the order of the climb. */
  rungs: RungRecord[];
  /** Changes that rungs in mode `report` would have made. */
  suggestions?: LadderChange[];
  /** The format of this document. */
  version: string;
};

/** The use of the edit budget. */
export type BudgetUse = {
  /** Changes made. */
  changes: number;
  /** True if there were too many. */
  exceeded: boolean;
  /** Changes allowed. */
  most_changes: number;
};

/** One change. */
export type LadderChange = {
  /** The hash of the value at the place after; of null if there is none. */
  after: string;
  /** The hash of the value at the place before; of null if there was none. */
  before: string;
  /** The confidence, in thousandths. */
  confidence: number;
  /** The inverse of the change. */
  inverse: PatchOp[];
  /** The change. */
  patch: PatchOp[];
  /** The rule of the rung, or the proposal. */
  rule: string;
  /** The rung that made it. */
  rung: Rung;
  /** The reason. */
  why: string;
};

/** A finding of a rung. */
export type LadderFinding = {
  /** True if it refuses the payload. */
  blocks: boolean;
  /** Its stable code. */
  code: string;
  /** Help: how to fix it. */
  help?: string | null;
  /** The message; never the value that the guard stopped. */
  message: string;
  /** The place in the payload. */
  pointer: string;
  /** The rule or class. */
  rule?: string | null;
  /** The rung. */
  rung: Rung;
};

/** The mode of a rung. */
export type LadderMode = "off" | "report" | "block";

/** The outcome of a climb. */
export type LadderOutcome = "accepted" | "rejected";

/** An operation; paths are JSON Pointers. */
export type PatchOp = {
  op: "add";
  /** The path. */
  path: string;
  /** The value. */
  value: unknown;
} | {
  op: "remove";
  /** The path. */
  path: string;
} | {
  op: "replace";
  /** The path. */
  path: string;
  /** The value. */
  value: unknown;
} | {
  /** The source path. */
  from: string;
  op: "move";
  /** The target path. */
  path: string;
} | {
  /** The source path. */
  from: string;
  op: "copy";
  /** The target path. */
  path: string;
} | {
  op: "test";
  /** The path. */
  path: string;
  /** The value. */
  value: unknown;
};

/** The phase of a run in which a ladder is climbed. */
export type Phase = "ingestion" | "planner_candidate" | "compiled_plan" | "step_input" | "step_output" | "final_output";

/** One proposed fix, or one finding. */
export type Proposal = {
  /** Set in a report if the guard found something in the proposal, which is then not stored. */
  concealed?: boolean;
  /** The proposer's confidence, in thousandths. */
  confidence?: number;
  /** A finding for which no value can be proposed; L6 only, and without a patch. */
  finding?: ProposedFinding | null;
  /** Its id in reports. */
  id: string;
  /** Value changes only: `replace`, and `test` to check the expected value. Empty for a finding. */
  patch?: PatchOp[];
  /** The rationale. */
  reason?: string;
  /** The rung that judges it: `L2` or `L6`. */
  rung: Rung;
};

/** A proposal and its verdict. */
export type ProposalRecord = {
  /** The proposal as it was supplied. */
  proposal: Proposal;
  /** The reason. */
  reason: string;
  /** The verdict. */
  verdict: ProposalVerdict;
};

/** The verdict on a proposal. */
export type ProposalVerdict = "applied" | "reported" | "suggested" | "refused";

/** A finding without a value to put in its place. */
export type ProposedFinding = {
  /** The place in the payload; empty for the whole payload. */
  at: string;
  /** The message. */
  message: string;
  /** True if it refuses the payload while L6 is in mode `block`. */
  severity?: RuleWeight;
};

/** The weight of a rule. */
export type RuleWeight = "warning" | "error";

/** A rung of the ladder. The guard runs first, and again over the result. */
export type Rung = "L3" | "L0" | "L0b" | "L0c" | "L0d" | "L0e" | "L1" | "L2" | "L4" | "L5" | "L6";

/** The result of a rung. */
export type RungRecord = {
  /** The number of changes. */
  changes: number;
  /** The number of findings. */
  findings: number;
  /** The mode that it ran in. */
  mode: LadderMode;
  /** The rung. */
  rung: Rung;
  /** The status. */
  status: RungStatus;
};

/** The status of a rung. */
export type RungStatus = "passed" | "changed" | "found" | "stopped" | "off" | "not_reached";

/** A repair of the text. */
export type TextRepair = {
  /** The byte after it. */
  end: number;
  /** The replacement. */
  inserted: string;
  /** The kind of repair. */
  kind: string;
  /** The first byte of the replaced text. */
  start: number;
};
