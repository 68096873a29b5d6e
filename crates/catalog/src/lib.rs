//! The types that plans are checked with: what data means, what form it has, and how forms become others.
//!
//! A catalogue is read from files: the built-in ones, and those of folders that users add. It resolves names,
//! finds the adapters from one kind to another, and ranks how well an output of one step fits the input of another.
//! Invariants: every name in it resolves, and its answers depend on its files alone.
//!
//! The crate is pure: files come in as names and bytes.

mod builtin;
mod catalog;
mod compat;
mod declared;
mod entity;
mod grouped;
mod infer;
mod kinds;
mod lint;
mod read;
mod route;
mod scaffold;

pub use builtin::builtin;
pub use catalog::{Catalog, PackKind, RegisteredPack};
pub use compat::{Fit, Misfit, Need, Offer, fit, unheld};
pub use declared::{DeclaredEntities, declared_entities};
pub use entity::Entity;
pub use grouped::{Grouping, grouped_id};
pub use infer::{Cells, InferError, InferredEntity, infer_entity};
pub use kinds::{kind_of_path, kinds_of_path};
pub use lint::Audience;
pub use read::{CatalogFile, Conceal, Origin, read, read_for};
pub use route::{Route, grouping_route, route};
pub use scaffold::{NewPack, scaffold};
