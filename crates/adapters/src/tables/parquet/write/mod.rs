//! `json_rows_to_parquet.v1`.
//!
//! Turns rows of plain values into a Parquet file, columns in the order in which they were met. The input is read
//! twice: once for the types that the row schema does not declare, once for the values. A column whose
//! values are of several types is refused. Null and absent are both null in the file. The same rows make the same
//! bytes. Rows are held until a row group is full.

use crate::adapter::{Adapted, only};
use crate::columns::{Column, RowType, Type};
use crate::error::{AdapterError, ErrorKind, Place};
use crate::note::{NoteKind, Notes};
use crate::number;
use crate::out::Out;
use crate::rows::{Cell, CellKind, Row, Rows};
use crate::settings::Settings;
use crate::tables::parquet::write::sink::Columns;
use crate::tables::rows_to_delimited::nested;
use deed_canon::Invariant;
use deed_table::Input;
use deed_table::date;
use std::io::Write;

mod sink;

/// A column of the file.
#[derive(Debug, Clone)]
struct Plan {
    name: String,
    of: Type,
    required: bool,
    /// The column as the row schema declares it, if it does.
    declared: Option<Column>,
    present: u64,
}

pub(crate) fn run(
    inputs: &mut [&mut dyn Input],
    output: &mut dyn Write,
    settings: &Settings<'_>,
) -> Result<Adapted, AdapterError> {
    let row_type = RowType::read(settings.row)?;
    let mut rows = Rows::open(only(inputs)?, &settings.limits)?;
    let plans = survey(&mut rows, &row_type)?;
    rows.rewind()?;
    let mut out = Out::new(output, settings.limits.output_bytes);
    let mut columns = Columns::new(&plans)?;
    let mut notes = Notes::default();
    let mut count = 0;
    let mut by_column: Vec<Option<Cell>> = Vec::new();
    while let Some((row, _)) = rows.next()? {
        row.sort_cells(plans.len(), &mut by_column)?;
        for (column, (plan, cell)) in plans.iter().zip(&by_column).enumerate() {
            put(&mut columns, column, plan, &row, cell.as_ref(), &mut notes)?;
        }
        columns.end_row(&mut out)?;
        count += 1;
    }
    columns.finish(&mut out)?;
    out.finish(Some(count), notes)
}

/// Reads all rows once, for the columns and the types that the row schema does not declare.
fn survey(rows: &mut Rows<'_>, row_type: &RowType) -> Result<Vec<Plan>, AdapterError> {
    let mut plans: Vec<Plan> = Vec::new();
    let mut count = 0;
    while let Some((row, names)) = rows.next()? {
        count += 1;
        add_plans(&mut plans, names, row_type)?;
        for cell in row.cells {
            widen(plans.get_mut(cell.column).invariant("a column has a plan"), &row, cell)?;
        }
    }
    for (name, _) in row_type.names() {
        rows.expect(name)?;
    }
    add_plans(&mut plans, rows.names(), row_type)?;
    for plan in &mut plans {
        plan.required = match plan.declared {
            Some(column) => column.required && !column.nullable,
            None => count > 0 && plan.present == count,
        };
    }
    if plans.is_empty() {
        return Err(AdapterError::new(ErrorKind::Header, "no row has a column, so there is nothing to write")
            .help("give the schema of a row: its properties become the columns"));
    }
    Ok(plans)
}

fn add_plans(plans: &mut Vec<Plan>, names: &[String], row_type: &RowType) -> Result<(), AdapterError> {
    for name in names.iter().skip(plans.len()) {
        let of = row_type.column(name).map_err(|error| error.at(Place::default().in_column(name)))?.of;
        plans.push(Plan { name: name.clone(), of, required: false, declared: row_type.get(name), present: 0 });
    }
    Ok(())
}

/// Widens the type of a column to that of a value, unless the row schema declares it.
fn widen(plan: &mut Plan, row: &Row<'_>, cell: &Cell) -> Result<(), AdapterError> {
    let found = match cell.kind {
        CellKind::Null => return Ok(()),
        CellKind::Nested => return Err(nested(row.place(&plan.name))),
        CellKind::Bool(_) => Type::Boolean,
        CellKind::Text | CellKind::Escaped => Type::Text,
        CellKind::Number(form) if number::integer(row.raw(cell), form).is_some() => Type::Integer,
        CellKind::Number(_) => Type::Number,
    };
    plan.present += 1;
    if plan.declared.is_some_and(|column| column.of != Type::Any) {
        return Ok(());
    }
    plan.of = match (plan.of, found) {
        (Type::Any, found) => found,
        (known, found) if known == found => known,
        (Type::Integer | Type::Number, Type::Integer | Type::Number) => Type::Number,
        (known, _) => {
            let message = format!("a value of another type than those before; expected {}", known.words());
            return Err(AdapterError::new(ErrorKind::Type, message).at(row.place(&plan.name)).help(
                "a column of a Parquet file has one type; say which in the row schema, or make all values text",
            ));
        }
    };
    Ok(())
}

fn put(
    columns: &mut Columns,
    at: usize,
    plan: &Plan,
    row: &Row<'_>,
    cell: Option<&Cell>,
    notes: &mut Notes,
) -> Result<(), AdapterError> {
    let place = || row.place(&plan.name);
    let wrong = || {
        let message = format!("a value of another type; expected {}", plan.of.words());
        AdapterError::new(ErrorKind::Type, message).at(place())
    };
    let Some(cell) = cell.filter(|cell| cell.kind != CellKind::Null) else {
        if plan.required {
            return Err(AdapterError::new(ErrorKind::Missing, "a required column has no value").at(place()));
        }
        if cell.is_none() {
            notes.add(NoteKind::AbsentFilled, place);
        }
        columns.null(at);
        return Ok(());
    };
    match (plan.of, cell.kind) {
        (Type::Boolean, CellKind::Bool(value)) => columns.boolean(at, value),
        (Type::Integer, CellKind::Number(form)) => {
            row.check_number(cell, &plan.name)?;
            columns.integer(at, number::integer(row.raw(cell), form).ok_or_else(wrong)?);
        }
        (Type::Number, CellKind::Number(_)) => {
            row.check_number(cell, &plan.name)?;
            columns.double(at, row.raw(cell).parse().map_err(|_| wrong())?);
        }
        (Type::Date, CellKind::Text | CellKind::Escaped) => {
            columns.date(at, date::days(row.decoded(cell).as_bytes()).ok_or_else(wrong)?);
        }
        (Type::Text, CellKind::Text | CellKind::Escaped) => columns.text(at, row.decoded(cell).into_owned()),
        (Type::Text, CellKind::Number(_)) => {
            notes.add(NoteKind::NumberAsText, place);
            columns.text(at, row.raw(cell).to_owned());
        }
        (_, CellKind::Nested) => return Err(nested(place())),
        _ => return Err(wrong()),
    }
    Ok(())
}
