// Generated from schemas/cli/valpack-show.schema.json by `make schemas`.

export type ValpackShowOutput = {
  /** Null where the command was refused. */
  data: ShownValidationPack | null;
  /** Findings, as in schemas/diagnostic.v1.schema.json. */
  diagnostics: DiagnosticRecord[];
  /** False where something was found or refused. */
  ok: boolean;
  /** Version of this form. */
  version: 1;
};

/** The keys that an object keeps. */
export type AllowedKeys = {
  /** The object; the outermost by default. */
  at: string;
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

/** A conversion of a date to another format. */
export type DateTransform = {
  /**
   * The input formats, made of `YYYY`, `MM`, `DD`, `M` and `D`; two formats that read one text as two dates are
   * refused.
   */
  from: string[];
  /** The output format. */
  to: string;
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
  from_schema: boolean;
  /** The contract's own values, which override the schema's. */
  values: DefaultValue[];
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

/** A rule beyond the schema. */
export type DomainRule = {
  /** The object that it applies to; the outermost by default. If several match, it must hold for each. */
  at: string;
  /** Its name in reports. */
  id: string;
  /** The message if it does not hold. */
  message: string;
  /** The condition (strict JsonLogic); `payload` is the whole payload. */
  rule: unknown;
  /** The weight. */
  severity: RuleWeight;
  /** A precondition: the rule applies only if it holds. */
  when?: unknown;
};

/** The maximum number of changes. */
export type EditBudget = {
  /** Per rung. */
  by_rung: {
    [key: string]: number;
  };
  /** In total. */
  most_changes: number;
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
  allow: AllowedPersonal[];
  /** Forbidden content. */
  forbidden: ForbiddenContent[];
  /** Classes of personal data to search for, such as `credit_card` or `email`. */
  personal: string[];
  /** True if credentials are searched for. */
  secrets: boolean;
};

/** An event in the life of a published version. */
export type HistoryEntry = {
  /** The actor. */
  actor: string;
  /** The time. */
  at: string;
  /** The scope, the reason or the key, in words. */
  detail: string;
  /** The event, such as `profile_bound`. */
  event: string;
  /** Its place in the audit log. */
  seq: number;
};

/** A ladder contract. */
export type LadderContract = {
  /** Keys that are kept; other keys of the same object are removed. Objects that are not listed keep all keys. */
  allowed_keys: AllowedKeys[];
  /** Its name. */
  contract: string;
  /** Values for missing keys. */
  defaults: Defaults;
  /** Rules beyond the schema. */
  domain: DomainRule[];
  /** The edit budget: with more changes the payload counts as wrong, not as fixable. */
  edit_budget?: EditBudget | null;
  /** The rules of the guard. */
  guard: GuardRules;
  /** The mode of each rung; `block` by default. */
  modes: {
    [key: string]: LadderMode;
  };
  /** The limits of proposals. */
  patch: PatchGuardrails;
  /** The mode of rungs in single phases, which overrides `modes`. */
  phases: {
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
  structure: Structure;
  /** Synonyms of canonical names. */
  synonyms: Synonym[];
  /** Conventions, applied in this order. */
  transforms: Transform[];
  /** Renaming by similarity of names; without it nothing is renamed by similarity. */
  vector?: VectorRename | null;
};

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

/** The origin of a validation pack. */
export type PackOrigin = "shipped" | "profile" | "published" | "file";

/** The limits of proposals. */
export type PatchGuardrails = {
  /** Places that may be changed; all if the list is empty. */
  allow: string[];
  /** Places that must not be changed, which overrides `allow`. */
  deny: string[];
  /** The minimum confidence of a proposal, in thousandths. */
  least_confidence: number;
  /** The maximum number of operations in one proposal. */
  most_operations: number;
};

/** The phase of a run in which a ladder is climbed. */
export type Phase = "ingestion" | "planner_candidate" | "compiled_plan" | "step_input" | "step_output" | "final_output";

/** A position in a text. */
export type PositionRecord = {
  /** Bytes from the start. */
  byte: number;
  /** Column from 1, in characters. */
  column: number;
  /** Line from 1. */
  line: number;
};

/** The rule for prose beside the value in a text. */
export type ProseRule = "framing" | "refuse";

/** The reading of an artifact. */
export type ReadAs = "json" | "yaml" | "csv_rows" | "tsv_rows" | "html" | "text" | "bytes";

/** A related place. */
export type RelatedRecord = {
  /** The place. */
  location: LocationRecord;
  /** Its relation to the finding. */
  message: string;
};

/** The weight of a rule. */
export type RuleWeight = "warning" | "error";

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

/** The severity of a diagnostic. */
export type SeverityRecord = "info" | "warning" | "error";

/** A validation pack. */
export type ShownValidationPack = {
  /** Its hash. */
  content_hash: string;
  /** Its events in the audit log, in order. */
  history: HistoryEntry[];
  /** Its origin. */
  origin: PackOrigin;
  /** The pack. */
  pack: ValidationPack;
  /** The reason of its deprecation or revocation. */
  reason: string | null;
  /** Its state in the registry, such as `published`; null where it is not published. */
  state: string | null;
};

/** A structural fix. */
export type StructuralFix = "parse_text" | "unwrap" | "wrap_item" | "read_scalar";

/** Structural fixes, each applied only if the schema leaves one reading. */
export type Structure = {
  /** The fixes. */
  fixes: StructuralFix[];
  /** Keys that may be redundant wrappers; if empty, any single key may be one. */
  wrappers: string[];
};

/** Synonyms of one canonical name. */
export type Synonym = {
  /** The object that they stand in; the outermost by default, `**` for any object. */
  at: string;
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

/** A validation pack: the rules that artifacts are judged by in phases of a run. A version never changes. */
export type ValidationPack = {
  /** The verdict on a larger artifact. */
  beyond_limit: BeyondLimit;
  /** The size in bytes of the largest artifact whose content is validated. */
  largest_bytes: number;
  /** Its reference: `valpack.<namespace>.<name>@v<number>`. */
  pack_ref: string;
  /** The phases that it may be used in. */
  phases: Phase[];
  /** The rules. The first whose path matches judges an artifact. */
  rules: ValidationRule[];
  /** Its purpose, for people. */
  summary: string;
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
  schema_from: SchemaSource;
};

/** Renaming by similarity of names. */
export type VectorRename = {
  /** The minimum lead over the second-best name, in thousandths. */
  margin?: number | null;
  /** The name of a record; it counts for little in a field's name. */
  subject: string;
  /** The minimum similarity for a rename, in thousandths. */
  threshold?: number | null;
  /** Canonical names beyond those of the schema, or with descriptions of their meaning. */
  vocabulary: VocabularyWord[];
};

/** A canonical name. */
export type VocabularyWord = {
  /** Synonyms. */
  aliases: string[];
  /** The object that it stands in; any by default. */
  at?: string | null;
  /** A description of its meaning. */
  description: string;
  /** The name. */
  name: string;
};
