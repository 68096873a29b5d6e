//! A window over an input: a buffer of the bytes that come next, refilled as they are consumed.
//!
//! A whole row is in the window before it is parsed, so readers work on slices. The window grows only as far as a row
//! does, and the input is counted against its limit.

use crate::input::Input;
use deed_canon::Invariant;
use std::io::{self, SeekFrom};

const FIRST: usize = 128 * 1024;

/// A failure to fill a window.
#[derive(Debug, thiserror::Error)]
pub enum WindowError {
    /// The input cannot be read.
    #[error("the input cannot be read: {}", .0.kind())]
    Read(#[from] io::Error),
    /// The input is longer than its limit, in bytes.
    #[error("more than {0} bytes of input")]
    Limit(u64),
}

/// A buffer over an input.
pub struct Window<'i> {
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
    /// Opens a window at the beginning of an input of at most `most` bytes.
    ///
    /// # Errors
    ///
    /// When the input cannot seek.
    pub fn open(input: &'i mut dyn Input, most: u64) -> Result<Self, WindowError> {
        let mut window = Self { input, buffer: vec![0; FIRST], start: 0, end: 0, base: 0, most, ended: false };
        window.rewind()?;
        Ok(window)
    }

    /// Returns to the beginning of the input.
    ///
    /// # Errors
    ///
    /// When the input cannot seek.
    pub fn rewind(&mut self) -> Result<(), WindowError> {
        self.input.seek(SeekFrom::Start(0))?;
        (self.start, self.end, self.base, self.ended) = (0, 0, 0, false);
        Ok(())
    }

    /// The bytes that were read and not yet consumed.
    #[inline]
    pub fn rest(&self) -> &[u8] {
        self.buffer.get(self.start..self.end).invariant("the rest lies within the buffer")
    }

    /// True where no byte follows the rest.
    pub fn ended(&self) -> bool {
        self.ended
    }

    /// The offset in the input of the first byte of the rest.
    pub fn offset(&self) -> u64 {
        self.base + self.start as u64
    }

    /// Consumes bytes of the rest.
    #[inline]
    pub fn consume(&mut self, bytes: usize) {
        self.start = self.start.saturating_add(bytes).min(self.end);
    }

    /// Reads behind the rest until the window is full or the input ends; a full window doubles first.
    ///
    /// # Errors
    ///
    /// When the input cannot be read or is longer than its limit.
    pub fn more(&mut self) -> Result<(), WindowError> {
        if self.start > 0 {
            self.buffer.copy_within(self.start..self.end, 0);
            self.base += self.start as u64;
            (self.start, self.end) = (0, self.end - self.start);
        }
        if self.end == self.buffer.len() {
            self.buffer.resize(self.buffer.len() * 2, 0);
        }
        // Filled to the end, so that a row that outgrows the window is parsed again only once it has doubled.
        while self.end < self.buffer.len() && !self.ended {
            let room = self.buffer.get_mut(self.end..).invariant("the rest lies within the buffer");
            match self.input.read(room) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error.into()),
                Ok(read) => {
                    self.end += read;
                    self.ended = read == 0;
                }
            }
        }
        if self.base + self.end as u64 > self.most {
            return Err(WindowError::Limit(self.most));
        }
        Ok(())
    }
}

/// Reads a whole input, for documents that cannot be streamed.
///
/// # Errors
///
/// When the input cannot be read or is longer than `most` bytes.
pub fn read_all(input: &mut dyn Input, most: u64) -> Result<Vec<u8>, WindowError> {
    let mut window = Window::open(input, most)?;
    while !window.ended() {
        window.more()?;
    }
    Ok(window.rest().to_vec())
}
