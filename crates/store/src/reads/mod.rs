//! The read operations of a registry.

mod export;
mod history;
mod list;
mod load;
mod log;
mod profile;
mod trust;

pub use export::ExportedPack;
pub use list::PackListing;
pub use load::LoadedPack;
pub(crate) use load::prove;
pub use log::LogFilter;
pub(crate) use profile::prove_profile;
