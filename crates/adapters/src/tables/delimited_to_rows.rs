//! `csv_to_json_rows.v1`, `tsv_to_json_rows.v1`.
//!
//! What enters is a table with a header; what leaves is an object for each record, cells typed by the row schema.
//! An empty cell is absent where its column is optional, null where it is required and may be null, empty text where
//! it is required text, and otherwise refused. Without a schema every cell is text.

use crate::adapter::{Adapted, only};
use crate::columns::{Column, RowType, Type};
use crate::delimited::{Dialect, OTHER_DELIMITER, Record, Records};
use crate::error::{AdapterError, ErrorKind, Place, quote};
use crate::note::{NoteKind, Notes};
use crate::number::{self, Form};
use crate::rows::{RowWriter, Stamp, put_part, put_string};
use crate::settings::Settings;
use deed_table::Input;
use deed_table::cells::{Form as CellForm, Span};
use deed_table::date;
use std::io::Write;

pub(crate) fn csv(
    inputs: &mut [&mut dyn Input],
    output: &mut dyn Write,
    settings: &Settings<'_>,
) -> Result<Adapted, AdapterError> {
    run(only(inputs)?, output, settings, Dialect::Csv)
}

pub(crate) fn tsv(
    inputs: &mut [&mut dyn Input],
    output: &mut dyn Write,
    settings: &Settings<'_>,
) -> Result<Adapted, AdapterError> {
    run(only(inputs)?, output, settings, Dialect::Tsv)
}

/// A column, and its key as it stands in every row: alone, and with a comma before it.
struct Keyed {
    name: String,
    first: Stamp,
    later: Stamp,
    column: Column,
}

fn run(
    input: &mut dyn Input,
    output: &mut dyn Write,
    settings: &Settings<'_>,
    dialect: Dialect,
) -> Result<Adapted, AdapterError> {
    let row_type = RowType::read(settings.row)?;
    let mut notes = Notes::default();
    let mut records = Records::open(input, dialect, &settings.limits, &mut notes)?;
    let columns =
        keyed(&records.header, &row_type, &mut notes).map_err(|error| match dialect.mistaken(&records.header) {
            Some(_) => error.help(OTHER_DELIMITER),
            None => error,
        })?;
    let mut writer = RowWriter::new(output, settings.limits.output_bytes);
    records.each(&mut notes, |record, _| {
        let out = writer.begin();
        let mut first = true;
        for (span, keyed) in record.spans.iter().zip(&columns) {
            if span.start == span.end && empty(keyed, record)? == Empty::Absent {
                continue;
            }
            let key = if first { &keyed.first } else { &keyed.later };
            first = false;
            key.put(out);
            put(out, keyed, span, record)?;
        }
        writer.end()
    })?;
    let (out, rows) = writer.close();
    out.finish(Some(rows), notes)
}

fn keyed(header: &[String], row_type: &RowType, notes: &mut Notes) -> Result<Vec<Keyed>, AdapterError> {
    for (name, column) in row_type.names() {
        if column.required && !header.iter().any(|known| known == name) {
            let message = format!("the required column {} is not in the header", quote(name));
            return Err(AdapterError::new(ErrorKind::Header, message).at(Place::line(1)));
        }
    }
    header
        .iter()
        .map(|name| {
            let column = row_type.column(name).map_err(|error| error.at(Place::line(1)))?;
            if row_type.given && row_type.get(name).is_none() {
                notes.column(NoteKind::UntypedColumn, name, || Place::line(1).in_column(name));
            }
            let mut key = Vec::new();
            put_string(&mut key, name);
            key.push(b':');
            let later = Stamp::new(&[b",", key.as_slice()].concat());
            Ok(Keyed { name: name.clone(), first: Stamp::new(&key), later, column })
        })
        .collect()
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Empty {
    Absent,
    Value,
}

/// The meaning of an empty cell in a column.
fn empty(keyed: &Keyed, record: &Record<'_>) -> Result<Empty, AdapterError> {
    match keyed.column {
        Column { required: false, .. } => Ok(Empty::Absent),
        Column { nullable: true, .. } | Column { of: Type::Text | Type::Any, .. } => Ok(Empty::Value),
        Column { of, .. } => Err(AdapterError::new(
            ErrorKind::Missing,
            format!("an empty cell in a required column; expected {}", of.words()),
        )
        .at(record.place(&keyed.name))),
    }
}

#[inline]
fn put(out: &mut Vec<u8>, keyed: &Keyed, span: &Span, record: &Record<'_>) -> Result<(), AdapterError> {
    if span.start == span.end && keyed.column.nullable {
        out.extend_from_slice(b"null");
        return Ok(());
    }
    let bytes = span.of(record.bytes);
    // What most cells are is written as it stands; everything else takes the longer way.
    let as_it_stands = span.form == CellForm::Plain
        && match keyed.column.of {
            Type::Text | Type::Any => true,
            Type::Integer => is_small(bytes),
            Type::Number => bytes.len() <= 15 && matches!(number::form(bytes), Some(Form::Integer | Form::Fraction)),
            Type::Date => date::days(bytes).is_some(),
            Type::Boolean => matches!(bytes, b"true" | b"false"),
            Type::Null => false,
        };
    if !as_it_stands {
        return put_typed(out, keyed, &record.cell(span)?, record);
    }
    let quoted = matches!(keyed.column.of, Type::Text | Type::Any | Type::Date);
    if quoted {
        out.push(b'"');
    }
    put_part(out, record.bytes, span.start as usize, span.end as usize);
    if quoted {
        out.push(b'"');
    }
    Ok(())
}

/// True for a whole number that needs no further look.
#[inline]
fn is_small(bytes: &[u8]) -> bool {
    match bytes {
        [b'0'] => true,
        [b'1'..=b'9', rest @ ..] => rest.len() < 15 && rest.iter().all(u8::is_ascii_digit),
        _ => false,
    }
}

fn put_typed(out: &mut Vec<u8>, keyed: &Keyed, cell: &str, record: &Record<'_>) -> Result<(), AdapterError> {
    let wrong = || {
        let message = format!("{} is not {}", quote(cell), keyed.column.of.words());
        AdapterError::new(ErrorKind::Type, message).at(record.place(&keyed.name))
    };
    let unsafe_number = || number::refusal(cell, record.place(&keyed.name));
    match keyed.column.of {
        Type::Text | Type::Any => put_string(out, cell),
        Type::Date => {
            date::days(cell).ok_or_else(wrong)?;
            put_string(out, cell);
        }
        Type::Integer => match number::form(cell.as_bytes()).ok_or_else(wrong)? {
            Form::Integer if number::is_safe(cell, Form::Integer) => out.extend_from_slice(cell.as_bytes()),
            Form::Integer => return Err(unsafe_number()),
            form => {
                let whole = number::integer(cell, form).ok_or_else(wrong)?;
                out.extend_from_slice(itoa::Buffer::new().format(whole).as_bytes());
            }
        },
        Type::Number => {
            let form = number::form(cell.as_bytes()).ok_or_else(wrong)?;
            if !number::is_safe(cell, form) {
                return Err(unsafe_number());
            }
            out.extend_from_slice(cell.as_bytes());
        }
        Type::Boolean => out.extend_from_slice(match cell {
            "true" | "TRUE" | "True" => b"true",
            "false" | "FALSE" | "False" => b"false",
            _ => return Err(wrong()),
        }),
        Type::Null => return Err(wrong()),
    }
    Ok(())
}
