//! `csv_to_tsv.v1`, `tsv_to_csv.v1`: the same cells behind other delimiters.

use crate::adapter::{Adapted, only};
use crate::delimited::{Dialect, RecordWriter, Records, is_formula};
use crate::error::AdapterError;
use crate::note::{NoteKind, Notes};
use crate::out::Out;
use crate::settings::Settings;
use deed_table::Input;
use std::io::Write;

pub(crate) fn csv_to_tsv(
    inputs: &mut [&mut dyn Input],
    output: &mut dyn Write,
    settings: &Settings<'_>,
) -> Result<Adapted, AdapterError> {
    run(only(inputs)?, output, settings, Dialect::Csv, Dialect::Tsv)
}

pub(crate) fn tsv_to_csv(
    inputs: &mut [&mut dyn Input],
    output: &mut dyn Write,
    settings: &Settings<'_>,
) -> Result<Adapted, AdapterError> {
    run(only(inputs)?, output, settings, Dialect::Tsv, Dialect::Csv)
}

fn run(
    input: &mut dyn Input,
    output: &mut dyn Write,
    settings: &Settings<'_>,
    from: Dialect,
    to: Dialect,
) -> Result<Adapted, AdapterError> {
    let mut notes = Notes::default();
    let mut records = Records::open(input, from, &settings.limits, &mut notes)?;
    let header = records.header.clone();
    let mut out = Out::new(output, settings.limits.output_bytes);
    let mut writer = RecordWriter::new(to);
    for name in &header {
        writer.cell(&mut out.buffer, name);
    }
    writer.end(&mut out.buffer, 0);
    let mut rows = 0;
    records.each(&mut notes, |record, notes| {
        let start = out.buffer.len();
        for (span, name) in record.spans.iter().zip(&header) {
            let cell = record.cell(span)?;
            if is_formula(&cell) {
                notes.add(NoteKind::FormulaLike, || record.place(name));
            }
            writer.cell(&mut out.buffer, &cell);
        }
        writer.end(&mut out.buffer, start);
        rows += 1;
        out.spill()
    })?;
    out.finish(Some(rows), notes)
}
