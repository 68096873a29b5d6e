//! Raw text as models write it: JSON with fences, prose, slips and cut-off tails.
//!
//! What enters is raw text. What leaves is one value and the edits that turn the text into strict JSON, or a
//! refusal with its reason. What must be proven: correct JSON is never altered, the strict reader reads the
//! edited text as the same value, and a text with more than one sensible reading is refused.
//!
//! A payload that was encoded twice is decoded only where the text around it is not JSON. A JSON string by itself is
//! correct JSON, and whether an object was meant is for the schema to say.
//!
//! Where a text was cut off, everything that was complete is kept. A string that was cut is kept as far as it
//! goes (`cut_string_closed`), since the beginning of a text is a true part of it. A number is not: `12` may have
//! been `123`, and its member is dropped (`cut_member_dropped`), as are lists and strings of which nothing is left.
//! What was kept so is for the record: the rung for text refuses it, unless nothing can have followed.

mod candidate;
mod edit;
mod encoded;
mod fault;
mod guided;
mod html;
mod interpolated;
mod kind;
mod literals;
mod locate;
mod marks;
mod mend;
mod open;
mod outer;
mod statements;
mod strict;
mod unreadable;
mod whole;
mod wrapped;

pub use edit::{Repair, repaired_text};
pub use kind::{Certainty, RepairKind};
pub use unreadable::{Unreadable, UnreadableKind};

pub(crate) use guided::{Guided, Judge, guided, is_other_variable};
pub(crate) use literals::{Literals, rounded};
pub(crate) use open::open_containers;

use fault::Fault;
use serde_json::Value;

/// One value, and what was done to the text to read it.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    /// The value.
    pub value: Value,
    /// The edits, in the order of the text; none where the text was strict JSON.
    pub repairs: Vec<Repair>,
}

impl Reading {
    /// How sure one can be of the whole: as sure as of the least sure repair.
    pub fn certainty(&self) -> Certainty {
        self.repairs.iter().map(Repair::certainty).max().unwrap_or(Certainty::Exact)
    }
}

/// Reads raw text without a schema. Strict JSON is returned as it is, with no repairs.
pub fn read(text: &str) -> Result<Reading, Unreadable> {
    if let Some(value) = strict::quick(text) {
        return Ok(Reading { value, repairs: Vec::new() });
    }
    if text.len() > edit::LARGEST_TEXT {
        return Err(Unreadable::of(text, Fault::new(UnreadableKind::TooLarge, 0, 0)));
    }
    let found = match wrapped::unwrapped(text) {
        Some(inside) => wrapped::read_inside(text, &inside, locate::find),
        None => locate::find(text),
    };
    found.map_err(|fault| Unreadable::of(text, fault))
}
