//! Adds a folder of types to a project.

use super::open::{extend, open};
use crate::error::AppError;
use crate::files::{self, Access, Existing};
use crate::session::Session;
use deed_canon::ContentHash;
use deed_catalog::Audience;
use deed_diag::{Diagnostic, Place, Report, codes};
use std::path::{Path, PathBuf};

/// Types that were added to a project.
#[derive(Debug)]
pub struct AddedTypes {
    /// The packs: their kind and name.
    pub packs: Vec<String>,
    /// The files that were written.
    pub written: Vec<PathBuf>,
    /// The hash of the catalogue with them.
    pub hash: ContentHash,
    /// Warnings about the folder.
    pub warnings: Report,
}

/// Copies a folder of types into the project, all of it or none. `folders` are read before it.
///
/// # Errors
/// There is no project, the folder has faults or no types, or a file is in the way.
pub fn add(session: &Session, folder: &Path, folders: &[PathBuf]) -> Result<AddedTypes, AppError> {
    let home = session.home()?;
    // Without a final slash, so that the names of its files begin with it.
    let folder: PathBuf = folder.components().collect();
    let (catalog, _) = open(session, folders)?;
    let (extended, warnings) = extend(&catalog, &folder, Audience::Project)?;
    if warnings.has_errors() {
        return Err(warnings.into());
    }
    if extended.hash() == catalog.hash() {
        return Err(nothing_here(&folder));
    }
    let found = files::documents_beneath(&folder)?;
    // A folder such as `..` has no name of its own.
    let root = folder.file_name().map_or_else(|| "added".into(), |name| name.to_string_lossy().into_owned());
    let into = home.catalog().join(root);
    let prefix = format!("{}/", folder.display());
    let files: Vec<(PathBuf, &[u8])> = found
        .iter()
        .map(|file| (into.join(file.name.strip_prefix(&prefix).unwrap_or(&file.name)), file.bytes.as_slice()))
        .collect();
    let written: Vec<PathBuf> = files.iter().map(|(path, _)| path.clone()).collect();
    files::write_all(files, Existing::Keep, Access::Shared)?;
    let packs = extended
        .packs()
        .filter(|pack| catalog.pack(pack.kind, pack.library.id()).is_none())
        .map(|pack| format!("{} {}", pack.kind.as_str(), pack.library.id()))
        .collect();
    Ok(AddedTypes { packs, written, hash: extended.hash(), warnings })
}

/// The refusal of a folder without any part of a catalogue.
pub fn nothing_here(folder: &Path) -> AppError {
    AppError::refused(
        Diagnostic::error(codes::NO_CATALOG_HERE, "there are no types in this folder")
            .stage("catalog")
            .at(Place::file(folder.display().to_string()))
            .help("a pack is `pack.yaml` with a folder `entities`; `deed catalog new` writes one"),
    )
}
