//! Ontology, graph snapshot rule, identity namespaces and embeddings.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The sources of the pack's vocabulary.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct IntelligenceRefs {
    /// The ontology and the types of it that the pack uses.
    pub ontology: Ontology,
    /// How graph reads are pinned.
    pub knowledge_graph: KnowledgeGraph,
    /// The identity namespaces of subjects.
    pub identity_layer: IdentityLayer,
    /// Versioned embedding indexes, such as `support_orders_v1`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub embedding_keys: Vec<String>,
}

/// An ontology version and the types that the pack uses.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Ontology {
    /// Namespace, such as `ont.support`.
    #[schemars(length(min = 1))]
    pub namespace: String,
    /// Version: three numbers.
    #[schemars(regex(pattern = r"^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$"))]
    pub version: String,
    /// Entity types that the pack refers to.
    #[serde(default)]
    pub entity_types: Vec<String>,
    /// Relationship types that the pack refers to.
    #[serde(default)]
    pub relationship_types: Vec<String>,
}

/// How graph reads are pinned.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct KnowledgeGraph {
    /// `alias:<name>` for live reads, or `snapshot:<id>` for a fixed snapshot.
    pub snapshot_pin_rule: String,
}

/// The identity namespaces of subjects.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct IdentityLayer {
    /// Namespaces of canonical entity ids.
    pub ceid_namespaces: Vec<String>,
}
