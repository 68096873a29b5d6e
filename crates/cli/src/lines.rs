//! Many documents in one file, one a line: read without holding the file, however long a line is.

use deed_diag::MAX_DOCUMENT_BYTES;
use std::io::{self, BufRead, Read};

/// The next line, of which no more is kept than shows that it is too long.
pub(crate) fn next_line(reader: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
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
