// Generated from schemas/cli/pack-recheck.schema.json by `make schemas`.

export type PackRecheckOutput = {
  /** Null where the command was refused. */
  data: Rechecked | null;
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

/** A validation gate, in the order of execution. */
export type Gate = "schema" | "references" | "policy" | "risk" | "tenancy" | "replay" | "evaluation" | "security";

/** The result of a gate. */
export type GateOutcome = {
  /** The number of errors. */
  errors: number;
  /** The gate. */
  gate: Gate;
  /** False if it could not run because the document is not a pack. */
  ran: boolean;
  /** The number of warnings. */
  warnings: number;
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

/** A change of something that a pack refers to. */
export type RecheckTrigger = "POLICY_BUNDLE_UPDATED" | "ONTOLOGY_UPDATED" | "ADAPTER_SCHEMA_UPDATED" | "DECISION_CATALOG_UPDATED" | "MEMORY_POLICY_UPDATED" | "EVALUATOR_UPDATED" | "MODEL_CONFIG_UPDATED" | "RUNTIME_UPDATED";

/** A pack that was checked again. */
export type Rechecked = {
  /** The changes, each with its outcome. */
  changes: RecheckedChange[];
  /** The validation gates that ran for triggers without a document. */
  gates: GateOutcome[];
  /** The pack, as it was named. */
  pack: string;
  /** True where it still fits. */
  passed: boolean;
};

/** A change that a pack was checked against. */
export type RecheckedChange = {
  /** The name of what changed. */
  dependency: string;
  /** The hash of the changed document. */
  dependency_hash: string;
  /** The number of errors. */
  errors: number;
  /** The event in the log; null for a folder, and where the same was recorded before. */
  event: Recorded | null;
  /** The validation gates that ran. */
  gates: GateOutcome[];
  /** True where the pack still fits. */
  passed: boolean;
  /** The trigger. */
  trigger: RecheckTrigger;
  /** The number of warnings. */
  warnings: number;
};

/** An event that was appended to the log. */
export type Recorded = {
  /** Its hash. */
  hash: string;
  /** Its place. */
  seq: number;
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
