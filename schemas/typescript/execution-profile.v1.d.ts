// Generated from schemas/execution-profile.v1.schema.json by `make schemas`.

/** An execution profile: one versioned file that says which model does what, with which prompt, budget and validation. */
export type ExecutionProfile = {
  /** The budgets and timeouts. */
  budgets?: ProfileBudgets;
  /** The bindings of the other consumers, by their keys. */
  consumer_bindings?: {
    [key: string]: ConsumerBinding;
  };
  /** The Context Pack that model calls are compiled from: `ctxpack.support@1.0.0`; the default pack if it is left out. */
  context_pack_ref?: string | null;
  /** The binding of every consumer that has none of its own. */
  default_binding?: ConsumerBinding;
  /** The egress rules of its runs. A step may only narrow them; without a rule nothing can be reached. */
  egress?: EgressRule[];
  /** The bindings of the executor, by backend. */
  executor_by_backend?: ExecutorBindings;
  /** The issuer that signs it. */
  issuer?: string | null;
  /** The maximum number of replans after a rejected plan. */
  max_replans?: number | null;
  /** The endpoints of providers that are elsewhere, by provider. */
  model_endpoints?: {
    [key: string]: ModelEndpoint;
  };
  /** The bindings of the phases in which a plan is made. */
  planner_phase_bindings?: PlannerPhaseBindings;
  /** Guidance that the planner reads, one sentence each. */
  planning_guidance?: string[];
  /** Its id: lowercase words with dashes. */
  profile_id: string;
  /** Prompts of its own, which are versioned, signed and published with it. */
  prompts?: PromptBinding[];
  /** Master switches of reasoning. */
  reasoning?: ReasoningSwitches;
  /** The handling of objectives. */
  routing?: ProfileRouting;
  /** The skills. */
  skill_policy?: SkillPolicy;
  /** Its purpose, for people. */
  summary?: string;
  /** The validation of each phase. */
  validation?: ProfileValidation;
  /** Its version: three numbers. */
  version: string;
};

/** The keys that an object keeps. */
export type AllowedKeys = {
  /** The object; the outermost by default. */
  at?: string;
  /** The keys. */
  keys: string[];
};

/** A place where a class of personal data is allowed. */
export type AllowedPersonal = {
  /** The place. */
  at: string;
  /** The class. */
  class: string;
};

/** A check of an artifact as a file. */
export type ArtifactCheck = "not_empty" | "parses" | "no_credentials" | "no_placeholders" | "has_rows" | "html_parts" | "html_title" | "html_headings" | "html_balanced";

/** The verdict on an artifact beyond the size limit. It is a finding in both cases. */
export type BeyondLimit = "report" | "refuse";

/** The model, the prompt and the parameters of a consumer. What it leaves out comes from a lower level. */
export type ConsumerBinding = {
  /** The consumer, as a cross-check of the place where the binding stands. */
  consumer_key?: string | null;
  /** The model, `provider:model`; `none` for a consumer that asks no model. */
  model_binding_ref?: string | null;
  /** The system prompt: `workspace.operator.planner.system@v1`. */
  prompt_binding_ref?: string | null;
  /** The parameters of its calls. */
  runtime_overrides?: RuntimeOverrides;
};

/** A conversion of a date to another format. */
export type DateTransform = {
  /**
   * The input formats, made of `YYYY`, `MM`, `DD`, `M` and `D`; two formats that read one text as two dates are
   * refused.
   */
  from: string[];
  /** The output format. */
  to?: string;
};

/** A value for a missing key. */
export type DefaultValue = {
  /** The place of the key. */
  at: string;
  /** The value. */
  value: unknown;
  /** A condition on the surrounding object (JsonLogic). */
  when?: unknown;
};

/** Values for missing keys. */
export type Defaults = {
  /** True if the schema's own `default` values are inserted. */
  from_schema?: boolean;
  /** The contract's own values, which override the schema's. */
  values?: DefaultValue[];
};

/** A rule beyond the schema. */
export type DomainRule = {
  /** The object that it applies to; the outermost by default. If several match, it must hold for each. */
  at?: string;
  /** Its name in reports. */
  id: string;
  /** The message if it does not hold. */
  message: string;
  /** The condition (strict JsonLogic); `payload` is the whole payload. */
  rule: unknown;
  /** The weight. */
  severity?: RuleWeight;
  /** A precondition: the rule applies only if it holds. */
  when?: unknown;
};

/** The maximum number of changes. */
export type EditBudget = {
  /** Per rung. */
  by_rung?: {
    [key: string]: number;
  };
  /** In total. */
  most_changes: number;
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

/** The bindings of the executor, by the backend that a step runs on. */
export type ExecutorBindings = {
  /** Code in the isolate. */
  edge_isolate?: ConsumerBinding | null;
  /** Built-in transforms. They ask no model, so the model is `none`. */
  native?: ConsumerBinding | null;
  /** Code in the sandbox. */
  "sandbox.session"?: ConsumerBinding | null;
  /** Governed tool calls. */
  tool_loop?: ConsumerBinding | null;
};

/** Forbidden content. */
export type ForbiddenContent = {
  /** Its name in reports. */
  id: string;
  /** A regular expression. */
  pattern: string;
};

/** The rules of the guard. */
export type GuardRules = {
  /** Places where a class of personal data is allowed. */
  allow?: AllowedPersonal[];
  /** Forbidden content. */
  forbidden?: ForbiddenContent[];
  /** Classes of personal data to search for, such as `credit_card` or `email`. */
  personal?: string[];
  /** True if credentials are searched for. */
  secrets?: boolean;
};

/** A ladder contract. */
export type LadderContract = {
  /** Keys that are kept; other keys of the same object are removed. Objects that are not listed keep all keys. */
  allowed_keys?: AllowedKeys[];
  /** Its name. */
  contract: string;
  /** Values for missing keys. */
  defaults?: Defaults;
  /** Rules beyond the schema. */
  domain?: DomainRule[];
  /** The edit budget: with more changes the payload counts as wrong, not as fixable. */
  edit_budget?: EditBudget | null;
  /** The rules of the guard. */
  guard?: GuardRules;
  /** The mode of each rung; `block` by default. */
  modes?: {
    [key: string]: LadderMode;
  };
  /** The limits of proposals. */
  patch?: PatchGuardrails;
  /** The mode of rungs in single phases, which overrides `modes`. */
  phases?: {
    [key: string]: {
      [key: string]: LadderMode;
    };
  };
  /** The rule for prose beside the value in a text. */
  prose?: ProseRule;
  /**
   * The JSON Schema that the payload must satisfy, or `{openapi, operation, part}`: the file of an API description
   * beside the contract, one of its operations, and `body` or `request` (the default). The hash of the contract covers
   * the schema of the operation.
   */
  schema: unknown;
  /** The structural fixes that are allowed. */
  structure?: Structure;
  /** Synonyms of canonical names. */
  synonyms?: Synonym[];
  /** Conventions, applied in this order. */
  transforms?: Transform[];
  /** Renaming by similarity of names; without it nothing is renamed by similarity. */
  vector?: VectorRename | null;
};

/** The mode of a rung. */
export type LadderMode = "off" | "report" | "block";

/** The endpoint of a provider. An egress rule of the profile has to cover it. */
export type ModelEndpoint = {
  /** The URL that the paths of calls are appended to. */
  base_url: string;
  /** True if the host may have a private or loopback address. */
  private_addresses?: boolean;
  /** The secret that is the key, in place of the provider's name: `secret://name`. */
  secret?: string | null;
};

/** The limits of proposals. */
export type PatchGuardrails = {
  /** Places that may be changed; all if the list is empty. */
  allow?: string[];
  /** Places that must not be changed, which overrides `allow`. */
  deny?: string[];
  /** The minimum confidence of a proposal, in thousandths. */
  least_confidence?: number;
  /** The maximum number of operations in one proposal. */
  most_operations?: number;
};

/** The phase of a run in which a ladder is climbed. */
export type Phase = "ingestion" | "planner_candidate" | "compiled_plan" | "step_input" | "step_output" | "final_output";

/** The validation of a phase. */
export type PhaseValidation = {
  /** The validation pack of files that no matcher matches. */
  default_pack_ref?: string | null;
  /** The validation packs of files by their paths; the first that matches decides. */
  matchers?: ValidationMatcher[];
  /** The effect of a failure. */
  mode: ValidationMode;
  /** The validation pack: `valpack.operator.generic.planner@v1`. The same as `default_pack_ref`. */
  pack_ref?: string | null;
};

/** A skill that is bound without discovery. */
export type PinnedSkill = {
  /** The consequence of a skill that does not resolve. */
  priority?: SkillPriority;
  /** The models that may read it. */
  scope?: SkillScope;
  /** The skill. */
  skill_id: string;
};

/** The bindings of the phases in which a plan is made. */
export type PlannerPhaseBindings = {
  /** Drafts the plan: `operator_planner`. */
  pass_a?: ConsumerBinding | null;
  /** Annotates its steps: `operator_intent_resolver`. */
  pass_b?: ConsumerBinding | null;
  /** An alias of `pass_d`, which is accepted and reported. */
  pass_c?: ConsumerBinding | null;
  /** Chooses skills: `operator_skill_resolver`. */
  pass_d?: ConsumerBinding | null;
  /** Repairs a rejected plan: `operator_planner`. */
  repair?: ConsumerBinding | null;
};

/** The amounts that a run may spend. Together with a plan and a grant, the smallest amount binds. */
export type ProfileBudgets = {
  /** The maximum number of steps of a plan. */
  max_steps?: number | null;
  /** Tokens of model calls. */
  model_tokens?: number | null;
  /** Money, in millionths of the currency of prices. */
  money_micros?: number | null;
  /** The time limits. */
  timeouts?: ProfileTimeouts;
  /** Governed tool calls. */
  tool_calls?: number | null;
  /** The maximum number of steps in flight. */
  window_size?: number | null;
};

/** The handling of objectives. */
export type ProfileRouting = {
  /** The strategy. */
  strategy?: RoutingStrategy | null;
};

/** The seven timeouts, in milliseconds. */
export type ProfileTimeouts = {
  /** The time that an approval request stays open. */
  approval_ms?: number | null;
  /** Each model call. */
  model_call_ms?: number | null;
  /** The planning of a run as a whole. */
  planning_ms?: number | null;
  /** Each call of the intent resolver and of the skill resolver. */
  resolution_ms?: number | null;
  /** The wall-clock time of a run. */
  run_wall_ms?: number | null;
  /** The wall-clock time of a step. */
  step_wall_ms?: number | null;
  /** Each tool call. */
  tool_call_ms?: number | null;
};

/** The validation of a run. */
export type ProfileValidation = {
  /** Validation packs of its own, which are versioned, signed and published with it. */
  packs?: ValidationPack[];
  /** The phases. */
  phases?: ValidationPhases;
};

/** A prompt. Its text holds variables in double braces, each of them declared. */
export type PromptBinding = {
  /** Its purpose, for people. */
  description?: string;
  /** Its name and version: `workspace.operator.planner.system@v1`. */
  prompt_ref: string;
  /** The text. */
  text: string;
  /** The variables of the text, by name. */
  variables?: {
    [key: string]: PromptVariable;
  };
};

/** A variable of a prompt. */
export type PromptVariable = {
  /** What it stands for. */
  description?: string;
  /** The source of its value, which decides whether it is fenced. */
  source?: VariableSource;
};

/** The rule for prose beside the value in a text. */
export type ProseRule = "framing" | "refuse";

/** The reading of an artifact. */
export type ReadAs = "json" | "yaml" | "csv_rows" | "tsv_rows" | "html" | "text" | "bytes";

/** The effort of thinking. */
export type ReasoningEffort = "minimal" | "low" | "medium" | "high";

/** Master switches of reasoning, by provider. A switch that any level turns off stays off. */
export type ReasoningSwitches = {
  /** Extended thinking of Anthropic models. */
  anthropic_thinking_enabled?: boolean | null;
  /** Reasoning of models behind OpenAI-compatible endpoints. */
  compatible_reasoning_enabled?: boolean | null;
  /** Thinking of Gemini models. */
  gemini_thinking_enabled?: boolean | null;
  /** Reasoning of OpenAI models, Azure included. */
  openai_reasoning_enabled?: boolean | null;
};

/** The handling of an objective before it is planned. */
export type RoutingStrategy = "capsule_first" | "plan_always" | "capsule_only";

/** The weight of a rule. */
export type RuleWeight = "warning" | "error";

/** The parameters of a model call. Those that its provider does not take are dropped, and the drop is recorded. */
export type RuntimeOverrides = {
  /** The maximum number of tokens in a reply. */
  max_tokens?: number | null;
  /** The reasoning effort. */
  reasoning_effort?: ReasoningEffort | null;
  /** The seed of the provider's sampler. */
  seed?: number | null;
  /** The sampling temperature, from 0 to 2. */
  temperature?: number | null;
  /** The maximum number of tokens of thinking; less than `max_tokens`. */
  thinking_budget_tokens?: number | null;
  /** The time limit of one call, in milliseconds. */
  timeout_ms?: number | null;
  /** Nucleus sampling, from 0 to 1. */
  top_p?: number | null;
  /** True to let the model think before it answers. */
  use_extended_thinking?: boolean | null;
  /** True to use the reasoning of the Responses API. */
  use_responses_reasoning?: boolean | null;
};

/** A conversion of a number to another unit. The unit is named beside it, so that no value is scaled twice. */
export type ScaleTransform = {
  /** The factor, as an exact decimal. */
  factor: string;
  /** The unit to convert from. */
  from?: string | null;
  /** The unit to convert to. */
  to?: string | null;
  /** The key of the sibling that names the unit. */
  unit_key?: string | null;
};

/** The source of the schema of a ladder contract. */
export type SchemaSource = "contract" | "artifact";

/** The use of pinned skills and of discovery. */
export type SkillAutoload = "profile_plus_discovery" | "profile_only" | "discovery_only";

/** The skills that a run has to use, may use, and may not use. */
export type SkillPolicy = {
  /** The use of pinned skills and of discovery. */
  autoload_mode?: SkillAutoload;
  /** Skills that are never bound, even if discovery suggests them. */
  denied_skills?: string[];
  /** Skills that are bound without discovery. */
  pinned_skills?: PinnedSkill[];
};

/** The consequence of a skill that does not resolve. */
export type SkillPriority = "preferred" | "required";

/** The models that may read a skill. */
export type SkillScope = "planner" | "executor" | "both";

/** A structural fix. */
export type StructuralFix = "parse_text" | "unwrap" | "wrap_item" | "read_scalar";

/** Structural fixes, each applied only if the schema leaves one reading. */
export type Structure = {
  /** The fixes. */
  fixes?: StructuralFix[];
  /** Keys that may be redundant wrappers; if empty, any single key may be one. */
  wrappers?: string[];
};

/** Synonyms of one canonical name. */
export type Synonym = {
  /** The object that they stand in; the outermost by default, `**` for any object. */
  at?: string;
  /** The synonyms. */
  from: string[];
  /** The canonical name. */
  to: string;
};

/** A convention. */
export type Transform = {
  /** The operation. */
  apply: TransformKind;
  /** The place of the value. */
  at: string;
  /** Its name in reports. */
  id: string;
  /** A condition on the surrounding object (JsonLogic); `value` is the value, `payload` the whole payload. */
  when?: unknown;
};

/** The operation of a transform. */
export type TransformKind = "title_case" | "upper_case" | "lower_case" | "trim" | {
  scale: ScaleTransform;
} | {
  date: DateTransform;
} | {
  set: unknown;
};

/** The validation pack of files whose path matches. */
export type ValidationMatcher = {
  /** The path, with `*` for any characters: `*.json`. */
  artifact_path: string;
  /** The validation pack. */
  pack_ref: string;
};

/** The effect of a failed validation, weakest first. */
export type ValidationMode = "off" | "report" | "block";

/** A validation pack: the rules that artifacts are judged by in phases of a run. A version never changes. */
export type ValidationPack = {
  /** The verdict on a larger artifact. */
  beyond_limit?: BeyondLimit;
  /** The size in bytes of the largest artifact whose content is validated. */
  largest_bytes?: number;
  /** Its reference: `valpack.<namespace>.<name>@v<number>`. */
  pack_ref: string;
  /** The phases that it may be used in. */
  phases: Phase[];
  /** The rules. The first whose path matches judges an artifact. */
  rules: ValidationRule[];
  /** Its purpose, for people. */
  summary?: string;
};

/** The six phases of validation. A phase that is left out is off. */
export type ValidationPhases = {
  /** A plan after it was compiled. */
  compiled_plan?: PhaseValidation | null;
  /** Output for the user. */
  final_output?: PhaseValidation | null;
  /** Data that enters the system. */
  ingestion?: PhaseValidation | null;
  /** A plan before it is compiled. */
  planner_candidate?: PhaseValidation | null;
  /** The input of a step. */
  step_input?: PhaseValidation | null;
  /** The output of a step. */
  step_output?: PhaseValidation | null;
};

/** A rule of a validation pack. */
export type ValidationRule = {
  /** The paths that it judges, with `*` for any characters: `*.json`. */
  artifact_path: string;
  /** The checks of the artifact as a file. */
  checks?: ArtifactCheck[];
  /** The ladder that the payload climbs. */
  contract?: LadderContract | null;
  /** Its name in records. */
  id: string;
  /** The reading of the bytes. */
  read_as: ReadAs;
  /** The source of the schema that the contract holds the payload to. */
  schema_from?: SchemaSource;
};

/** The source of a variable's value. */
export type VariableSource = "outside" | "authored" | "runtime";

/** Renaming by similarity of names. */
export type VectorRename = {
  /** The minimum lead over the second-best name, in thousandths. */
  margin?: number | null;
  /** The name of a record; it counts for little in a field's name. */
  subject?: string;
  /** The minimum similarity for a rename, in thousandths. */
  threshold?: number | null;
  /** Canonical names beyond those of the schema, or with descriptions of their meaning. */
  vocabulary?: VocabularyWord[];
};

/** A canonical name. */
export type VocabularyWord = {
  /** Synonyms. */
  aliases?: string[];
  /** The object that it stands in; any by default. */
  at?: string | null;
  /** A description of its meaning. */
  description?: string;
  /** The name. */
  name: string;
};
