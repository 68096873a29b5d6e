//! `deed catalog adapt`: files converted by an adapter.

use super::types::TypeArgs;
use crate::args::Global;
use crate::output::Success;
use crate::text::count;
use clap::Args;
use deed_adapters::{How, Measure};
use deed_app::AppError;
use deed_app::catalog::{AdaptRequest, AdaptedFile, AdapterOutput, adapt};
use deed_diag::{Diagnostic, codes, quote};
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt::Write as _;
use std::io::Write;
use std::path::PathBuf;

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
    types: TypeArgs,
}

/// A file that was converted.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct AdaptedData {
    /// The adapter.
    adapter: String,
    /// The rows that were written; null where it does not write rows.
    rows: Option<u64>,
    /// The bytes that were written.
    bytes: u64,
    /// Values that were dropped or changed.
    notes: Vec<AdapterNote>,
    /// The text that was written; null with `--out`.
    output: Option<String>,
}

/// Something that was dropped or changed.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct AdapterNote {
    /// The kind of change.
    what: String,
    /// The number of times.
    count: u64,
    /// The first place.
    first: String,
    /// The columns.
    columns: Vec<String>,
}

impl Adapt {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let request = AdaptRequest {
            adapter: self.adapter.clone(),
            inputs: self.inputs.clone(),
            out: self.out.clone(),
            entity: self.entity.clone(),
            keys: self.keys.clone(),
            measures: self.measures.iter().map(|text| measure(text)).collect::<Result<_, _>>()?,
            catalog_folders: self.types.folders.clone(),
        };
        let AdaptedFile { adapted, output, warnings } = adapt(&global.session(), &request)?;
        let output = match output {
            AdapterOutput::Written(_) => None,
            AdapterOutput::Bytes(bytes) if global.json => {
                Some(String::from_utf8(bytes).map_err(|_| not_text(&self.adapter))?)
            }
            AdapterOutput::Bytes(bytes) => {
                print(&bytes)?;
                None
            }
        };
        let rows = adapted.rows.map_or_else(String::new, |rows| format!("{}, ", count(rows, "row")));
        let mut remark = format!("{rows}{}", count(adapted.bytes, "byte"));
        let mut notes = Vec::new();
        for note in &adapted.notes {
            let _ = write!(remark, "; {}", note.line());
            notes.push(AdapterNote {
                what: note.kind.message().to_owned(),
                count: note.count,
                first: note.first.to_string(),
                columns: note.columns.iter().map(ToString::to_string).collect(),
            });
        }
        let (rows, bytes) = (adapted.rows, adapted.bytes);
        let data = AdaptedData { adapter: self.adapter.clone(), rows, bytes, notes, output };
        Ok(Success::new(data, Vec::new()).remark(remark).report(warnings))
    }
}

/// Writes to standard output. The output is complete by now: half of it would be worse than none.
fn print(bytes: &[u8]) -> Result<(), AppError> {
    let mut out = std::io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        // The reader may have closed the pipe.
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(AppError::printing(&error)),
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Refuses bytes that are not text, which JSON cannot hold.
fn not_text(adapter: &str) -> AppError {
    let message = format!("{} writes bytes that are not text", quote(adapter));
    AppError::usage(
        Diagnostic::error(codes::ADAPTER_REFUSES_INPUT, message).stage("adapt").help("name a file with `--out`"),
    )
}

/// Parses `NAME=sum(COLUMN)`.
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
        let message = format!("{} is not a measure", quote(text));
        let help = "write it as `hours=sum(hours)`; there are sum, count, min, max and mean";
        AppError::usage(Diagnostic::error(codes::BAD_MEASURE, message).stage("adapt").help(help))
    })
}
