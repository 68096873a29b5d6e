//! The rows of Parquet files with flat columns.
//!
//! The crate `parquet` decodes pages; files, footers and row groups are handled here, so that at most one row group is
//! held and every size is checked before it is used. A value arrives as JSON would have it: dates and instants as text,
//! decimals with all their digits.

mod batch;
mod error;
mod read;
mod shape;
mod source;

pub use error::{ParquetError, ParquetErrorKind};
pub use read::{ParquetColumn, ParquetLimits, RowVisitor, read_rows};
pub use shape::{Cell, NumberForm};
