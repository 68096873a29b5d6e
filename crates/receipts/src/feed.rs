//! A window over the bytes of an artifact, refilled as it is consumed.
//!
//! Every byte passes the hasher exactly once, also if no format reads it.

use crate::bytes::between;
use crate::hasher::Hasher;
use deed_diag::{Invariant as _, invariant};
use std::io::{self, Read};

/// The initial size of the window.
const FIRST: usize = 256 * 1024;

/// The bytes of an artifact, in order.
pub(crate) struct Feed<'f, 's> {
    source: &'f mut dyn Read,
    hasher: Hasher<'s>,
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    /// The offset in the artifact of the first byte of the buffer.
    base: u64,
    ended: bool,
}

impl<'f, 's> Feed<'f, 's> {
    /// Opens a window at the beginning, with the first bytes in it.
    pub(crate) fn open(source: &'f mut dyn Read, hasher: Hasher<'s>) -> io::Result<Self> {
        let mut feed = Self { source, hasher, buffer: vec![0; FIRST], start: 0, end: 0, base: 0, ended: false };
        feed.more()?;
        Ok(feed)
    }

    /// The bytes in the window that are not consumed yet.
    #[inline]
    pub(crate) fn rest(&self) -> &[u8] {
        between(&self.buffer, self.start, self.end)
    }

    /// Returns whether the window reaches the end of the artifact.
    pub(crate) fn ended(&self) -> bool {
        self.ended
    }

    /// The offset in the artifact of the first byte of the rest.
    #[inline]
    pub(crate) fn offset(&self) -> u64 {
        self.base + self.start as u64
    }

    /// Consumes bytes of the rest.
    #[inline]
    pub(crate) fn consume(&mut self, bytes: usize) {
        self.start = self.start.saturating_add(bytes).min(self.end);
    }

    /// Reads more after the rest, until the window is full or the artifact ends. The window grows if the rest
    /// fills it, so the caller bounds what it leaves unconsumed.
    pub(crate) fn more(&mut self) -> io::Result<()> {
        if self.start > 0 {
            self.buffer.copy_within(self.start..self.end, 0);
            self.base += self.start as u64;
            (self.start, self.end) = (0, self.end - self.start);
        }
        if self.end == self.buffer.len() {
            self.buffer.resize(self.buffer.len() * 2, 0);
        }
        let from = self.end;
        // Filled to the end, so that a row that outgrows the window is scanned again only after it has doubled.
        while self.end < self.buffer.len() && !self.ended {
            let room = self.buffer.get_mut(self.end..).invariant("the window ends within its buffer");
            let most = room.len();
            match self.source.read(room) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
                Ok(read) => {
                    invariant!(read <= most, "a reader fills no more than its buffer");
                    self.end += read;
                    self.ended = read == 0;
                }
            }
        }
        self.hasher.see(between(&self.buffer, from, self.end))
    }

    /// The whole artifact if it has at most `most` bytes; otherwise `None`, and nothing is consumed.
    pub(crate) fn whole(&mut self, most: usize) -> io::Result<Option<&[u8]>> {
        while !self.ended && self.rest().len() <= most {
            self.more()?;
        }
        Ok((self.ended && self.rest().len() <= most).then_some(self.rest()))
    }

    /// Reads the rest of the artifact, for the hash alone.
    pub(crate) fn drain(&mut self) -> io::Result<()> {
        loop {
            self.consume(usize::MAX);
            if self.ended {
                return Ok(());
            }
            self.more()?;
        }
    }

    /// The hasher, and the number of bytes that passed it.
    pub(crate) fn close(self) -> (Hasher<'s>, u64) {
        (self.hasher, self.base + self.end as u64)
    }
}
