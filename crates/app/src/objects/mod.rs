//! Prompts and validation packs as objects of the registry: published, ended, listed, and found for a profile.

mod end;
mod history;
mod listed;
mod named;
mod publish;

pub use end::{EndedObject, end};
pub use history::{HistoryEntry, history, life};
pub use listed::{ListedObject, listed};
pub(crate) use named::LoadedObjects;
pub use publish::PublishedObject;
pub(crate) use publish::publish;
