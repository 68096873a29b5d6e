//! A table while its rows pass: columns, candidate keys, and their summary.
//!
//! Input: values with their hashes, column by column and row by row. Output: a summary. Memory is bounded by the limits
//! for any rows.

mod column;
mod distinct;
pub(crate) mod hash;
mod range;
mod unique;
pub(crate) mod value;

pub(crate) use column::{Column, inferred};

use crate::limits::InspectLimits;
use crate::secret::named;
use crate::table::unique::Unique;
use crate::table::value::Value;
use deed_diag::Invariant as _;
use deed_model::{CandidateKey, ColumnSummary, Coverage, TableSummary, Uniqueness, ValueType};

/// Bytes of tables that count distinct values, for all columns together.
const DISTINCT_BYTES: usize = 24 << 20;

/// Columns that count as many distinct values as the limits allow. A table of rows that name their columns can grow
/// wider at any time, so the later ones count fewer.
pub(crate) const FIRST_COLUMNS: usize = 96;

/// Distinct values that the later columns count exactly.
const LATER_DISTINCT: usize = 640;

/// The first columns, of which pairs are tried as keys.
const PAIRED: usize = 5;

/// Rows that are compared for each pair.
const PAIR_ROWS: usize = 100_000;

/// The maximum number of listed keys.
const MOST_KEYS: usize = 20;

/// Characters of a name that are shown.
const NAME: usize = 128;

/// The columns and rows of a table.
pub(crate) struct Table {
    columns: Vec<Column>,
    /// Columns that are only counted.
    beyond: u64,
    rows: u64,
    pool: usize,
    pairs: Vec<Pair>,
    /// Pairs that are decided, or for which there are too many rows.
    closed: Vec<Pair>,
    pair_pool: usize,
    /// The hashes of the first values of the row; `None` for a null.
    row: [Option<u64>; PAIRED],
    distinct: usize,
    /// The same for columns after the first ones, if their number was not known in advance.
    later_distinct: usize,
    unique_rows: usize,
    most: usize,
}

struct Pair {
    first: usize,
    second: usize,
    unique: Unique,
}

impl Table {
    /// Creates a table, with the number of columns if it is known before the rows.
    pub(crate) fn new(limits: &InspectLimits, columns: Option<usize>) -> Self {
        let slots = DISTINCT_BYTES / 8 / columns.unwrap_or(FIRST_COLUMNS).clamp(1, limits.columns.max(1));
        let mut pairs = Vec::new();
        for first in 0..PAIRED {
            for second in first + 1..PAIRED {
                pairs.push(Pair { first, second, unique: Unique::new(PAIR_ROWS) });
            }
        }
        // Tables have a power of two of slots, at most five eighths of them full.
        let slots: usize = 1 << slots.max(64).ilog2();
        let distinct = limits.distinct.min(slots * 5 / 8);
        Self {
            columns: Vec::new(),
            beyond: 0,
            rows: 0,
            pool: limits.unique_hashes,
            pair_pool: pairs.len() * PAIR_ROWS,
            pairs,
            closed: Vec::new(),
            row: [None; PAIRED],
            distinct,
            later_distinct: if columns.is_some() { distinct } else { distinct.min(LATER_DISTINCT) },
            unique_rows: limits.unique_rows,
            most: limits.columns,
        }
    }

    /// Distinct values that are counted exactly in each column.
    pub(crate) fn distinct_limit(&self) -> usize {
        self.distinct
    }

    /// Adds a column and returns its number; `None` if it is only counted.
    pub(crate) fn add(&mut self, name: &str) -> Option<usize> {
        if self.columns.len() >= self.most {
            self.beyond += 1;
            return None;
        }
        let distinct = if self.columns.len() < FIRST_COLUMNS { self.distinct } else { self.later_distinct };
        self.columns.push(Column::new(named(name.as_bytes(), NAME), distinct, self.unique_rows));
        Some(self.columns.len() - 1)
    }

    pub(crate) fn rows(&self) -> u64 {
        self.rows
    }

    pub(crate) fn width(&self) -> usize {
        self.columns.len()
    }

    pub(crate) fn name(&self, column: usize) -> &str {
        &self.columns.get(column).invariant("a column has a name").name
    }

    /// Takes the value of a column in the row that is being read.
    #[inline]
    pub(crate) fn see(&mut self, column: usize, value: Value, written: &[u8], hash: u64) {
        // Columns beyond the limit are only counted, and only the first are paired.
        if let Some(known) = self.columns.get_mut(column) {
            known.see(value, written, hash, &mut self.pool);
        }
        if let Some(slot) = self.row.get_mut(column) {
            *slot = (!matches!(value, Value::Null)).then_some(hash);
        }
    }

    /// Takes a value that the column has had before, of which only its type and its hash are needed.
    #[inline]
    pub(crate) fn see_again(&mut self, column: usize, of: ValueType, hash: u64) {
        if let Some(known) = self.columns.get_mut(column) {
            known.see_again(of, hash, &mut self.pool);
        }
        if let Some(slot) = self.row.get_mut(column) {
            *slot = Some(hash);
        }
    }

    /// Ends the row.
    #[inline]
    pub(crate) fn end_row(&mut self) {
        self.rows += 1;
        if !self.pairs.is_empty() {
            self.pair_up();
        }
        self.row = [None; PAIRED];
    }

    fn pair_up(&mut self) {
        let mut closed = false;
        for pair in &mut self.pairs {
            let value = |at: usize| self.row.get(at).copied().flatten();
            match (value(pair.first), value(pair.second)) {
                (Some(first), Some(second)) => pair.unique.see(hash::mix(first, second), &mut self.pair_pool),
                _ => pair.unique.refute(&mut self.pair_pool),
            }
            closed |= !pair.unique.is_open();
        }
        if closed {
            self.closed.extend(self.pairs.extract_if(.., |pair| !pair.unique.is_open()));
        }
    }

    /// The summary.
    pub(crate) fn summary(mut self, coverage: Coverage) -> TableSummary {
        let rows = self.rows;
        let columns: Vec<_> = self.columns.iter_mut().map(|column| column.summary(rows)).collect();
        let mut keys: Vec<(Vec<usize>, Uniqueness)> = Vec::new();
        if rows > 0 {
            let alone = |sort| columns.iter().enumerate().filter(move |(_, column)| column.unique == sort);
            keys.extend(alone(Uniqueness::Unique).map(|(at, _)| (vec![at], Uniqueness::Unique)));
            if keys.is_empty() {
                keys.extend(alone(Uniqueness::Unknown).map(|(at, _)| (vec![at], Uniqueness::Unknown)));
                keys.extend(self.paired(&columns, &keys));
            }
        }
        keys.truncate(MOST_KEYS);
        let name = |at: &usize| columns.get(*at).invariant("a key names columns").name.clone();
        let candidate_keys =
            keys.iter().map(|(at, unique)| CandidateKey { columns: at.iter().map(name).collect(), unique: *unique });
        TableSummary {
            coverage,
            rows,
            column_count: columns.len() as u64 + self.beyond,
            candidate_keys: candidate_keys.collect(),
            columns,
        }
    }

    /// The pairs that may be keys and have no column that may be one alone.
    fn paired(
        &mut self,
        columns: &[ColumnSummary],
        alone: &[(Vec<usize>, Uniqueness)],
    ) -> Vec<(Vec<usize>, Uniqueness)> {
        let mut keys: Vec<_> = self
            .pairs
            .iter_mut()
            .chain(&mut self.closed)
            .map(|pair| (vec![pair.first, pair.second], pair.unique.verdict()))
            // A null may come after a pair was closed.
            .filter(|(at, _)| at.iter().all(|at| columns.get(*at).is_some_and(|column| column.missing == 0)))
            .filter(|(at, verdict)| {
                *verdict != Uniqueness::NotUnique && !alone.iter().any(|(key, _)| key.iter().any(|k| at.contains(k)))
            })
            .collect();
        keys.sort_by(|(one, a), (other, b)| a.cmp(b).then_with(|| one.cmp(other)));
        keys
    }
}
