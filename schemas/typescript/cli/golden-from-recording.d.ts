// Generated from schemas/cli/golden-from-recording.schema.json by `make schemas`.

export type GoldenFromRecordingOutput = {
  /** Null where the command was refused. */
  data: WrittenCase | null;
  /** Findings, as in schemas/diagnostic.v1.schema.json. */
  diagnostics: DiagnosticRecord[];
  /** False where something was found or refused. */
  ok: boolean;
  /** Version of this form. */
  version: 1;
};

/** A bound on one argument of a capability. */
export type ArgConstraint = {
  /** The only values allowed. */
  enum?: unknown[];
  /**
   * The only value allowed: a constant, or strict JsonLogic over the evaluation context that ties the argument to
   * the request (`{"var": "request.context.amount"}`).
   */
  equals?: unknown;
  /** Largest number. */
  max?: number | null;
  /** Longest text, in characters. */
  max_length?: number | null;
  /** Smallest number. */
  min?: number | null;
  /** A regular expression that the text must match. */
  pattern?: string | null;
  /** True if the argument is required. */
  required?: boolean | null;
};

/** The verdict on a call; the strictest wins. */
export type CallVerdict = "allow" | "needs_approval" | "deny";

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

/** A reason why a piece of evidence was rejected. */
export type EvidenceReason = "malformed_ref" | "other_snapshot" | "unknown_entity_type" | "unknown_embedding" | "other_session" | "missing_tenant" | "other_tenant" | "missing_classification" | "unknown_classification" | "above_classification" | "unlisted_tag" | "missing_hash" | "hash_mismatch" | "expired" | "malformed_time" | "repeated_ref" | "unresolved_conflict" | "superseded";

/** A call of a tool, and the expected verdict. */
export type GoldenCall = {
  /** Its arguments. */
  arguments: {
    [key: string]: unknown;
  };
  /** `allow`, `needs_approval` or `deny`. */
  expect: CallVerdict;
  /** `adapter.capability`. */
  tool: string;
};

/**
 * The expected outcome of a compile. Lists are compared as wholes, maps by the keys that are listed, unless stated
 * otherwise.
 */
export type GoldenExpectation = {
  /** The active approval gates, in order. */
  approval_gates_active?: string[] | null;
  /** Bounds on arguments by capability; each must be among those in force. */
  arguments?: {
    [key: string]: {
      [key: string]: ArgConstraint;
    };
  };
  /** Blocks in the prompt, by priority. */
  blocks?: string[] | null;
  /** Calls, each with the verdict on it. They show policy that a compile leaves open until a tool is called. */
  calls?: GoldenCall[];
  /** The code of the refusal. */
  code?: string | null;
  /**
   * The hash of the compiled context. It covers the version and every text of the pack, so it is compared only if the
   * case names the version that it lies beside, or none.
   */
  compiled_context_hash?: string | null;
  /** Dropped blocks by bucket; buckets that are not listed must drop none. */
  dropped?: {
    [key: string]: string[];
  } | null;
  /** References in the evidence manifest, in order. */
  evidence?: string[] | null;
  /** The checks that hide a capability, by capability. */
  hidden?: {
    [key: string]: ToolCheck[];
  };
  /** Memories that are kept, in order. */
  memory?: string[] | null;
  /** The `must_escalate` controls, in order. */
  must_escalate?: string[] | null;
  /** The `must_refuse` controls, in order. */
  must_refuse?: string[] | null;
  /** `compiled`, `must_escalate`, `must_refuse` or `refused`. */
  outcome: string;
  /** Texts that the prompt must contain. */
  prompt_has?: string[];
  /** Texts that the prompt must not contain. */
  prompt_lacks?: string[];
  /** Redaction rules in force, in order. */
  redaction_rules_active?: string[] | null;
  /** The number of redactions by rule; rules that are not listed must redact nothing. */
  redactions?: {
    [key: string]: number;
  } | null;
  /** The reasons against a piece of evidence, by reference. */
  rejected_evidence?: {
    [key: string]: EvidenceReason[];
  };
  /** The reasons against a memory, by id. */
  rejected_memory?: {
    [key: string]: MemoryReason[];
  };
  /** Rules that fire, in order. */
  rules?: string[] | null;
  /**
   * A hash of what each stage decided, without the version and the hashes of the pack; stages that are not listed are
   * not compared.
   */
  stages?: {
    [key: string]: string;
  };
  /** Tokens allocated to each bucket. */
  tokens_allocated?: {
    [key: string]: number;
  };
  /** Surfaced tools (`adapter.capability`), in order. */
  tools?: string[] | null;
  /** Verdicts by rule. */
  verdicts?: {
    [key: string]: RuleVerdict;
  };
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

/** A reason why a memory was rejected. */
export type MemoryReason = "no_content" | "not_promoted" | "promoted_later" | "missing_tenant" | "other_tenant" | "missing_subject" | "other_subject" | "missing_intent" | "other_intent" | "missing_classification" | "unknown_classification" | "above_classification" | "unknown_tier" | "tier_without_ttl" | "expired" | "malformed_time" | "repeated_id" | "missing_class" | "class_not_allowed" | "missing_provenance" | "any_subject" | "personal_data_not_allowed" | "missing_consent" | "below_confidence" | "corrected" | "contradicted" | "over_cap";

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

/** The verdict of a rule; the strictest wins. */
export type RuleVerdict = "allow" | "require" | "deny";

/** The severity of a diagnostic. */
export type SeverityRecord = "info" | "warning" | "error";

/** The four checks of a capability, in order. */
export type ToolCheck = "permission" | "prohibition" | "policy" | "safety_mode" | "classification" | "arguments";

/** A golden case that was written. */
export type WrittenCase = {
  /** What it expects, as JSON. */
  expect: GoldenExpectation;
  /** The file. */
  file: string;
  /** The packet that it was made from. */
  packet_id: string;
};
