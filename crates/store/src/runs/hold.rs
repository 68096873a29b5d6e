//! The right to drive a run: a locked file, which the system frees when the process ends in whatever way.

use super::RunStore;
use super::fault;
use super::records::check_name;
use crate::sqlite::{private_file, private_folder};
use deed_ports::{RunHold, StoreError, StoreErrorKind};
use std::fs::{self, File, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How often a lock that is held is tried again, and after which pause: whoever only asks who drives a run holds its lock
/// for an instant.
const TRIES: u32 = 5;
const PAUSE: Duration = Duration::from_millis(4);
/// Stays in the folder of locks once a run was driven: a folder without a journal that has it has lost one.
const MARK: &str = "driven";

/// A run that this process drives. The file goes when the run is given back.
#[derive(Debug)]
struct Hold {
    file: File,
    path: PathBuf,
}

impl RunHold for Hold {
    fn stands(&self) -> bool {
        is_at(&self.file, &self.path).unwrap_or(false)
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        // Removed while it is locked: whoever opened it before finds that its name is gone and opens another. What cannot
        // be removed is removed by the next process that drives the run.
        fs::remove_file(&self.path).ok();
        // Closing the file would do, were it not for processes that are being started and have a copy of it.
        self.file.unlock().ok();
    }
}

/// The process that drives a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Driver {
    /// Its number, where it has written that down.
    pub process: Option<u32>,
}

impl RunStore {
    /// The process that drives a run, as its lock tells: a process that died holds none.
    pub fn driver(&self, run_id: &str) -> Result<Option<Driver>, StoreError> {
        check_name(run_id)?;
        let path = lock_path(&self.dir, run_id);
        let mut file = match File::open(&path) {
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
            opened => opened.map_err(|e| fault::io(&e, &path))?,
        };
        match file.try_lock_shared() {
            Ok(()) => file.unlock().map(|()| None).map_err(|e| fault::io(&e, &path)),
            Err(TryLockError::WouldBlock) => Ok(Some(Driver { process: signed(&mut file) })),
            Err(TryLockError::Error(e)) => Err(fault::io(&e, &path)),
        }
    }
}

/// Takes a run, or says who has it.
pub(super) fn take(dir: &Path, run_id: &str) -> Result<Box<dyn RunHold>, StoreError> {
    check_name(run_id)?;
    let (folder, path) = (dir.join("locks"), lock_path(dir, run_id));
    let trouble = |e: io::Error| fault::io(&e, &path);
    // A copy or a backup may have left out an empty folder.
    private_folder(&folder).map_err(trouble)?;
    private_file(&folder.join(MARK)).map_err(trouble)?;
    let mut tried = 1;
    loop {
        let mut file = private_file(&path).map_err(trouble)?;
        match file.try_lock() {
            Ok(()) if is_at(&file, &path).map_err(trouble)? => {
                sign(&mut file).map_err(trouble)?;
                return Ok(Box::new(Hold { file, path }));
            }
            // Whoever held it has given it back and removed it meanwhile.
            Ok(()) => {}
            Err(TryLockError::WouldBlock) if tried < TRIES => {
                tried += 1;
                std::thread::sleep(PAUSE);
            }
            Err(TryLockError::WouldBlock) => return Err(held(run_id, &mut file)),
            Err(TryLockError::Error(e)) => return Err(trouble(e)),
        }
    }
}

fn lock_path(dir: &Path, run_id: &str) -> PathBuf {
    dir.join("locks").join(format!("{run_id}.lock"))
}

/// Returns whether a file that is open is still the one that has this name.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    let open = file.metadata()?;
    match fs::symlink_metadata(path) {
        Ok(named) => Ok((named.dev(), named.ino()) == (open.dev(), open.ino())),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(e) => Err(e),
    }
}

#[cfg(not(unix))]
fn is_at(_: &File, path: &Path) -> io::Result<bool> {
    path.try_exists()
}

/// Leaves our name in the file, for whoever is refused.
fn sign(file: &mut File) -> io::Result<()> {
    file.set_len(0)?;
    file.write_all(std::process::id().to_string().as_bytes())
}

/// The process that left its number in the file. Between locking and signing, or after a crash, there is none.
fn signed(file: &mut File) -> Option<u32> {
    let mut text = String::new();
    file.seek(SeekFrom::Start(0)).and_then(|_| file.take(20).read_to_string(&mut text)).ok()?;
    text.trim().parse().ok()
}

fn held(run_id: &str, file: &mut File) -> StoreError {
    let by = match signed(file) {
        Some(pid) if pid == std::process::id() => format!("this process, {pid},"),
        Some(pid) => format!("process {pid}"),
        None => "another process".to_owned(),
    };
    StoreError::new(StoreErrorKind::Held, format!("{by} drives run `{run_id}`"))
        .help("wait for it, or end that process; its run can be resumed at once")
}
