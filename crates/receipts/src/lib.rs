//! Inspection of a file: hash, format, parse outcome, a summary of its content, and leftover placeholders.
//!
//! [`inspect`] reads an artifact once, in a window, and returns an [`Inspection`]. Input is hostile: no size that a file
//! states is trusted, and no content can make the inspection panic, hang or outgrow its memory (see [`InspectLimits`]).
//! The same bytes give the same inspection, so the texts in it are part of a receipt and never change. The crate opens
//! no file and reads no clock.
//!
//! [`Inspection`]: deed_model::Inspection

mod bytes;
mod context;
mod delimited;
mod detect;
mod feed;
mod hasher;
mod html;
mod inspect;
mod json;
mod limits;
mod lines;
mod parquet;
mod pdf;
mod secret;
mod sentinel;
mod table;
mod yaml;
mod zip;

pub use inspect::{ReadSeek, inspect};
pub use limits::InspectLimits;
pub use secret::concealed;
