//! A window over an input: the bytes that are being looked at, refilled as they are used up.
//!
//! The bytes of a whole row are in the window before it is looked at, so readers work on slices. The window grows
//! only as far as a row does, and the input is counted against its limit.

use crate::adapter::Input;
use crate::error::AdapterError;
use std::io::{self, SeekFrom};

const FIRST: usize = 128 * 1024;

pub(crate) struct Window<'i> {
    input: &'i mut dyn Input,
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    /// The offset in the input of the first byte of the buffer.
    base: u64,
    most: u64,
    ended: bool,
}

impl<'i> Window<'i> {
    /// A window at the beginning of the input.
    pub(crate) fn open(input: &'i mut dyn Input, most: u64) -> Result<Self, AdapterError> {
        let mut window = Self { input, buffer: vec![0; FIRST], start: 0, end: 0, base: 0, most, ended: false };
        window.rewind()?;
        Ok(window)
    }

    /// Goes back to the beginning of the input.
    pub(crate) fn rewind(&mut self) -> Result<(), AdapterError> {
        self.input.seek(SeekFrom::Start(0)).map_err(|error| AdapterError::read(&error))?;
        (self.start, self.end, self.base, self.ended) = (0, 0, 0, false);
        Ok(())
    }

    /// What is there and not yet used.
    #[inline]
    pub(crate) fn rest(&self) -> &[u8] {
        self.buffer.get(self.start..self.end).unwrap_or_default()
    }

    /// True where nothing follows what is there.
    pub(crate) fn ended(&self) -> bool {
        self.ended
    }

    /// The offset in the input of the first byte of the rest.
    pub(crate) fn offset(&self) -> u64 {
        self.base + self.start as u64
    }

    /// Uses up bytes of the rest.
    #[inline]
    pub(crate) fn consume(&mut self, bytes: usize) {
        self.start = self.start.saturating_add(bytes).min(self.end);
    }

    /// Reads more behind the rest, until the window is full or the input ends.
    pub(crate) fn more(&mut self) -> Result<(), AdapterError> {
        if self.start > 0 {
            self.buffer.copy_within(self.start..self.end, 0);
            self.base += self.start as u64;
            (self.start, self.end) = (0, self.end - self.start);
        }
        if self.end == self.buffer.len() {
            self.buffer.resize(self.buffer.len() * 2, 0);
        }
        // Filled to the end, so that a row that outgrows the window is looked at again only once it has doubled.
        while self.end < self.buffer.len() && !self.ended {
            let room = self.buffer.get_mut(self.end..).unwrap_or_default();
            match self.input.read(room) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(AdapterError::read(&error)),
                Ok(read) => {
                    self.end += read;
                    self.ended = read == 0;
                }
            }
        }
        if self.base + self.end as u64 > self.most {
            return Err(AdapterError::limit(format_args!("{} bytes of input", self.most)));
        }
        Ok(())
    }
}

/// A whole input as bytes, for documents that cannot be streamed.
pub(crate) fn whole(input: &mut dyn Input, most: u64) -> Result<Vec<u8>, AdapterError> {
    let mut window = Window::open(input, most)?;
    while !window.ended() {
        window.more()?;
    }
    Ok(window.rest().to_vec())
}
