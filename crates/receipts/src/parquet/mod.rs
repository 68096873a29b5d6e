//! Parquet: the untrusted footer first, then the rows, if they fit in memory.
//!
//! Input: the artifact itself, with random access. Output: the parse outcome and the summary of its table. The rows are
//! read as adapters read them. A file whose row groups or pages are too large is summarised by its footer alone, and the
//! summary says so.

mod footer;
mod pages;
mod rows;
mod thrift;

use crate::context::{FormatReport, InspectContext, at_offset, fails, not_checked};
use crate::inspect::ReadSeek;
use crate::table::inferred;
use deed_model::{
    ColumnSummary, ContentSummary, Coverage, Nullability, ParseOutcome, TableSummary, Uniqueness, ValueType,
};
use footer::{Field, Footer};
use std::collections::BTreeMap;
use std::io::{self, Read, SeekFrom};

/// The length of the footer, and the mark.
const TAIL: u64 = 8;

/// The largest count that every JSON reader reads alike.
const MAX_SAFE: u64 = (1 << 53) - 1;

/// Inspects a file of `bytes` bytes.
pub(crate) fn inspect(
    input: &mut dyn ReadSeek,
    bytes: u64,
    context: &mut InspectContext<'_>,
) -> io::Result<FormatReport> {
    let footer = match find(input, bytes, context.limits.document_bytes)? {
        Ok(footer) => footer,
        Err(outcome) => return Ok(FormatReport::opaque(outcome)),
    };
    let rows: u64 = footer.groups.iter().fold(0, |all, group| group.rows.saturating_add(all));
    let leaves: usize = footer.columns.iter().map(|column| column.leaves).sum();
    if rows != footer.rows || rows > MAX_SAFE {
        return Ok(FormatReport::opaque(fails(
            at_offset(bytes - TAIL),
            "the row groups do not have the rows that the file states",
        )));
    }
    if footer.groups.iter().any(|group| group.chunks.len() != leaves) {
        return Ok(FormatReport::opaque(fails(at_offset(bytes - TAIL), "a row group does not have all columns")));
    }
    let refusal = match pages::check(input, bytes, &footer)? {
        Ok(()) => match rows::inspect(input, context)? {
            report @ FormatReport { parse: ParseOutcome::Parses, .. } => return Ok(report),
            report => report.parse,
        },
        Err(outcome) => outcome,
    };
    context.note("the table is summed up by what its footer states, not by its rows");
    Ok(FormatReport { parse: refusal, summary: ContentSummary::Table(declared(&footer, context)) })
}

/// Finds the footer and reads it.
fn find(input: &mut dyn ReadSeek, bytes: u64, most: usize) -> io::Result<Result<Footer, ParseOutcome>> {
    if bytes < TAIL + 4 {
        return Ok(Err(fails(at_offset(bytes), "the file is too short to be Parquet")));
    }
    let mut tail = [0; TAIL as usize];
    input.seek(SeekFrom::Start(bytes - TAIL))?;
    input.read_exact(&mut tail)?;
    let [a, b, c, d, mark @ ..] = tail;
    if &mark == b"PARE" {
        return Ok(Err(not_checked("the file is encrypted")));
    }
    if &mark != b"PAR1" {
        return Ok(Err(fails(at_offset(bytes - 4), "the file does not end as Parquet does")));
    }
    let length = u64::from(u32::from_le_bytes([a, b, c, d]));
    let Some(start) = (bytes - TAIL).checked_sub(length).filter(|start| *start >= 4) else {
        return Ok(Err(fails(at_offset(bytes - TAIL), "the footer is longer than the file")));
    };
    if length > most as u64 {
        return Ok(Err(not_checked(format!("the footer has more than {most} bytes"))));
    }
    input.seek(SeekFrom::Start(start))?;
    let mut footer = Vec::new();
    input.take(length).read_to_end(&mut footer)?;
    Ok(footer::read(&footer).ok_or_else(|| fails(at_offset(start), "the footer cannot be read")))
}

/// The summary that the footer gives.
fn declared(footer: &Footer, context: &mut InspectContext<'_>) -> TableSummary {
    let most = context.limits.columns;
    if footer.columns.len() > most {
        context.note(format!("columns after the first {most} are counted and not summarised"));
    }
    let mut leaf = 0;
    let columns = footer.columns.iter().map(|field| {
        let first = leaf;
        leaf += field.leaves;
        column(footer, field, first)
    });
    TableSummary {
        coverage: Coverage::Declared,
        rows: footer.rows,
        column_count: footer.columns.len() as u64,
        columns: columns.take(most).collect(),
        candidate_keys: Vec::new(),
    }
}

fn column(footer: &Footer, field: &Field, leaf: usize) -> ColumnSummary {
    let nulls = footer.groups.iter().try_fold(0_u64, |all, group| {
        group.chunks.get(leaf).and_then(|chunk| chunk.nulls).map(|nulls| all.saturating_add(nulls))
    });
    let flat = field.leaves == 1 && !matches!(field.of, ValueType::Array | ValueType::Object);
    let missing = match nulls {
        _ if !field.optional => Some(0),
        Some(nulls) if flat => Some(nulls.min(footer.rows)),
        _ => None,
    };
    let values = footer.rows - missing.unwrap_or(0);
    let mut types = BTreeMap::new();
    types.insert(field.of, values);
    if let Some(missing @ 1..) = missing {
        types.insert(ValueType::Null, missing);
    }
    types.retain(|_, count| *count > 0);
    ColumnSummary {
        name: field.name.clone(),
        inferred: inferred(&BTreeMap::from([(field.of, 1)])),
        types,
        nullability: match missing {
            Some(0) => Nullability::NeverNull,
            Some(_) => Nullability::Nullable,
            None => Nullability::Unknown,
        },
        missing: missing.unwrap_or(0),
        distinct: None,
        min: None,
        max: None,
        unique: Uniqueness::Unknown,
    }
}
