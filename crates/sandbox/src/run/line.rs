//! The connection to the guard: its messages, and whether it is alive.

use super::capture::never_waits;
use deed_canon::Invariant as _;
use deed_init::{Said as GuardMessage, read_frame};
use std::io::{ErrorKind, Read};
use std::net::Shutdown;
use std::os::unix::net::UnixStream;

/// The maximum size of the guard's messages.
const LONGEST: usize = 1 << 20;

/// The connection to the guard.
pub(super) struct Line {
    pub(super) stream: UnixStream,
    pub(super) open: bool,
    received: Vec<u8>,
}

impl Line {
    pub(super) fn new(stream: UnixStream) -> Result<Self, String> {
        never_waits(&stream)?;
        Ok(Self { stream, open: true, received: Vec::new() })
    }

    /// Closes our side, which makes the guard end everything. The line stays open until the guard has ended.
    pub(super) fn hang_up(&self) {
        // A guard that has ended need not be notified.
        let _ = self.stream.shutdown(Shutdown::Write);
    }

    /// The messages since the last call.
    pub(super) fn messages(&mut self) -> Vec<GuardMessage> {
        let mut room = [0_u8; 4096];
        loop {
            match self.stream.read(&mut room) {
                Ok(read) if read > 0 && self.received.len() < LONGEST => {
                    self.received.extend(room.get(..read).invariant("a reader fills no more than its buffer"));
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                Ok(_) | Err(_) => {
                    self.open = false;
                    break;
                }
            }
        }
        std::iter::from_fn(|| self.next()).collect()
    }

    fn next(&mut self) -> Option<GuardMessage> {
        let length = self.received.first_chunk::<4>().map(|bytes| u32::from_be_bytes(*bytes))?;
        let whole = usize::try_from(length).ok()?.checked_add(4)?;
        let message = read_frame(&mut self.received.get(..whole)?);
        self.received.drain(..whole);
        // After a malformed message the guard is not trusted: the run counts as lost, and everything is ended.
        self.open &= message.is_ok();
        message.ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn a_malformed_message_closes_the_line() {
        let (ours, mut theirs) = UnixStream::pair().unwrap();
        let mut line = Line::new(ours).unwrap();
        theirs.write_all(b"\0\0\0\x03{}?").unwrap();
        assert!(line.messages().is_empty());
        assert!(!line.open);
    }
}
