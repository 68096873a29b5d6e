// Generated from schemas/plan.v1.schema.json by `make schemas`.

/** A plan. */
export type Plan = {
  /** The budget of all steps together. */
  budget?: Budget | null;
  /** Domain packs for all steps. */
  domain_pack_ids?: string[];
  /** Entities that only this plan uses: JSON Schemas by entity id, as a type pack has them in files. */
  entities?: {
    [key: string]: unknown;
  };
  /** Additional policies of all steps; the strictest of all applies. */
  extra_policy_profile_ids?: string[];
  /** Approval gates. */
  gates?: PlanGate[];
  /** The inputs of the mission. */
  inputs?: MissionInput[];
  /** The objective and its success criteria. */
  mission: Mission;
  /** Its name: lowercase words with dashes. */
  plan: string;
  /** The policy of all steps. */
  policy_profile_id?: string | null;
  /** The steps; their order in the file has no meaning. */
  steps: PlanStep[];
  /** Workflow packs for all steps. */
  workflow_pack_ids?: string[];
};

/** An input of a step. */
export type AbstractInput = {
  /** Kinds that the step reads, the best first; those of the entity's canonical profile by default. */
  accepted_kind_keys?: string[];
  /** Settings for adapters that need keys. */
  adapt?: AdapterSettings | null;
  /** The type of the data: an entity of the plan or of the catalogue, such as `generic.file`. */
  entity_schema_id: string;
  /** Columns that the step reads; the entity's required ones by default. */
  fields?: string[];
  /** The step that produces it, if several could; `mission` for an input of the mission. */
  from?: string | null;
  /** The fields that identify a row, if they differ from the entity's. */
  grain?: string[];
  /** The file that carries it at its producer, if several could. */
  path?: string | null;
  /** The required profile. */
  profile_id?: string | null;
  /** The provenance that it must have. */
  provenance_policy?: ProvenanceDemand;
  /** True if the step requires it. */
  required?: boolean;
  /**
   * The input's role for the adapter of the step, such as `left` or `right` of a join; by its position among the
   * inputs if it is left out.
   */
  role?: string | null;
  /** The slot. */
  slot: string;
};

/** An output of a step. */
export type AbstractOutput = {
  /** The type of the data: an entity of the plan or of the catalogue, such as `generic.file`. */
  entity_schema_id: string;
  /** Its columns. */
  fields?: string[];
  /** The fields that identify a row, if they differ from the entity's. */
  grain?: string[];
  /** The file that carries it, if that is ambiguous. */
  path?: string | null;
  /** Kinds that it may have, the best first; by its file name if the list is empty. */
  preferred_kind_keys?: string[];
  /** The profile it has. */
  profile_id?: string | null;
  /** Provenance fields: the source of each row. */
  provenance_fields?: string[];
  /** The slot. */
  slot: string;
};

/** Settings for adapters that need keys. */
export type AdapterSettings = {
  /** Columns to group or join by. */
  keys: string[];
  /** The measures of each group. */
  measures?: Measure[];
};

/** The format of an artifact's bytes. */
export type ArtifactFormat = "json" | "csv" | "parquet" | "html" | "md" | "txt" | "pdf" | "yaml" | "tsv" | "other";

/** The artifact contract of a file, as authored. */
export type ArtifactSpec = {
  /** The format of its bytes. */
  format: ArtifactFormat;
  /** Its kind, if the format allows several. */
  kind_key?: string | null;
  /** Required columns or keys. */
  required_fields?: string[];
  /** The type of its outermost value. */
  required_top_level_type?: TopLevelType | null;
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

/** A gate for calls of a tool. */
export type CallGate = {
  /** The role that decides. */
  approver_role: string;
  /** The question. */
  question: string;
  /** The tool. */
  tool: string;
  /**
   * The condition: strict JsonLogic over `arguments`; all calls if it is left out. A condition that fails to
   * evaluate counts as true.
   */
  when?: unknown;
};

/** A structured condition. */
export type Condition = {
  /** The check. */
  check: ConditionCheck;
  /** The number of rows, for `rows_at_least` and `rows_at_most`. */
  count?: number | null;
  /** The file to check. */
  path?: string | null;
  /** The rule, for `rule`: strict JsonLogic over facts such as `outputs.findings.rows`. */
  rule?: unknown;
};

/** The check of a condition. */
export type ConditionCheck = "exists" | "not_empty" | "parses" | "matches_schema" | "rows_at_least" | "rows_at_most" | "rule";

/** Criteria as authored: one text, or a list. Only for the schema; the value that is read is always a list. */
export type Criteria = string | Criterion[];

/** A criterion as authored: structured, or as a sentence in one of a few known forms. */
export type Criterion = string | Condition;

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
  host?: string;
  /** Methods, in capitals; `GET` and `HEAD` if the list is empty. */
  methods?: string[];
  /** Paths: `/v1/rates` for one, `/v1/*` for all below; all if the list is empty. */
  paths?: string[];
  /** The port; the default of the scheme if it is left out. */
  port?: number | null;
  /** The price of one request, in millionths of the budget's currency. */
  price_micros?: number | null;
  /** True if the host may have a private, loopback or otherwise special address. */
  private_addresses?: boolean;
  /** The retry policy for requests whose answer was lost. */
  repeat?: EgressRepeat;
  /** The scheme. */
  scheme?: EgressScheme;
  /** True if the rule covers subdomains too. */
  subdomains?: boolean;
};

/** The scheme of an egress rule. */
export type EgressScheme = "https" | "http";

/** An output file of a step. */
export type ExpectedOutput = {
  /** The minimum number of files of a set; 1 by default. */
  at_least?: number | null;
  /** The maximum number of files of a set; 1,000 by default, and never more than 10,000. */
  at_most?: number | null;
  /** The location: always the sandbox's workspace. */
  location?: OutputLocation;
  /**
   * The path: below `output/` for files that the mission delivers, below `work/` for files between steps. One `*` in
   * the last part, as in `output/pages/*.html`, means a set of files whose names the code chooses.
   */
  path: string;
  /** Its role in the mission. */
  role?: OutputRole;
  /** The slot of the abstract output that it carries. */
  slot?: string | null;
};

/** An isolation level; ordered, the weakest first. */
export type IsolationLevel = "L0" | "L1" | "L2" | "L3";

/** The list that a step processes item by item. */
export type ItemLoop = {
  /** The maximum number of governed calls per item. */
  calls_per_item?: number;
  /** The entity of that input, if several have the slot. */
  entity_schema_id?: string | null;
  /** The maximum number of items. */
  most_items: number;
  /** The slot of the input that holds the list. */
  slot: string;
};

/** A measure: a number computed from a group of rows. */
export type Measure = {
  /** The column. */
  field: string;
  /** The kind of measure. */
  how: MeasureKind;
  /** The name of the result. */
  name: string;
};

/** The kind of a measure. */
export type MeasureKind = "sum" | "count" | "min" | "max" | "mean";

/** The objective of a plan. */
export type Mission = {
  /** The objective, in the author's words. */
  objective: string;
  /** The success criteria: one text, or a list of conditions. */
  success_criteria?: Criteria;
};

/** An input file of the mission. */
export type MissionInput = {
  /** The type of the data: an entity of the plan or of the catalogue, such as `generic.file`. */
  entity_schema_id: string;
  /** Its columns, if they are known. */
  fields?: string[];
  /** The fields that identify a row, if they differ from the entity's. */
  grain?: string[];
  /** The kind; by the file name if it is left out. */
  kind_key?: string | null;
  /** The path in the workspace, below `input/`. */
  path: string;
  /** The slot. */
  slot: string;
};

/** The location of an output file. */
export type OutputLocation = "sandbox";

/** The role of a file in the mission. */
export type OutputRole = "primary" | "supporting" | "intermediate";

/** An approval gate. */
export type PlanGate = {
  /** Steps whose results are reviewed. */
  after?: string[];
  /** The role that decides. */
  approver_role: string;
  /** Its name. */
  id: string;
  /** The question. */
  question: string;
  /** Seconds that the approval request, and the decision, stay valid; the run's setting by default. */
  ttl_seconds?: number | null;
};

/** A step. */
export type PlanStep = {
  /** Inputs by slot and entity. */
  abstract_inputs?: AbstractInput[];
  /** Outputs by slot and entity. */
  abstract_outputs?: AbstractOutput[];
  /** The registered adapter that does the work, instead of code. */
  adapter?: string | null;
  /** The artifact contract of each of them, by path. */
  artifact_contracts?: {
    [key: string]: ArtifactSpec;
  };
  /** The budget of one attempt. */
  budget?: Budget | null;
  /** Calls of its code that need an approval each. */
  call_gates?: CallGate[];
  /** Its code, if it is already written. */
  code?: StepCode | null;
  /** The resolver's confidence, from 0 to 1. */
  confidence?: number | null;
  /** Steps that must finish before it. */
  depends_on?: string[];
  /** Domain packs, in addition to the plan's. */
  domain_pack_ids?: string[];
  /** The egress rules of its code; without a rule it can reach nothing. */
  egress?: EgressRule[];
  /** Files that it writes. */
  expected_outputs?: ExpectedOutput[];
  /** Additional policies; the strictest of all applies. */
  extra_policy_profile_ids?: string[];
  /** The list that it processes item by item. */
  for_each?: ItemLoop | null;
  /** Its id, which other steps depend on. */
  id: string;
  /** Files that it reads. Each must have the entity and kind that its producer declares. */
  input_file_paths?: string[];
  /** The instruction, as an imperative. */
  label: string;
  /** The number of retries; six by default. */
  max_retries?: number | null;
  /** Requirements: what it must, should and may do. */
  objective: string;
  /** The part of the mission's objective that it implements. */
  objective_words?: string | null;
  /** The policy, in addition to the plan's. */
  policy_profile_id?: string | null;
  /** The resolver's reason for these packs and this policy. */
  reason?: string | null;
  /** The resolution status of its packs and policy, if a resolver assigned them. */
  resolution_status?: ResolutionStatus | null;
  /** The isolation and resource limits of its code. */
  sandbox?: SandboxDemand | null;
  /** Hints for finding packs and skills. */
  semantic_hints?: SemanticHints;
  /** Its effects beyond the workspace. */
  side_effects?: SideEffect[];
  /** The success criteria: one text, or a list of conditions. */
  success_criteria?: Criteria;
  /** Capabilities that it needs. */
  tool_needs?: string[];
  /** Gates that must be open before it starts. */
  waits_for?: string[];
  /** The resolver's warnings, which the compiler repeats. */
  warnings?: string[];
  /** Workflow packs, in addition to the plan's. */
  workflow_pack_ids?: string[];
};

/** The provenance that data must have. */
export type ProvenanceDemand = "none" | "preferred" | "required";

/** The resolution status of a step's packs and policy. */
export type ResolutionStatus = "resolved" | "ambiguous" | "unresolved";

/** The isolation that a contract requires. */
export type SandboxDemand = {
  /** The resource limits. */
  limits?: SandboxLimits;
  /** The lowest isolation level under which the step may run. */
  minimum?: IsolationLevel;
};

/** The resources that code in the sandbox may use. */
export type SandboxLimits = {
  /** Bytes of output that are kept of each stream. */
  captured_bytes?: number;
  /** CPU seconds per process. */
  cpu_seconds?: number;
  /** Bytes of memory. */
  memory_bytes?: number;
  /** Bytes that it may write under `work/` and `output/` together. */
  output_bytes?: number;
  /** Files and folders that it may create there. */
  output_files?: number;
  /** Processes and threads at the same time. */
  processes?: number;
  /** Bytes of its private `/tmp`. */
  scratch_bytes?: number;
  /** Wall-clock seconds. */
  wall_seconds?: number;
};

/** Hints for finding packs and skills. */
export type SemanticHints = {
  /** Domain hints. */
  domain_terms?: string[];
  /** Policy hints. */
  policy_terms?: string[];
  /** Workflow hints. */
  workflow_terms?: string[];
};

/** An effect of a step beyond the workspace. */
export type SideEffect = {
  /** The kind of effect, such as `deploy` or `submit`. */
  action: string;
  /** The target. */
  target: string;
};

/** Code that is already written. */
export type StepCode = {
  /** The path of the file with its text, relative to the plan; instead of `source`. */
  file?: string | null;
  /** Its language. */
  language: string;
  /** Its text. */
  source?: string;
};

/** The type of the outermost value of a file. */
export type TopLevelType = "array" | "object" | "table";
