//! What a caller may ask of an adapter beyond its inputs.

use crate::limits::Limits;
use serde_json::Value;

/// How a measure is made from the values of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    /// The exact sum; zero where there is nothing to add.
    Sum,
    /// How many rows have a value; with an empty field, how many rows there are.
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
    /// What is made of it.
    pub how: How,
    /// The column that is written.
    pub as_name: String,
}

/// Settings of a run. Every adapter reads the limits; the others only where they mean something.
#[derive(Debug, Clone, Copy, Default)]
pub struct Settings<'s> {
    /// The JSON Schema of one row: the types of the columns, and which of them are required.
    pub row: Option<&'s Value>,
    /// The columns that rows are grouped or joined by.
    pub keys: &'s [String],
    /// The columns that an aggregation makes.
    pub measures: &'s [Measure],
    /// How much may be taken in, held and given out.
    pub limits: Limits,
}
