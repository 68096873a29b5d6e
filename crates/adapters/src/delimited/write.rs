//! Writes CSV or TSV: quotes where they are needed and nowhere else.

use crate::delimited::Dialect;
use crate::number;

/// Puts the cells of records.
pub(crate) struct RecordWriter {
    dialect: Dialect,
    cells: usize,
}

impl RecordWriter {
    pub(crate) fn new(dialect: Dialect) -> Self {
        Self { dialect, cells: 0 }
    }

    /// Puts one cell.
    #[inline]
    pub(crate) fn cell(&mut self, out: &mut Vec<u8>, text: &str) {
        if self.cells > 0 {
            out.push(self.dialect.delimiter());
        }
        self.cells += 1;
        let bytes = text.as_bytes();
        let delimiter = self.dialect.delimiter();
        if !bytes.iter().any(|b| *b == delimiter || matches!(b, b'"' | b'\n' | b'\r')) {
            out.extend_from_slice(bytes);
            return;
        }
        out.push(b'"');
        for part in text.split_inclusive('"') {
            out.extend_from_slice(part.as_bytes());
            if part.ends_with('"') {
                out.push(b'"');
            }
        }
        out.push(b'"');
    }

    /// Ends the record. `start` is where it began in the buffer: one that would be an empty line is an empty cell in
    /// quotes instead.
    pub(crate) fn end(&mut self, out: &mut Vec<u8>, start: usize) {
        if out.len() == start {
            out.extend_from_slice(b"\"\"");
        }
        self.cells = 0;
        out.extend_from_slice(self.dialect.line_end());
    }
}

/// True where a spreadsheet would take the text for a formula.
pub(crate) fn is_formula(text: &str) -> bool {
    matches!(text.as_bytes(), [b'=' | b'+' | b'-' | b'@', ..]) && number::form(text.as_bytes()).is_none()
}
