//! `aggregated_rows_to_json_rows.v1`, `joined_rows_to_json_rows.v1`: rows are rows.
//!
//! Every cell is copied as it is written, once the row has passed the rules of `table.json_rows`.

use crate::adapter::{Adapted, only};
use crate::error::AdapterError;
use crate::note::Notes;
use crate::rows::{Row, RowWriter, Rows, put_string};
use crate::settings::Settings;
use deed_table::Input;
use std::io::Write;

pub(crate) fn run(
    inputs: &mut [&mut dyn Input],
    output: &mut dyn Write,
    settings: &Settings<'_>,
) -> Result<Adapted, AdapterError> {
    let mut rows = Rows::open(only(inputs)?, &settings.limits)?;
    let mut writer = RowWriter::new(output, settings.limits.output_bytes);
    while let Some((row, names)) = rows.next()? {
        put_cells(writer.begin(), &row, names, |_| true)?;
        writer.end()?;
    }
    let (out, count) = writer.close();
    out.finish(Some(count), Notes::default())
}

/// Puts the cells of a row whose column is wanted, in their order, with commas between them.
pub(crate) fn put_cells(
    out: &mut Vec<u8>,
    row: &Row<'_>,
    names: &[String],
    wanted: impl Fn(usize) -> bool,
) -> Result<(), AdapterError> {
    let mut comma = false;
    for cell in row.cells.iter().filter(|cell| wanted(cell.column)) {
        let name = names.get(cell.column).map_or("", String::as_str);
        row.check_number(cell, name)?;
        if comma {
            out.push(b',');
        }
        comma = true;
        put_string(out, name);
        out.push(b':');
        out.extend_from_slice(row.json(cell).as_bytes());
    }
    Ok(())
}
