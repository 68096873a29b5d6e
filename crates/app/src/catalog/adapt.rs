//! Converts files with a built-in adapter, as a plan would.

use super::lookup::unknown;
use super::open::open;
use crate::error::AppError;
use crate::files;
use crate::session::Session;
use deed_adapters::{Adapted, AdapterError, ErrorKind, Input, Measure, Settings, find};
use deed_diag::{Diagnostic, Place, Report, codes, quote};
use std::fs::File;
use std::path::PathBuf;

/// An adapter, and the files that it reads.
#[derive(Debug, Clone, Default)]
pub struct AdaptRequest {
    /// The adapter, such as `csv_to_json_rows.v1`.
    pub adapter: String,
    /// The files to read, one for each input of the adapter.
    pub inputs: Vec<PathBuf>,
    /// The file to write; otherwise the output is returned.
    pub out: Option<PathBuf>,
    /// The entity of one row, which gives columns their types.
    pub entity: Option<String>,
    /// The columns to group or join by.
    pub keys: Vec<String>,
    /// The values to compute for each group.
    pub measures: Vec<Measure>,
    /// Folders of types besides the project's own.
    pub catalog_folders: Vec<PathBuf>,
}

/// Files that were converted.
#[derive(Debug)]
pub struct AdaptedFile {
    /// The counts, with notes of what was dropped or changed.
    pub adapted: Adapted,
    /// The output.
    pub output: AdapterOutput,
    /// Warnings about folders of types.
    pub warnings: Report,
}

/// The output of an adapter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AdapterOutput {
    /// It was written to a file.
    Written(PathBuf),
    /// All of it.
    Bytes(Vec<u8>),
}

/// Converts files. The output is complete, or there is none.
///
/// # Errors
/// There is no such adapter or entity, a file cannot be read or written, or the adapter refuses its inputs.
pub fn adapt(session: &Session, request: &AdaptRequest) -> Result<AdaptedFile, AppError> {
    let (catalog, warnings) = open(session, &request.catalog_folders)?;
    let Some(adapter) = find(&request.adapter) else {
        if catalog.adapter(&request.adapter).is_none() {
            return Err(unknown(&catalog, &request.adapter));
        }
        let message = format!("{} is declared, but it is not built in", quote(&request.adapter));
        return Err(AppError::refused(Diagnostic::error(codes::ADAPTER_REFUSES_INPUT, message).stage("adapt")));
    };
    let row = match &request.entity {
        Some(id) => Some(catalog.entity(id).ok_or_else(|| unknown(&catalog, id))?.schema.clone()),
        None => None,
    };
    let settings =
        Settings { row: row.as_ref(), keys: &request.keys, measures: &request.measures, ..Settings::default() };
    let mut inputs = request.inputs.iter().map(|path| files::open(path)).collect::<Result<Vec<File>, _>>()?;
    let mut inputs: Vec<&mut dyn Input> = inputs.iter_mut().map(|file| file as &mut dyn Input).collect();
    let mut run = |out: &mut dyn std::io::Write| {
        adapter.run(&mut inputs, out, &settings).map_err(|error| request.refusal(&error))
    };
    let (adapted, output) = match &request.out {
        Some(out) => (files::write_with(out, run)?, AdapterOutput::Written(out.clone())),
        None => {
            let mut whole = Vec::new();
            (run(&mut whole)?, AdapterOutput::Bytes(whole))
        }
    };
    Ok(AdaptedFile { adapted, output, warnings })
}

impl AdaptRequest {
    fn refusal(&self, error: &AdapterError) -> AppError {
        let names: Vec<String> = self.inputs.iter().map(|path| path.display().to_string()).collect();
        let help = (!error.help.is_empty()).then(|| error.help.to_owned());
        let message = format!("{}: {error} ({})", quote(&self.adapter), error.kind.code());
        let finding = Diagnostic::error(codes::ADAPTER_REFUSES_INPUT, message)
            .stage("adapt")
            .at(Place::file(names.join(", ")))
            .help_opt(help);
        match error.kind {
            ErrorKind::Settings => AppError::usage(finding),
            ErrorKind::Read | ErrorKind::Write => AppError::environment(finding),
            _ => AppError::refused(finding),
        }
    }
}
