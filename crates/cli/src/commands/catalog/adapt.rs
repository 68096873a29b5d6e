//! `deed catalog adapt`: one adapter, run on files.

use super::show::unknown;
use super::types::TypeArgs;
use crate::args::Global;
use crate::output::Success;
use clap::Args;
use deed_adapters::{AdapterError, ErrorKind, How, Input, Measure, Settings, find};
use deed_app::AppError;
use deed_diag::{Diagnostic, Place, codes, quote};
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// Convert files with a built-in adapter, as a plan would.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed catalog adapt csv_to_json_rows.v1 time.csv --entity billing.time_entry")]
pub(crate) struct Adapt {
    /// Adapter, such as csv_to_json_rows.v1.
    #[arg(value_name = "ADAPTER")]
    adapter: String,
    /// Files to read, one for each input of the adapter; for a join the left table first.
    #[arg(value_name = "FILE", required = true)]
    inputs: Vec<PathBuf>,
    /// File to write to [default: standard output].
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Entity of one row, which gives columns their types.
    #[arg(long, value_name = "ENTITY")]
    entity: Option<String>,
    /// Column to group or join by; repeat for several.
    #[arg(long = "key", value_name = "COLUMN")]
    keys: Vec<String>,
    /// Value to compute for each group: NAME=sum(COLUMN), or count, min, max, mean. Repeatable.
    #[arg(long = "measure", value_name = "MEASURE")]
    measures: Vec<String>,
    #[command(flatten)]
    given: TypeArgs,
}

/// A file that was converted.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct AdaptedFile {
    /// The adapter.
    adapter: String,
    /// The rows that were written; null where it does not write rows.
    rows: Option<u64>,
    /// The bytes that were written.
    bytes: u64,
    /// What was dropped or changed.
    notes: Vec<AdapterNote>,
    /// The text that was written; null with `--out`.
    output: Option<String>,
}

/// Something that was dropped or changed.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct AdapterNote {
    /// What it is.
    what: String,
    /// How often.
    count: u64,
    /// The first place.
    first: String,
    /// The columns.
    columns: Vec<String>,
}

impl Adapt {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let (catalog, remarks) = self.given.catalog(global)?;
        let Some(adapter) = find(&self.adapter) else {
            if catalog.adapter(&self.adapter).is_none() {
                return Err(unknown(&catalog, &self.adapter));
            }
            let message = format!("{} is declared, and nothing that is built in runs it", quote(&self.adapter));
            return Err(AppError::refused(Diagnostic::error(codes::ADAPTER_REFUSES_INPUT, message).stage("adapt")));
        };
        let row = match &self.entity {
            Some(id) => Some(catalog.entity(id).ok_or_else(|| unknown(&catalog, id))?.schema.clone()),
            None => None,
        };
        let measures: Vec<Measure> = self.measures.iter().map(|text| measure(text)).collect::<Result<_, _>>()?;
        let settings = Settings { row: row.as_ref(), keys: &self.keys, measures: &measures, ..Settings::default() };
        let mut files: Vec<File> = Vec::new();
        for path in &self.inputs {
            let file = File::open(path).map_err(|error| AppError::reading(path, &error))?;
            if file.metadata().is_ok_and(|meta| meta.is_dir()) {
                let error = std::io::Error::new(std::io::ErrorKind::IsADirectory, "it is a folder");
                return Err(AppError::reading(path, &error));
            }
            files.push(file);
        }
        let mut inputs: Vec<&mut dyn Input> = files.iter_mut().map(|file| file as &mut dyn Input).collect();
        let refused = |error: AdapterError| self.refused(&error);
        let mut output = None;
        let adapted = match &self.out {
            // A device is written to; a file must not take its place.
            Some(out) if std::fs::metadata(out).is_ok_and(|found| !found.is_file() && !found.is_dir()) => {
                let failed = |error: std::io::Error| AppError::writing(out, &error);
                let mut whole = Vec::new();
                let adapted = adapter.run(&mut inputs, &mut whole, &settings).map_err(refused)?;
                let device = std::fs::OpenOptions::new().write(true).open(out);
                device.and_then(|mut device| device.write_all(&whole)).map_err(failed)?;
                adapted
            }
            Some(out) => {
                let folder = out.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
                let failed = |error: std::io::Error| AppError::writing(out, &error);
                let temp = tempfile::NamedTempFile::new_in(folder).map_err(failed)?;
                let mut buffered = BufWriter::new(temp);
                let adapted = adapter.run(&mut inputs, &mut buffered, &settings).map_err(refused)?;
                let temp = buffered.into_inner().map_err(|error| failed(error.into_error()))?;
                temp.as_file().sync_all().map_err(failed)?;
                temp.persist(out).map_err(|error| failed(error.error))?;
                adapted
            }
            None => {
                // Half an output is worse than none, so nothing is shown before all of it is there.
                let mut whole = Vec::new();
                let adapted = adapter.run(&mut inputs, &mut whole, &settings).map_err(refused)?;
                if global.json {
                    let text = String::from_utf8(whole).map_err(|_| not_text(&self.adapter))?;
                    output = Some(text);
                } else {
                    let mut out = std::io::stdout().lock();
                    let written = out.write_all(&whole).and_then(|()| out.flush());
                    // The reader may have closed the pipe.
                    match written {
                        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
                            return Err(AppError::printing(&error));
                        }
                        Ok(()) | Err(_) => {}
                    }
                }
                adapted
            }
        };
        let mut said = String::new();
        let rows = adapted
            .rows
            .map_or_else(String::new, |rows| format!("{rows} {}, ", if rows == 1 { "row" } else { "rows" }));
        let _ = write!(said, "{rows}{} bytes", adapted.bytes);
        let mut notes = Vec::new();
        for note in &adapted.notes {
            let _ = write!(said, "; {}", note.line());
            notes.push(AdapterNote {
                what: note.kind.message().to_owned(),
                count: note.count,
                first: note.first.to_string(),
                columns: note.columns.iter().map(ToString::to_string).collect(),
            });
        }
        let data =
            AdaptedFile { adapter: adapter.id.to_owned(), rows: adapted.rows, bytes: adapted.bytes, notes, output };
        Ok(Success::new(data, Vec::new()).remark(said).report(remarks))
    }

    fn refused(&self, error: &AdapterError) -> AppError {
        let names: Vec<String> = self.inputs.iter().map(|path| path.display().to_string()).collect();
        let help = (!error.help.is_empty()).then(|| error.help.to_owned());
        let message = format!("{}: {error} ({})", quote(&self.adapter), error.kind.code());
        let finding = Diagnostic::error(codes::ADAPTER_REFUSES_INPUT, message)
            .stage("adapt")
            .at(Place::file(names.join(", ")))
            .help_opt(help);
        match error.kind {
            ErrorKind::Settings => AppError::usage(finding),
            _ => AppError::refused(finding),
        }
    }
}

/// Refuses bytes that are not text, which JSON cannot hold.
fn not_text(adapter: &str) -> AppError {
    let message = format!("{} writes bytes that are no text", quote(adapter));
    AppError::usage(
        Diagnostic::error(codes::ADAPTER_REFUSES_INPUT, message).stage("adapt").help("name a file with `--out`"),
    )
}

/// `NAME=sum(COLUMN)`.
fn measure(text: &str) -> Result<Measure, AppError> {
    let parts = || {
        let (name, rest) = text.split_once('=')?;
        let (how, field) = rest.strip_suffix(')')?.split_once('(')?;
        let how = match how {
            "sum" => How::Sum,
            "count" => How::Count,
            "min" => How::Min,
            "max" => How::Max,
            "mean" => How::Mean,
            _ => return None,
        };
        (!name.is_empty()).then(|| Measure { field: field.to_owned(), how, as_name: name.to_owned() })
    };
    parts().ok_or_else(|| {
        let message = format!("{} is no measure", quote(text));
        let help = "write it as `hours=sum(hours)`; there are sum, count, min, max and mean";
        AppError::usage(Diagnostic::error(codes::BAD_MEASURE, message).stage("adapt").help(help))
    })
}
