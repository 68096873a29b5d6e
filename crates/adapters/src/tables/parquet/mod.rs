//! Parquet in and out, flat columns only. `deed_table` reads the files; they are written here.

pub(crate) mod read;
pub(crate) mod write;
