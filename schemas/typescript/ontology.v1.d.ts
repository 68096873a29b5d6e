// Generated from schemas/ontology.v1.schema.json by `make schemas`.

/** An ontology: the terms that packs may name. */
export type Ontology = {
  /** The namespaces of identities. */
  ceid_namespaces: string[];
  /** Its entity types. */
  entity_types: string[];
  /** `deed/ontology/v1`. */
  format: string;
  /** Its namespace. */
  namespace: string;
  /** Its relationship types. */
  relationship_types: string[];
  /** Its version: three numbers. */
  version: string;
};
