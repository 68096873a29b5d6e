//! JSON as bytes: strings, and rows one on each line.

use crate::error::AdapterError;
use crate::out::Out;
use deed_canon::Invariant;
use std::io::Write;

/// Writes rows into `[` and `]`, one on each line.
pub(crate) struct RowWriter<'o> {
    pub(crate) out: Out<'o>,
    rows: u64,
}

impl<'o> RowWriter<'o> {
    pub(crate) fn new(output: &'o mut dyn Write, most: u64) -> Self {
        let mut out = Out::new(output, most);
        out.buffer.push(b'[');
        Self { out, rows: 0 }
    }

    /// Begins a row; what the caller puts until [`RowWriter::end`] is the inside of an object.
    #[inline]
    pub(crate) fn begin(&mut self) -> &mut Vec<u8> {
        self.out.buffer.extend_from_slice(if self.rows == 0 { b"\n{" } else { b",\n{" });
        &mut self.out.buffer
    }

    /// Ends a row.
    #[inline]
    pub(crate) fn end(&mut self) -> Result<(), AdapterError> {
        self.out.buffer.push(b'}');
        self.rows += 1;
        self.out.spill()
    }

    /// Ends the table, and hands back the output with the number of rows.
    pub(crate) fn close(mut self) -> (Out<'o>, u64) {
        self.out.buffer.extend_from_slice(if self.rows == 0 { b"]\n" } else { b"\n]\n" });
        (self.out, self.rows)
    }
}

/// The bytes that are copied at once. A copy of fixed length needs no call, and the excess is cut off again.
const PIECE: usize = 16;

/// Bytes that are put again and again.
pub(crate) struct Stamp {
    padded: [u8; 2 * PIECE],
    length: usize,
    /// The bytes, where they do not fit the padded form.
    long: Vec<u8>,
}

impl Stamp {
    pub(crate) fn new(bytes: &[u8]) -> Self {
        let mut padded = [0; 2 * PIECE];
        let fits = padded.get_mut(..bytes.len()).map(|room| room.copy_from_slice(bytes)).is_some();
        Self { padded, length: bytes.len(), long: if fits { Vec::new() } else { bytes.to_vec() } }
    }

    #[inline]
    pub(crate) fn put(&self, out: &mut Vec<u8>) {
        if self.length <= self.padded.len() {
            let end = out.len() + self.length;
            out.extend_from_slice(&self.padded);
            out.truncate(end);
        } else {
            out.extend_from_slice(&self.long);
        }
    }
}

const WITHIN: &str = "a part lies within its text";

/// Puts a part of a longer text. A short part is copied together with what follows it.
#[inline]
pub(crate) fn put_part(out: &mut Vec<u8>, source: &[u8], start: usize, end: usize) {
    let rest = source.get(start..).invariant(WITHIN);
    match rest.first_chunk::<PIECE>() {
        Some(chunk) if end - start <= PIECE => {
            let length = out.len() + (end - start);
            out.extend_from_slice(chunk);
            out.truncate(length);
        }
        _ => out.extend_from_slice(rest.get(..end - start).invariant(WITHIN)),
    }
}
