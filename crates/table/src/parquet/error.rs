//! Refusals of Parquet files.

use std::io;

/// The kind of a [`ParquetError`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParquetErrorKind {
    /// The input cannot be read.
    Read,
    /// The file needs more than the caller allows.
    Limit,
    /// The file is damaged or not a Parquet file.
    Damaged,
    /// The file is encrypted.
    Encrypted,
    /// A column has parts of its own: a list, map or group.
    Nested,
    /// A column has a type that is not read.
    Unsupported,
    /// Two columns have the same name.
    DuplicateColumn,
    /// A number that not every reader reads alike.
    Number,
    /// A date or time that text cannot represent.
    Time,
    /// Text that is not UTF-8.
    Text,
}

/// The refusal of a Parquet file, with the place in it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ParquetError {
    /// The kind of error.
    pub kind: ParquetErrorKind,
    /// The fact, in words.
    pub message: String,
    /// The name of the column, where one is at fault.
    pub column: Option<String>,
    /// The number of the row, counted from 1, where one is at fault.
    pub row: Option<u64>,
    /// The offset of the byte, where one is at fault.
    pub offset: Option<u64>,
}

impl ParquetError {
    pub(super) fn new(kind: ParquetErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), column: None, row: None, offset: None }
    }

    pub(super) fn damaged(message: impl Into<String>) -> Self {
        Self::new(ParquetErrorKind::Damaged, message)
    }

    pub(super) fn limit(limit: std::fmt::Arguments<'_>) -> Self {
        Self::new(ParquetErrorKind::Limit, format!("more than {limit}"))
    }

    pub(super) fn read(error: &io::Error) -> Self {
        Self::new(ParquetErrorKind::Read, format!("the input cannot be read: {}", error.kind()))
    }

    pub(super) fn in_column(mut self, name: &str) -> Self {
        self.column = Some(name.to_owned());
        self
    }

    pub(super) fn in_row(mut self, row: u64) -> Self {
        self.row = Some(row);
        self
    }

    pub(super) fn at_offset(mut self, offset: u64) -> Self {
        self.offset = Some(offset);
        self
    }
}
