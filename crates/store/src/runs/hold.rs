//! The right to drive a run: a locked file, which the system unlocks when the process ends in any way.

use super::RunStore;
use super::fault;
use super::records::check_name;
use crate::sqlite::{private_file, private_folder};
use deed_ports::{RunHold, StoreError, StoreErrorKind};
use std::fs::{self, File, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Attempts to lock a run, and the pause between them: a process that only asks for the driver of a run holds the lock
/// for an instant.
const ATTEMPTS: u32 = 5;
const RETRY_PAUSE: Duration = Duration::from_millis(4);
/// A file that stays in the folder of locks once a run was driven: a folder that has it and no journal has lost it.
const MARK: &str = "driven";

/// The lock of a run that this process drives. Dropping it removes the file.
#[derive(Debug)]
struct Hold {
    file: File,
    path: PathBuf,
}

impl RunHold for Hold {
    fn is_held(&self) -> bool {
        // If it cannot be found out, the run counts as lost to another process.
        is_at(&self.file, &self.path).unwrap_or(false)
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        // Removed while it is locked: a process that opened it before finds that its name is gone and opens another. If
        // it cannot be removed, the next process that drives the run does it.
        fs::remove_file(&self.path).ok();
        // Closing the file is not enough: a process that is being started may have inherited it.
        self.file.unlock().ok();
    }
}

/// The process that drives a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Driver {
    /// Its process id, once it has written it to the lock.
    pub process: Option<u32>,
}

impl RunStore {
    /// The process that drives a run, if one holds its lock. A crashed process holds none.
    ///
    /// # Errors
    /// The name is not valid, or the lock cannot be read.
    pub fn driver(&self, run_id: &str) -> Result<Option<Driver>, StoreError> {
        check_name(run_id)?;
        let path = lock_path(&self.dir, run_id);
        let mut file = match File::open(&path) {
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
            opened => opened.map_err(|e| fault::io(&e, &path))?,
        };
        match file.try_lock_shared() {
            Ok(()) => file.unlock().map(|()| None).map_err(|e| fault::io(&e, &path)),
            Err(TryLockError::WouldBlock) => Ok(Some(Driver { process: read_pid(&mut file) })),
            Err(TryLockError::Error(e)) => Err(fault::io(&e, &path)),
        }
    }
}

/// Locks a run for this process, or names the process that drives it.
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
                write_pid(&mut file).map_err(trouble)?;
                return Ok(Box::new(Hold { file, path }));
            }
            // The previous driver has released and removed it meanwhile.
            Ok(()) => {}
            Err(TryLockError::WouldBlock) if tried < ATTEMPTS => {
                tried += 1;
                std::thread::sleep(RETRY_PAUSE);
            }
            Err(TryLockError::WouldBlock) => return Err(held_error(run_id, &mut file)),
            Err(TryLockError::Error(e)) => return Err(trouble(e)),
        }
    }
}

fn lock_path(dir: &Path, run_id: &str) -> PathBuf {
    dir.join("locks").join(format!("{run_id}.lock"))
}

/// Returns whether an open file is still the one with this name.
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

/// Writes the id of this process to the lock, for the message of a process that is refused.
fn write_pid(file: &mut File) -> io::Result<()> {
    file.set_len(0)?;
    file.write_all(std::process::id().to_string().as_bytes())
}

/// The process id in the lock, for messages only. Between locking and writing, or after a crash, there is none.
fn read_pid(file: &mut File) -> Option<u32> {
    let mut text = String::new();
    file.seek(SeekFrom::Start(0)).and_then(|_| file.take(20).read_to_string(&mut text)).ok()?;
    text.trim().parse().ok()
}

fn held_error(run_id: &str, file: &mut File) -> StoreError {
    let by = match read_pid(file) {
        Some(pid) if pid == std::process::id() => format!("this process, {pid},"),
        Some(pid) => format!("process {pid}"),
        None => "another process".to_owned(),
    };
    StoreError::new(StoreErrorKind::Held, format!("{by} drives run `{run_id}`"))
        .help("wait for it, or end that process; its run can be resumed at once")
}
