//! Settings of an adapter beside its inputs.

use crate::limits::Limits;
use serde_json::Value;

/// The way a measure is computed from the values of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    /// The exact sum; zero where there is nothing to add.
    Sum,
    /// The number of rows with a value; with an empty field, the number of rows.
    Count,
    /// The least number or text; null where there is none.
    Min,
    /// The greatest number or text; null where there is none.
    Max,
    /// The exact sum divided by the count, as a double; null where there is nothing.
    Mean,
}

/// One column of an aggregation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Measure {
    /// The column that is read.
    pub field: String,
    /// The way it is computed.
    pub how: How,
    /// The column that is written.
    pub as_name: String,
}

/// Settings of a run. Every adapter reads the limits; the others are read by the adapters that need them.
#[derive(Debug, Clone, Copy, Default)]
pub struct Settings<'s> {
    /// The JSON Schema of one row: the types of the columns, and which of them are required.
    pub row: Option<&'s Value>,
    /// The columns that rows are grouped or joined by.
    pub keys: &'s [String],
    /// The columns that an aggregation makes.
    pub measures: &'s [Measure],
    /// The limits.
    pub limits: Limits,
}
