// Generated from schemas/cli/catalog-show.schema.json by `make schemas`.

export type CatalogShowOutput = {
  /** Null where the command was refused. */
  data: ShownType | null;
  /** Findings, as in schemas/diagnostic.v1.schema.json. */
  diagnostics: DiagnosticRecord[];
  /** False where something was found or refused. */
  ok: boolean;
  /** Version of this form. */
  version: 1;
};

/** The declaration of an adapter. */
export type AdapterDeclaration = {
  /** The adapter's id, such as `csv_to_json_rows.v1`. */
  adapter_id: string;
  /** A description of what is lost; empty if nothing is. */
  drops: string;
  /** True if fields of rows must be scalars: no lists or objects. */
  flat: boolean;
  /** The kinds it reads, one for each input. */
  from: KindKey[];
  /** How much of the data is lost. */
  loss: Loss;
  /** True if the step contract must declare keys for it. */
  needs_keys: boolean;
  /** The roles of its inputs, in the same order; empty for an adapter with one input. */
  roles?: string[];
  /** The kind it writes. */
  to: KindKey;
};

/** The adapters that the compiler may insert on its own. */
export type AdapterUse = "none" | "keeps_values" | "any";

/** The format of an artifact's bytes. */
export type ArtifactFormat = "json" | "csv" | "parquet" | "html" | "md" | "txt" | "pdf" | "yaml" | "tsv" | "other";

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

/** A rule that tells a pack apart from others: a sentence, or a rule against one other pack. */
export type Disambiguation = string | DisambiguationRule;

/** A rule that tells a pack apart from one other pack. */
export type DisambiguationRule = {
  /** The other pack. */
  against: string;
  /** A sentence that says when this pack applies and when the other does. */
  rule: string;
  /** Words in an objective that suggest the other pack. */
  terms: string[];
};

export type EntitySchemaId = string;

/** A kind: the form of an artifact. */
export type Kind = {
  /** File name extensions, without the dot; the first is the usual one. */
  extensions: string[];
  /** The format of its bytes, as artifact contracts name it. */
  format: ArtifactFormat;
  /** The kind's key. */
  kind_key: KindKey;
  /** Its media type. */
  media_type: string;
  /** A short description. */
  purpose: string;
  /** True if Deed can parse the content, and so check it. */
  readable: boolean;
  /** The structure of its content. */
  shape: KindShape;
};

export type KindKey = string;

/** The structure of an artifact's content. */
export type KindShape = "rows" | "document" | "text" | "manifest" | "bytes";

/** A pack of the catalogue. Exactly one of the three ids is set. */
export type Library = {
  /** Entities in the forms that they usually have. */
  canonical_profiles: Profile[];
  /** The policy of steps that name none. */
  default_policy?: PolicyProfileId | null;
  /** Rules that tell it apart from other packs. */
  disambiguation: Disambiguation[];
  /** The id of a domain pack. */
  domain_pack_id?: string | null;
  /** The entities that it defines, each in its own file. */
  entity_schemas: EntitySchemaId[];
  /** Example objectives. */
  example_goals: string[];
  /** The id of the pack for data without a description. */
  generic_pack_id?: string | null;
  /** A description of the work that the pack is for. */
  purpose: string;
  /** Synonyms of its terms. */
  synonyms: {
    [key: string]: string[];
  };
  /** Phrases of objectives that suggest this pack. */
  triggers: string[];
  /** The usual inputs and outputs. */
  typical_slots: TypicalSlots;
  /** The version: three numbers. */
  version: string;
  /** The id of a workflow pack. */
  workflow_pack_id?: string | null;
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

/** How much of the data a conversion loses; ordered, the least first. */
export type Loss = "none" | "typed" | "lossy";

/** A policy profile. */
export type PolicyProfile = {
  /** The profile's id. */
  policy_profile_id: PolicyProfileId;
  /** A short description. */
  purpose: string;
  /** The rules. */
  rules: PolicyRules;
};

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

/** A profile: an entity in a form. */
export type Profile = {
  /** Other kinds that carry the same data. */
  also_accepts: KindKey[];
  /** The entity. */
  entity_schema_id: EntitySchemaId;
  /** The kind. */
  kind_key: KindKey;
  /** The profile's id. */
  profile_id: ProfileId;
  /** The slot that it usually fills. */
  slot: string;
};

export type ProfileId = string;

/** The provenance that data must have. */
export type ProvenanceDemand = "none" | "preferred" | "required";

/** A capability that a step may need. */
export type RegisteredCapability = {
  /** The capability's name, such as `sandbox.session`. */
  capability: string;
  /** True if it reaches beyond the workspace, so that an approval may be required. */
  external: boolean;
  /** True if this runtime provides it; a run whose steps need any other capability is refused. */
  implemented: boolean;
  /** A short description. */
  purpose: string;
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

/** A type: its document, under the name of its sort. */
export type ShownType = {
  domain_pack: Library;
} | {
  workflow_pack: Library;
} | {
  generic_pack: Library;
} | {
  profile: Profile;
} | {
  kind: Kind;
} | {
  slot: Slot;
} | {
  policy: PolicyProfile;
} | {
  adapter: AdapterDeclaration;
} | {
  capability: RegisteredCapability;
} | {
  /** Its JSON Schema. */
  entity: {
    [key: string]: unknown;
  };
  /** Its hash. */
  hash: string;
};

/** A slot: the role that data plays between two steps. */
export type Slot = {
  /** The kinds that may carry it. */
  kinds: KindKey[];
  /** A short description. */
  purpose: string;
  /** The slot's name. */
  slot: string;
};

/** The usual inputs and outputs of a workflow. */
export type TypicalSlots = {
  /** The slots of the inputs. */
  inputs: string[];
  /** The slots of the outputs. */
  outputs: string[];
};
