// Generated from schemas/catalog-pack.v1.schema.json by `make schemas`.

/** A pack of the catalogue. Exactly one of the three ids is set. */
export type CatalogPack = {
  /** Entities in the forms that they usually have. */
  canonical_profiles?: Profile[];
  /** The policy of steps that name none. */
  default_policy?: PolicyProfileId | null;
  /** Rules that tell it apart from other packs. */
  disambiguation?: Disambiguation[];
  /** The id of a domain pack. */
  domain_pack_id?: string | null;
  /** The entities that it defines, each in its own file. */
  entity_schemas: EntitySchemaId[];
  /** Example objectives. */
  example_goals?: string[];
  /** The id of the pack for data without a description. */
  generic_pack_id?: string | null;
  /** A description of the work that the pack is for. */
  purpose?: string;
  /** Synonyms of its terms. */
  synonyms?: {
    [key: string]: string[];
  };
  /** Phrases of objectives that suggest this pack. */
  triggers?: string[];
  /** The usual inputs and outputs. */
  typical_slots?: TypicalSlots;
  /** The version: three numbers. */
  version: string;
  /** The id of a workflow pack. */
  workflow_pack_id?: string | null;
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
  terms?: string[];
};

export type EntitySchemaId = string;

export type KindKey = string;

export type PolicyProfileId = string;

/** A profile: an entity in a form. */
export type Profile = {
  /** Other kinds that carry the same data. */
  also_accepts?: KindKey[];
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

/** The usual inputs and outputs of a workflow. */
export type TypicalSlots = {
  /** The slots of the inputs. */
  inputs?: string[];
  /** The slots of the outputs. */
  outputs?: string[];
};
