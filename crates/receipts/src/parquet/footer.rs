//! The footer of a Parquet file: columns, row groups and the positions of their bytes, as the file states them.

use crate::parquet::thrift::{FieldType, FieldVisit, Thrift};
use deed_model::ValueType;

/// Columns and chunks that are kept; a file with more is not read.
const MOST_CHUNKS: usize = 100_000;

/// The footer of a file.
#[derive(Default)]
pub(crate) struct Footer {
    pub(crate) rows: u64,
    pub(crate) columns: Vec<Field>,
    pub(crate) groups: Vec<Group>,
}

/// A column at the top level.
pub(crate) struct Field {
    pub(crate) name: String,
    pub(crate) of: ValueType,
    pub(crate) optional: bool,
    /// The number of its leaves in the schema.
    pub(crate) leaves: usize,
}

/// A row group.
#[derive(Default)]
pub(crate) struct Group {
    pub(crate) rows: u64,
    pub(crate) chunks: Vec<Chunk>,
}

/// One column of a row group.
#[derive(Default, Clone, Copy)]
pub(crate) struct Chunk {
    pub(crate) values: u64,
    pub(crate) nulls: Option<u64>,
    pub(crate) data_at: u64,
    pub(crate) dictionary_at: Option<u64>,
    pub(crate) packed: u64,
}

/// One element of the schema, before its parent is known.
#[derive(Default)]
struct Element {
    name: String,
    physical: Option<i64>,
    repetition: i64,
    children: u64,
    converted: Option<i64>,
    logical: Option<i64>,
}

/// Reads a footer; `None` if it is malformed.
pub(crate) fn read(bytes: &[u8]) -> Option<Footer> {
    let mut footer = Footer::default();
    let mut elements = Vec::new();
    let mut chunks = 0;
    Thrift::new(bytes).fields(|thrift, number, sort| {
        match (number, sort) {
            (2, FieldType::List) => each(thrift, |thrift| {
                elements.push(element(thrift)?);
                (elements.len() <= MOST_CHUNKS).then_some(())
            })?,
            (3, FieldType::Whole) => footer.rows = u64::try_from(thrift.whole()?).ok()?,
            (4, FieldType::List) => each(thrift, |thrift| {
                let group = group(thrift, &mut chunks)?;
                footer.groups.push(group);
                Some(())
            })?,
            _ => return Some(FieldVisit::Skip),
        }
        Some(FieldVisit::Read)
    })?;
    footer.columns = columns(&elements)?;
    Some(footer)
}

fn each(thrift: &mut Thrift<'_>, mut take: impl FnMut(&mut Thrift<'_>) -> Option<()>) -> Option<()> {
    let (count, of) = thrift.list()?;
    if of != FieldType::Struct {
        return None;
    }
    (0..count).try_for_each(|_| take(thrift))
}

fn element(thrift: &mut Thrift<'_>) -> Option<Element> {
    let mut element = Element::default();
    thrift.fields(|thrift, number, sort| {
        match (number, sort) {
            (1, FieldType::Whole) => element.physical = Some(thrift.whole()?),
            (3, FieldType::Whole) => element.repetition = thrift.whole()?,
            (4, FieldType::Binary) => element.name = crate::secret::named(thrift.binary()?, 128),
            (5, FieldType::Whole) => element.children = u64::try_from(thrift.whole()?).ok()?,
            (6, FieldType::Whole) => element.converted = Some(thrift.whole()?),
            (10, FieldType::Struct) => thrift.fields(|_, number, _| {
                element.logical = Some(number);
                Some(FieldVisit::Skip)
            })?,
            _ => return Some(FieldVisit::Skip),
        }
        Some(FieldVisit::Read)
    })?;
    Some(element)
}

fn group(thrift: &mut Thrift<'_>, chunks: &mut usize) -> Option<Group> {
    let mut group = Group::default();
    thrift.fields(|thrift, number, sort| {
        match (number, sort) {
            (1, FieldType::List) => each(thrift, |thrift| {
                *chunks += 1;
                group.chunks.push(chunk(thrift)?);
                (*chunks <= MOST_CHUNKS).then_some(())
            })?,
            (3, FieldType::Whole) => group.rows = u64::try_from(thrift.whole()?).ok()?,
            _ => return Some(FieldVisit::Skip),
        }
        Some(FieldVisit::Read)
    })?;
    Some(group)
}

fn chunk(thrift: &mut Thrift<'_>) -> Option<Chunk> {
    let mut chunk = Chunk::default();
    thrift.fields(|thrift, number, sort| {
        if (number, sort) != (3, FieldType::Struct) {
            return Some(FieldVisit::Skip);
        }
        thrift.fields(|thrift, number, sort| {
            match (number, sort) {
                (5, FieldType::Whole) => chunk.values = u64::try_from(thrift.whole()?).ok()?,
                (7, FieldType::Whole) => chunk.packed = u64::try_from(thrift.whole()?).ok()?,
                (9, FieldType::Whole) => chunk.data_at = u64::try_from(thrift.whole()?).ok()?,
                (11, FieldType::Whole) => chunk.dictionary_at = Some(u64::try_from(thrift.whole()?).ok()?),
                (12, FieldType::Struct) => thrift.fields(|thrift, number, sort| {
                    if (number, sort) != (3, FieldType::Whole) {
                        return Some(FieldVisit::Skip);
                    }
                    chunk.nulls = Some(u64::try_from(thrift.whole()?).ok()?);
                    Some(FieldVisit::Read)
                })?,
                _ => return Some(FieldVisit::Skip),
            }
            Some(FieldVisit::Read)
        })?;
        Some(FieldVisit::Read)
    })?;
    Some(chunk)
}

/// The columns at the top level, out of the schema in the order of a walk through it.
fn columns(elements: &[Element]) -> Option<Vec<Field>> {
    let (root, mut rest) = elements.split_first()?;
    let mut columns = Vec::new();
    for _ in 0..root.children {
        let (top, _) = rest.split_first()?;
        let mut leaves = 0;
        // Elements that are still expected below this one, itself included.
        let mut due = 1_u64;
        while due > 0 {
            let (next, after) = rest.split_first()?;
            rest = after;
            due = (due - 1).checked_add(next.children)?;
            leaves += usize::from(next.children == 0);
        }
        columns.push(Field { name: top.name.clone(), of: of(top), optional: top.repetition != 0, leaves });
    }
    rest.is_empty().then_some(columns)
}

fn of(element: &Element) -> ValueType {
    let list = element.repetition == 2 || element.logical == Some(3) || matches!(element.converted, Some(3));
    if list {
        return ValueType::Array;
    }
    if element.children > 0 {
        return ValueType::Object;
    }
    match (element.logical, element.converted, element.physical) {
        (Some(6), ..) | (None, Some(6), _) => ValueType::Date,
        (Some(8), ..) | (None, Some(9 | 10), _) | (_, _, Some(3)) => ValueType::Timestamp,
        (Some(5), ..) | (None, Some(5), _) => ValueType::Number,
        (Some(7), ..) | (None, Some(7 | 8), _) => ValueType::Text,
        (_, _, Some(0)) => ValueType::Boolean,
        (_, _, Some(1 | 2)) => ValueType::Integer,
        (_, _, Some(4 | 5)) => ValueType::Number,
        _ => ValueType::Text,
    }
}
