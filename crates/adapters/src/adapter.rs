//! An adapter: its name, the kinds it connects, what it loses, and its work.

use crate::error::AdapterError;
use crate::note::Note;
use crate::settings::Settings;
use deed_table::Input;
use std::fmt;
use std::io::Write;

/// The loss when the output is adapted back; ordered, the worst last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Loss {
    /// Nothing: every value comes back equal.
    None,
    /// Types, null beside absent, comments: with the row schema the values come back.
    Typed,
    /// Something that cannot be made again from the output.
    Lossy,
}

/// The result of an adapter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Adapted {
    /// Rows (or entries) that were written, where the output has such.
    pub rows: Option<u64>,
    /// Bytes that were written.
    pub bytes: u64,
    /// Notes on everything that was dropped or changed.
    pub notes: Vec<Note>,
}

pub(crate) type Run = fn(&mut [&mut dyn Input], &mut dyn Write, &Settings<'_>) -> Result<Adapted, AdapterError>;

/// A conversion from kinds to a kind.
#[derive(Clone, Copy)]
pub struct Adapter {
    /// Its name, with a version.
    pub id: &'static str,
    /// The kinds of its inputs, in order.
    pub from: &'static [&'static str],
    /// The roles of its inputs, in the same order; empty where there is only one input.
    pub roles: &'static [&'static str],
    /// The kind of its output.
    pub to: &'static str,
    /// The worst loss.
    pub loss: Loss,
    /// A description of the loss; empty without one.
    pub drops: &'static str,
    pub(crate) run: Run,
}

impl fmt::Debug for Adapter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Adapter({})", self.id)
    }
}

impl Adapter {
    /// Reads the inputs and writes the output. After an error, the output must be discarded.
    //
    // # Errors
    // If the inputs are malformed, beyond the limits or do not fit the settings, or reading or writing fails.
    pub fn run(
        &self,
        inputs: &mut [&mut dyn Input],
        output: &mut dyn Write,
        settings: &Settings<'_>,
    ) -> Result<Adapted, AdapterError> {
        if inputs.len() != self.from.len() {
            let message = format!("`{}` reads {} inputs and was given {}", self.id, self.from.len(), inputs.len());
            return Err(AdapterError::settings(message));
        }
        (self.run)(inputs, output, settings)
    }
}

/// The one input of an adapter that has one.
pub(crate) fn only<'a>(inputs: &'a mut [&mut dyn Input]) -> Result<&'a mut dyn Input, AdapterError> {
    match inputs {
        [input] => Ok(&mut **input),
        _ => Err(AdapterError::settings("one input is needed")),
    }
}

/// The two inputs of an adapter that has two.
pub(crate) fn both<'a>(
    inputs: &'a mut [&mut dyn Input],
) -> Result<(&'a mut dyn Input, &'a mut dyn Input), AdapterError> {
    match inputs {
        [left, right] => Ok((&mut **left, &mut **right)),
        _ => Err(AdapterError::settings("two inputs are needed")),
    }
}
