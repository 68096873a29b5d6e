// Generated from schemas/cli/context-whatif.schema.json by `make schemas`.

export type ContextWhatifOutput = {
  /** Null where the command was refused. */
  data: WhatIf | null;
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

/** A part of the prompt that reads differently. */
export type PromptChange = {
  /** The same with the candidate; `None` if the part is gone. */
  after: string | null;
  /** The text around the first difference as recorded; `None` if the part is new. */
  before: string | null;
  /** The part: `system`, `developer`, or the id of a block. */
  part: string;
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

/** The comparison of one request. */
export type RequestComparison = {
  /** Blocks that now fit. */
  blocks_gained: string[];
  /** Blocks, by their source, that no longer fit. */
  blocks_lost: string[];
  /** Capabilities whose argument bounds change. */
  bounds_changed: string[];
  /** True if it compiled, and the candidate refuses it. */
  broken: boolean;
  /** Labels and active guardrails that are added. */
  controls_gained: string[];
  /** Labels and active guardrails that are removed. */
  controls_lost: string[];
  /** Decisions of the intent that change, as `key: what before -> after`. */
  decisions_changed: string[];
  /** Active gates whose approver or approval lifetime changes. */
  gate_terms_changed: string[];
  /** Gates that become active. */
  gates_gained: string[];
  /** Gates that are no longer active. */
  gates_lost: string[];
  /** Evidence and memory that are newly admitted. */
  items_gained: string[];
  /** Evidence and memory that are no longer admitted. */
  items_lost: string[];
  /** True if something that was held back is now allowed. */
  loosened: boolean;
  /** Overlays of the recording that the candidate does not have. */
  missing_overlays: string[];
  /** Capabilities whose effective mode changes. */
  modes: {
    [key: string]: ValueChange;
  };
  /** Requirements and prohibitions of rules, evidence of decisions and non-negotiables that newly apply. */
  obligations_gained: string[];
  /** Requirements and prohibitions of rules, evidence of decisions and non-negotiables that no longer apply. */
  obligations_lost: string[];
  /** The outcome, if it changes. */
  outcome: ValueChange | null;
  /** The id of the recording. */
  packet_id: string;
  /**
   * Places of the compiled context that differ, as JSON pointers, apart from the prompt, versions and hashes; at most
   * forty.
   */
  places_changed: string[];
  /** Parts of the prompt that the pack words differently. */
  prompt: PromptChange[];
  /** Redaction rules, with their definitions, that newly apply. */
  redactions_gained: string[];
  /** Redaction rules, with their definitions, that no longer apply. */
  redactions_lost: string[];
  /** The run and request that were recorded. */
  source_ref: string;
  /**
   * True if something that was allowed is held back, or more is demanded: a stricter outcome, another gate, control,
   * obligation or redaction, a smaller surface, tighter bounds, less evidence or memory.
   */
  tightened: boolean;
  /** Tokens with the candidate. */
  tokens_after: number;
  /** Tokens of the prompt as recorded; 0 if it was refused. */
  tokens_before: number;
  /** Gates that a capability now needs, as `adapter.capability: gate`. */
  tool_gates_gained: string[];
  /** Gates that a capability no longer needs, as `adapter.capability: gate`. */
  tool_gates_lost: string[];
  /** Capabilities that are added to the surface. */
  tools_gained: string[];
  /** Capabilities that are removed from it. */
  tools_lost: string[];
  /** Rules whose verdict changes, by rule; `-` if one does not apply. */
  verdicts: {
    [key: string]: ValueChange;
  };
  /**
   * True if a writing capability is added or its declared mode is lowered, a redaction is lost, or more evidence,
   * memory or classified data is admitted.
   */
  widened: boolean;
};

/** The severity of a diagnostic. */
export type SeverityRecord = "info" | "warning" | "error";

/** A change between a recorded pack and the candidate that is not proven to tighten, or that a model reads. */
export type UnprovenChange = {
  /** The recorded pack. */
  base: string;
  /** The code of the finding that the release gates have for it. */
  code: string;
  /** The metric that it counts as. */
  metric: RegressionMetric;
  /** JSON Pointer of the change in the candidate. */
  pointer: string | null;
  /** The change, and why it counts. */
  what: string;
};

/** Before and after. */
export type ValueChange = {
  /** With the candidate. */
  after: string;
  /** As recorded. */
  before: string;
};

/** The result of a what-if. */
export type WhatIf = {
  /** Requests that compiled and that the candidate refuses. */
  broken: number;
  /** The candidate pack. */
  candidate: string;
  /** The requests whose result would change. */
  changed: RequestComparison[];
  /** The release gates with their judgements. */
  gates: GateJudgement[];
  /** The number of recordings. */
  requests: number;
  /** Requests for which something that was allowed is held back, or more is demanded. */
  tightened: number;
  /** Tokens of all prompts with the candidate. */
  tokens_after: number;
  /** Tokens of all prompts as they were recorded. */
  tokens_before: number;
  /** Requests that lose blocks which they kept. */
  truncated_more: number;
  /** Changes of the packs themselves that no proof covers, whether a request reaches them or not. */
  unproven: UnprovenChange[];
};
