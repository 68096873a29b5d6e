//! Limits of an adapter: input, memory and output.

/// Limits that every adapter counts against while it runs; sizes that a file declares are not trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of one input.
    pub input_bytes: u64,
    /// Bytes of the output, and of everything an archive inflates to.
    pub output_bytes: u64,
    /// Rows of a table.
    pub rows: u64,
    /// Columns of a table.
    pub columns: usize,
    /// Bytes of one row as it is written.
    pub row_bytes: usize,
    /// Bytes of one cell as it is written.
    pub cell_bytes: usize,
    /// Bytes that are held at once where a table cannot be streamed: the groups of an aggregation, the second
    /// table of a join, a whole document, one row group of a Parquet file.
    pub held_bytes: usize,
    /// Entries of an archive.
    pub entries: usize,
    /// Inflated bytes of one entry of an archive.
    pub entry_bytes: u64,
    /// The highest ratio of an entry to its compressed form, checked once it has inflated to 1 MiB.
    pub ratio: u64,
    /// Levels of nesting in JSON; never more than 128.
    pub depth: usize,
}

impl Default for Limits {
    /// 1 GiB in, 4 GiB out, 10 million rows of 2,000 columns, rows of 16 MiB, cells of 4 MiB, 512 MiB held,
    /// 10,000 entries of 512 MiB, ratio 200, depth 128.
    fn default() -> Self {
        Self {
            input_bytes: 1 << 30,
            output_bytes: 4 << 30,
            rows: 10_000_000,
            columns: 2_000,
            row_bytes: 16 << 20,
            cell_bytes: 4 << 20,
            held_bytes: 512 << 20,
            entries: 10_000,
            entry_bytes: 512 << 20,
            ratio: 200,
            depth: deed_canon::MAX_DEPTH,
        }
    }
}
