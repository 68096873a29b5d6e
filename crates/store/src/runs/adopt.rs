//! Storing a file by moving it. If another process could still change the bytes after the move, they are copied.

use super::RunStore;
use super::fault;
use super::files::{CopyError, seal};
use super::small;
use deed_canon::ContentHash;
use deed_ports::{Kept, StoreError, StoreErrorKind};
use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::path::Path;

impl RunStore {
    /// Stores a file whose hash was just taken, and removes it from its place.
    pub(super) fn adopt_file(&self, path: &Path, known: Kept) -> Result<(), StoreError> {
        let trouble = |e: io::Error| fault::io(&e, path);
        let found = fs::symlink_metadata(path).map_err(trouble)?;
        if !found.is_file() {
            let message = format!("`{}` is not a regular file", path.display());
            return Err(StoreError::new(StoreErrorKind::Conflict, message).help("store a regular file"));
        }
        if found.len() != known.bytes {
            return Err(differs(path));
        }
        if known.bytes <= small::MOST as u64 {
            self.adopt_small(path, known)?;
        } else if self.files.has(&known)? {
            // Its writer may have crashed between the rename and the sync.
            self.sync_shard(&known).map_err(trouble)?;
        } else {
            return self.replace(path, &found, known);
        }
        fs::remove_file(path).map_err(trouble)
    }

    fn adopt_small(&self, path: &Path, known: Kept) -> Result<(), StoreError> {
        let mut bytes = Vec::new();
        // One byte more than expected, to detect a longer file.
        let read = File::open(path).and_then(|file| file.take(known.bytes + 1).read_to_end(&mut bytes));
        read.map_err(|e| fault::io(&e, path))?;
        if (Kept { sha256: ContentHash::of_bytes(&bytes), bytes: bytes.len() as u64 }) != known {
            return Err(differs(path));
        }
        self.queue.send_blob(known.sha256, bytes.into())
    }

    /// Puts a file in the place of its hash, whatever file is there.
    fn replace(&self, path: &Path, found: &Metadata, known: Kept) -> Result<(), StoreError> {
        self.files.refuse_folder(&known.sha256)?;
        if self.moved(path, found, &known).map_err(|e| fault::io(&e, path))? {
            return Ok(());
        }
        self.adopt_copy(path, known)
    }

    fn sync_shard(&self, known: &Kept) -> io::Result<()> {
        let path = self.files.shards.path(&known.sha256);
        let shard = self.files.shards.prepare_shard(&path, &self.steps)?;
        self.steps.before("sync blob folder")?;
        self.files.shards.sync_folder(shard)
    }

    /// Moves a file; returns false if it has to be copied.
    fn moved(&self, path: &Path, found: &Metadata, known: &Kept) -> io::Result<bool> {
        if shared(found) || !owned(path, found, &self.dir)? {
            return Ok(false);
        }
        let target = self.files.shards.path(&known.sha256);
        let shard = self.files.shards.prepare_shard(&target, &self.steps)?;
        let file = File::open(path)?;
        seal(&file)?;
        self.steps.before("sync blob")?;
        self.files.shards.sync_file(&file)?;
        self.steps.before("rename blob")?;
        match fs::rename(path, &target) {
            Err(e) if e.kind() == io::ErrorKind::CrossesDevices => return Ok(false),
            renamed => renamed?,
        }
        self.steps.before("sync blob folder")?;
        self.files.shards.sync_folder(shard)?;
        Ok(true)
    }

    fn adopt_copy(&self, path: &Path, known: Kept) -> Result<(), StoreError> {
        let trouble = |e: io::Error| fault::io(&e, path);
        let mut from = File::open(path).map_err(trouble)?;
        let (file, kept) = self.files.write(&mut from, &self.steps).map_err(|e| match e {
            CopyError::Read(e) => fault::io(&e, path),
            CopyError::Write(e) => fault::io(&e, &self.dir),
        })?;
        if kept != known {
            return Err(differs(path));
        }
        self.files.persist(file, &kept.sha256, &self.steps).map_err(|e| fault::io(&e, &self.dir))?;
        fs::remove_file(path).map_err(trouble)
    }
}

/// Returns whether a file has a second name, through which the bytes could be changed.
#[cfg(unix)]
fn shared(found: &Metadata) -> bool {
    std::os::unix::fs::MetadataExt::nlink(found) > 1
}

#[cfg(not(unix))]
fn shared(_: &Metadata) -> bool {
    false
}

/// Makes the owner of the folder the owner of the file, because another owner could make it writable again. Returns
/// false if that is not permitted.
#[cfg(unix)]
fn owned(path: &Path, found: &Metadata, dir: &Path) -> io::Result<bool> {
    use std::os::unix::fs::{MetadataExt, lchown};
    let ours = fs::metadata(dir)?;
    if found.uid() == ours.uid() {
        return Ok(true);
    }
    match lchown(path, Some(ours.uid()), Some(ours.gid())) {
        Err(e) if e.kind() == io::ErrorKind::PermissionDenied => Ok(false),
        changed => changed.map(|()| true),
    }
}

#[cfg(not(unix))]
fn owned(_: &Path, _: &Metadata, _: &Path) -> io::Result<bool> {
    Ok(true)
}

fn differs(path: &Path) -> StoreError {
    StoreError::new(StoreErrorKind::Corrupt, format!("`{}` does not match its hash", path.display()))
        .help("write the file again: it was changed after its hash was taken")
}
