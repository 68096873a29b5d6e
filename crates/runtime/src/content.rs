//! The bytes of an input or output while a step is under way: in a file, or few enough to be held.

use deed_ports::{BlobPlace, ReadSeek};
use std::fs::{self, File};
use std::io::{self, BufWriter, Cursor, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The bytes of a file that does not change while it is inspected.
#[derive(Debug, Clone)]
pub(crate) enum Content {
    /// In a file.
    File(PathBuf),
    /// In memory.
    Held(Arc<[u8]>),
}

impl From<BlobPlace> for Content {
    fn from(place: BlobPlace) -> Self {
        match place {
            BlobPlace::File(file) => Self::File(file),
            BlobPlace::Bytes(bytes) => Self::Held(bytes.into()),
        }
    }
}

impl Content {
    /// Opens it, from its beginning.
    pub(crate) fn open(&self) -> io::Result<Box<dyn ReadSeek>> {
        Ok(match self {
            Self::File(file) => Box::new(File::open(file)?),
            Self::Held(bytes) => Box::new(Cursor::new(Arc::clone(bytes))),
        })
    }

    /// All of it.
    pub(crate) fn read(&self) -> io::Result<Vec<u8>> {
        match self {
            Self::File(file) => fs::read(file),
            Self::Held(bytes) => Ok(bytes.to_vec()),
        }
    }

    /// A file that has it: its own, or one that is written, readable by the user that the sandbox runs as.
    pub(crate) fn file(&self, otherwise: impl FnOnce() -> PathBuf) -> io::Result<PathBuf> {
        match self {
            Self::File(file) => Ok(file.clone()),
            Self::Held(bytes) => {
                let file = otherwise();
                write(&file, bytes)?;
                Ok(file)
            }
        }
    }
}

/// Bytes that are being written: held while they are few, in a file from then on.
#[derive(Debug)]
pub(crate) struct Spool {
    held: Vec<u8>,
    target: PathBuf,
    file: Option<BufWriter<File>>,
}

/// Bytes that are held.
const MOST_HELD: usize = 64 << 10;

impl Spool {
    pub(crate) fn new(target: PathBuf) -> Self {
        Self { held: Vec::new(), target, file: None }
    }

    /// Returns everything that was written.
    pub(crate) fn finish(mut self) -> io::Result<Content> {
        match &mut self.file {
            None => Ok(Content::Held(self.held.into())),
            Some(file) => {
                file.flush()?;
                Ok(Content::File(self.target))
            }
        }
    }

    fn spill(&mut self) -> io::Result<&mut BufWriter<File>> {
        if let Some(folder) = self.target.parent() {
            fs::create_dir_all(folder)?;
        }
        let mut file = BufWriter::new(File::create(&self.target)?);
        file.write_all(&std::mem::take(&mut self.held))?;
        Ok(self.file.insert(file))
    }
}

impl Write for Spool {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.file.is_none() && self.held.len() + bytes.len() <= MOST_HELD {
            self.held.extend_from_slice(bytes);
            return Ok(bytes.len());
        }
        match &mut self.file {
            Some(file) => file.write(bytes),
            None => self.spill()?.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.as_mut().map_or(Ok(()), Write::flush)
    }
}

fn write(file: &Path, bytes: &[u8]) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::write(file, bytes)?;
    fs::set_permissions(file, fs::Permissions::from_mode(0o444))
}
