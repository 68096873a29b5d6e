//! Recorded compiles on disk.

use super::load::placed;
use crate::error::AppError;
use crate::files;
use deed_diag::{Diagnostic, Document, Place, Report, codes};
use deed_model::{ReplayBundle, schema_for};
use deed_schema::Shape;
use serde::Deserialize;
use std::fs;
use std::path::{Path, PathBuf};

/// The bundles that a path stands for: itself, or all JSON files of the folder and those in it, in order of their names.
pub fn bundles(path: &Path) -> Result<Vec<PathBuf>, AppError> {
    Ok(found(path)?.bundles)
}

/// The files of an archive.
#[derive(Debug, Default)]
pub(super) struct ArchiveFiles {
    /// The bundles, in order of their names.
    pub(super) bundles: Vec<PathBuf>,
    /// Files that are neither bundles nor lives of packets, and are not read.
    pub(super) skipped: Vec<PathBuf>,
}

impl ArchiveFiles {
    /// Names the files that are not read.
    pub(super) fn remarks(&self) -> impl Iterator<Item = Diagnostic> {
        self.skipped.iter().map(|path| {
            Diagnostic::info(codes::FILE_NOT_A_RECORDING, "the file was skipped: its name does not end in `.json`")
                .stage("replay")
                .at(Place::file(path.display().to_string()))
                .help("rename it if it is a recording")
        })
    }
}

/// The files of a folder and of those in it: every one with a name that ends in `.json`, in any case, is a bundle.
pub(super) fn found(path: &Path) -> Result<ArchiveFiles, AppError> {
    if !path.is_dir() {
        return Ok(ArchiveFiles { bundles: vec![path.to_owned()], skipped: Vec::new() });
    }
    let mut found = ArchiveFiles::default();
    gather(path, &mut found, DEEPEST)?;
    if found.bundles.is_empty() {
        return Err(AppError::refused(
            Diagnostic::error(codes::NO_RECORDINGS, "there are no recorded compiles here")
                .stage("replay")
                .at(Place::file(path.display().to_string()))
                .help("`deed context record … --out FILE.json` makes one"),
        ));
    }
    Ok(found)
}

/// The depth of nested folders that is followed; links can make a cycle.
const DEEPEST: usize = 32;

fn gather(folder: &Path, found: &mut ArchiveFiles, levels: usize) -> Result<(), AppError> {
    let failed = |e: &std::io::Error| AppError::reading(folder, e);
    let entries = fs::read_dir(folder).map_err(|e| failed(&e))?;
    let mut paths =
        entries.map(|entry| entry.map(|e| e.path())).collect::<Result<Vec<_>, _>>().map_err(|e| failed(&e))?;
    paths.sort();
    for path in paths {
        if path.is_dir() && levels > 0 {
            gather(&path, found, levels - 1)?;
        } else if path.extension().is_some_and(|end| end.eq_ignore_ascii_case("json")) {
            // A path that is not a file is reported when it is read.
            found.bundles.push(path);
        } else if !path.is_dir() && path.extension().is_none_or(|end| end != "life") {
            found.skipped.push(path);
        }
    }
    Ok(())
}

/// A recorded compile and the document that it was read from.
#[derive(Debug)]
pub struct Archived {
    /// The bundle.
    pub bundle: ReplayBundle,
    document: Document,
}

impl Archived {
    /// The document that the bundle was read from.
    pub fn document(&self) -> &Document {
        &self.document
    }

    /// Turns findings into an error that shows them in the file, without its secrets.
    pub fn refused(&self, report: &Report) -> AppError {
        let mut shown = Report::default();
        shown.add_source(self.document.source().clone());
        for diagnostic in report.diagnostics() {
            shown.push(placed(diagnostic.clone(), |name| {
                let prefix = match name {
                    "request" => "/inputs/request",
                    "run context" => "/inputs/run",
                    "evidence" => "/inputs/evidence",
                    "memory" => "/inputs/memory",
                    "pack" => "/inputs/pack",
                    "bundle" => "",
                    _ => return None,
                };
                Some((&self.document, prefix))
            }));
        }
        // Of several files, a finding without a place would not name its own.
        let unplaced = shown.diagnostics().iter().any(|d| d.place.is_none());
        if unplaced {
            shown.push(
                Diagnostic::error(codes::RECORDING_NOT_REPLAYABLE, "it could not be compiled again")
                    .stage("replay")
                    .at(self.document.place("")),
            );
        }
        shown.into()
    }
}

/// Reads a bundle.
pub fn read(path: &Path) -> Result<Archived, AppError> {
    let meta = fs::metadata(path).map_err(|e| AppError::reading(path, &e))?;
    if !meta.is_file() {
        let error = std::io::Error::new(std::io::ErrorKind::InvalidInput, "it is not a file");
        return Err(AppError::reading(path, &error));
    }
    let document = files::document(path)?;
    let bundle = ReplayBundle::deserialize(document.value()).map_err(|error| not_a_bundle(&document, &error))?;
    Ok(Archived { bundle, document })
}

fn not_a_bundle(document: &Document, error: &serde_json::Error) -> AppError {
    let mut report = Report::default();
    report.add_source(document.source().clone());
    let message = "it is not a recorded compile, or of a version that is not known here";
    report.push(
        Diagnostic::error(codes::NOT_A_RECORDING, message)
            .stage("replay")
            .at(document.place(""))
            .help("`deed context record` writes such a file"),
    );
    let findings = Shape::new(schema_for::<ReplayBundle>()).findings(document);
    match findings.is_empty() {
        true => report
            .push(Diagnostic::error(codes::NOT_A_RECORDING, error.to_string()).stage("replay").at(document.place(""))),
        false => findings.into_iter().take(20).for_each(|finding| report.push(finding.stage("replay"))),
    }
    report.into()
}
