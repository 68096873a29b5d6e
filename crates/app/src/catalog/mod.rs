//! The catalogue of types: the built-in one, what was added to the project, and folders that the caller names; and the
//! adapters between its kinds.

mod adapt;
mod add;
mod lookup;
mod open;

pub use adapt::{AdaptRequest, AdaptedFile, AdapterOutput, adapt};
pub use add::{AddedTypes, add, nothing_here};
pub use lookup::{CatalogType, find};
pub use open::{extend, for_run, has_frozen_types, open};
