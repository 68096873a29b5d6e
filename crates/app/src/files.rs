//! Reading within limits, and writing whole files or none.

use crate::error::AppError;
use deed_detect::sensitive_ranges;
use deed_diag::{Diagnostic, Document, Format, MAX_DOCUMENT_BYTES, Place, Report, codes};
use deed_pack::{Bundle, PackFiles, SourceFile};
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

/// The name under which standard input is shown.
pub const STDIN: &str = "<stdin>";

/// The name of a file as it is shown; `-` is standard input.
pub fn display_name(path: &Path) -> String {
    if path == Path::new("-") { STDIN.to_owned() } else { path.display().to_string() }
}

/// Reads a file, or standard input for `-`. A file that is larger than any document may be is refused before it is read.
pub fn read(path: &Path) -> Result<SourceFile, AppError> {
    read_up_to(path, MAX_DOCUMENT_BYTES)
}

/// Reads a file, or standard input for `-`, of at most so many bytes.
pub(crate) fn read_up_to(path: &Path, most: u64) -> Result<SourceFile, AppError> {
    let name = display_name(path);
    let bytes = if path == Path::new("-") {
        read_limited(&name, io::stdin().lock(), None, most)?
    } else {
        let file = open(path)?;
        let size = file.metadata().map_err(|e| AppError::reading(path, &e))?.len();
        read_limited(&name, file, Some(size), most)?
    };
    Ok(SourceFile { name, bytes })
}

/// Opens a file for reading. A folder is refused.
pub(crate) fn open(path: &Path) -> Result<fs::File, AppError> {
    let failed = |e: io::Error| AppError::reading(path, &e);
    let file = fs::File::open(path).map_err(failed)?;
    match file.metadata().map_err(failed)?.is_dir() {
        true => Err(failed(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder"))),
        false => Ok(file),
    }
}

fn read_limited(name: &str, from: impl Read, size: Option<u64>, most: u64) -> Result<Vec<u8>, AppError> {
    let too_large = |size: u64| {
        let limit = most / (1024 * 1024);
        let message = format!("the document has {size} bytes, the limit is {limit} MiB");
        AppError::refused(Diagnostic { message, ..Document::too_large(name, size) })
    };
    if let Some(size) = size.filter(|size| *size > most) {
        return Err(too_large(size));
    }
    let mut bytes = Vec::new();
    from.take(most + 1).read_to_end(&mut bytes).map_err(|e| AppError::reading(Path::new(name), &e))?;
    if bytes.len() as u64 > most {
        return Err(too_large(bytes.len() as u64));
    }
    Ok(bytes)
}

/// Reads a document: JSON, or YAML if its name ends so. The format of a file without an extension is guessed.
pub fn document(path: &Path) -> Result<Document, AppError> {
    let file = read(path)?;
    let extension = path.extension().and_then(|e| e.to_str()).map(str::to_ascii_lowercase);
    let (format, by_name) = match extension.as_deref() {
        Some("yaml" | "yml") => (Format::Yaml, None),
        Some("json") => (Format::Json, None),
        Some(other) => (Format::Json, Some(other)),
        None => (looks_like(&file.bytes), None),
    };
    let read = Document::read_with(&file.name, &file.bytes, format, sensitive_ranges);
    Ok(read.map_err(|report| match by_name.filter(|_| looks_like(&file.bytes) == Format::Yaml) {
        // The name decided, which the author of a YAML file would not guess.
        Some(other) => {
            report.map(|d| d.help(format!("a name that ends in `.{other}` is read as JSON: name it `.yaml`")))
        }
        None => report,
    })?)
}

/// Reads a document that is not a file: YAML, unless it begins as JSON does. Secrets in it are concealed.
///
/// # Errors
/// It is larger than any document may be, or cannot be parsed.
pub fn document_from(name: &str, bytes: &[u8]) -> Result<Document, AppError> {
    if bytes.len() as u64 > MAX_DOCUMENT_BYTES {
        return Err(AppError::refused(Document::too_large(name, bytes.len() as u64)));
    }
    Ok(Document::read_with(name, bytes, looks_like(bytes), sensitive_ranges)?)
}

/// Guesses the format: JSON if the text begins as an object, a list or a string does.
fn looks_like(bytes: &[u8]) -> Format {
    match bytes.iter().find(|b| !b.is_ascii_whitespace()) {
        Some(b'{' | b'[' | b'"') | None => Format::Json,
        Some(_) => Format::Yaml,
    }
}

/// Reads a document in a given format.
pub fn document_as(path: &Path, format: Format) -> Result<Document, AppError> {
    let file = read(path)?;
    Ok(Document::read_with(&file.name, &file.bytes, format, sensitive_ranges)?)
}

/// Reads a pack folder, or a single pack file.
pub fn pack_bundle(path: &Path) -> Result<Bundle, AppError> {
    // A file is read together with what lies beside it, as if its folder had been given.
    let beside = path.parent().unwrap_or(Path::new(""));
    let (file, folder) = if path.is_dir() { (pack_file(path)?, path) } else { (path.to_owned(), beside) };
    let files = PackFiles {
        pack: read(&file)?,
        overlays: overlays(&folder.join("overlays"))?,
        golden: documents_in(&folder.join("golden"))?.into_values().map(|p| read(&p)).collect::<Result<_, _>>()?,
    };
    Ok(Bundle::read(&files)?)
}

fn pack_file(folder: &Path) -> Result<PathBuf, AppError> {
    let found: Vec<PathBuf> =
        ["pack.yaml", "pack.yml", "pack.json"].iter().map(|n| folder.join(n)).filter(|p| p.is_file()).collect();
    match found.as_slice() {
        [one] => Ok(one.clone()),
        [] => Err(AppError::refused(
            Diagnostic::error(codes::PACK_NOT_FOUND, "there is no pack here")
                .stage("files")
                .at(Place::file(folder.display().to_string()))
                .help("a pack folder holds `pack.yaml` or `pack.json`; `deed pack new` writes one"),
        )),
        [first, second, ..] => Err(AppError::refused(
            Diagnostic::error(codes::TWO_PACK_FILES, "there are two packs here, and only one is read")
                .stage("files")
                .at(Place::file(first.display().to_string()))
                .related(Place::file(second.display().to_string()), "the other one"),
        )),
    }
}

fn overlays(folder: &Path) -> Result<BTreeMap<String, SourceFile>, AppError> {
    documents_in(folder)?.into_iter().map(|(name, path)| read(&path).map(|file| (name, file))).collect()
}

/// The YAML and JSON files of a folder by stem, in order of their names.
fn documents_in(folder: &Path) -> Result<BTreeMap<String, PathBuf>, AppError> {
    let mut out: BTreeMap<String, PathBuf> = BTreeMap::new();
    if !folder.is_dir() {
        return Ok(out);
    }
    let entries = fs::read_dir(folder).map_err(|e| AppError::reading(folder, &e))?;
    for entry in entries {
        let path = entry.map_err(|e| AppError::reading(folder, &e))?.path();
        let known = path.extension().and_then(|e| e.to_str()).is_some_and(|e| matches!(e, "yaml" | "yml" | "json"));
        if !known || !path.is_file() {
            continue;
        }
        let Some(stem) = path.file_stem().and_then(|s| s.to_str()).map(str::to_owned) else {
            let error = io::Error::new(io::ErrorKind::InvalidFilename, "its name is not UTF-8");
            return Err(AppError::reading(&path, &error));
        };
        if let Some(other) = out.insert(stem, path.clone()) {
            let diagnostic = Diagnostic::error(codes::TWO_PACK_FILES, "two files have the same name here")
                .stage("files")
                .at(Place::file(path.display().to_string()))
                .related(Place::file(other.display().to_string()), "the other one");
            return Err(Report::of(diagnostic).into());
        }
    }
    Ok(out)
}

/// The most files that are read beneath one folder.
const MOST_FILES: usize = 10_000;

/// The YAML and JSON files beneath a folder, in order of their names. Links are not followed.
pub fn documents_beneath(folder: &Path) -> Result<Vec<SourceFile>, AppError> {
    let mut left = vec![folder.to_owned()];
    let mut found = Vec::new();
    while let Some(inner) = left.pop() {
        for entry in fs::read_dir(&inner).map_err(|e| AppError::reading(&inner, &e))? {
            let entry = entry.map_err(|e| AppError::reading(&inner, &e))?;
            let kind = entry.file_type().map_err(|e| AppError::reading(&inner, &e))?;
            let path = entry.path();
            let known = path.extension().and_then(|e| e.to_str()).is_some_and(|e| matches!(e, "yaml" | "yml" | "json"));
            if kind.is_dir() {
                left.push(path);
            } else if kind.is_file() && known {
                found.push(path);
            }
        }
        if found.len() + left.len() > MOST_FILES {
            return Err(AppError::refused(
                Diagnostic::error(codes::TOO_MANY_FILES, format!("there are more than {MOST_FILES} files beneath it"))
                    .stage("files")
                    .at(Place::file(folder.display().to_string()))
                    .help("name the folder that is meant"),
            ));
        }
    }
    found.sort();
    found.iter().map(|path| read(path)).collect()
}

/// Writes several files, or none.
pub fn write_all(files: Vec<(PathBuf, &[u8])>, existing: Existing, access: Access) -> Result<(), AppError> {
    // Checked before anything is written, so that a refusal leaves nothing behind.
    if existing == Existing::Keep
        && let Some((taken, _)) = files.iter().find(|(path, _)| path.exists())
    {
        return write(taken, &[], existing, access);
    }
    for (done, (path, bytes)) in files.iter().enumerate() {
        if let Err(failure) = write(path, bytes, existing, access) {
            files.iter().take(done).for_each(|(path, _)| drop(fs::remove_file(path)));
            return Err(failure);
        }
    }
    Ok(())
}

/// The handling of a file that exists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Existing {
    /// Refuse.
    Keep,
    /// Replace.
    Replace,
}

/// The readers of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Every user who may enter the folder.
    Shared,
    /// The owner alone.
    Private,
}

/// Writes a whole file or none: beside it first, then moved into place.
pub fn write(path: &Path, bytes: &[u8], existing: Existing, access: Access) -> Result<(), AppError> {
    if existing == Existing::Keep && path.exists() {
        return Err(AppError::refused(
            Diagnostic::error(codes::ALREADY_EXISTS, "it is there already")
                .stage("files")
                .at(Place::file(path.display().to_string()))
                .help("choose another name, or move the old one away"),
        ));
    }
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let failed = |e: io::Error| AppError::writing(path, &e);
    if existing == Existing::Replace && is_device(path) {
        return write_device(path, bytes).map_err(failed);
    }
    let fresh = !folder.exists();
    fs::create_dir_all(folder).map_err(failed)?;
    if fresh && access == Access::Private {
        owner_only(folder).map_err(failed)?;
    }
    let mut temp = temporary(folder).map_err(failed)?;
    temp.write_all(bytes).and_then(|()| temp.as_file().sync_all()).map_err(failed)?;
    set_access(temp.as_file(), access).map_err(failed)?;
    let moved = match existing {
        Existing::Keep => temp.persist_noclobber(path),
        Existing::Replace => temp.persist(path),
    };
    moved.map(drop).map_err(|e| failed(e.error))
}

/// Checks that a new file can be made, by making a temp file beside its place: what is written only after work that costs
/// money must not be found unwritable then.
pub(crate) fn can_be_made(path: &Path) -> Result<(), AppError> {
    if path.exists() {
        return write(path, &[], Existing::Keep, Access::Shared);
    }
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let failed = |e: io::Error| AppError::writing(path, &e);
    if path.file_name().is_none() {
        return Err(failed(io::ErrorKind::IsADirectory.into()));
    }
    fs::create_dir_all(folder).and_then(|()| temporary(folder).map(drop)).map_err(failed)
}

/// Writes a whole file or none, as it is made. Only the owner may read it. The folder has to be there.
pub(crate) fn write_with<T>(
    path: &Path,
    make: impl FnOnce(&mut dyn Write) -> Result<T, AppError>,
) -> Result<T, AppError> {
    let failed = |e: io::Error| AppError::writing(path, &e);
    if is_device(path) {
        let mut whole = Vec::new();
        let made = make(&mut whole)?;
        write_device(path, &whole).map_err(failed)?;
        return Ok(made);
    }
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut buffered = BufWriter::new(temporary(folder).map_err(failed)?);
    let made = make(&mut buffered)?;
    let temp = buffered.into_inner().map_err(|error| failed(error.into_error()))?;
    temp.as_file().sync_all().map_err(failed)?;
    temp.persist(path).map_err(|error| failed(error.error))?;
    Ok(made)
}

/// Returns whether a path is a device, a pipe or a socket. Such a path is written to: replacing it by a file would break
/// it for every other process.
fn is_device(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir())
}

fn write_device(path: &Path, bytes: &[u8]) -> io::Result<()> {
    fs::OpenOptions::new().write(true).open(path)?.write_all(bytes)
}

/// The prefix of a temp file's name, and how many random characters follow.
const UNFINISHED: (&str, usize) = (".tmp", 6);

/// Makes a temp file. It is locked as long as its writer lives.
fn temporary(folder: &Path) -> io::Result<tempfile::NamedTempFile> {
    loop {
        let temp = tempfile::Builder::new().prefix(UNFINISHED.0).rand_bytes(UNFINISHED.1).tempfile_in(folder)?;
        // On a file system without locks, no temp file is swept either.
        let _ = temp.as_file().lock();
        // Between making and locking it, another process may have removed it as a leftover.
        if temp.path().exists() {
            return Ok(temp);
        }
    }
}

/// Removes temp files of crashed processes from a folder, one of which may hold a private key. Best effort: files that
/// cannot be removed are left.
pub fn sweep(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok) {
        let name = entry.file_name();
        let random = name.to_str().and_then(|name| name.strip_prefix(UNFINISHED.0));
        let ours = random.is_some_and(|random| {
            random.len() == UNFINISHED.1 && random.bytes().all(|byte| byte.is_ascii_alphanumeric())
        });
        if !ours || !entry.file_type().is_ok_and(|kind| kind.is_file()) {
            continue;
        }
        // A lock can be taken once the writer is gone.
        let held =
            fs::File::open(entry.path()).and_then(|file| file.try_lock().map(|()| file).map_err(io::Error::from));
        if held.is_ok() {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Lets only the owner into a folder that was made for private files, whatever the caller's umask is.
#[cfg(unix)]
fn owner_only(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(folder, fs::Permissions::from_mode(0o700))
}

#[cfg(not(unix))]
fn owner_only(_: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(unix)]
fn set_access(file: &fs::File, access: Access) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let mode = match access {
        Access::Shared => 0o644,
        Access::Private => 0o600,
    };
    file.set_permissions(fs::Permissions::from_mode(mode))
}

#[cfg(not(unix))]
fn set_access(_: &fs::File, _: Access) -> io::Result<()> {
    Ok(())
}
