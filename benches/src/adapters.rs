//! Tables through the adapters: CSV to rows beside the `csv` crate alone, Parquet to rows beside its own row reader.

use crate::table::{Table, median, times};
use bytes::Bytes;
use deed_adapters::{Input, Settings, find};
use parquet::file::reader::{FileReader, SerializedFileReader};
use serde_json::{Value, json};
use std::error::Error;
use std::fmt::Write;
use std::io::{Cursor, sink};
use std::time::Duration;

const ROUNDS: usize = 15;

pub(crate) fn measure(table: &mut Table) -> Result<(), Box<dyn Error>> {
    let text = csv_text(20_000_000);
    let schema = schema();
    let typed = Settings { row: Some(&schema), ..Settings::default() };
    csv_to_rows(table, "typed", &text, &typed)?;
    csv_to_rows(table, "as text", &text, &Settings::default())?;
    let rows = adapted("csv_to_json_rows.v1", text.as_bytes(), &typed)?;
    rows_to_csv(table, &rows, &text, &typed)?;
    parquet_to_rows(table, &rows, &typed)
}

fn schema() -> Value {
    json!({
        "type": "object",
        "required": ["id", "name", "price", "open", "day", "city"],
        "properties": {
            "id": { "type": "integer" }, "name": { "type": "string" }, "price": { "type": "number" },
            "open": { "type": "boolean" }, "day": { "type": "string", "format": "date" },
            "city": { "type": "string" }, "note": { "type": "string" }
        }
    })
}

/// Orders until the text has about so many bytes; one note in eight needs quotes, one in four is empty.
fn csv_text(bytes: usize) -> String {
    let cities = ["Lyon", "Zürich", "Porto", "New York", "Oslo"];
    let notes =
        ["", "leave it at the door", "call first", "", "gift", "\"fragile, \"\"handle\"\" with care\"", "-", "ok"];
    let mut text = "id,name,price,open,day,city,note\r\n".to_owned();
    let mut i = 0;
    while text.len() < bytes {
        let (city, note) = (cities.get(i % 5).unwrap_or(&""), notes.get(i % 8).unwrap_or(&""));
        let (cents, month, day) = (i * 37 % 1_000_000, i % 12 + 1, i % 28 + 1);
        let price = format_args!("{}.{:02}", cents / 100, cents % 100);
        let open = i % 3 == 0;
        // Writing into a text cannot fail.
        let _ = write!(text, "{i},customer {i},{price},{open},2024-{month:02}-{day:02},{city},{note}\r\n");
        i += 1;
    }
    text
}

fn adapted(id: &str, input: &[u8], settings: &Settings<'_>) -> Result<Vec<u8>, Box<dyn Error>> {
    let mut cursor = Cursor::new(input);
    let mut inputs: [&mut dyn Input; 1] = [&mut cursor];
    let mut output = Vec::new();
    find(id).ok_or("no such adapter")?.run(&mut inputs, &mut output, settings)?;
    Ok(output)
}

/// The adapter and its peer in turns, so that a busy machine slows both alike.
fn in_turns<T>(
    id: &str,
    input: &[u8],
    settings: &Settings<'_>,
    mut peer: impl FnMut() -> T,
) -> Result<(Duration, Duration), Box<dyn Error>> {
    let adapter = find(id).ok_or("no such adapter")?;
    let mut pairs: Vec<(Duration, Duration)> = (0..ROUNDS)
        .map(|_| {
            let ours = median(1, 1, || {
                let mut cursor = Cursor::new(input);
                let mut inputs: [&mut dyn Input; 1] = [&mut cursor];
                adapter.run(&mut inputs, &mut sink(), settings).map(|adapted| adapted.bytes)
            });
            (ours, median(1, 1, &mut peer))
        })
        .collect();
    pairs.sort_by(|a, b| times(a.0, a.1).total_cmp(&times(b.0, b.1)));
    pairs.get(ROUNDS / 2).copied().ok_or_else(|| "no rounds".into())
}

/// The `csv` crate going through the same bytes, with one record that is used again.
fn csv_alone(text: &str) -> usize {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let mut record = csv::ByteRecord::new();
    let mut cells = 0;
    while reader.read_byte_record(&mut record).unwrap_or(false) {
        cells += record.len();
    }
    cells
}

fn csv_to_rows(table: &mut Table, how: &str, text: &str, settings: &Settings<'_>) -> Result<(), Box<dyn Error>> {
    let (ours, floor) = in_turns("csv_to_json_rows.v1", text.as_bytes(), settings, || csv_alone(text))?;
    row(
        table,
        &format!("CSV of {} MB to rows, {how}", text.len() / 1_000_000),
        ours,
        "the csv crate reading alone",
        floor,
    );
    Ok(())
}

fn rows_to_csv(table: &mut Table, rows: &[u8], text: &str, settings: &Settings<'_>) -> Result<(), Box<dyn Error>> {
    let read = || serde_json::from_slice::<Vec<Value>>(rows).map(|rows| rows.len());
    let (ours, floor) = in_turns("json_rows_to_csv.v1", rows, settings, read)?;
    let what = format!("rows of {} MB to CSV of {} MB (two passes)", rows.len() / 1_000_000, text.len() / 1_000_000);
    row(table, &what, ours, "serde_json reading them into values", floor);
    Ok(())
}

fn parquet_to_rows(table: &mut Table, rows: &[u8], settings: &Settings<'_>) -> Result<(), Box<dyn Error>> {
    let file = adapted("json_rows_to_parquet.v1", rows, settings)?;
    let bytes = Bytes::from(file.clone());
    let (ours, floor) = in_turns("parquet_to_json_rows.v1", &file, settings, || {
        let reader = SerializedFileReader::new(bytes.clone()).ok()?;
        Some(reader.get_row_iter(None).ok()?.flatten().map(|row| row.len()).sum::<usize>())
    })?;
    let what = format!("Parquet of {:.1} MB to rows", file.len() as f64 / 1e6);
    row(table, &what, ours, "the parquet crate's row reader alone", floor);
    Ok(())
}

/// Speeds relative to the peer: 1 is as fast, 0.5 half as fast.
fn row(table: &mut Table, what: &str, ours: Duration, against: &str, floor: Duration) {
    let speed = 1.0 / times(ours, floor);
    let against = format!("{against} {:.1} ms", floor.as_secs_f64() * 1e3);
    table.row(what, ours, &against, format!("{speed:.2} of it"), "at least 0.5 of its speed", speed >= 0.5);
}
