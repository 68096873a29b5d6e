//! The state of one column while its values pass.

use crate::secret::conceal;
use crate::table::distinct::Distinct;
use crate::table::range::Range;
use crate::table::unique::Unique;
use crate::table::value::Value;
use deed_diag::Invariant as _;
use deed_model::{ColumnSummary, ColumnType, Nullability, Uniqueness, ValueType};
use std::collections::BTreeMap;

const TYPES: [ValueType; 9] = [
    ValueType::Null,
    ValueType::Boolean,
    ValueType::Integer,
    ValueType::Number,
    ValueType::Date,
    ValueType::Timestamp,
    ValueType::Text,
    ValueType::Array,
    ValueType::Object,
];

const EVERY_TYPE: &str = "every type is counted";

/// One column.
pub(crate) struct Column {
    pub(crate) name: String,
    counts: [u64; TYPES.len()],
    range: Range,
    distinct: Distinct,
    unique: Unique,
}

impl Column {
    pub(crate) fn new(name: String, distinct: usize, unique_rows: usize) -> Self {
        Self {
            name,
            counts: [0; TYPES.len()],
            range: Range::default(),
            distinct: Distinct::new(distinct),
            unique: Unique::new(unique_rows),
        }
    }

    /// Takes a value, its literal and its hash. `pool` is the number of hashes that may still be kept.
    #[inline]
    pub(crate) fn see(&mut self, value: Value, written: &[u8], hash: u64, pool: &mut usize) {
        *self.counts.get_mut(value.value_type() as usize).invariant(EVERY_TYPE) += 1;
        if matches!(value, Value::Null) {
            self.unique.refute(pool);
            return;
        }
        self.distinct.see(hash);
        self.range.see(value, written);
        if self.range.is_ordered() {
            self.unique.keep(hash, pool);
        } else {
            self.unique.see(hash, pool);
        }
    }

    /// Takes a value that was seen before and is not null, so that it is neither new nor the smallest nor the largest.
    #[inline]
    pub(crate) fn see_again(&mut self, of: ValueType, hash: u64, pool: &mut usize) {
        *self.counts.get_mut(of as usize).invariant(EVERY_TYPE) += 1;
        self.range.see_again();
        if self.unique.is_open() {
            self.unique.see(hash, pool);
        }
    }

    fn count(&self, of: ValueType) -> u64 {
        *self.counts.get(of as usize).invariant(EVERY_TYPE)
    }

    /// The summary after `rows` rows.
    pub(crate) fn summary(&mut self, rows: u64) -> ColumnSummary {
        let types: BTreeMap<_, _> = TYPES.iter().map(|of| (*of, self.count(*of))).filter(|(_, n)| *n > 0).collect();
        let values: u64 = types.iter().filter(|(of, _)| **of != ValueType::Null).map(|(_, n)| n).sum();
        let missing = rows.saturating_sub(values);
        // Equal lists and objects can have different literals, so they are not compared.
        let nested = self.count(ValueType::Array) + self.count(ValueType::Object) > 0;
        let unique = if missing > 0 || nested {
            Uniqueness::NotUnique
        } else if rows == 0 {
            Uniqueness::Unknown
        } else if self.range.is_ordered() {
            Uniqueness::Unique
        } else {
            self.unique.verdict()
        };
        let mut distinct = (!nested).then(|| self.distinct.count(values));
        if let (Uniqueness::Unique, Some(distinct)) = (unique, &mut distinct) {
            *distinct = deed_model::DistinctCount { count: rows, precision: deed_model::Precision::Exact };
        }
        if self.count(ValueType::Text) > 0 {
            self.range.conceal_secrets(&self.name);
        }
        let (min, max) = self.range.extremes().unzip();
        let mut summary = ColumnSummary {
            name: self.name.clone(),
            inferred: inferred(&types),
            types,
            nullability: if missing > 0 { Nullability::Nullable } else { Nullability::NeverNull },
            missing,
            distinct,
            min,
            max,
            unique,
        };
        conceal(&mut summary);
        summary
    }
}

/// The one type of a column's values.
pub(crate) fn inferred(types: &BTreeMap<ValueType, u64>) -> ColumnType {
    let mut of: Vec<ValueType> = types.keys().copied().filter(|of| *of != ValueType::Null).collect();
    if of == [ValueType::Integer, ValueType::Number] {
        of = vec![ValueType::Number];
    }
    match of.as_slice() {
        [] => ColumnType::Null,
        [ValueType::Boolean] => ColumnType::Boolean,
        [ValueType::Integer] => ColumnType::Integer,
        [ValueType::Number] => ColumnType::Number,
        [ValueType::Date] => ColumnType::Date,
        [ValueType::Timestamp] => ColumnType::Timestamp,
        [ValueType::Text] => ColumnType::Text,
        [ValueType::Array] => ColumnType::Array,
        [ValueType::Object] => ColumnType::Object,
        _ => ColumnType::Mixed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_listed_in_the_order_of_their_numbers() {
        assert!(TYPES.iter().enumerate().all(|(i, of)| *of as usize == i));
    }
}
