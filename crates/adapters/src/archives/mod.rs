//! Adapters from archives, one file each.

mod media;
mod path;
pub(crate) mod zip_to_manifest;
