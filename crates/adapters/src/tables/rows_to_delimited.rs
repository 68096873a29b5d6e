//! `json_rows_to_csv.v1`, `json_rows_to_tsv.v1`.
//!
//! What enters are rows of plain values; what leaves is a table whose header has every column of every row, in the
//! order in which they were met, and then the columns that only the row schema names. The input is read twice: once
//! for the header, once for the rows. Null and absent become an empty cell; nested values are refused; with a row
//! schema, so is a value that would not read back as what it is.

use crate::adapter::{Adapted, only};
use crate::columns::{Column, RowType, Type};
use crate::delimited::{Dialect, RecordWriter, is_formula};
use crate::error::{AdapterError, ErrorKind, Place};
use crate::note::{NoteKind, Notes};
use crate::number;
use crate::out::Out;
use crate::rows::{Cell, CellKind, Row, Rows};
use crate::settings::Settings;
use deed_table::Input;
use deed_table::date;
use std::borrow::Cow;
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

fn run(
    input: &mut dyn Input,
    output: &mut dyn Write,
    settings: &Settings<'_>,
    dialect: Dialect,
) -> Result<Adapted, AdapterError> {
    let row_type = RowType::read(settings.row)?;
    let mut rows = Rows::open(input, &settings.limits)?;
    while rows.next()?.is_some() {}
    for (name, _) in row_type.names() {
        rows.expect(name)?;
    }
    let columns = columns(rows.names(), &row_type)?;
    rows.rewind()?;
    let mut out = Out::new(output, settings.limits.output_bytes);
    let mut writer = RecordWriter::new(dialect);
    for name in rows.names() {
        writer.cell(&mut out.buffer, name);
    }
    writer.end(&mut out.buffer, 0);
    let mut notes = Notes::default();
    let mut count = 0;
    let mut by_column: Vec<Option<Cell>> = Vec::new();
    while let Some((row, names)) = rows.next()? {
        row.sort_cells(columns.len(), &mut by_column)?;
        let start = out.buffer.len();
        for ((cell, column), name) in by_column.iter().zip(&columns).zip(names) {
            let text = match cell {
                Some(cell) => text(&row, cell, *column, name, &mut notes)?,
                None => absent(&row, *column, name, &mut notes)?,
            };
            writer.cell(&mut out.buffer, &text);
        }
        writer.end(&mut out.buffer, start);
        out.spill()?;
        count += 1;
    }
    out.finish(Some(count), notes)
}

fn columns(names: &[String], row_type: &RowType) -> Result<Vec<Column>, AdapterError> {
    if names.is_empty() {
        return Err(AdapterError::new(ErrorKind::Header, "no row has a column, so the header would be empty")
            .help("give the schema of a row: its properties become the header"));
    }
    if names.iter().any(String::is_empty) {
        return Err(AdapterError::new(ErrorKind::Header, "a column has an empty name, which a header cannot hold"));
    }
    names.iter().map(|name| row_type.column(name)).collect()
}

/// The empty cell of a column that the row does not have.
fn absent(row: &Row<'_>, column: Column, name: &str, notes: &mut Notes) -> Result<Cow<'static, str>, AdapterError> {
    if column.required && column != Column::UNTYPED {
        return Err(AdapterError::new(ErrorKind::Missing, "a required column has no value").at(row.place(name)));
    }
    // An optional column reads back as absent, so nothing is lost.
    if column.required {
        notes.add(NoteKind::AbsentFilled, || row.place(name));
    }
    Ok(Cow::Borrowed(""))
}

/// The text of a cell; it reads back as the same value under the same row schema, or is noted.
fn text<'r>(
    row: &Row<'r>,
    cell: &Cell,
    column: Column,
    name: &str,
    notes: &mut Notes,
) -> Result<Cow<'r, str>, AdapterError> {
    let wrong = || {
        let message = format!("a value of another type; expected {}", column.of.words());
        AdapterError::new(ErrorKind::Type, message).at(row.place(name))
    };
    let place = || row.place(name);
    Ok(match (cell.kind, column.of) {
        (CellKind::Nested, _) => return Err(nested(place())),
        (CellKind::Null, of) => {
            if !column.nullable && of != Type::Any {
                return Err(wrong());
            }
            if !(column.required && column.nullable) {
                notes.add(NoteKind::NullDropped, place);
            }
            Cow::Borrowed("")
        }
        (CellKind::Text | CellKind::Escaped, Type::Text | Type::Any | Type::Date) => {
            let text = row.decoded(cell);
            if column.of == Type::Date && date::days(text.as_bytes()).is_none() {
                return Err(wrong());
            }
            if text.contains('\0') {
                let message = "a NUL character, which a table of text cannot hold";
                return Err(AdapterError::new(ErrorKind::Encoding, message).at(place()));
            }
            if text.is_empty() && (!column.required || column.nullable) {
                notes.add(NoteKind::EmptyText, place);
            } else if is_formula(&text) {
                notes.add(NoteKind::FormulaLike, place);
            }
            text
        }
        (CellKind::Number(_), Type::Text) => {
            notes.add(NoteKind::NumberAsText, place);
            row.raw(cell).into()
        }
        (CellKind::Number(form), Type::Number | Type::Integer | Type::Any) => {
            row.check_number(cell, name)?;
            match column.of {
                Type::Integer if number::integer(row.raw(cell), form).is_none() => return Err(wrong()),
                Type::Any => notes.add(NoteKind::TypeForgotten, place),
                _ => {}
            }
            row.raw(cell).into()
        }
        (CellKind::Bool(value), Type::Boolean | Type::Any) => {
            if column.of == Type::Any {
                notes.add(NoteKind::TypeForgotten, place);
            }
            if value { "true".into() } else { "false".into() }
        }
        (CellKind::Text | CellKind::Escaped | CellKind::Number(_) | CellKind::Bool(_), _) => return Err(wrong()),
    })
}

/// The refusal of a value with parts of its own.
pub(crate) fn nested(place: Place) -> AdapterError {
    AdapterError::new(ErrorKind::Nested, "an array or object, where a cell holds one plain value")
        .at(place)
        .help("give each part a column of its own, or the whole as text")
}
