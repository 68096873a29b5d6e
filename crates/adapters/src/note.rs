//! Notes on everything that an adapter dropped or changed: each kind once, counted, with the first place.

use crate::error::{Place, shortened};

/// A kind of change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NoteKind {
    /// A byte order mark at the beginning was left out.
    ByteOrderMark,
    /// The header is one column with another delimiter in it, so every line became one cell.
    OtherDelimiter,
    /// A line without anything was left out.
    BlankLine,
    /// Text that a spreadsheet would run as a formula was written as it is.
    FormulaLike,
    /// A value that is null was written as an empty cell, or left out.
    NullDropped,
    /// A column without a value in this row was written as an empty cell or as null.
    AbsentFilled,
    /// Empty text was written as an empty cell, which reads back as no value.
    EmptyText,
    /// A number or boolean was written into a column without a type, and reads back as text.
    TypeForgotten,
    /// A number was taken as text, since its column is text.
    NumberAsText,
    /// A column that the row schema does not name was read as text.
    UntypedColumn,
    /// A column without a type in the file was read as text.
    BytesAsText,
    /// HTML within Markdown was written as text.
    HtmlEscaped,
    /// A link with a scheme that is not allowed was emptied.
    LinkNeutralised,
    /// A control character that HTML cannot hold was left out.
    ControlDropped,
    /// A folder of an archive, which has no bytes, was left out.
    FolderDropped,
    /// A key column without a value was grouped as null.
    KeyAbsent,
    /// A value that is null or absent was left out of a measure.
    MeasureSkipped,
    /// A column that is neither key nor measure was left out.
    ColumnDropped,
    /// No row of the first table had a partner in the second, and both have rows.
    NothingMatched,
    /// A row of the first table had no partner.
    LeftUnmatched,
    /// A row of the second table had no partner and was left out.
    RightUnmatched,
    /// A row of the second table stood there twice, with equal values.
    RightRepeated,
}

impl NoteKind {
    /// The message: lowercase, without a final stop.
    pub fn message(self) -> &'static str {
        match self {
            Self::ByteOrderMark => "a byte order mark was left out",
            Self::OtherDelimiter => "the header is one column, with a character in it that separates columns elsewhere",
            Self::BlankLine => "a blank line was left out",
            Self::FormulaLike => "text that a spreadsheet would run was written as it is",
            Self::NullDropped => "null became an empty cell, or was left out",
            Self::AbsentFilled => "a missing value became an empty cell or null",
            Self::EmptyText => "empty text became an empty cell",
            Self::TypeForgotten => "a number or boolean was written without its type",
            Self::NumberAsText => "a number was taken as text",
            Self::UntypedColumn => "a column that the schema does not name was read as text",
            Self::BytesAsText => "a column without a type was read as text",
            Self::HtmlEscaped => "HTML within Markdown was written as text",
            Self::LinkNeutralised => "a link with a scheme that is not allowed was emptied",
            Self::ControlDropped => "a control character was left out",
            Self::FolderDropped => "a folder was left out",
            Self::KeyAbsent => "a key without a value was grouped as null",
            Self::MeasureSkipped => "a missing value was left out of a measure",
            Self::ColumnDropped => "a column that is neither key nor measure was left out",
            Self::NothingMatched => "no key of the first table stands in the second, so nothing was joined",
            Self::LeftUnmatched => "a row of the first table had no partner",
            Self::RightUnmatched => "a row of the second table had no partner and was left out",
            Self::RightRepeated => "a row of the second table stood there twice",
        }
    }
}

/// Something that was dropped or changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// The kind of change.
    pub kind: NoteKind,
    /// The number of times.
    pub count: u64,
    /// The first place.
    pub first: Place,
    /// The columns that it concerns, where whole columns are; at most 20.
    pub columns: Vec<String>,
}

/// The most columns that a note lists by name.
pub(crate) const MOST_NAMES: usize = 20;

impl Note {
    /// Describes the change in one line: what, how often, and where or which columns.
    pub fn line(&self) -> String {
        let times = if self.count == 1 { "once".to_owned() } else { format!("{} times", self.count) };
        if self.columns.is_empty() {
            return format!("{} ({times}, first at {})", self.kind.message(), self.first);
        }
        let names: Vec<String> = self.columns.iter().map(|name| format!("`{name}`")).collect();
        let more = self.count.saturating_sub(names.len() as u64);
        let more = if more == 0 { String::new() } else { format!(" and {more} more") };
        format!("{} ({times}: {}{more})", self.kind.message(), names.join(", "))
    }
}

/// Notes while they are collected, in the order in which each kind was met first.
#[derive(Debug, Default)]
pub(crate) struct Notes(Vec<Note>);

impl Notes {
    /// Counts one more; the place is only made for the first.
    pub(crate) fn add(&mut self, kind: NoteKind, place: impl FnOnce() -> Place) {
        match self.0.iter_mut().find(|note| note.kind == kind) {
            Some(note) => note.count += 1,
            None => self.0.push(Note { kind, count: 1, first: place(), columns: Vec::new() }),
        }
    }

    /// Counts one more column, and keeps its name while there are few.
    pub(crate) fn column(&mut self, kind: NoteKind, name: &str, place: impl FnOnce() -> Place) {
        self.add(kind, place);
        if let Some(note) = self.0.iter_mut().find(|note| note.kind == kind && note.columns.len() < MOST_NAMES) {
            note.columns.push(shortened(name));
        }
    }

    pub(crate) fn into_vec(self) -> Vec<Note> {
        self.0
    }
}
