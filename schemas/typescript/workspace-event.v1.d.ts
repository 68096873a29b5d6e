// Generated from schemas/workspace-event.v1.schema.json by `make schemas`.

/** One entry of the log of a workspace: the body of a link in the hash chain. */
export type WorkspaceEventDocument = {
  /** The actor, as named by the caller. */
  actor: string;
  /** The time, in RFC 3339 and UTC. */
  at: string;
  /** The event. */
  event: WorkspaceEvent;
  /** The version of this record's format. A reader refuses a version that it does not know. */
  format: number;
};

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

/** A pack that runs use by default. */
export type DefaultPack = {
  /** The environment whose pinned version is used. */
  environment?: string | null;
  /** A published version, or with an environment an id. */
  pack: string;
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

/** The origin of a version of a file. */
export type FileOrigin = {
  by: "person";
  /** A remark. */
  note?: string | null;
  /** The name of the file that was uploaded. */
  source?: string | null;
} | {
  /** The path in the run. */
  artifact: string;
  by: "run";
  /** The hash of its compiled plan. */
  plan_hash: string;
  /** The hash of the signed postflight receipt of the step: plain SHA-256 of its canonical envelope. */
  receipt_hash: string;
  /** The run. */
  run_id: string;
  /** The step. */
  step_id: string;
};

/** A version of a file that a run wrote, as it stands for another one. */
export type FileSuccessor = {
  /** The path. */
  path: string;
  /** The run that wrote it. */
  run_id: string;
  /** The version. */
  version: number;
};

/** Settings of all runs, or of the runs of a workspace. A profile has the last word on values; limits only narrow it. */
export type ModelSettings = {
  /** The settings of single consumers, by their keys. */
  consumers?: {
    [key: string]: ConsumerBinding;
  };
  /** The defaults of every consumer. */
  defaults?: ConsumerBinding;
  /** Limits on the power of every profile. */
  limits?: PowerLimits;
  /** Master switches of reasoning. */
  reasoning?: ReasoningSwitches;
  /** The time limits. */
  timeouts?: ProfileTimeouts;
  /** The maximum number of steps in flight. */
  window_size?: number | null;
};

/** Limits on the power of a profile. What is left out limits nothing; nothing here grants anything. */
export type PowerLimits = {
  /** The only skills that remain allowed; an empty list allows none. */
  allowed_skills?: string[] | null;
  /** Skills that are denied in addition. */
  denied_skills?: string[];
  /** The only egress that remains allowed; an empty list allows none. */
  egress?: EgressRule[] | null;
  /** The maximum number of steps of a plan. */
  max_steps?: number | null;
  /** Tokens of model calls. */
  model_tokens?: number | null;
  /** Money, in millionths of the currency of prices. */
  money_micros?: number | null;
  /** Governed tool calls. */
  tool_calls?: number | null;
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

/** The outcome of a run. */
export type RunOutcome = "succeeded" | "failed" | "cancelled";

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

/** The source of a secret. */
export type SecretSource = {
  from: "project";
} | {
  /** The name of the file. */
  file: string;
  from: "file";
} | {
  from: "environment";
  /** The name of the variable. */
  variable: string;
};

/** Stored content by its hash. */
export type StoredContent = {
  /** Plain SHA-256 of its bytes. */
  sha256: string;
  /** The size in bytes. */
  size_bytes: number;
};

/** A transition of a workspace. */
export type WorkspaceEvent = {
  kind: "workspace_created";
  /** The kind of work that it is for, in words. */
  purpose?: string | null;
  /** The tenant of the home. */
  tenant_id: string;
  /** The name. */
  workspace: string;
} | {
  kind: "settings_changed";
  /** All settings from now on. */
  settings: WorkspaceSettings;
} | {
  kind: "person_added";
  /** The name for readers. */
  name?: string | null;
  /** The identity, as it is recorded as the actor. */
  person_id: string;
  /** All roles from now on. */
  roles: string[];
} | {
  kind: "person_removed";
  /** The identity. */
  person_id: string;
  /** The reason. */
  reason?: string | null;
} | {
  /** The content. */
  content: StoredContent;
  kind: "file_written";
  /** The origin. */
  origin: FileOrigin;
  /** The path, beginning with `people/` or `agents/`. */
  path: string;
  /** The version that stays the newest, since its run was submitted after the run of this one. */
  superseded_by?: FileSuccessor | null;
  /** The version, counted from 1 for each path. */
  version: number;
} | {
  kind: "file_removed";
  /** The path. */
  path: string;
  /** The reason. */
  reason: string;
  /** The output of a run that takes its place. */
  replaced_by?: FileSuccessor | null;
  /** The version. */
  version: number;
} | {
  /** The file versions that it reads. */
  inputs: WorkspaceInput[];
  kind: "run_began";
  /** The name of its plan. */
  plan: string;
  /** The run. */
  run_id: string;
} | {
  /** The number of files that were written. */
  files: number;
  kind: "run_ended";
  /** The outcome. */
  outcome: RunOutcome;
  /** The run. */
  run_id: string;
};

/** A version of a file that a run reads. */
export type WorkspaceInput = {
  /** The path in the run, such as `input/people/hours.csv`. */
  input: string;
  /** The path in the workspace. */
  path: string;
  /** Plain SHA-256 of its bytes. */
  sha256: string;
  /** The size in bytes. */
  size_bytes: number;
  /** The version. */
  version: number;
};

/** The limits of what a workspace keeps. */
export type WorkspaceQuota = {
  /** The bytes of all versions together; equal content counts once. */
  bytes: number;
  /** The number of versions of all files together. */
  versions: number;
};

/** The settings of a workspace. */
export type WorkspaceSettings = {
  /** The pack of runs that name none. */
  default_pack?: DefaultPack | null;
  /** The profile of runs that name none, where the registry binds none to the workspace. */
  default_profile?: string | null;
  /** The settings of models, and limits that only narrow: the workspace's level of the profile chain. */
  model_settings?: ModelSettings | null;
  /** The limits of what is kept. */
  quota?: WorkspaceQuota;
  /** The secrets that runs may send, by name, each with its source. Never a value. */
  secrets?: {
    [key: string]: SecretSource;
  };
};
