//! `json_rows_to_aggregated_rows.v1`: one row for each combination of the keys, with measures.
//!
//! Takes rows, keys and measures and returns groups in the order in which they were met first. Sums are exact
//! decimals. A key that is absent counts as null; a value that is null or absent is in no measure but the count of
//! rows. The groups are held, against the limit of held bytes.

use crate::adapter::{Adapted, only};
use crate::error::{AdapterError, ErrorKind, Place, quote};
use crate::note::{NoteKind, Notes};
use crate::rows::{RowWriter, Rows, put_string};
use crate::settings::{Measure, Settings};
use crate::tables::aggregate::tally::Tally;
use crate::tables::join::key::put_key;
use deed_canon::Invariant;
use deed_table::Input;
use std::collections::{HashMap, HashSet};
use std::io::Write;

mod tally;

/// The bytes that a group takes beside its key.
const GROUP_BYTES: usize = 128;

struct Groups {
    /// Keys as they are written, each a JSON member list without braces.
    keys: Vec<Vec<u8>>,
    numbers: HashMap<Vec<u8>, usize>,
    tallies: Vec<Vec<Tally>>,
    held: usize,
}

pub(crate) fn run(
    inputs: &mut [&mut dyn Input],
    output: &mut dyn Write,
    settings: &Settings<'_>,
) -> Result<Adapted, AdapterError> {
    check(settings)?;
    let mut rows = Rows::open(only(inputs)?, &settings.limits)?;
    let keys: Vec<usize> = settings.keys.iter().map(|name| rows.expect(name)).collect::<Result<_, _>>()?;
    let fields = fields(&mut rows, settings.measures)?;
    let mut notes = Notes::default();
    let mut groups = Groups { keys: Vec::new(), numbers: HashMap::new(), tallies: Vec::new(), held: 0 };
    let mut key = Vec::new();
    let mut dropped = HashSet::new();
    while let Some((row, names)) = rows.next()? {
        key.clear();
        for column in &keys {
            let cell = row.cells.iter().find(|cell| cell.column == *column);
            let name = names.get(*column).map_or("", String::as_str);
            if cell.is_none() {
                notes.add(NoteKind::KeyAbsent, || row.place(name));
            }
            put_key(&mut key, &row, cell, name)?;
        }
        let group = groups.number(&key, settings)?;
        let tallies = groups.tallies.get_mut(group).invariant("a group has tallies");
        for (tally, (field, measure)) in tallies.iter_mut().zip(fields.iter().zip(settings.measures)) {
            let cell = field.and_then(|field| row.cells.iter().find(|cell| cell.column == field));
            if !tally.add(&row, cell, field.is_none(), measure)? {
                notes.add(NoteKind::MeasureSkipped, || row.place(&measure.field));
            }
        }
        for cell in row.cells {
            if !keys.contains(&cell.column) && !fields.contains(&Some(cell.column)) && dropped.insert(cell.column) {
                let name = names.get(cell.column).map_or("", String::as_str);
                notes.column(NoteKind::ColumnDropped, name, || row.place(name));
            }
        }
    }
    write(&groups, output, settings, notes)
}

fn write(
    groups: &Groups,
    output: &mut dyn Write,
    settings: &Settings<'_>,
    notes: Notes,
) -> Result<Adapted, AdapterError> {
    let mut writer = RowWriter::new(output, settings.limits.output_bytes);
    for (number, (key, tallies)) in groups.keys.iter().zip(&groups.tallies).enumerate() {
        let out = writer.begin();
        // Every member of the key ends with a comma; the last one only where a measure follows.
        let key = if tallies.is_empty() { key.strip_suffix(b",").unwrap_or(key) } else { key };
        out.extend_from_slice(key);
        for (i, (tally, measure)) in tallies.iter().zip(settings.measures).enumerate() {
            if i > 0 {
                out.push(b',');
            }
            put_string(out, &measure.as_name);
            out.push(b':');
            let result = tally.result(measure.how);
            let json = result.map_err(|error| error.at(Place::row(number as u64 + 1).in_column(&measure.as_name)))?;
            out.extend_from_slice(json.as_bytes());
        }
        writer.end()?;
    }
    let (out, rows) = writer.close();
    out.finish(Some(rows), notes)
}

impl Groups {
    /// The number of the group of a key.
    fn number(&mut self, key: &[u8], settings: &Settings<'_>) -> Result<usize, AdapterError> {
        if let Some(number) = self.numbers.get(key) {
            return Ok(*number);
        }
        self.held += 2 * key.len() + GROUP_BYTES + settings.measures.len() * size_of::<Tally>();
        if self.held > settings.limits.held_bytes {
            return Err(AdapterError::limit(format_args!("{} bytes of groups", settings.limits.held_bytes)));
        }
        let number = self.keys.len();
        self.keys.push(key.to_vec());
        self.numbers.insert(key.to_vec(), number);
        self.tallies.push(vec![Tally::default(); settings.measures.len()]);
        Ok(number)
    }
}

/// The columns of the measures; none for one that counts rows.
fn fields(rows: &mut Rows<'_>, measures: &[Measure]) -> Result<Vec<Option<usize>>, AdapterError> {
    measures
        .iter()
        .map(|measure| if measure.field.is_empty() { Ok(None) } else { rows.expect(&measure.field).map(Some) })
        .collect()
}

fn check(settings: &Settings<'_>) -> Result<(), AdapterError> {
    if settings.keys.is_empty() && settings.measures.is_empty() {
        return Err(AdapterError::settings("an aggregation needs keys or measures"));
    }
    let mut names = HashSet::new();
    for name in settings.keys.iter().chain(settings.measures.iter().map(|measure| &measure.as_name)) {
        if !names.insert(name) {
            let message = format!("two columns of the aggregation would be called {}", quote(name));
            return Err(AdapterError::new(ErrorKind::Settings, message));
        }
    }
    for measure in settings.measures {
        if measure.field.is_empty() && measure.how != crate::settings::How::Count {
            return Err(AdapterError::settings("a measure without a field can only count rows"));
        }
    }
    Ok(())
}
