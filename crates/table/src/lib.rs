//! Tables as bytes: the cells of CSV and TSV, a window over an input, and the rows of Parquet files.
//!
//! Adapters convert tables and receipts summarise them; both read them here, so that both read them alike. Nothing of
//! an input is trusted: every length is checked before it is used. The crate opens no file and reads no clock.

pub mod cells;
pub mod date;
pub mod decimal;
mod input;
pub mod number;
#[cfg(feature = "parquet")]
pub mod parquet;
mod window;

pub use input::Input;
pub use window::{Window, WindowError, read_all};
