//! Adapters between tables, one file each.

pub(crate) mod aggregate;
pub(crate) mod delimited_to_delimited;
pub(crate) mod delimited_to_rows;
pub(crate) mod join;
#[cfg(feature = "parquet")]
pub(crate) mod parquet;
pub(crate) mod rows_to_delimited;
pub(crate) mod rows_to_rows;
