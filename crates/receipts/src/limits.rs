//! The limits of one inspection.

/// Limits of one inspection. With the defaults it takes less than 100 MB of memory for any artifact.
///
/// The largest parts are: 24 MB of hashes that compare rows, 8 MB for pairs of columns, 24 MB for counts of distinct
/// values, 4 MB of recent cells, and twice the longest row. Growing such a part takes half as much
/// again for a moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InspectLimits {
    /// Columns that are summarised; the others are counted.
    pub columns: usize,
    /// Cells of one row; a wider table is not checked.
    pub cells: usize,
    /// Bytes of one row of CSV or TSV; a table with a longer one is not checked.
    pub row_bytes: usize,
    /// Bytes of a document that is held whole: YAML, HTML, the footer of Parquet.
    pub document_bytes: usize,
    /// Distinct values that are counted exactly, for each column; fewer if there are many columns.
    pub distinct: usize,
    /// Rows that are compared to find keys, for each column.
    pub unique_rows: usize,
    /// Hashes that all columns together hold to find keys.
    pub unique_hashes: usize,
    /// Levels of nesting.
    pub depth: usize,
    /// Entries of an archive that are read.
    pub entries: u64,
}

impl Default for InspectLimits {
    /// 2,000 columns, 200,000 cells and 8 MiB in a row, documents of 8 MiB, 10,000 distinct values, 2 million rows,
    /// 3 million hashes, depth 128, 100,000 entries.
    fn default() -> Self {
        Self {
            columns: 2_000,
            cells: 200_000,
            row_bytes: 8 << 20,
            document_bytes: 8 << 20,
            distinct: 10_000,
            unique_rows: 2_000_000,
            unique_hashes: 3_000_000,
            depth: deed_canon::MAX_DEPTH,
            entries: 100_000,
        }
    }
}
