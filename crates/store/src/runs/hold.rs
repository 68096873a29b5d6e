//! The right to drive a run: a locked file, which the system frees when the process ends in whatever way.

use super::fault;
use super::records::check_name;
use crate::sqlite::private_file;
use deed_ports::{RunHold, StoreError, StoreErrorKind};
use std::fs::{self, File, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

/// A run that this process drives. The file stays when it is given back: to remove it would let two processes lock
/// two files of the same name.
#[derive(Debug)]
struct Hold {
    file: File,
    run_id: String,
}

impl RunHold for Hold {}

impl Drop for Hold {
    fn drop(&mut self) {
        // Closing the file would do, were it not for processes that are being started and have a copy of it.
        if self.file.unlock().is_err() {
            debug_assert!(!self.run_id.is_empty());
        }
    }
}

/// Takes a run, or says who has it.
pub(super) fn take(dir: &Path, run_id: &str) -> Result<Box<dyn RunHold>, StoreError> {
    check_name(run_id)?;
    let folder = dir.join("locks");
    let path = folder.join(format!("{run_id}.lock"));
    let trouble = |e: io::Error| fault::io(&e, &path);
    // A copy or a backup may have left out an empty folder.
    fs::create_dir_all(&folder).map_err(trouble)?;
    let mut file = private_file(&path).map_err(trouble)?;
    match file.try_lock() {
        Ok(()) => {
            sign(&mut file).map_err(trouble)?;
            Ok(Box::new(Hold { file, run_id: run_id.to_owned() }))
        }
        Err(TryLockError::WouldBlock) => Err(held(run_id, &mut file)),
        Err(TryLockError::Error(e)) => Err(trouble(e)),
    }
}

/// Leaves our name in the file, for whoever is refused.
fn sign(file: &mut File) -> io::Result<()> {
    file.set_len(0)?;
    file.write_all(std::process::id().to_string().as_bytes())
}

fn held(run_id: &str, file: &mut File) -> StoreError {
    let mut text = String::new();
    let read = file.seek(SeekFrom::Start(0)).and_then(|_| file.take(20).read_to_string(&mut text));
    // Between locking and signing, or after a crash, the file names nobody or somebody else.
    let by = match (read, text.trim().parse::<u32>()) {
        (Ok(_), Ok(pid)) if pid == std::process::id() => format!("this process, {pid},"),
        (Ok(_), Ok(pid)) => format!("process {pid}"),
        _ => "another process".to_owned(),
    };
    StoreError::new(StoreErrorKind::Held, format!("{by} drives run `{run_id}`"))
        .help("wait for it, or end that process; its run can be taken up again at once")
}
