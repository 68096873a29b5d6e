// Generated from schemas/cli/plan-compile.schema.json by `make schemas`.

export type PlanCompileOutput = {
  /** Null where the command was refused. */
  data: CompiledOutput | null;
  /** Findings, as in schemas/diagnostic.v1.schema.json. */
  diagnostics: DiagnosticRecord[];
  /** False where something was found or refused. */
  ok: boolean;
  /** Version of this form. */
  version: 1;
};

/** Settings for adapters that need keys. */
export type AdapterSettings = {
  /** Columns to group or join by. */
  keys: string[];
  /** The measures of each group. */
  measures: Measure[];
};

/** The adapters that the compiler may insert on its own. */
export type AdapterUse = "none" | "keeps_values" | "any";

/** The contract of a written file. */
export type ArtifactContract = {
  /** True if the plan states it, false if it is derived. */
  derived: boolean;
  /** The schema of an entity that the plan derives, such as grouped rows, and that is not in the catalogue. */
  derived_schema?: unknown;
  /** The hash of the entity's schema, so that it cannot change under the contract. */
  entity_hash?: string | null;
  /** The entity, if the plan names one. */
  entity_schema_id?: EntitySchemaId | null;
  /** The format of its bytes. */
  format: ArtifactFormat;
  /** Its kind. */
  kind_key: KindKey;
  /** Required columns or keys. */
  required_fields: string[];
  /** The type of its outermost value. */
  required_top_level_type?: TopLevelType | null;
};

/** The format of an artifact's bytes. */
export type ArtifactFormat = "json" | "csv" | "parquet" | "html" | "md" | "txt" | "pdf" | "yaml" | "tsv" | "other";

/** A file of a plan, by a name that tells its origin. */
export type ArtifactRef = {
  /** The path in the workspace. */
  path: string;
  /** `STEP:output:N:NAME` for the Nth file that a step writes, `mission:input:NAME` for an input of the mission. */
  ref_id: string;
};

/** The backend of a step. */
export type Backend = "sandbox.session" | "tool_loop" | "edge_isolate" | "native";

/** The binding of an input to its producer. */
export type Binding = {
  /** Inserted adapters, by the ids of their steps. */
  by?: string[];
  /** A description of what the adapters lose. */
  drops?: string[];
  /** The index of the input among those of the step. */
  input: number;
  /** The producer. */
  producer: Producer;
  /** The rank. */
  rank: BindingRank;
  /** Its slot. */
  slot: string;
  /** The reason, in words. */
  why: string;
};

/** How well a producer fits. */
export type BindingRank = "exact" | "accepted_kind" | "by_adapter" | "generic";

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

/** An input by slot. */
export type CompiledInput = {
  /** The file; `None` for an optional input without a producer. */
  path?: string | null;
  /** True if the step requires it. */
  required: boolean;
  /** The slot. */
  slot: string;
};

/** A compiled plan; with `--out` its hashes alone. */
export type CompiledOutput = {
  /** The name of the plan. */
  plan: string;
  /** The hash of the compiled plan. */
  plan_hash: string;
  /** The hash of each step contract, by step. */
  steps: {
    [key: string]: string;
  };
  /** The file that was written. */
  written: string;
} | CompiledPlan;

/** An output by slot. */
export type CompiledOutput2 = {
  /** The kind of file. */
  kind_key: KindKey;
  /** The file. */
  path: string;
  /** The slot. */
  slot: string;
};

/** A compiled plan. */
export type CompiledPlan = {
  /** The budget of all steps together, as the plan sets it. */
  budget?: Budget | null;
  /** The hash of the catalogue that it was compiled with. */
  catalog_hash: string;
  /** The schemas of entities that the plan itself declares, as far as contracts name them. */
  entities?: {
    [key: string]: unknown;
  };
  /** Approval gates. */
  gates: GateContract[];
  /** The input files of the mission, each with the contract that is checked before any step runs. */
  inputs?: MissionInputContract[];
  /** The objective and its success criteria. */
  mission: Mission;
  /** The plan's name. */
  plan: string;
  /** The hash of everything above, steps by their hashes. */
  plan_hash: string;
  /** The contracts, in a valid order of execution. */
  steps: StepContract[];
  /** The version of this format. */
  version: string;
  /** The worst-case spending of all steps together. */
  worst_case: Budget;
};

/** Inputs and outputs of a step by slot. */
export type CompiledStepContract = {
  /** The inputs. */
  inputs: CompiledInput[];
  /** The outputs. */
  outputs: CompiledOutput2[];
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

export type EntitySchemaId = string;

/** The contract of a step for the runtime. */
export type ExecutableContract = {
  /** The handling of failures. */
  execution_policy: ExecutionPolicy;
  /** The files that it reads. */
  step_inputs: ArtifactRef[];
  /** The files that it writes. */
  step_outputs: ArtifactRef[];
};

/** The execution contract of a step. */
export type ExecutionContract = {
  /** Its settings. */
  adapt?: AdapterSettings | null;
  /** The adapter that does the work. */
  adapter_id?: string | null;
  /** The budget of one attempt. */
  attempt: Budget;
  /** Calls of its code that need an approval each. */
  call_gates?: CallGate[];
  /** The hash of its code, if it is already written. */
  code_hash?: string | null;
  /** The egress rules of its code; without a rule it can reach nothing. */
  egress?: EgressRule[];
  /** The list that it processes item by item. */
  for_each?: ItemLoop | null;
  /** The language of its code, if it is already written. */
  language?: string | null;
  /** A description of what that adapter loses. */
  loss?: Loss | null;
  /** The execution pattern. */
  pattern: ExecutionPattern;
  /** The backend, and the reason for it. */
  routing: Routing;
  /** The isolation and resource limits of its code; `None` if it runs no code. */
  sandbox?: SandboxDemand | null;
  /** Its effects beyond the workspace. */
  side_effects: SideEffect[];
  /** The maximum number of tool calls that a model may make in one attempt. */
  tool_budget: number;
};

/** The execution pattern of a step. */
export type ExecutionPattern = "code" | "code_per_item" | "tool_loop" | "adapter";

/** The handling of failures of a step. */
export type ExecutionPolicy = {
  /** The number of retries. */
  max_retries: number;
  /** The part of a step that a retry may change. */
  repair_strategy: RepairStrategy;
};

/** An approval gate. */
export type GateContract = {
  /** Steps whose results are reviewed. */
  after: string[];
  /** The role that decides. */
  approver_role: string;
  /** Steps that wait for it. */
  before: string[];
  /** Its name. */
  gate_id: string;
  /** The question. */
  question: string;
  /** Seconds that the approval request, and the decision, stay valid. */
  ttl_seconds?: number | null;
};

/** The entity and grain that a file was declared with, and is held to. */
export type HeldEntity = {
  /** The hash of the entity's schema. */
  entity_hash: string;
  /** The entity. */
  entity_schema_id: EntitySchemaId;
  /** The fields that identify a row. */
  grain: string[];
};

/** An input by slot and entity. */
export type InputContract = {
  /** The schema of an entity that the plan derives, such as grouped rows, and that is not in the catalogue. */
  derived_schema?: unknown;
  /** The hash of the entity's schema, if the file is validated against it. */
  entity_hash?: string | null;
  /** The entity. */
  entity_schema_id: EntitySchemaId;
  /** Columns that are read. */
  fields: string[];
  /** The fields that identify a row. */
  grain: string[];
  /** The declaration of the file, if the mission is given it as an entity and the step reads it as generic data. */
  held_to?: HeldEntity | null;
  /** The kind that it is read in; `None` for an optional input without a producer. */
  kind_key: KindKey | null;
  /** The path that it is read from. */
  path: string | null;
  /** The provenance that it must have. */
  provenance: ProvenanceDemand;
  /** True if the step requires it. */
  required: boolean;
  /** The input's role for the adapter of the step, if the adapter names roles. */
  role?: string | null;
  /** The slot. */
  slot: string;
};

/** The files that a step may read and write. */
export type IoContract = {
  /** Inputs by slot. */
  inputs: InputContract[];
  /** Outputs by slot. */
  outputs: OutputContract[];
  /** Paths that it reads. */
  read_paths: string[];
  /** Paths that it writes; one with a `*` in its last part is a set of files. */
  write_paths: string[];
  /** The allowed number of files of each set. */
  write_sets?: WriteSet[];
};

/** An isolation level; ordered, the weakest first. */
export type IsolationLevel = "L0" | "L1" | "L2" | "L3";

/** The list that a step processes item by item. */
export type ItemLoop = {
  /** The maximum number of governed calls per item. */
  calls_per_item: number;
  /** The entity of that input, if several have the slot. */
  entity_schema_id?: string | null;
  /** The maximum number of items. */
  most_items: number;
  /** The slot of the input that holds the list. */
  slot: string;
};

export type KindKey = string;

/** The mode of a rung. */
export type LadderMode = "off" | "report" | "block";

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

/** How much of the data a conversion loses; ordered, the least first. */
export type Loss = "none" | "typed" | "lossy";

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
  success_criteria: Criteria;
};

/** The contract of an input file of the mission. */
export type MissionInputContract = {
  /** The hash of the entity's schema; `None` for generic data. */
  entity_hash?: string | null;
  /** The entity. */
  entity_schema_id: EntitySchemaId;
  /** Required columns. */
  fields: string[];
  /** The fields that identify a row. */
  grain: string[];
  /** The kind. */
  kind_key: KindKey;
  /** True if a violation refuses the run, false if it is only reported. */
  mode: LadderMode;
  /** The path in the workspace. */
  path: string;
  /** The slot. */
  slot: string;
};

/** An output by slot and entity. */
export type OutputContract = {
  /** The entity. */
  entity_schema_id: EntitySchemaId;
  /** Its columns. */
  fields: string[];
  /** The fields that identify a row. */
  grain: string[];
  /** The kind. */
  kind_key: KindKey;
  /** The path that it is written to. */
  path: string;
  /** The profile, if the catalogue has one. */
  profile_id?: ProfileId | null;
  /** Provenance fields: the source of each row. */
  provenance_fields: string[];
  /** Its role in the mission. */
  role: OutputRole;
  /** The slot. */
  slot: string;
};

/** The role of a file in the mission. */
export type OutputRole = "primary" | "supporting" | "intermediate";

/** The phase of a run in which a ladder is climbed. */
export type Phase = "ingestion" | "planner_candidate" | "compiled_plan" | "step_input" | "step_output" | "final_output";

export type PolicyProfileId = string;

/** The rules of a policy. Of several policies of a step, the strictest of each rule applies. */
export type PolicyRules = {
  /** The adapters that the compiler may insert. */
  adapters: AdapterUse;
  /** True if a step may read a file by a bare path, without naming its entity and kind. */
  bare_paths: boolean;
  /** True if effects beyond the workspace need an approval. */
  effects_need_gate: boolean;
  /** True if every output must name its artifact contract instead of having it derived. */
  explicit_contracts: boolean;
  /**
   * True if data without a description may be bound, false if it must not. `None` neither allows nor forbids it:
   * generic data is bound only if one policy of the step allows it and none forbids it.
   */
  generic?: boolean | null;
  /** The provenance that data must have. */
  provenance: ProvenanceDemand;
  /** True if an output may have columns that its entity does not list. */
  unknown_columns: boolean;
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

/** The producer of an input. */
export type Producer = {
  /** The kind that it writes. */
  kind_key: KindKey;
  /** The path that it writes. */
  path: string;
  /** The step; `None` for an input of the mission. */
  step?: string | null;
};

export type ProfileId = string;

/** The provenance that data must have. */
export type ProvenanceDemand = "none" | "preferred" | "required";

/** A related place. */
export type RelatedRecord = {
  /** The place. */
  location: LocationRecord;
  /** Its relation to the finding. */
  message: string;
};

/** The strategy for a class of failures. */
export type RepairBoundary = "reject_plan" | "block_step" | "fresh_container" | "retry_same_contract" | "report" | "hard_stop" | "pause";

/** The handling of failures of a step. */
export type RepairPolicy = {
  /** The strategy for each class of failure. */
  boundaries: {
    [key: string]: RepairBoundary;
  };
  /** True if a retry writes to the same places. */
  immutable_output_bindings: boolean;
  /** The number of retries. */
  max_retries: number;
  /** The part of a step that a retry may change. */
  strategy: RepairStrategy;
};

/** The part of a step that a retry may change. */
export type RepairStrategy = "retry_same_contract" | "none";

/** The routing of a step to a backend. */
export type Routing = {
  /** The backend. */
  backend: Backend;
  /** True if a model writes code or calls tools for it. */
  needs_model: boolean;
  /** The reason. */
  why: string;
};

/** The isolation that a contract requires. */
export type SandboxDemand = {
  /** The resource limits. */
  limits: SandboxLimits;
  /** The lowest isolation level under which the step may run. */
  minimum: IsolationLevel;
};

/** The resources that code in the sandbox may use. */
export type SandboxLimits = {
  /** Bytes of output that are kept of each stream. */
  captured_bytes: number;
  /** CPU seconds per process. */
  cpu_seconds: number;
  /** Bytes of memory. */
  memory_bytes: number;
  /** Bytes that it may write under `work/` and `output/` together. */
  output_bytes: number;
  /** Files and folders that it may create there. */
  output_files: number;
  /** Processes and threads at the same time. */
  processes: number;
  /** Bytes of its private `/tmp`. */
  scratch_bytes: number;
  /** Wall-clock seconds. */
  wall_seconds: number;
};

/** The severity of a diagnostic. */
export type SeverityRecord = "info" | "warning" | "error";

/** An effect of a step beyond the workspace. */
export type SideEffect = {
  /** The kind of effect, such as `deploy` or `submit`. */
  action: string;
  /** The target. */
  target: string;
};

/** The contract of one step. */
export type StepContract = {
  /** Tools that it may use; the runtime grants no others. */
  allowed_tool_ids: string[];
  /** The artifact contract of each output, by path. */
  artifact_contracts: {
    [key: string]: ArtifactContract;
  };
  /** The binding of each input, with its reason. */
  bindings: Binding[];
  /** Its inputs and outputs by slot. */
  compiled_step_contract_v1: CompiledStepContract;
  /** Steps that must finish before it. */
  depends_on: string[];
  /** Domain packs that apply. */
  domain_pack_ids: string[];
  /** The contract for the runtime: inputs, outputs and failure handling. */
  executable_contract_v2: ExecutableContract;
  /** The execution contract. */
  execution_contract: ExecutionContract;
  /** The input files. */
  input_artifact_refs: ArtifactRef[];
  /** The files that it may read and write. */
  io_contract: IoContract;
  /** The instruction. */
  label: string;
  /** Requirements: what it must, should and may do. */
  objective: string;
  /** The part of the mission's objective that it implements. */
  objective_words?: string | null;
  /** The output files. */
  output_artifact_refs: ArtifactRef[];
  /** Policies that apply. */
  policy: StepPolicy;
  /** The handling of failures. */
  repair_policy: RepairPolicy;
  /** The hash of everything above. */
  spec_hash: string;
  /** Its name. */
  step_id: string;
  /** The kind of step. */
  step_kind: StepKind;
  /** The success criteria. */
  success_criteria: Condition[];
  /** The validators, with their phase and severity. */
  validators: Validator[];
  /** Gates that must be open before it starts. */
  waits_for: string[];
  /** Workflow packs that apply. */
  workflow_pack_ids: string[];
  /** The worst-case spending. */
  worst_case: Budget;
};

/** The kind of a step. */
export type StepKind = "code" | "code_per_item" | "tools" | "adapter" | "inserted_adapter";

/** The policies of a step. */
export type StepPolicy = {
  /** Their names. */
  policy_profile_ids: PolicyProfileId[];
  /** The combined rules. */
  rules: PolicyRules;
};

/** The type of the outermost value of a file. */
export type TopLevelType = "array" | "object" | "table";

/** A validator. */
export type Validator = {
  /** The check. */
  check: ValidatorCheck;
  /** The severity. */
  mode: LadderMode;
  /** The file. */
  path: string;
  /** The phase. */
  phase: Phase;
};

/** The check of a validator. */
export type ValidatorCheck = "exists" | "parses" | "fields" | "entity_schema" | "unique_grain" | "provenance";

/** The allowed number of files of a set of outputs. */
export type WriteSet = {
  /** The minimum number of files. */
  at_least: number;
  /** The maximum number of files. */
  at_most: number;
  /** The path with its `*`, as in the write paths. */
  path: string;
};
