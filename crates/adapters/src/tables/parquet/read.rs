//! `parquet_to_json_rows.v1`.
//!
//! What enters is a Parquet file with flat columns; what leaves is an object for each row. Dates and instants become
//! text, decimals keep all their digits. Null stays null, unless the row schema says that the column is optional and
//! never null: then it is absent. A number that not every reader reads alike is refused, unless the row schema says
//! that its column is text. One row group is held at a time.

use crate::adapter::{Adapted, Input, only};
use crate::columns::{Column, RowType, Type};
use crate::error::{AdapterError, ErrorKind, Place, quote};
use crate::note::{NoteKind, Notes};
use crate::number;
use crate::rows::{RowWriter, put_string};
use crate::settings::Settings;
use crate::tables::parquet::shape::{self, As, Shape, Unfit};
use crate::tables::parquet::source::{Source, corrupt};
use crate::tables::parquet::store::Batch;
use parquet::column::page::PageReader;
use parquet::file::metadata::{ParquetMetaData, RowGroupMetaData};
use parquet::file::serialized_reader::SerializedPageReader;
use parquet::schema::types::ColumnDescPtr;
use std::collections::HashSet;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// Rows that are decoded together.
const BATCH: usize = 1024;

/// A column as it is written.
struct Plan {
    name: String,
    key: Vec<u8>,
    shape: Shape,
    as_: As,
    drop_null: bool,
    descriptor: ColumnDescPtr,
}

pub(crate) fn run(
    inputs: &mut [&mut dyn Input],
    output: &mut dyn Write,
    settings: &Settings<'_>,
) -> Result<Adapted, AdapterError> {
    let input = only(inputs)?;
    // The decoder of pages is not ours, and damaged files have made it panic before. A panic is a refusal here; what
    // was written is thrown away by the caller, as after every error.
    catch_unwind(AssertUnwindSafe(|| read(input, output, settings)))
        .unwrap_or_else(|_| Err(corrupt("the file is damaged in a way that stopped its decoder")))
}

fn read(input: &mut dyn Input, output: &mut dyn Write, settings: &Settings<'_>) -> Result<Adapted, AdapterError> {
    let mut notes = Notes::default();
    let mut source = Source::open(input, &settings.limits)?;
    let metadata = source.metadata()?;
    let plans = plans(&metadata, settings, &mut notes)?;
    let mut rows: u64 = 0;
    for group in metadata.row_groups() {
        let count = u64::try_from(group.num_rows()).map_err(|_| corrupt("a row group with less than no rows"))?;
        rows = rows.saturating_add(count);
    }
    if rows > settings.limits.rows {
        return Err(AdapterError::limit(format_args!("{} rows", settings.limits.rows)));
    }
    let mut writer = RowWriter::new(output, settings.limits.output_bytes);
    let mut first = 1;
    for group in metadata.row_groups() {
        read_group(&mut source, group, &plans, &mut writer, first, settings)?;
        first += u64::try_from(group.num_rows()).unwrap_or(0);
    }
    let (out, rows) = writer.close();
    out.finish(Some(rows), notes)
}

fn plans(metadata: &ParquetMetaData, settings: &Settings<'_>, notes: &mut Notes) -> Result<Vec<Plan>, AdapterError> {
    let row_type = RowType::read(settings.row)?;
    let schema = metadata.file_metadata().schema_descr();
    if schema.num_columns() > settings.limits.columns {
        return Err(AdapterError::limit(format_args!("{} columns", settings.limits.columns)));
    }
    let mut names = HashSet::new();
    let plans: Vec<Plan> = schema
        .columns()
        .iter()
        .map(|descriptor| {
            let plan = plan(descriptor, &row_type, notes)?;
            if names.insert(plan.name.clone()) {
                return Ok(plan);
            }
            Err(AdapterError::new(ErrorKind::Header, format!("two columns are called {}", quote(&plan.name))))
        })
        .collect::<Result<_, AdapterError>>()?;
    match row_type.names().find(|(name, column)| column.required && !names.contains(*name)) {
        Some((name, _)) => {
            let message = format!("the required column {} is not in the file", quote(name));
            Err(AdapterError::new(ErrorKind::Header, message))
        }
        None => Ok(plans),
    }
}

fn plan(descriptor: &ColumnDescPtr, row_type: &RowType, notes: &mut Notes) -> Result<Plan, AdapterError> {
    let name = descriptor.path().parts().first().cloned().unwrap_or_default();
    let place = || Place::default().in_column(&name);
    let flat = descriptor.path().parts().len() == 1 && descriptor.max_rep_level() == 0;
    if !flat || descriptor.max_def_level() > 1 {
        let message = "a column with parts of its own (a list, map or group)";
        return Err(AdapterError::new(ErrorKind::Nested, message).at(place()).help("flatten it before"));
    }
    let Some(shape) = shape::shape(descriptor) else {
        let message = "a column of a type that is not read";
        return Err(AdapterError::new(ErrorKind::Unsupported, message).at(place()));
    };
    if shape == Shape::Bytes {
        notes.add(NoteKind::BytesAsText, place);
    }
    let column = row_type.column(&name).map_err(|error| error.at(place()))?;
    let numeric = matches!(shape, Shape::Signed | Shape::Unsigned | Shape::Float | Shape::Decimal { .. });
    let as_ = if numeric && column.of == Type::Text { As::Text } else { As::Number };
    if as_ == As::Text {
        notes.add(NoteKind::NumberAsText, place);
    }
    let drop_null = row_type.given && matches!(column, Column { required: false, nullable: false, .. });
    let mut key = Vec::new();
    put_string(&mut key, &name);
    key.push(b':');
    Ok(Plan { name, key, shape, as_, drop_null, descriptor: descriptor.clone() })
}

fn read_group(
    source: &mut Source<'_>,
    group: &RowGroupMetaData,
    plans: &[Plan],
    writer: &mut RowWriter<'_>,
    first: u64,
    settings: &Settings<'_>,
) -> Result<(), AdapterError> {
    let rows = usize::try_from(group.num_rows()).map_err(|_| corrupt("a row group with less than no rows"))?;
    if group.columns().len() != plans.len() {
        return Err(corrupt("a row group without all columns"));
    }
    let mut held: u64 = 0;
    let mut batches = Vec::with_capacity(plans.len());
    for (chunk, plan) in group.columns().iter().zip(plans) {
        held = held.saturating_add(u64::try_from(chunk.compressed_size()).unwrap_or(u64::MAX));
        if held > settings.limits.held_bytes as u64 {
            return Err(AdapterError::limit(format_args!("{} bytes in a row group", settings.limits.held_bytes)));
        }
        let bytes = Arc::new(source.chunk(chunk)?);
        let pages = SerializedPageReader::new(bytes, chunk, rows, None).map_err(|_| unread(&plan.name))?;
        let pages: Box<dyn PageReader> = Box::new(pages);
        batches.push(Batch::new(plan.descriptor.clone(), pages));
    }
    let mut done = 0;
    while done < rows {
        let wanted = BATCH.min(rows - done);
        for (batch, plan) in batches.iter_mut().zip(plans) {
            batch.fill(wanted).ok_or_else(|| unread(&plan.name))?;
        }
        for row in 0..wanted {
            let number = first + (done + row) as u64;
            put_row(writer.begin(), &mut batches, plans, row, number)?;
            writer.end()?;
        }
        done += wanted;
    }
    Ok(())
}

fn put_row(
    out: &mut Vec<u8>,
    batches: &mut [Batch],
    plans: &[Plan],
    row: usize,
    number: u64,
) -> Result<(), AdapterError> {
    let mut comma = false;
    for (batch, plan) in batches.iter_mut().zip(plans) {
        let null = batch.is_null(row);
        if null && plan.drop_null {
            continue;
        }
        if comma {
            out.push(b',');
        }
        comma = true;
        out.extend_from_slice(&plan.key);
        if null {
            out.extend_from_slice(b"null");
        } else {
            let place = || Place::row(number).in_column(&plan.name);
            batch.put(out, plan.shape, plan.as_).map_err(|unfit| refusal(unfit, place()))?;
        }
    }
    Ok(())
}

fn unread(name: &str) -> AdapterError {
    corrupt("the values of a column cannot be decoded").at(Place::default().in_column(name))
}

fn refusal(unfit: Unfit, place: Place) -> AdapterError {
    match unfit {
        Unfit::Number => number::refusal("…", place),
        Unfit::Time => AdapterError::new(ErrorKind::Type, "a date or time beyond what text can say").at(place),
        Unfit::Text => AdapterError::new(ErrorKind::Encoding, "bytes that are not UTF-8").at(place),
    }
}
