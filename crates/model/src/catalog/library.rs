//! Domain packs define data, workflow packs define how work is done. Both are libraries of types and vocabulary.

use super::names::{EntitySchemaId, KindKey, PolicyProfileId, ProfileId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A pack of the catalogue. Exactly one of the three ids is set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Library {
    /// The id of a domain pack.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub domain_pack_id: Option<String>,
    /// The id of a workflow pack.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workflow_pack_id: Option<String>,
    /// The id of the pack for data without a description.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub generic_pack_id: Option<String>,
    /// The version: three numbers.
    pub version: String,
    /// A description of the work that the pack is for.
    #[serde(default)]
    pub purpose: String,
    /// The entities that it defines, each in its own file.
    pub entity_schemas: Vec<EntitySchemaId>,
    /// Phrases of objectives that suggest this pack.
    #[serde(default)]
    pub triggers: Vec<String>,
    /// Rules that tell it apart from other packs.
    #[serde(default)]
    pub disambiguation: Vec<Disambiguation>,
    /// Example objectives.
    #[serde(default)]
    pub example_goals: Vec<String>,
    /// Synonyms of its terms.
    #[serde(default)]
    pub synonyms: BTreeMap<String, Vec<String>>,
    /// Entities in the forms that they usually have.
    #[serde(default)]
    pub canonical_profiles: Vec<Profile>,
    /// The usual inputs and outputs.
    #[serde(default)]
    pub typical_slots: TypicalSlots,
    /// The policy of steps that name none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default_policy: Option<PolicyProfileId>,
}

impl Library {
    /// Returns the pack's id, whichever sort of pack it is.
    pub fn id(&self) -> &str {
        let ids = [&self.domain_pack_id, &self.workflow_pack_id, &self.generic_pack_id];
        ids.into_iter().find_map(|id| id.as_deref()).unwrap_or_default()
    }
}

/// A rule that tells a pack apart from others: a sentence, or a rule against one other pack.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Disambiguation {
    /// A sentence that says when this pack applies and when others do.
    Sentence(String),
    /// A rule against one other pack.
    Rule(DisambiguationRule),
}

impl Disambiguation {
    /// Returns the sentence that says when this pack applies.
    pub fn text(&self) -> &str {
        match self {
            Self::Sentence(text) => text,
            Self::Rule(rule) => &rule.rule,
        }
    }

    /// Returns the other pack, if one is named.
    pub fn against(&self) -> Option<&str> {
        match self {
            Self::Sentence(_) => None,
            Self::Rule(rule) => Some(&rule.against),
        }
    }
}

/// A rule that tells a pack apart from one other pack.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DisambiguationRule {
    /// The other pack.
    pub against: String,
    /// A sentence that says when this pack applies and when the other does.
    pub rule: String,
    /// Words in an objective that suggest the other pack.
    #[serde(default)]
    pub terms: Vec<String>,
}

/// A profile: an entity in a form.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    /// The profile's id.
    pub profile_id: ProfileId,
    /// The entity.
    pub entity_schema_id: EntitySchemaId,
    /// The kind.
    pub kind_key: KindKey,
    /// The slot that it usually fills.
    pub slot: String,
    /// Other kinds that carry the same data.
    #[serde(default)]
    pub also_accepts: Vec<KindKey>,
}

/// The usual inputs and outputs of a workflow.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TypicalSlots {
    /// The slots of the inputs.
    #[serde(default)]
    pub inputs: Vec<String>,
    /// The slots of the outputs.
    #[serde(default)]
    pub outputs: Vec<String>,
}
