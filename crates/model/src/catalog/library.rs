//! Domain packs say what data is, workflow packs how work flows. Both are libraries of types and words.

use super::names::{EntitySchemaId, KindKey, PolicyProfileId, ProfileId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A pack of the catalogue. Exactly one of the three ids is given.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Library {
    /// The name of a domain pack.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub domain_pack_id: Option<String>,
    /// The name of a workflow pack.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workflow_pack_id: Option<String>,
    /// The name of the pack for data that nobody described.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub generic_pack_id: Option<String>,
    /// Three numbers.
    pub version: String,
    /// Which work it is for.
    pub purpose: String,
    /// The entities it defines, each in a file of its own.
    pub entity_schemas: Vec<EntitySchemaId>,
    /// Phrases of objectives that speak for it.
    pub triggers: Vec<String>,
    /// Where it ends and others begin.
    pub disambiguation: Vec<Disambiguation>,
    /// Objectives as people write them.
    pub example_goals: Vec<String>,
    /// Other words for its terms.
    pub synonyms: BTreeMap<String, Vec<String>>,
    /// Entities in the forms they usually travel in.
    pub canonical_profiles: Vec<Profile>,
    /// What usually goes in and comes out.
    pub typical_slots: TypicalSlots,
    /// The policy for steps that name none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default_policy: Option<PolicyProfileId>,
}

impl Library {
    /// Its name, whichever sort it is of.
    pub fn id(&self) -> &str {
        let ids = [&self.domain_pack_id, &self.workflow_pack_id, &self.generic_pack_id];
        ids.into_iter().find_map(|id| id.as_deref()).unwrap_or_default()
    }
}

/// Where a pack ends and another begins: a plain sentence, or a rule in parts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Disambiguation {
    /// When this pack applies and when others do, in one sentence.
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

    /// Returns the other pack, where one is named.
    pub fn against(&self) -> Option<&str> {
        match self {
            Self::Sentence(_) => None,
            Self::Rule(rule) => Some(&rule.against),
        }
    }
}

/// Where a pack ends and one other begins.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DisambiguationRule {
    /// The other pack.
    pub against: String,
    /// When this one applies, and when the other.
    pub rule: String,
    /// Words in an objective that speak for the other.
    #[serde(default)]
    pub terms: Vec<String>,
}

/// An entity in a form.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    /// Its name.
    pub profile_id: ProfileId,
    /// The entity.
    pub entity_schema_id: EntitySchemaId,
    /// The form.
    pub kind_key: KindKey,
    /// The slot it usually fills.
    pub slot: String,
    /// Other kinds that carry the same.
    #[serde(default)]
    pub also_accepts: Vec<KindKey>,
}

/// What usually goes in and comes out.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TypicalSlots {
    /// What goes in.
    pub inputs: Vec<String>,
    /// What comes out.
    pub outputs: Vec<String>,
}
