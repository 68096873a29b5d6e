// Generated from schemas/ladder-proposals.v1.schema.json by `make schemas`.

/** Proposals for one payload. */
export type LadderProposals = {
  /** The proposals; each is judged separately, in this order. */
  proposals: Proposal[];
};

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
