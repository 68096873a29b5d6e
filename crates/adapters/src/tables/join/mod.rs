//! `joined_rows.v1`: every row of the first table once, with the columns of its partner in the second.
//!
//! Takes two tables and the keys and returns a left join. A row without a partner stays as it is and
//! is noted; a row of the second table without one is left out and noted. A key that stands twice in the second
//! table is refused, unless both rows are equal. A column that both tables have beside the keys is refused. Null and
//! absent keys have no partner. The second table is held, against the limit of held bytes; the first is streamed.

pub(crate) mod key;

use crate::adapter::{Adapted, both};
use crate::error::{AdapterError, ErrorKind, Place, quote};
use crate::note::{NoteKind, Notes};
use crate::rows::{CellKind, Row, RowWriter, Rows};
use crate::settings::Settings;
use crate::tables::rows_to_rows::put_cells;
use deed_table::Input;
use key::put_key;
use std::collections::{HashMap, HashSet};
use std::io::Write;

/// The bytes that a row takes beside its own.
const ROW_BYTES: usize = 96;

/// A row of the second table: its columns beside the keys, as JSON members.
struct Partner {
    members: Vec<u8>,
    row: u64,
    met: bool,
}

struct Right {
    partners: HashMap<Vec<u8>, Partner>,
    columns: HashSet<String>,
}

pub(crate) fn run(
    inputs: &mut [&mut dyn Input],
    output: &mut dyn Write,
    settings: &Settings<'_>,
) -> Result<Adapted, AdapterError> {
    if settings.keys.is_empty() {
        return Err(AdapterError::settings("a join needs keys"));
    }
    let (left, right) = both(inputs)?;
    let mut notes = Notes::default();
    let mut right = hold(right, settings, &mut notes)?;
    let mut rows = Rows::open(left, &settings.limits)?;
    let keys = key_columns(&mut rows, settings)?;
    let mut writer = RowWriter::new(output, settings.limits.output_bytes);
    let mut key = Vec::new();
    let mut checked = 0;
    let mut first = None;
    while let Some((row, names)) = rows.next()? {
        // Columns are numbered as they are met, so only new ones can collide.
        for name in names.iter().skip(checked) {
            if right.columns.contains(name) {
                return Err(collision(name, &row));
            }
        }
        checked = names.len();
        first = first.or(Some(row.number));
        let whole = put_row_key(&mut key, &row, &keys, names)?;
        let partner = if whole { right.partners.get_mut(&key) } else { None };
        let out = writer.begin();
        put_cells(out, &row, names, |_| true)?;
        match partner {
            None => notes.add(NoteKind::LeftUnmatched, || Place::row(row.number)),
            Some(partner) => {
                partner.met = true;
                if !row.cells.is_empty() && !partner.members.is_empty() {
                    out.push(b',');
                }
                out.extend_from_slice(&partner.members);
            }
        }
        writer.end()?;
    }
    let met = right.partners.values().any(|partner| partner.met);
    if let (Some(row), false, false) = (first, met, right.partners.is_empty()) {
        notes.add(NoteKind::NothingMatched, || Place::row(row));
    }
    let mut lonely: Vec<u64> = right.partners.values().filter(|p| !p.met).map(|p| p.row).collect();
    lonely.sort_unstable();
    for row in lonely {
        notes.add(NoteKind::RightUnmatched, || Place::row(row));
    }
    let (out, count) = writer.close();
    out.finish(Some(count), notes)
}

fn key_columns(rows: &mut Rows<'_>, settings: &Settings<'_>) -> Result<Vec<usize>, AdapterError> {
    settings.keys.iter().map(|name| rows.expect(name)).collect()
}

/// Reads the second table into a map by key.
fn hold(input: &mut dyn Input, settings: &Settings<'_>, notes: &mut Notes) -> Result<Right, AdapterError> {
    let mut rows = Rows::open(input, &settings.limits)?;
    let keys = key_columns(&mut rows, settings)?;
    let mut partners: HashMap<Vec<u8>, Partner> = HashMap::new();
    let mut held = 0;
    let mut key = Vec::new();
    while let Some((row, names)) = rows.next()? {
        if !put_row_key(&mut key, &row, &keys, names)? {
            notes.add(NoteKind::RightUnmatched, || Place::row(row.number));
            continue;
        }
        let mut members = Vec::new();
        put_cells(&mut members, &row, names, |column| !keys.contains(&column))?;
        match partners.get(&key) {
            Some(known) if known.members == members => {
                notes.add(NoteKind::RightRepeated, || Place::row(row.number));
            }
            Some(known) => return Err(ambiguous(known.row, &row)),
            None => {
                held += key.len() + members.len() + ROW_BYTES;
                if held > settings.limits.held_bytes {
                    let limit = format_args!("{} bytes in the second table", settings.limits.held_bytes).to_string();
                    return Err(AdapterError::limit(limit).at(Place::row(row.number)));
                }
                partners.insert(key.clone(), Partner { members, row: row.number, met: false });
            }
        }
    }
    let columns = rows.names().iter().filter(|name| !settings.keys.contains(name)).cloned().collect();
    Ok(Right { partners, columns })
}

/// Puts the key of a row; false where a part of it is null or absent.
fn put_row_key(key: &mut Vec<u8>, row: &Row<'_>, keys: &[usize], names: &[String]) -> Result<bool, AdapterError> {
    key.clear();
    let mut whole = true;
    for column in keys {
        let cell = row.cells.iter().find(|cell| cell.column == *column);
        whole &= cell.is_some_and(|cell| cell.kind != CellKind::Null);
        put_key(key, row, cell, names.get(*column).map_or("", String::as_str))?;
    }
    Ok(whole)
}

fn collision(name: &str, row: &Row<'_>) -> AdapterError {
    AdapterError::new(ErrorKind::Collision, format!("both tables have a column {}", quote(name)))
        .at(row.place(name))
        .help("make it a key, or give it another name in one of the tables")
}

fn ambiguous(first: u64, row: &Row<'_>) -> AdapterError {
    let message = format!("the second table has this key in row {first} already, with other values");
    AdapterError::new(ErrorKind::AmbiguousKey, message)
        .at(Place::row(row.number))
        .help("join by more keys, or aggregate the second table first")
}
