//! What a file is: hash, format, whether it parses, a summary of what is in it, and placeholders left in it.
//!
//! [`inspect`] reads an artifact once, in a window, and states what it found as an [`Inspection`]. What enters is
//! hostile: nothing that a file says about its own sizes is believed, and nothing it holds can make the look panic,
//! hang or outgrow its memory (see [`InspectLimits`]). The same bytes give the same inspection. The crate opens no
//! file and reads no clock.
//!
//! [`Inspection`]: deed_model::Inspection

mod delimited;
mod detect;
mod feed;
mod hasher;
mod html;
mod inspect;
mod json;
mod limits;
mod lines;
mod look;
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
