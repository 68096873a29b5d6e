//! A window over the bytes of an artifact: what is being looked at, refilled as it is used up.
//!
//! Every byte passes the hasher exactly once, whether or not anybody looks at it.

use crate::hasher::Hasher;
use std::io::{self, Read};

/// Bytes that are read at once.
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
    /// A window at the beginning, with the first bytes in it.
    pub(crate) fn open(source: &'f mut dyn Read, hasher: Hasher<'s>) -> io::Result<Self> {
        let mut feed = Self { source, hasher, buffer: vec![0; FIRST], start: 0, end: 0, base: 0, ended: false };
        feed.more()?;
        Ok(feed)
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

    /// The offset in the artifact of the first byte of the rest.
    #[inline]
    pub(crate) fn offset(&self) -> u64 {
        self.base + self.start as u64
    }

    /// Uses up bytes of the rest.
    #[inline]
    pub(crate) fn consume(&mut self, bytes: usize) {
        self.start = self.start.saturating_add(bytes).min(self.end);
    }

    /// Reads more behind the rest, until the window is full or nothing follows. The window grows where the rest
    /// fills it, so the caller bounds what it leaves unused.
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
        // Filled to the end, so that a row that outgrows the window is looked at again only once it has doubled.
        while self.end < self.buffer.len() && !self.ended {
            let room = self.buffer.get_mut(self.end..).unwrap_or_default();
            match self.source.read(room) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
                Ok(read) => {
                    self.end = (self.end + read).min(self.buffer.len());
                    self.ended = read == 0;
                }
            }
        }
        self.hasher.see(self.buffer.get(from..self.end).unwrap_or_default())
    }

    /// The whole artifact where it has at most so many bytes; otherwise nothing, and nothing is used up.
    pub(crate) fn whole(&mut self, most: usize) -> io::Result<Option<&[u8]>> {
        while !self.ended && self.rest().len() <= most {
            self.more()?;
        }
        Ok((self.ended && self.rest().len() <= most).then_some(self.rest()))
    }

    /// Reads what is left, for the hash alone.
    pub(crate) fn drain(&mut self) -> io::Result<()> {
        loop {
            self.consume(usize::MAX);
            if self.ended {
                return Ok(());
            }
            self.more()?;
        }
    }

    /// The hasher, and how many bytes passed it.
    pub(crate) fn close(self) -> (Hasher<'s>, u64) {
        (self.hasher, self.base + self.end as u64)
    }
}
