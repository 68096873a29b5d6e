//! JavaScript's conversions and comparisons, as far as JsonLogic can observe them.

mod compare;
mod convert;
mod parse;
mod text;

pub(crate) use compare::{less, less_or_equal, loosely_equal, strictly_equal, truthy};
pub(crate) use convert::{Unconvertible, number_text, to_integer, to_number, to_primitive, to_text};
pub(crate) use parse::parse_float;
pub(crate) use text::{compare_utf16, length, substring, unit_at};
