//! Opens the catalogue of a project, or of a run.

use crate::error::AppError;
use crate::files;
use crate::session::Session;
use deed_catalog::{Audience, Catalog, CatalogFile, Origin, builtin, read_for};
use deed_detect::sensitive_ranges;
use deed_diag::Report;
use deed_runtime::RunState;
use std::path::{Path, PathBuf};

/// Reads the catalogue of a project: the built-in one, then what was added to the project, then `folders`. The report has
/// warnings about folders that were added.
///
/// # Errors
/// A folder cannot be read, or what is in it is faulty.
pub fn open(session: &Session, folders: &[PathBuf]) -> Result<(Catalog, Report), AppError> {
    let mut catalog = builtin()?.clone();
    let mut warnings = Report::default();
    let added = session.maybe_home()?.map(|home| home.catalog()).filter(|folder| folder.is_dir());
    for folder in added.iter().chain(folders) {
        let (extended, report) = extend(&catalog, folder, Audience::Project)?;
        if report.has_errors() {
            return Err(report.into());
        }
        warnings.merge(report);
        catalog = extended;
    }
    Ok((catalog, warnings))
}

/// Reads the catalogue for a run that was submitted before. Its types are frozen with it, so the project's packs are not
/// read: an edited, broken or deleted one changes nothing. Runs of older versions have none frozen and need them.
///
/// # Errors
/// The run has no frozen types, and the catalogue of the project cannot be read.
pub fn for_run(session: &Session, folders: &[PathBuf], state: &RunState) -> Result<(Catalog, Report), AppError> {
    match has_frozen_types(state) {
        true => Ok((builtin()?.clone(), Report::default())),
        false => open(session, folders),
    }
}

/// Returns whether the types of a run were frozen with it. Folders of types have no effect on such a run.
pub fn has_frozen_types(state: &RunState) -> bool {
    state.request.as_ref().is_some_and(|request| request.types_blob.is_some())
}

/// Adds a folder to a catalogue; the report has everything that is wrong with the folder. Texts by which others would find
/// its packs are missed as warnings, or as errors if it is to be published.
///
/// # Errors
/// A file of the folder cannot be read.
pub fn extend(catalog: &Catalog, folder: &Path, audience: Audience) -> Result<(Catalog, Report), AppError> {
    let files = files::documents_beneath(folder)?;
    let files: Vec<CatalogFile<'_>> =
        files.iter().map(|file| CatalogFile { name: &file.name, bytes: &file.bytes }).collect();
    Ok(read_for(audience, catalog, &files, Origin::Added, sensitive_ranges))
}
