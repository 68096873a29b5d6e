//! CSV and TSV: RFC 4180 with a comma or a tab, strictly.
//!
//! Read strictly, because what one reader forgives another reads differently: a quote within a cell that has none
//! around it, text behind a closing quote, a quote without an end and a carriage return alone are refused. TSV has
//! the same quotes as CSV, so that a cell may hold tabs and lines.

mod read;
mod write;

pub(crate) use read::{OTHER_DELIMITER, Record, Records};
pub(crate) use write::{RecordWriter, is_formula};

/// The delimiter between cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// Commas; lines end with carriage return and line feed, as RFC 4180 has it.
    Csv,
    /// Tabs; lines end with line feed.
    Tsv,
}

impl Dialect {
    pub(crate) fn delimiter(self) -> u8 {
        match self {
            Self::Csv => b',',
            Self::Tsv => b'\t',
        }
    }

    /// A character in a header of one column that separates cells in other dialects.
    pub(crate) fn mistaken(self, header: &[String]) -> Option<char> {
        let [only] = header else { return None };
        [';', '\t', '|', ',']
            .into_iter()
            .filter(|c| u32::from(*c) != u32::from(self.delimiter()))
            .find(|c| only.contains(*c))
    }

    pub(crate) fn line_end(self) -> &'static [u8] {
        match self {
            Self::Csv => b"\r\n",
            Self::Tsv => b"\n",
        }
    }
}
