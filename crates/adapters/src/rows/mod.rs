//! `table.json_rows`: one JSON array of objects, read and written row by row.

mod read;
mod row;
mod text;

pub(crate) use deed_canon::put_json_string as put_string;
pub(crate) use read::Rows;
pub(crate) use row::{Cell, CellKind, Row};
pub(crate) use text::{RowWriter, Stamp, put_part};
