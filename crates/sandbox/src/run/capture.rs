//! What a program prints: the beginning is kept, the rest is counted, and the program is never made to wait.

use nix::fcntl::{FcntlArg, OFlag, fcntl};
use serde::{Deserialize, Serialize};
use std::io::{ErrorKind, Read};
use std::os::fd::AsFd;

/// How much is read in one go before other things are looked at.
const ROUNDS: usize = 16;

/// What was printed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Captured {
    /// What is kept.
    pub bytes: Vec<u8>,
    /// How many bytes came after it.
    pub truncated: u64,
}

/// A stream that is being read.
pub(super) struct Stream<R> {
    pub(super) from: R,
    pub(super) open: bool,
    keep: u64,
    captured: Captured,
}

impl<R: Read + AsFd> Stream<R> {
    pub(super) fn new(from: R, keep: u64) -> Result<Self, String> {
        never_waits(&from)?;
        Ok(Self { from, open: true, keep, captured: Captured::default() })
    }

    /// Takes what is there.
    pub(super) fn drain(&mut self) {
        let mut room = vec![0_u8; 64 << 10];
        for _ in 0..ROUNDS {
            match self.from.read(&mut room) {
                Ok(0) => self.open = false,
                Ok(read) => {
                    self.take(room.get(..read).unwrap_or_default());
                    continue;
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                Err(_) => self.open = false,
            }
            return;
        }
    }

    fn take(&mut self, bytes: &[u8]) {
        let room = self.keep.saturating_sub(self.captured.bytes.len() as u64);
        let kept = usize::try_from(room).unwrap_or(usize::MAX).min(bytes.len());
        self.captured.bytes.extend(bytes.iter().take(kept));
        self.captured.truncated += (bytes.len() - kept) as u64;
    }

    pub(super) fn so_far(&self) -> &Captured {
        &self.captured
    }

    pub(super) fn captured(self) -> Captured {
        self.captured
    }
}

/// Sees to it that reading returns at once.
pub(super) fn never_waits(file: &impl AsFd) -> Result<(), String> {
    let failed = |error| format!("a stream cannot be watched: {error}");
    let flags = OFlag::from_bits_retain(fcntl(file, FcntlArg::F_GETFL).map_err(failed)?);
    fcntl(file, FcntlArg::F_SETFL(flags | OFlag::O_NONBLOCK)).map(drop).map_err(failed)
}
