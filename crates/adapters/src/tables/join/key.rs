//! Keys by value: two cells that mean the same have the same bytes, however they are written.

use crate::error::{AdapterError, ErrorKind};
use crate::rows::{Cell, CellKind, Row, put_string};
use deed_canon::Invariant;
use deed_table::decimal::Decimal;

/// Puts `"name":value,` with the value in its one form; absent counts as null.
pub(crate) fn put_key(out: &mut Vec<u8>, row: &Row<'_>, cell: Option<&Cell>, name: &str) -> Result<(), AdapterError> {
    put_string(out, name);
    out.push(b':');
    match cell {
        None => out.extend_from_slice(b"null"),
        Some(cell) => match cell.kind {
            CellKind::Text | CellKind::Escaped => put_string(out, &row.decoded(cell)),
            CellKind::Number(_) => {
                row.check_number(cell, name)?;
                out.extend_from_slice(number(row.raw(cell)).as_bytes());
            }
            CellKind::Null | CellKind::Bool(_) => out.extend_from_slice(row.raw(cell).as_bytes()),
            CellKind::Nested => {
                let message = "an array or object cannot be a key";
                return Err(AdapterError::new(ErrorKind::Nested, message).at(row.place(name)));
            }
        },
    }
    out.push(b',');
    Ok(())
}

/// The one form of a number that was checked: exact if it fits 38 digits, otherwise that of its double.
fn number(literal: &str) -> String {
    match Decimal::parse(literal) {
        Some(value) => value.text(),
        None => {
            let double = literal.parse().invariant("a number literal is a double");
            deed_canon::number_from_f64(double).invariant("a number that was checked is finite").to_string()
        }
    }
}
