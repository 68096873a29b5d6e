//! Canonical bytes of typed data, written from serde directly, without a `Value` in between.
//!
//! Everything is written into one buffer. A type yields its members in declaration order, a map in its own order, so an
//! object records where each member starts; if the keys did not arrive in canonical order, its members are permuted
//! inside the buffer when it closes. Strings and numbers are written by the same functions as for a `Value`, and a
//! property test compares the bytes of both.

mod display;
mod key;
mod list;
mod object;
mod order;
mod value;

use crate::error::CanonError;
use crate::fault::{Fault, FaultKind};
use crate::parse::MAX_DEPTH;
use order::Entry;
use serde::Serialize;

/// Returns the canonical bytes of anything that serializes to JSON.
///
/// The bytes are those that [`to_canonical`] gives for the value's `serde_json::Value`, except that nothing is silently
/// changed: NaN and infinities are refused instead of becoming `null`, and a duplicate key is refused instead of
/// keeping the last value.
///
/// # Errors
/// If the value has no canonical form.
///
/// [`to_canonical`]: crate::to_canonical
pub fn to_canonical_of<T: Serialize + ?Sized>(value: &T) -> Result<Vec<u8>, CanonError> {
    let mut scratch = Scratch::default();
    scratch.write(value)?;
    Ok(scratch.out)
}

/// Buffers for writing many values without allocating each time.
#[derive(Debug, Default)]
pub struct Scratch {
    out: Vec<u8>,
    entries: Vec<Entry>,
}

impl Scratch {
    /// Returns the canonical bytes that were written last; unspecified after an error.
    pub fn bytes(&self) -> &[u8] {
        &self.out
    }

    /// Writes the canonical bytes of a value, replacing the previous ones.
    pub(crate) fn write<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), CanonError> {
        self.out.clear();
        self.entries.clear();
        let (out, entries) = (std::mem::take(&mut self.out), std::mem::take(&mut self.entries));
        let mut writer = Writer { out, entries, levels: MAX_DEPTH, broken: false };
        let written = write_of(value, &mut writer);
        (self.out, self.entries) = (writer.out, writer.entries);
        written
    }
}

fn write_of<T: Serialize + ?Sized>(value: &T, writer: &mut Writer) -> Result<(), CanonError> {
    let done = value.serialize(&mut *writer);
    match done {
        Ok(()) if writer.broken => Err(Fault::not_json("a type went on after one of its parts was refused")),
        Ok(()) => Ok(()),
        Err(fault) => Err(fault),
    }
    .map_err(Fault::into_error)
}

/// The output so far, and the state that is needed to sort the open objects.
struct Writer {
    out: Vec<u8>,
    /// Members of all open objects, those of the innermost last.
    entries: Vec<Entry>,
    /// The number of further levels that may be opened.
    levels: usize,
    /// True if a part was refused. A type that hides this from its caller has left half a member behind.
    broken: bool,
}

impl Writer {
    #[inline]
    fn open(&mut self, bracket: u8) -> Result<(), Fault> {
        self.levels = self.levels.checked_sub(1).ok_or_else(|| Fault::at(FaultKind::TooDeep))?;
        self.out.push(bracket);
        Ok(())
    }

    #[inline]
    fn close(&mut self, bracket: u8) {
        self.levels += 1;
        self.out.push(bracket);
    }
}
