//! Parquet in and out, flat columns only.
//!
//! The crate `parquet` decodes and encodes pages; files, footers and row groups are handled here, so that no more
//! than one row group is held and every size is checked before it is believed.

pub(crate) mod read;
mod shape;
mod source;
mod store;
pub(crate) mod write;
