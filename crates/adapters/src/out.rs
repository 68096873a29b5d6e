//! The output of an adapter: a buffer, counted against the limit.

use crate::adapter::Adapted;
use crate::error::AdapterError;
use crate::note::Notes;
use std::io::{self, Write};

const BLOCK: usize = 64 * 1024;

pub(crate) struct Out<'o> {
    to: &'o mut dyn Write,
    /// Bytes that are written once they fill a block.
    pub(crate) buffer: Vec<u8>,
    written: u64,
    most: u64,
}

impl<'o> Out<'o> {
    pub(crate) fn new(to: &'o mut dyn Write, most: u64) -> Self {
        Self { to, buffer: Vec::with_capacity(2 * BLOCK), written: 0, most }
    }

    /// Writes full blocks. Called between rows, so that adding bytes to the buffer stays cheap.
    #[inline]
    pub(crate) fn spill(&mut self) -> Result<(), AdapterError> {
        if self.buffer.len() >= BLOCK { self.drain() } else { Ok(()) }
    }

    fn drain(&mut self) -> Result<(), AdapterError> {
        self.written += self.buffer.len() as u64;
        if self.written > self.most {
            return Err(AdapterError::limit(format_args!("{} bytes of output", self.most)));
        }
        self.to.write_all(&self.buffer).map_err(|error| AdapterError::write(&error))?;
        self.buffer.clear();
        Ok(())
    }

    /// Writes the rest of the buffer and returns the result of the adapter.
    pub(crate) fn finish(mut self, rows: Option<u64>, notes: Notes) -> Result<Adapted, AdapterError> {
        self.drain()?;
        self.to.flush().map_err(|error| AdapterError::write(&error))?;
        Ok(Adapted { rows, bytes: self.written, notes: notes.into_vec() })
    }
}

impl Write for Out<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.buffer.extend_from_slice(bytes);
        self.spill().map_err(io::Error::other)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
