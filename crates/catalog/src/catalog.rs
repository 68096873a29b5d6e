//! A catalogue: names and their definitions.

use crate::entity::Entity;
use crate::read::Origin;
use deed_canon::{CanonError, ContentHash, hash_of};
use deed_model::{
    AdapterDeclaration, CATALOG_TAG, EntitySchemaId, Kind, KindKey, Library, PolicyProfile, PolicyProfileId, Profile,
    ProfileId, RegisteredCapability, Slot,
};
use serde::Serialize;
use std::collections::BTreeMap;

/// Everything that plans are checked with.
#[derive(Debug, Clone)]
pub struct Catalog {
    pub(crate) kinds: BTreeMap<KindKey, Kind>,
    pub(crate) slots: BTreeMap<String, Slot>,
    pub(crate) policies: BTreeMap<PolicyProfileId, PolicyProfile>,
    pub(crate) adapters: BTreeMap<String, AdapterDeclaration>,
    /// Adapters of one input, by the kind that they take.
    pub(crate) leading_from: BTreeMap<KindKey, Vec<String>>,
    pub(crate) capabilities: BTreeMap<String, RegisteredCapability>,
    pub(crate) packs: BTreeMap<(PackKind, String), RegisteredPack>,
    pub(crate) entities: BTreeMap<EntitySchemaId, Entity>,
    pub(crate) profiles: BTreeMap<ProfileId, Profile>,
    /// Canonical profiles by entity, in the order they are listed.
    pub(crate) profiles_of: BTreeMap<EntitySchemaId, Vec<ProfileId>>,
    /// The packs that define an entity.
    pub(crate) defined_by: BTreeMap<EntitySchemaId, Vec<(PackKind, String)>>,
    pub(crate) hash: ContentHash,
}

/// The kind of a pack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PackKind {
    /// Defines what data means.
    Domain,
    /// Defines how work flows.
    Workflow,
    /// Data without a description.
    Generic,
}

impl PackKind {
    /// Returns its name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Domain => "domain",
            Self::Workflow => "workflow",
            Self::Generic => "generic",
        }
    }
}

/// A pack and its origin.
#[derive(Debug, Clone)]
pub struct RegisteredPack {
    /// The pack.
    pub library: Library,
    /// Its kind.
    pub kind: PackKind,
    /// Its origin.
    pub origin: Origin,
}

impl Catalog {
    /// Returns an empty catalogue.
    pub fn empty() -> Self {
        Self {
            kinds: BTreeMap::new(),
            slots: BTreeMap::new(),
            policies: BTreeMap::new(),
            adapters: BTreeMap::new(),
            leading_from: BTreeMap::new(),
            capabilities: BTreeMap::new(),
            packs: BTreeMap::new(),
            entities: BTreeMap::new(),
            profiles: BTreeMap::new(),
            profiles_of: BTreeMap::new(),
            defined_by: BTreeMap::new(),
            hash: ContentHash::of_bytes(b""),
        }
    }

    /// A kind.
    pub fn kind(&self, key: &str) -> Option<&Kind> {
        self.kinds.get(key)
    }

    /// All kinds.
    pub fn kinds(&self) -> impl Iterator<Item = &Kind> {
        self.kinds.values()
    }

    /// A slot.
    pub fn slot(&self, name: &str) -> Option<&Slot> {
        self.slots.get(name)
    }

    /// All slots.
    pub fn slots(&self) -> impl Iterator<Item = &Slot> {
        self.slots.values()
    }

    /// A policy.
    pub fn policy(&self, id: &str) -> Option<&PolicyProfile> {
        self.policies.get(id)
    }

    /// All policies.
    pub fn policies(&self) -> impl Iterator<Item = &PolicyProfile> {
        self.policies.values()
    }

    /// An adapter.
    pub fn adapter(&self, id: &str) -> Option<&AdapterDeclaration> {
        self.adapters.get(id)
    }

    /// All adapters.
    pub fn adapters(&self) -> impl Iterator<Item = &AdapterDeclaration> {
        self.adapters.values()
    }

    /// A capability.
    pub fn capability(&self, name: &str) -> Option<&RegisteredCapability> {
        self.capabilities.get(name)
    }

    /// All capabilities.
    pub fn capabilities(&self) -> impl Iterator<Item = &RegisteredCapability> {
        self.capabilities.values()
    }

    /// A pack.
    pub fn pack(&self, kind: PackKind, id: &str) -> Option<&RegisteredPack> {
        self.packs.get(&(kind, id.to_owned()))
    }

    /// All packs.
    pub fn packs(&self) -> impl Iterator<Item = &RegisteredPack> {
        self.packs.values()
    }

    /// An entity.
    pub fn entity(&self, id: &str) -> Option<&Entity> {
        self.entities.get(id)
    }

    /// All entities.
    pub fn entities(&self) -> impl Iterator<Item = &Entity> {
        self.entities.values()
    }

    /// A profile.
    pub fn profile(&self, id: &str) -> Option<&Profile> {
        self.profiles.get(id)
    }

    /// All profiles.
    pub fn profiles(&self) -> impl Iterator<Item = &Profile> {
        self.profiles.values()
    }

    /// The canonical profiles of an entity, the usual one first.
    pub fn profiles_of(&self, entity: &str) -> impl Iterator<Item = &Profile> {
        self.profiles_of.get(entity).into_iter().flatten().filter_map(|id| self.profiles.get(id))
    }

    /// The packs that define an entity.
    pub fn defined_by(&self, entity: &str) -> &[(PackKind, String)] {
        self.defined_by.get(entity).map(Vec::as_slice).unwrap_or_default()
    }

    /// The profile of an entity in a form.
    pub fn profile_for(&self, entity: &str, kind: &str) -> Option<&Profile> {
        self.profiles_of(entity).find(|profile| profile.kind_key.as_str() == kind)
    }

    /// Returns the same catalogue with entities that a plan derives from its own. Each belongs to the packs of the
    /// entity it is derived from; the hash stays that of the catalogue. An entity whose name is taken is left out.
    pub fn with_derived(&self, entities: Vec<Entity>) -> Self {
        let mut all = self.clone();
        for entity in entities {
            let Some(base) = entity.derived_from.clone().filter(|_| !self.entities.contains_key(&entity.id)) else {
                continue;
            };
            let packs = self.defined_by(base.as_str()).to_vec();
            all.defined_by.insert(entity.id.clone(), packs);
            all.entities.insert(entity.id.clone(), entity);
        }
        all
    }

    /// Returns the same catalogue with entities that a plan declares. They belong to no pack, and the hash stays that of
    /// the catalogue: contracts name such entities by hashes of their own.
    pub fn with_declared(&self, entities: Vec<Entity>) -> Self {
        let mut all = self.clone();
        all.entities.extend(entities.into_iter().map(|entity| (entity.id.clone(), entity)));
        all
    }

    /// The hash of everything in it.
    pub fn hash(&self) -> ContentHash {
        self.hash
    }

    /// Derives the indices from the parts.
    pub(crate) fn index(&mut self) -> Result<(), CanonError> {
        self.leading_from.clear();
        for adapter in self.adapters.values() {
            if let [from] = adapter.from.as_slice() {
                self.leading_from.entry(from.clone()).or_default().push(adapter.adapter_id.clone());
            }
        }
        self.profiles_of.clear();
        self.defined_by.clear();
        for pack in self.packs.values() {
            for entity in &pack.library.entity_schemas {
                let known = self.defined_by.entry(entity.clone()).or_default();
                known.push((pack.kind, pack.library.id().to_owned()));
            }
            for profile in &pack.library.canonical_profiles {
                let known = self.profiles_of.entry(profile.entity_schema_id.clone()).or_default();
                known.push(profile.profile_id.clone());
            }
        }
        #[derive(Serialize)]
        struct Parts<'c> {
            kinds: Vec<&'c Kind>,
            slots: Vec<&'c Slot>,
            policies: Vec<&'c PolicyProfile>,
            adapters: Vec<&'c AdapterDeclaration>,
            capabilities: Vec<&'c RegisteredCapability>,
            packs: Vec<&'c Library>,
            entities: BTreeMap<&'c str, ContentHash>,
        }
        let parts = Parts {
            kinds: self.kinds.values().collect(),
            slots: self.slots.values().collect(),
            policies: self.policies.values().collect(),
            adapters: self.adapters.values().collect(),
            capabilities: self.capabilities.values().collect(),
            packs: self.packs.values().map(|pack| &pack.library).collect(),
            entities: self.entities.iter().map(|(id, entity)| (id.as_str(), entity.hash)).collect(),
        };
        self.hash = hash_of(&CATALOG_TAG, &parts)?;
        Ok(())
    }
}
