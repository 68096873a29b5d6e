//! The inspection of a table equals that of a slow and simple reader, also with repeated cells.

use crate::common::look;
use deed_model::{
    ArtifactFormat, CandidateKey, ColumnSummary, ColumnType, ContentSummary, Coverage, DistinctCount, Extreme,
    Nullability, ParseOutcome, Precision, TableSummary, Uniqueness, ValueType,
};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// Cells of every type, long ones, and some that are nearly something else.
const CELLS: [&str; 47] = [
    "",
    "0",
    "7",
    "-3",
    "10",
    "42",
    "007",
    "+1",
    "9007199254740993",
    "123456789012345678",
    "1234567890123456789012",
    "0.5",
    "-1.25",
    "2.50",
    "1e9",
    "1.5E-3",
    "12345678901234567.5",
    "1.",
    ".5",
    "1.2.3",
    "-",
    "--1",
    "00.5",
    "-0.25",
    "2024-02-29",
    "2023-02-29",
    "2024-01-31",
    "2024-01-31T10:00:00Z",
    "2024-01-31 10:00",
    "true",
    "FALSE",
    "truth",
    "a",
    "b",
    "ab",
    "abcdefgh",
    "abcdefghi",
    "abcdefghijklmnop",
    "abcdefghijklmnopq",
    "Zoë",
    "ö",
    "a text of thirty-two bytes, all.",
    "a text of thirty-three bytes, all",
    "said \"hi\"",
    "two\nlines",
    "a,b\tc",
    " ",
];

/// The cells of a column: all of them, or those of one kind, or a number of its own in each row, also with the last
/// but one standing twice.
#[derive(Debug, Clone, Copy)]
enum Pool {
    From(usize, usize),
    Counted,
    LastTwice,
}

fn pool() -> impl Strategy<Value = Pool> {
    prop_oneof![
        Just(Pool::From(0, CELLS.len())),
        Just(Pool::From(1, 6)),
        Just(Pool::From(1, 17)),
        Just(Pool::From(24, 29)),
        Just(Pool::From(31, CELLS.len())),
        (0..CELLS.len()).prop_map(|at| Pool::From(at, at + 1)),
        Just(Pool::Counted),
        Just(Pool::LastTwice),
    ]
}

fn type_of(cell: &str) -> ValueType {
    let all_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_whole = |text: &str| all_digits(text) && (text == "0" || !text.starts_with('0'));
    let (mantissa, power) = match cell.split_once(['e', 'E']) {
        Some((mantissa, power)) => (mantissa, Some(power.strip_prefix(['+', '-']).unwrap_or(power))),
        None => (cell, None),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    if cell.is_empty() {
        ValueType::Null
    } else if is_whole(cell.strip_prefix('-').unwrap_or(cell)) {
        ValueType::Integer
    } else if is_whole(whole.strip_prefix('-').unwrap_or(whole))
        && fraction.is_none_or(all_digits)
        && power.is_none_or(all_digits)
    {
        ValueType::Number
    } else if ["2024-02-29", "2024-01-31"].contains(&cell) {
        ValueType::Date
    } else if cell.starts_with("2024-01-31") {
        ValueType::Timestamp
    } else if ["true", "FALSE"].contains(&cell) {
        ValueType::Boolean
    } else {
        ValueType::Text
    }
}

fn shown(cell: &str, of: ValueType) -> Extreme {
    match cell.parse::<i64>() {
        Ok(value) if of == ValueType::Integer && value.abs() < 1 << 53 => Extreme::Integer(value),
        _ if matches!(of, ValueType::Integer | ValueType::Number) => Extreme::Number(cell.to_owned()),
        _ => Extreme::Text(cell.replace(['\n', '\t'], " ")),
    }
}

fn extremes(cells: &[&str], types: &BTreeMap<ValueType, u64>) -> Option<(Extreme, Extreme)> {
    let all = |of: &[ValueType]| types.keys().all(|known| *known == ValueType::Null || of.contains(known));
    let values = || cells.iter().copied().filter(|cell| !cell.is_empty());
    let first = values().next()?;
    if all(&[ValueType::Integer, ValueType::Number]) {
        let of = |cell: &str| match cell.parse::<i64>() {
            // Whole numbers of up to 18 digits alone are compared as such.
            Ok(value) if cell.trim_start_matches('-').len() <= 18 => (Some(value), value as f64),
            _ => (None, cell.parse::<f64>().unwrap()),
        };
        let exact = values().all(|cell| of(cell).0.is_some());
        let less = |one: &str, other: &str| if exact { of(one).0 < of(other).0 } else { of(one).1 < of(other).1 };
        let min = values().fold(first, |min, cell| if less(cell, min) { cell } else { min });
        let max = values().fold(first, |max, cell| if less(max, cell) { cell } else { max });
        let of = if exact { ValueType::Integer } else { ValueType::Number };
        return Some((shown(min, of), shown(max, of)));
    }
    all(&[ValueType::Text, ValueType::Date, ValueType::Timestamp])
        .then(|| (shown(values().min().unwrap(), ValueType::Text), shown(values().max().unwrap(), ValueType::Text)))
}

fn column(name: &str, cells: &[&str]) -> ColumnSummary {
    let mut types = BTreeMap::new();
    for cell in cells {
        *types.entry(type_of(cell)).or_default() += 1;
    }
    let missing = types.get(&ValueType::Null).copied().unwrap_or(0);
    let different: BTreeSet<_> = cells.iter().filter(|cell| !cell.is_empty()).collect();
    let kinds: Vec<_> = types.keys().copied().filter(|of| *of != ValueType::Null).collect();
    let inferred = match kinds.as_slice() {
        [] => ColumnType::Null,
        [ValueType::Boolean] => ColumnType::Boolean,
        [ValueType::Integer] => ColumnType::Integer,
        [ValueType::Number] | [ValueType::Integer, ValueType::Number] => ColumnType::Number,
        [ValueType::Date] => ColumnType::Date,
        [ValueType::Timestamp] => ColumnType::Timestamp,
        [ValueType::Text] => ColumnType::Text,
        _ => ColumnType::Mixed,
    };
    let unique = match different.len() == cells.len() {
        _ if cells.is_empty() => Uniqueness::Unknown,
        true => Uniqueness::Unique,
        false => Uniqueness::NotUnique,
    };
    let (min, max) = extremes(cells, &types).unzip();
    ColumnSummary {
        name: name.to_owned(),
        inferred,
        types,
        nullability: if missing > 0 { Nullability::Nullable } else { Nullability::NeverNull },
        missing,
        distinct: Some(DistinctCount { count: different.len() as u64, precision: Precision::Exact }),
        min,
        max,
        unique,
    }
}

fn keys(columns: &[ColumnSummary], cells: &[Vec<&str>]) -> Vec<CandidateKey> {
    let key = |at: &[usize]| CandidateKey {
        columns: at.iter().map(|at| columns[*at].name.clone()).collect(),
        unique: Uniqueness::Unique,
    };
    let alone: Vec<_> =
        (0..columns.len()).filter(|at| columns[*at].unique == Uniqueness::Unique).map(|at| key(&[at])).collect();
    if !alone.is_empty() || cells[0].is_empty() {
        return alone;
    }
    let mut pairs = Vec::new();
    for first in 0..columns.len() {
        for second in first + 1..columns.len() {
            let rows: BTreeSet<_> = cells[first].iter().zip(&cells[second]).collect();
            let complete = columns[first].missing + columns[second].missing == 0;
            if complete && rows.len() == cells[first].len() {
                pairs.push(key(&[first, second]));
            }
        }
    }
    pairs
}

/// A cell as it is written, in quotes where it must be or `quoted` says so.
fn written(cell: &str, quoted: bool, alone: bool) -> String {
    let must = cell.contains(['"', '\n', ',', '\t']) || alone && cell.is_empty();
    if quoted || must { format!("\"{}\"", cell.replace('"', "\"\"")) } else { cell.to_owned() }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, ..ProptestConfig::default() })]
    #[test]
    fn a_simple_reader_agrees(
        pools in prop::collection::vec(pool(), 1..5),
        rows in prop_oneof![0..20_usize, 990..2_500_usize],
        seed: u64,
        tabs: bool,
        end in prop::sample::select(vec!["\n", "\r\n"]),
    ) {
        let (format, delimiter) = if tabs { (ArtifactFormat::Tsv, "\t") } else { (ArtifactFormat::Csv, ",") };
        let mut state = seed;
        let mut next = |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % below
        };
        let numbers: Vec<String> = (0..rows).map(|row| row.to_string()).collect();
        let mut cells: Vec<Vec<&str>> = vec![Vec::new(); pools.len()];
        let names: Vec<String> = (0..pools.len()).map(|at| format!("c{at}")).collect();
        let mut text = names.join(delimiter) + end;
        for (row, number) in numbers.iter().enumerate() {
            let mut line = Vec::new();
            for (pool, column) in pools.iter().zip(&mut cells) {
                let cell = match pool {
                    Pool::From(from, to) => CELLS[from + next(to - from)],
                    Pool::Counted => number,
                    Pool::LastTwice => &numbers[row.min(rows.saturating_sub(2))],
                };
                column.push(cell);
                line.push(written(cell, next(8) == 0, pools.len() == 1));
            }
            text += &(line.join(delimiter) + end);
        }
        let found = look(&text, Some(format));
        let columns: Vec<_> = names.iter().zip(&cells).map(|(name, cells)| column(name, cells)).collect();
        let expected = TableSummary {
            coverage: Coverage::Complete,
            rows: rows as u64,
            column_count: columns.len() as u64,
            candidate_keys: keys(&columns, &cells),
            columns,
        };
        prop_assert_eq!(found.parse, ParseOutcome::Parses);
        prop_assert_eq!(found.summary, ContentSummary::Table(expected));
    }
}
