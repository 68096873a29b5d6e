//! Captures the output of a program: the beginning and the end are kept, the rest is counted, and the program never
//! waits. The reason of a failure is usually at the end, and its context at the beginning.

use deed_canon::Invariant as _;
use nix::fcntl::{FcntlArg, OFlag, fcntl};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::io::{ErrorKind, Read};
use std::os::fd::AsFd;

/// The number of reads before other events are handled.
const ROUNDS: usize = 16;

/// The captured output of a stream.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CapturedOutput {
    /// The beginning.
    pub first: Vec<u8>,
    /// The number of bytes after it that are not kept.
    pub left_out: u64,
    /// The end, without what is part of the beginning.
    pub last: Vec<u8>,
}

impl CapturedOutput {
    /// The kept output as text; a line of its own marks where something was left out.
    pub fn text(&self) -> String {
        if self.left_out == 0 {
            let whole = [self.first.as_slice(), self.last.as_slice()].concat();
            return String::from_utf8_lossy(&whole).into_owned();
        }
        let (first, last) = (String::from_utf8_lossy(&self.first), String::from_utf8_lossy(&self.last));
        format!("{first}\n[{} bytes left out]\n{last}", self.left_out)
    }
}

/// A stream that is being read.
pub(super) struct Stream<R> {
    pub(super) from: R,
    pub(super) open: bool,
    /// The numbers of bytes that are kept of the beginning and of the end.
    keep: (usize, usize),
    first: Vec<u8>,
    last: VecDeque<u8>,
    left_out: u64,
}

impl<R: Read + AsFd> Stream<R> {
    pub(super) fn new(from: R, keep: u64) -> Result<Self, String> {
        never_waits(&from)?;
        let keep = usize::try_from(keep).unwrap_or(usize::MAX);
        let keep = (keep.div_ceil(2), keep / 2);
        Ok(Self { from, open: true, keep, first: Vec::new(), last: VecDeque::new(), left_out: 0 })
    }

    /// Reads the available bytes.
    pub(super) fn drain(&mut self) {
        let mut room = vec![0_u8; 64 << 10];
        for _ in 0..ROUNDS {
            match self.from.read(&mut room) {
                Ok(0) => self.open = false,
                Ok(read) => {
                    self.take(room.get(..read).invariant("a reader fills no more than its buffer"));
                    continue;
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                // The program's end of a stream that fails is closed; the guard reports how the program ended.
                Err(_) => self.open = false,
            }
            return;
        }
    }

    fn take(&mut self, bytes: &[u8]) {
        let (first, last) = self.keep;
        let (head, rest) = bytes.split_at(first.saturating_sub(self.first.len()).min(bytes.len()));
        self.first.extend_from_slice(head);
        // Bytes that do not fit between the two are counted: of those kept before, and of these.
        let over = (self.last.len() + rest.len()).saturating_sub(last);
        let old = over.min(self.last.len());
        self.last.drain(..old);
        self.last.extend(rest.iter().skip(over - old));
        self.left_out += over as u64;
    }

    /// The beginning of the output so far.
    pub(super) fn first(&self) -> &[u8] {
        &self.first
    }

    pub(super) fn captured(self) -> CapturedOutput {
        CapturedOutput { first: self.first, left_out: self.left_out, last: self.last.into() }
    }
}

/// Makes reads return at once.
pub(super) fn never_waits(file: &impl AsFd) -> Result<(), String> {
    let failed = |error| format!("a stream cannot be watched: {error}");
    let flags = OFlag::from_bits_retain(fcntl(file, FcntlArg::F_GETFL).map_err(failed)?);
    fcntl(file, FcntlArg::F_SETFL(flags | OFlag::O_NONBLOCK)).map(drop).map_err(failed)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::*;

    /// Captures a text in parts of a size.
    fn kept(text: &str, part: usize, keep: u64) -> CapturedOutput {
        let (ours, _theirs) = std::os::unix::net::UnixStream::pair().unwrap();
        let mut stream = Stream::new(ours, keep).unwrap();
        text.as_bytes().chunks(part).for_each(|part| stream.take(part));
        stream.captured()
    }

    #[test]
    fn the_beginning_and_the_end_are_kept_however_it_comes() {
        let text = "0123456789abcdef";
        for part in 1..=text.len() {
            for keep in 0..=20_usize {
                let kept = kept(text, part, keep as u64);
                let (first, last) = (keep.div_ceil(2).min(16), (keep / 2).min(16 - keep.div_ceil(2).min(16)));
                assert_eq!(kept.first, text.as_bytes().get(..first).unwrap(), "{part} {keep}");
                assert_eq!(kept.last, text.as_bytes().get(16 - last..).unwrap(), "{part} {keep}");
                assert_eq!(kept.left_out as usize, 16 - first - last, "{part} {keep}");
            }
        }
        assert_eq!(kept(text, 3, 6).text(), "012\n[10 bytes left out]\ndef");
        assert_eq!(kept(text, 3, 16).text(), text);
    }
}
