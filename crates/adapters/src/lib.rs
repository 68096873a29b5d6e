//! Native, streaming adapters between kinds of artifacts: tables, objects, reports and archives.
//!
//! An adapter reads one or more inputs, writes one output, and says what it dropped or changed on the way. What
//! enters is never trusted: sizes, rows, nesting and entries are counted while reading, against [`Limits`]. After
//! an error the output is incomplete and must be thrown away. The crate opens no file and reads no clock: inputs
//! and output are handed in.

mod adapter;
mod archives;
mod catalog;
mod columns;
mod delimited;
mod error;
mod limits;
mod note;
mod number;
mod objects;
mod out;
mod reports;
mod rows;
mod settings;
mod tables;

pub use adapter::{Adapted, Adapter, Loss};
pub use catalog::{adapters, find};
pub use deed_table::Input;
pub use error::{AdapterError, ErrorKind, Place};
pub use limits::Limits;
pub use note::{Note, NoteKind};
pub use settings::{How, Measure, Settings};
