//! Starting points that run as they are written: a demo job, a plan, a Context Pack, a pack of types.

mod demo;

use crate::error::AppError;
use crate::files::{self, Access, Existing};
use crate::session::Session;
use deed_catalog::{NewPack, PackKind};
use deed_diag::{Diagnostic, Place, codes, quote};
use deed_model::EntitySchemaId;
use deed_pack::{ScaffoldOptions, ScaffoldSize};
use std::path::{Path, PathBuf};

pub use demo::{NewDemo, demo};

/// The tenant of a project that names none.
pub const DEFAULT_TENANT: &str = "tenant_local";

/// Writes a commented plan to a file.
///
/// # Errors
/// The name is not one of a plan, or the file exists.
pub fn plan(name: &str, out: Option<&Path>) -> Result<PathBuf, AppError> {
    let allowed = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'-' | b'_');
    let starts_well = name.starts_with(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit());
    if !name.bytes().all(allowed) || !starts_well || name.len() > 100 {
        let message = format!("{} is not a name of a plan", quote(name));
        let help = "a name has lowercase letters, digits, `-` and `_`";
        return Err(AppError::usage(Diagnostic::error(codes::BAD_PLAN_NAME, message).stage("plan").help(help)));
    }
    let path = out.map_or_else(|| PathBuf::from(format!("{name}.plan.yaml")), Path::to_owned);
    files::write(&path, deed_plan::scaffold(name).as_bytes(), Existing::Keep, Access::Shared)?;
    Ok(path)
}

/// A Context Pack to begin.
#[derive(Debug, Clone)]
pub struct NewContextPack {
    /// Its id, such as `ctxpack.support`.
    pub pack_id: String,
    /// The folder; one named after the pack otherwise.
    pub folder: Option<PathBuf>,
    /// The tenant that owns it; the registry's otherwise.
    pub tenant: Option<String>,
    /// The size of the scaffold.
    pub size: ScaffoldSize,
}

/// Writes the files of a new Context Pack, all or none. Gives its folder and the files.
///
/// # Errors
/// The id is malformed, or there is a pack in the folder already.
pub fn context_pack(session: &Session, new: &NewContextPack) -> Result<(PathBuf, Vec<PathBuf>), AppError> {
    let folder = new.folder.clone().unwrap_or_else(|| PathBuf::from(&new.pack_id));
    let tenant_id = match &new.tenant {
        Some(tenant) => tenant.clone(),
        None => session.maybe_home()?.map_or_else(|| DEFAULT_TENANT.to_owned(), |home| home.config.tenant),
    };
    let options =
        ScaffoldOptions { pack_id: new.pack_id.clone(), tenant_id, created_at: session.stamp()?.at, size: new.size };
    let files = deed_pack::scaffold(&options).map_err(|error| {
        let diagnostic = Diagnostic::error(codes::BAD_ID, error.to_string()).stage("new");
        AppError::refused(diagnostic.help("write an id such as `ctxpack.support`"))
    })?;
    // Checked before anything is written, so that a refusal leaves nothing behind.
    if let Some(taken) = files.iter().map(|file| folder.join(file.path)).find(|path| path.exists()) {
        let diagnostic = Diagnostic::error(codes::PACK_FOLDER_NOT_EMPTY, "there is a pack here already").stage("new");
        let diagnostic = diagnostic.at(Place::file(taken.display().to_string()));
        return Err(AppError::refused(diagnostic.help("choose another folder with `--dir`")));
    }
    let written = write(&folder, files.iter().map(|file| (file.path, file.text.as_str())))?;
    Ok((folder, written))
}

/// A pack of types to begin.
#[derive(Debug, Clone)]
pub struct NewTypePack {
    /// The kind of the pack.
    pub kind: PackKind,
    /// Its name, such as `insurance-claims`.
    pub name: String,
    /// The domain of its entities; the first word of the name otherwise.
    pub domain: Option<String>,
    /// The folder; one named after the pack otherwise.
    pub folder: Option<PathBuf>,
}

/// Writes the files of a new pack of types, all or none. Gives its folder and the files.
///
/// # Errors
/// The name or the domain is malformed, or one of the files exists.
pub fn type_pack(new: &NewTypePack) -> Result<(PathBuf, Vec<PathBuf>), AppError> {
    let first = || new.name.split('-').next().unwrap_or(&new.name).to_owned();
    let domain = new.domain.clone().unwrap_or_else(first);
    let word = |word: &str| {
        word.starts_with(|c: char| c.is_ascii_lowercase())
            && word.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
    };
    let named = new.name.len() <= 80 && domain != "generic" && new.name.split('-').all(word);
    if !named || format!("{domain}.record").parse::<EntitySchemaId>().is_err() {
        let message = format!("{} and {} do not name a pack and a domain", quote(&new.name), quote(&domain));
        let help = "a pack has lowercase words with dashes, a domain one lowercase word";
        return Err(AppError::usage(Diagnostic::error(codes::BAD_TYPE_PACK_NAME, message).stage("catalog").help(help)));
    }
    let folder = new.folder.clone().unwrap_or_else(|| PathBuf::from(&new.name));
    let files = deed_catalog::scaffold(&NewPack { kind: new.kind, id: new.name.clone(), domain });
    let written = write(&folder, files.iter().map(|(name, text)| (name.as_str(), text.as_str())))?;
    Ok((folder, written))
}

/// Writes files beneath a folder, all or none, and removes the folders that were made for them where it fails.
fn write<'f>(folder: &Path, files: impl Iterator<Item = (&'f str, &'f str)>) -> Result<Vec<PathBuf>, AppError> {
    let files: Vec<(PathBuf, &[u8])> = files.map(|(name, text)| (folder.join(name), text.as_bytes())).collect();
    let paths: Vec<PathBuf> = files.iter().map(|(path, _)| path.clone()).collect();
    let mut fresh: Vec<PathBuf> = Vec::new();
    for path in &paths {
        let inside = path.ancestors().skip(1).take_while(|above| above.starts_with(folder) && !above.exists());
        fresh.extend(inside.map(Path::to_owned));
    }
    files::write_all(files, Existing::Keep, Access::Shared).inspect_err(|_| {
        // The deepest first; a folder that holds something else is kept.
        fresh.sort_by_key(|path| std::cmp::Reverse(path.components().count()));
        fresh.iter().for_each(|path| drop(std::fs::remove_dir(path)));
    })?;
    Ok(paths)
}
