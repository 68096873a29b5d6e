//! Files with one document a line, read line by line: memory grows neither with the file nor with a line.

use crate::error::AppError;
use crate::files::display_name;
use deed_diag::MAX_DOCUMENT_BYTES;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

/// A file, or standard input, that is read line by line.
pub struct Lines {
    reader: Box<dyn BufRead>,
    path: PathBuf,
    size: Option<u64>,
    line: Vec<u8>,
    number: u64,
}

/// A line of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line<'l> {
    /// Its number, from 1.
    pub number: u64,
    /// Its bytes with the line break. Of a line that is too long only the beginning is kept.
    pub bytes: &'l [u8],
}

impl Lines {
    /// Opens a file, or standard input for `-`.
    ///
    /// # Errors
    /// The file cannot be opened.
    pub fn open(path: &Path) -> Result<Self, AppError> {
        let (reader, size): (Box<dyn BufRead>, Option<u64>) = if path == Path::new("-") {
            (Box::new(io::stdin().lock()), None)
        } else {
            let file = File::open(path).map_err(|error| AppError::reading(path, &error))?;
            // The size is for progress alone.
            let size = file.metadata().ok().map(|meta| meta.len());
            (Box::new(BufReader::new(file)), size)
        };
        Ok(Self { reader, path: path.to_owned(), size, line: Vec::new(), number: 0 })
    }

    /// Returns whether a name promises one document a line.
    pub fn are_in(path: &Path) -> bool {
        path.extension().is_some_and(|extension| extension == "jsonl" || extension == "ndjson")
    }

    /// The size of the file in bytes; none for standard input.
    pub fn size(&self) -> Option<u64> {
        self.size
    }

    /// The name of the file, as it is shown.
    pub fn name(&self) -> String {
        display_name(&self.path)
    }

    /// Reads the next line; none at the end.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn read_next(&mut self) -> Result<Option<Line<'_>>, AppError> {
        if !next_line(&mut self.reader, &mut self.line).map_err(|error| AppError::reading(&self.path, &error))? {
            return Ok(None);
        }
        self.number += 1;
        Ok(Some(Line { number: self.number, bytes: &self.line }))
    }
}

impl std::fmt::Debug for Lines {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Lines").field("path", &self.path).field("number", &self.number).finish_non_exhaustive()
    }
}

impl<'l> Line<'l> {
    /// Returns whether there is nothing on the line.
    pub fn is_blank(&self) -> bool {
        self.bytes.trim_ascii().is_empty()
    }

    /// The bytes, if the line is short enough to be a document.
    ///
    /// # Errors
    /// The line is longer than any document may be.
    pub fn document(&self) -> Result<&'l [u8], &'static str> {
        if self.bytes.len() as u64 > MAX_DOCUMENT_BYTES { Err("the line is too long") } else { Ok(self.bytes) }
    }
}

/// Reads a line into a buffer. Of a line that is too long, no more is kept than shows that it is.
fn next_line(reader: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    let read = reader.by_ref().take(MAX_DOCUMENT_BYTES + 1).read_until(b'\n', line)?;
    if line.len() as u64 > MAX_DOCUMENT_BYTES && !line.ends_with(b"\n") {
        skip_line(reader)?;
    }
    Ok(read > 0)
}

fn skip_line(reader: &mut impl BufRead) -> io::Result<()> {
    loop {
        let block = reader.fill_buf()?;
        let (used, ended) = match block.iter().position(|b| *b == b'\n') {
            Some(at) => (at + 1, true),
            None => (block.len(), block.is_empty()),
        };
        reader.consume(used);
        if ended {
            return Ok(());
        }
    }
}
