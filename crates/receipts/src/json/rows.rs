//! Objects as rows: the mapping of keys to columns.

use crate::context::InspectContext;
use crate::limits::InspectLimits;
use crate::table::hash::{hash, mix};
use crate::table::value::Value;
use crate::table::{FIRST_COLUMNS, Table};
use deed_diag::Invariant as _;
use deed_model::{Coverage, TableSummary};
use std::collections::HashMap;

/// The number of keys that are distinguished; columns beyond it are counted as one.
const MOST_KEYS: usize = 200_000;

/// Whole numbers below this are compared as such, so `1`, `1.0` and `1e0` are one value.
const WHOLE: f64 = 1e18;

/// Distinguishes numbers from texts with the same characters.
const NUMBER: u64 = 0x5bd1_e995_7f4a_7c15;

/// The rows of a list of objects.
pub(crate) struct Rows {
    table: Option<Table>,
    columns: HashMap<u64, Option<usize>>,
    order: Vec<u64>,
    /// The column that comes next if this row is like the one before.
    next: usize,
    unlisted: bool,
}

impl Rows {
    pub(crate) fn new(limits: &InspectLimits) -> Self {
        let table = Some(Table::new(limits, None));
        Self { table, columns: HashMap::new(), order: Vec::new(), next: 0, unlisted: false }
    }

    /// The column of a key.
    pub(crate) fn column(&mut self, key: &[u8], key_hash: u64) -> Option<usize> {
        let table = self.table.as_mut()?;
        if self.order.get(self.next) == Some(&key_hash) {
            self.next += 1;
            return Some(self.next - 1);
        }
        let column = match self.columns.get(&key_hash) {
            Some(known) => *known,
            None if self.columns.len() >= MOST_KEYS => {
                self.unlisted = true;
                None
            }
            None => {
                let column = table.add(&String::from_utf8_lossy(key));
                self.columns.insert(key_hash, column);
                if column.is_some() {
                    self.order.push(key_hash);
                }
                column
            }
        };
        self.next = column.map_or(0, |column| column + 1);
        column
    }

    pub(crate) fn name(&self, column: usize) -> &str {
        self.table.as_ref().invariant("a column belongs to a table").name(column)
    }

    /// Takes a value of the row.
    pub(crate) fn see(&mut self, column: usize, value: Value, written: &[u8], text_hash: u64) {
        let hash = match value {
            Value::Integer(whole) => mix(NUMBER, hash(&whole.to_le_bytes())),
            Value::Number(number) if number.get().fract() == 0.0 && number.get().abs() < WHOLE => {
                mix(NUMBER, hash(&(number.get() as i64).to_le_bytes()))
            }
            // Two literals of one double count as one value, so that no key is claimed that a reader would not find.
            Value::Wide(number) | Value::Number(number) => mix(NUMBER ^ 1, hash(&number.get().to_bits().to_le_bytes())),
            Value::Boolean => mix(NUMBER ^ 2, text_hash),
            Value::Null | Value::Date | Value::Timestamp | Value::Text | Value::Array | Value::Object => text_hash,
        };
        self.table.as_mut().invariant("a column belongs to a table").see(column, value, written, hash);
    }

    pub(crate) fn end_row(&mut self) {
        self.next = 0;
        if let Some(table) = &mut self.table {
            table.end_row();
        }
    }

    /// Records that an item is not an object, so the items are not rows.
    pub(crate) fn refute(&mut self) {
        self.table = None;
    }

    pub(crate) fn holds(&self) -> bool {
        self.table.is_some()
    }

    pub(crate) fn note(&self, context: &mut InspectContext<'_>) {
        if self.order.len() > FIRST_COLUMNS {
            context.note(format!("columns after the first {FIRST_COLUMNS} count fewer distinct values exactly"));
        }
        if self.columns.len() > self.order.len() {
            context.note(format!("columns after the first {} are counted and not summarised", self.order.len()));
        }
        if self.unlisted {
            context.note(format!("the rows have more than {MOST_KEYS} different keys, and not all were counted"));
        }
    }

    pub(crate) fn summary(self, coverage: Coverage) -> TableSummary {
        self.table.invariant("only rows are summarised as a table").summary(coverage)
    }
}
