//! The vocabulary of plans: names, packs, kinds, slots, policies and adapters.

mod adapter;
mod kind;
mod library;
mod names;
mod policy;

pub use adapter::{AdapterDeclaration, Loss};
pub use kind::{ArtifactFormat, Kind, KindShape, RegisteredCapability, Slot};
pub use library::{Disambiguation, DisambiguationRule, Library, Profile, TypicalSlots};
pub use names::{EntitySchemaId, KindKey, NameError, PolicyProfileId, ProfileId};
pub use policy::{AdapterUse, PolicyProfile, PolicyRules, ProvenanceDemand};
