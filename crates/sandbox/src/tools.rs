//! The files that a sandbox needs on the host: the static init binary, and an `/etc` that reveals nothing about the host.
//!
//! The binary is embedded in compressed form, written once under the name of its hash, and checked again before each
//! use.

use deed_canon::ContentHash;
use flate2::read::GzDecoder;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::{self, Permissions};
use std::io::{self, Read};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The static init binary, compressed, and its SHA-256; `None` on an architecture that it was not built for.
#[cfg(deed_init)]
const INIT: Option<(&[u8], &str)> = Some((include_bytes!(env!("DEED_INIT")), env!("DEED_INIT_SHA256")));
#[cfg(not(deed_init))]
const INIT: Option<(&[u8], &str)> = None;

const INIT_MODE: u32 = 0o555;

/// The files of the synthetic `/etc`; those without content are mount points.
const ETC: &[(&str, &str)] = &[
    ("passwd", "deed:x:1000:1000:deed:/tmp:/bin/sh\n"),
    ("group", "deed:x:1000:\n"),
    ("hosts", "127.0.0.1 localhost\n::1 localhost\n"),
    ("nsswitch.conf", "passwd: files\ngroup: files\nhosts: files\n"),
    ("resolv.conf", ""),
    ("ld.so.cache", ""),
    ("ssl/openssl.cnf", ""),
];

/// The folders of the synthetic `/etc` that are mount points for the host's.
const ETC_FOLDERS: &[&str] = &["ssl", "ssl/certs", "alternatives"];

/// An error of the tools.
#[derive(Debug, thiserror::Error)]
pub enum ToolsError {
    /// A file could not be written or read.
    #[error("`{path}` cannot be prepared: {error}")]
    File {
        /// The file.
        path: PathBuf,
        /// The error.
        error: io::Error,
    },
    /// The binary was changed.
    #[error("`{0}` was changed since it was written")]
    Changed(PathBuf),
    /// No init binary was built for this architecture.
    #[error("this build has no sandbox init for {arch}: build it with `make init`", arch = std::env::consts::ARCH)]
    NoInit,
    /// The embedded init binary is damaged.
    #[error("the embedded sandbox init is damaged")]
    Damaged,
    /// The folder has a name that a plan cannot contain.
    #[error("`{0}` is not an absolute path in UTF-8, and only such a folder can be shown to a sandbox")]
    Folder(PathBuf),
}

/// The paths of the tools.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ToolPaths {
    /// The static binary.
    pub init: PathBuf,
    /// Its hash.
    #[schemars(with = "String")]
    pub hash: ContentHash,
    /// The synthetic `/etc`.
    pub etc: PathBuf,
}

/// The tools of the sandbox, in a folder of the caller.
#[derive(Debug, Clone)]
pub struct Tools {
    paths: ToolPaths,
}

impl Tools {
    /// Writes the missing tools into a folder, and verifies the init binary.
    ///
    /// # Errors
    /// The folder is not an absolute path in UTF-8, a file cannot be written, or the init binary is missing or damaged.
    pub fn prepare(dir: &Path) -> Result<Self, ToolsError> {
        if !dir.is_absolute() || dir.to_str().is_none() {
            return Err(ToolsError::Folder(dir.to_owned()));
        }
        fs::create_dir_all(dir).map_err(failed(dir))?;
        make_readable(dir)?;
        let (hash, init) = put_init(dir)?;
        let etc = dir.join("etc");
        for folder in ETC_FOLDERS {
            fs::create_dir_all(etc.join(folder)).map_err(failed(&etc))?;
        }
        ETC_FOLDERS
            .iter()
            .map(|folder| etc.join(folder))
            .chain([etc.clone()])
            .try_for_each(|folder| make_readable(&folder))?;
        for (name, content) in ETC {
            put(&etc, &etc.join(name), content.as_bytes(), 0o444)?;
        }
        let tools = Self { paths: ToolPaths { init, hash, etc } };
        tools.paths.verify()?;
        Ok(tools)
    }

    /// The paths of the tools.
    pub fn paths(&self) -> &ToolPaths {
        &self.paths
    }
}

/// Writes the init binary unless it exists; the caller verifies it.
fn put_init(dir: &Path) -> Result<(ContentHash, PathBuf), ToolsError> {
    let (compressed, hash) = INIT.ok_or(ToolsError::NoInit)?;
    let hash: ContentHash = format!("sha256:{hash}").parse().map_err(|_| ToolsError::Damaged)?;
    let path = dir.join(format!("init-{}", hash.hex()));
    let present = fs::read(&path).is_ok_and(|bytes| ContentHash::of_bytes(&bytes) == hash);
    if !present || !has_mode(&path, INIT_MODE) {
        let mut bytes = Vec::new();
        GzDecoder::new(compressed).read_to_end(&mut bytes).map_err(|_| ToolsError::Damaged)?;
        if ContentHash::of_bytes(&bytes) != hash {
            return Err(ToolsError::Damaged);
        }
        put(dir, &path, &bytes, INIT_MODE)?;
    }
    Ok((hash, path))
}

/// Metadata that changes when a file is changed.
type Stamp = (u64, u64, u64, i64, i64, i64);

/// The verified files.
static VERIFIED: Mutex<BTreeMap<(PathBuf, ContentHash), Stamp>> = Mutex::new(BTreeMap::new());

impl ToolPaths {
    /// Verifies the binary against its hash; an unchanged file is not read again.
    pub(crate) fn verify(&self) -> Result<(), ToolsError> {
        let facts = fs::symlink_metadata(&self.init).map_err(failed(&self.init))?;
        let stamp = (facts.dev(), facts.ino(), facts.len(), facts.mtime(), facts.ctime(), facts.ctime_nsec());
        let key = (self.init.clone(), self.hash);
        let mut verified = VERIFIED.lock().unwrap_or_else(PoisonError::into_inner);
        if verified.get(&key) == Some(&stamp) {
            return Ok(());
        }
        let bytes = fs::read(&self.init).map_err(failed(&self.init))?;
        if !facts.is_file() || ContentHash::of_bytes(&bytes) != self.hash {
            return Err(ToolsError::Changed(self.init.clone()));
        }
        verified.insert(key, stamp);
        Ok(())
    }
}

/// Makes a folder readable by other users, whatever the umask: the code of a sandbox runs as another user.
fn make_readable(folder: &Path) -> Result<(), ToolsError> {
    let mode = fs::metadata(folder).map_err(failed(folder))?.mode() & 0o777;
    // Read by everyone, written by the owner alone, whatever the caller's umask is.
    let wanted = (mode | 0o055) & !0o022;
    if mode == wanted {
        return Ok(());
    }
    fs::set_permissions(folder, Permissions::from_mode(wanted)).map_err(failed(folder))
}

/// Writes a temp file and renames it, so that no process sees a partial file.
fn put(dir: &Path, path: &Path, content: &[u8], mode: u32) -> Result<(), ToolsError> {
    if fs::read(path).is_ok_and(|present| present == content) && has_mode(path, mode) {
        return Ok(());
    }
    let written = tempfile::NamedTempFile::new_in(dir).and_then(|mut file| {
        io::Write::write_all(&mut file, content)?;
        fs::set_permissions(file.path(), Permissions::from_mode(mode))?;
        file.persist(path).map(drop).map_err(|error| error.error)
    });
    written.map_err(failed(path))
}

/// Returns whether a path is a regular file with exactly these permissions.
fn has_mode(path: &Path, mode: u32) -> bool {
    fs::symlink_metadata(path).is_ok_and(|facts| facts.is_file() && facts.mode() & 0o777 == mode)
}

fn failed(path: &Path) -> impl FnOnce(io::Error) -> ToolsError {
    let path = path.to_owned();
    move |error| ToolsError::File { path, error }
}
