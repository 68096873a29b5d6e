// Generated from schemas/cli/context-explain.schema.json by `make schemas`.

export type ContextExplainOutput = {
  /** Null where the command was refused. */
  data: ContextExplanation | null;
  /** Findings, as in schemas/diagnostic.v1.schema.json. */
  diagnostics: DiagnosticRecord[];
  /** False where something was found or refused. */
  ok: boolean;
  /** Version of this form. */
  version: 1;
};

/** A token bucket. The order decides ties. */
export type Bucket = "business" | "policy" | "tool" | "evidence" | "memory" | "session";

/** The explanation of a compile. */
export type ContextExplanation = {
  /** The reasons for the verdict. */
  because: string[];
  /** Every guardrail and gate. */
  controls: ControlExplanation[];
  /** Every dropped block. */
  dropped: DroppedBlock[];
  /** Every piece of evidence. */
  evidence: ItemExplanation[];
  /** Every memory. */
  memory: ItemExplanation[];
  /** The verdict. */
  outcome: Verdict;
  /** Every rule that concerns the intent, fired or not. */
  rules: RuleExplanation[];
  /** Every capability of the registry. */
  tools: ItemExplanation[];
};

/** A guardrail or gate and its result. */
export type ControlExplanation = {
  /** True if it is active. */
  active: boolean;
  /** Its id. */
  id: string;
  /** The kind of control. */
  kind: ControlKind;
  /** The result of every expression; `None` for a label. */
  tree: unknown;
  /** The reason. */
  why: string;
};

/** The kind of a control. */
export type ControlKind = "approval_gate" | "must_escalate" | "must_refuse";

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

/** A block that did not fit. */
export type DroppedBlock = {
  /** The block's id. */
  block_id: string;
  /** The bucket that it did not fit into. */
  bucket: Bucket;
  /**
   * False if `smallest_budget` is sufficient but maybe not the smallest, because there were too many blocks to
   * search.
   */
  exact: boolean;
  /** The smallest budget above the allocated one that would have kept the block. */
  smallest_budget: number;
  /** The token count of the block. */
  tokens: number;
};

/** An item that is in or out, with all reasons. */
export type ItemExplanation = {
  /** True for a tool that is surfaced, and for evidence and memory whose block is in the prompt. */
  included: boolean;
  /** A capability, a reference or an id. */
  name: string;
  /** The reasons. */
  reasons: string[];
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

/** The branch of a rule that applied. */
export type RuleBranch = "then" | "else" | "error";

/** A rule and its result. */
export type RuleExplanation = {
  /** The branch that applied, if any. */
  branch: RuleBranch | null;
  /** Its bundle. */
  bundle_id: string;
  /** The rule. */
  rule_id: string;
  /** The result of every expression; `None` if the predicate does not compile. */
  tree: unknown;
  /** The verdict. */
  verdict: RuleVerdict | null;
};

/** The verdict of a rule; the strictest wins. */
export type RuleVerdict = "allow" | "require" | "deny";

/** The severity of a diagnostic. */
export type SeverityRecord = "info" | "warning" | "error";

/** The verdict on a request. The strictest that applies wins. */
export type Verdict = "compiled" | "must_escalate" | "must_refuse";
