//! Errors of adapters: a kind, a place, a message and a hint.
//!
//! A message repeats at most [`LONGEST_QUOTE`] characters of what was read, and never a row.

use deed_diag::visible;
use deed_table::WindowError;
use std::fmt;
use std::io;

/// The most characters of a cell, a name or a path that a message shows.
const LONGEST_QUOTE: usize = 40;

/// The help of every error about a limit.
pub(crate) const LIMIT_HELP: &str = "split the input, or raise the limit of the run";

/// The kind of an error, as a name that programs can match on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// The settings do not fit the adapter.
    Settings,
    /// An input could not be read.
    Read,
    /// The output could not be written.
    Write,
    /// A limit was reached.
    Limit,
    /// The bytes are not text.
    Encoding,
    /// The input does not follow its format.
    Syntax,
    /// The header of a table is missing or cannot be used.
    Header,
    /// A row has more or fewer cells than the header.
    Ragged,
    /// A key stands twice in one object.
    DuplicateKey,
    /// A value is not of the type of its column.
    Type,
    /// A number that not every reader reads alike.
    Number,
    /// A value with parts of its own where only plain values fit.
    Nested,
    /// A required value is missing.
    Missing,
    /// A name in an archive that could escape its folder.
    UnsafePath,
    /// An entry that is neither a file nor a folder.
    Link,
    /// Two entries of an archive that would be one file.
    DuplicateName,
    /// An entry that is encrypted.
    Encrypted,
    /// An archive whose parts contradict each other or share bytes.
    Inconsistent,
    /// An archive that inflates out of all proportion.
    Bomb,
    /// A column that both tables of a join have.
    Collision,
    /// A key that stands twice in the second table of a join.
    AmbiguousKey,
    /// Something that this adapter does not read.
    Unsupported,
}

impl ErrorKind {
    /// The stable name.
    pub fn code(self) -> &'static str {
        match self {
            Self::Settings => "settings",
            Self::Read => "read",
            Self::Write => "write",
            Self::Limit => "limit",
            Self::Encoding => "encoding",
            Self::Syntax => "syntax",
            Self::Header => "header",
            Self::Ragged => "ragged",
            Self::DuplicateKey => "duplicate_key",
            Self::Type => "type",
            Self::Number => "number",
            Self::Nested => "nested",
            Self::Missing => "missing",
            Self::UnsafePath => "unsafe_path",
            Self::Link => "link",
            Self::DuplicateName => "duplicate_name",
            Self::Encrypted => "encrypted",
            Self::Inconsistent => "inconsistent",
            Self::Bomb => "bomb",
            Self::Collision => "collision",
            Self::AmbiguousKey => "ambiguous_key",
            Self::Unsupported => "unsupported",
        }
    }
}

/// A place in an input, as far as it is known. Lines and rows count from one, offsets from zero.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Place {
    /// The line of a text.
    pub line: Option<u64>,
    /// The row of a table, without the header.
    pub row: Option<u64>,
    /// The name of a column, shortened.
    pub column: Option<String>,
    /// The name of an entry of an archive, shortened.
    pub entry: Option<String>,
    /// The byte of the input.
    pub offset: Option<u64>,
}

impl Place {
    /// A row of a table.
    pub(crate) fn row(row: u64) -> Self {
        Self { row: Some(row), ..Self::default() }
    }

    /// A line of a text.
    pub(crate) fn line(line: u64) -> Self {
        Self { line: Some(line), ..Self::default() }
    }

    /// A byte of the input.
    pub(crate) fn offset(offset: u64) -> Self {
        Self { offset: Some(offset), ..Self::default() }
    }

    /// An entry of an archive.
    pub(crate) fn entry(name: &str) -> Self {
        Self { entry: Some(shortened(name)), ..Self::default() }
    }

    /// The same place, in a column.
    pub(crate) fn in_column(mut self, name: &str) -> Self {
        self.column = Some(shortened(name));
        self
    }

    /// The same place, at a byte.
    pub(crate) fn at_offset(mut self, offset: u64) -> Self {
        self.offset = Some(offset);
        self
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        parts.extend(self.line.map(|line| format!("line {line}")));
        parts.extend(self.row.map(|row| format!("row {row}")));
        parts.extend(self.column.as_ref().map(|name| format!("column `{name}`")));
        parts.extend(self.entry.as_ref().map(|name| format!("entry `{name}`")));
        parts.extend(self.offset.map(|offset| format!("byte {offset}")));
        f.write_str(&parts.join(", "))
    }
}

/// The error with which an adapter stopped. The output written until then must be discarded.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}{}", shown(place))]
pub struct AdapterError {
    /// The kind.
    pub kind: ErrorKind,
    /// The place, as far as it is known.
    pub place: Box<Place>,
    /// The message: lowercase, without a final stop.
    pub message: String,
    /// A hint; may be empty.
    pub help: &'static str,
}

impl AdapterError {
    pub(crate) fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self { kind, place: Box::default(), message: message.into(), help: "" }
    }

    pub(crate) fn at(mut self, place: Place) -> Self {
        *self.place = place;
        self
    }

    pub(crate) fn help(mut self, help: &'static str) -> Self {
        self.help = help;
        self
    }

    pub(crate) fn limit(what: impl fmt::Display) -> Self {
        Self::new(ErrorKind::Limit, format!("more than {what}")).help(LIMIT_HELP)
    }

    pub(crate) fn settings(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Settings, message)
    }

    pub(crate) fn read(error: &io::Error) -> Self {
        Self::new(ErrorKind::Read, format!("the input cannot be read: {}", error.kind()))
    }

    pub(crate) fn write(error: &io::Error) -> Self {
        Self::new(ErrorKind::Write, format!("the output cannot be written: {}", error.kind()))
    }
}

impl From<WindowError> for AdapterError {
    fn from(error: WindowError) -> Self {
        match error {
            WindowError::Read(error) => Self::read(&error),
            WindowError::Limit(bytes) => Self::limit(format_args!("{bytes} bytes of input")),
        }
    }
}

fn shown(place: &Place) -> String {
    if *place == Place::default() { String::new() } else { format!(" ({place})") }
}

/// Text on one line, cut to a readable length.
pub(crate) fn shortened(text: &str) -> String {
    let mut flat: String = text.chars().map(visible).take(LONGEST_QUOTE).collect();
    if text.chars().nth(LONGEST_QUOTE).is_some() {
        flat.push('…');
    }
    flat
}

/// Text of the input, shortened and in backticks.
pub(crate) fn quote(text: &str) -> String {
    format!("`{}`", shortened(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_that_turns_or_hides_is_marked() {
        assert_eq!(quote("a\u{202e}b\u{200b}c\nd"), "`a\u{fffd}b\u{fffd}c d`");
    }
}
