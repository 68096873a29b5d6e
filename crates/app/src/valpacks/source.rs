//! Reads validation packs from the binary, from profiles and from files.

use crate::error::AppError;
use crate::files;
use crate::objects;
use crate::profiles::{self, ProfileOrigin};
use crate::session::Session;
use deed_canon::ContentHash;
use deed_diag::{Diagnostic, codes, did_you_mean, quote};
use deed_model::{ObjectKind, ValidationPack};
use deed_validation::{PackFile, PackLibrary, PackLint, PackOrigin, lint, pack_hash};
use std::collections::BTreeSet;
use std::path::Path;

/// The folder beside a profile that holds its validation packs.
const FOLDER: &str = "valpacks";

/// A validation pack with its hash.
#[derive(Debug, Clone)]
pub struct ListedPack {
    /// The pack.
    pub pack: ValidationPack,
    /// Its hash.
    pub hash: ContentHash,
    /// Its origin.
    pub origin: PackOrigin,
}

/// Returns the packs that ship and those of the registry, and with a profile those that it can name.
///
/// # Errors
/// The profile or a file beside it cannot be read.
pub fn listed(session: &Session, of_profile: Option<&str>) -> Result<Vec<ListedPack>, AppError> {
    let read = of_profile.map(|name| profiles::profile(session, name)).transpose()?;
    let files = match (&read, of_profile) {
        (Some(read), Some(name)) if read.origin == ProfileOrigin::File => beside(Path::new(name))?,
        _ => Vec::new(),
    };
    let own = read.as_ref().and_then(|read| read.file.profile());
    let own = own.map(|profile| profile.validation.packs.as_slice()).unwrap_or_default();
    let registered = objects::listed(session, ObjectKind::ValidationPack)?;
    let published = registered.iter().filter_map(|found| found.candidate.as_ref());
    let published = published.map(|found| serde_json::from_slice(found.bytes()).map_err(AppError::internal));
    let published = published.collect::<Result<Vec<ValidationPack>, _>>()?;
    let library = PackLibrary::of(own, &published, &files);
    let mut seen = BTreeSet::new();
    let references = library.references().into_iter().filter(|reference| seen.insert(*reference));
    let listed = references.filter_map(|reference| library.find(reference)).map(|found| {
        let hash = pack_hash(found.pack).map_err(AppError::internal)?;
        Ok(ListedPack { pack: found.pack.clone(), hash, origin: found.origin })
    });
    listed.collect()
}

/// Finds a pack by its reference, or reads it from a file. Files have a `/` in their name, or end as documents do.
///
/// # Errors
/// There is no such pack, or it cannot be read.
pub fn pack(session: &Session, argument: &str, of_profile: Option<&str>) -> Result<ListedPack, AppError> {
    if is_path(argument) {
        let file = read(Path::new(argument))?;
        let Some(pack) = file.pack().cloned() else { return Err(lint(&file).report.into()) };
        let report = lint(&file).report;
        // A pack that holds a secret is not printed.
        if report.diagnostics().iter().any(|found| found.code == codes::SECRET_IN_VALIDATION_PACK) {
            return Err(report.into());
        }
        let hash = pack_hash(&pack).map_err(AppError::internal)?;
        return Ok(ListedPack { pack, hash, origin: PackOrigin::File });
    }
    let mut known = listed(session, of_profile)?;
    match known.iter().position(|listed| listed.pack.pack_ref == argument) {
        Some(place) => Ok(known.swap_remove(place)),
        None => {
            let help = did_you_mean(argument, known.iter().map(|listed| listed.pack.pack_ref.as_str()));
            let message = format!("unknown validation pack {}", quote(argument));
            let found = Diagnostic::error(codes::UNKNOWN_VALIDATION_PACK, message).stage("valpack");
            Err(AppError::refused(found.help(help.unwrap_or_else(|| "`deed valpack list` lists the packs".to_owned()))))
        }
    }
}

fn is_path(argument: &str) -> bool {
    let ends = || [".yaml", ".yml", ".json"].iter().any(|ending| argument.ends_with(ending));
    argument.contains('/') || argument.starts_with('.') || (!argument.contains('@') && ends())
}

fn read(path: &Path) -> Result<PackFile, AppError> {
    let source = files::read(path)?;
    Ok(PackFile::read(&source.name, &source.bytes)?)
}

/// A pack that was linted.
#[derive(Debug, Clone)]
pub struct LintedPack {
    /// The file.
    pub file: PackFile,
    /// The findings.
    pub lint: PackLint,
}

/// Checks a pack through all gates.
///
/// # Errors
/// The file cannot be read.
pub fn linted(path: &Path) -> Result<LintedPack, AppError> {
    let file = read(path)?;
    Ok(LintedPack { lint: lint(&file), file })
}

/// Reads the packs in the folder `valpacks` beside the file of a profile. One that is not a pack is refused, because a
/// profile may mean it.
pub(crate) fn beside(profile: &Path) -> Result<Vec<PackFile>, AppError> {
    let folder = profile.parent().unwrap_or(Path::new("")).join(FOLDER);
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let mut packs = Vec::new();
    for source in files::documents_beneath(&folder)? {
        let file = PackFile::read(&source.name, &source.bytes)?;
        let report = lint(&file).report;
        if report.has_errors() {
            return Err(report.into());
        }
        packs.push(file);
    }
    Ok(packs)
}
