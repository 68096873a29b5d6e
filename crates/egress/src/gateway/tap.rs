//! A tap on an answer: its chunks as they arrive, without secrets, and the timing of a stream.
//!
//! The answer is still read, concealed and ended as a whole. Chunks only show progress: what they say counts once the
//! whole answer was returned, which is after the witness has ended the request.

use super::Gateway;
use super::conceal::Concealed;
use bytes::Bytes;
use std::sync::{Arc, PoisonError};
use std::time::Duration;
use tokio::sync::mpsc::UnboundedSender;

/// The timing of a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StreamTiming {
    /// From sending the request to the last byte of its answer.
    pub total: Duration,
    /// The longest pause between two parts of the body.
    pub idle: Duration,
}

/// A tap on the answer to one request.
#[derive(Debug, Clone)]
pub(crate) struct Tap {
    pub(crate) timing: StreamTiming,
    pub(crate) chunks: UnboundedSender<Bytes>,
}

/// A tap at work: it holds back the end of a chunk that may be the beginning of a secret.
pub(super) struct OpenTap {
    tap: Tap,
    secrets: Vec<Arc<Concealed>>,
    /// True for each byte at which one of them may begin.
    begins: [bool; 256],
    held: Vec<u8>,
}

impl Gateway {
    /// Opens a tap. The secrets of the request were read before.
    pub(super) fn open(&self, tap: &Tap) -> OpenTap {
        let secrets = self.inner.sent.lock().unwrap_or_else(PoisonError::into_inner).clone();
        OpenTap::new(tap.clone(), secrets)
    }
}

impl OpenTap {
    fn new(tap: Tap, secrets: Vec<Arc<Concealed>>) -> Self {
        let mut begins = [false; 256];
        secrets.iter().for_each(|secret| secret.mark_begins(&mut begins));
        Self { tap, secrets, begins, held: Vec::new() }
    }

    pub(super) fn timing(&self) -> StreamTiming {
        self.tap.timing
    }

    /// Waits until the receiver has gone.
    pub(super) async fn closed(&self) {
        self.tap.chunks.closed().await;
    }

    /// Passes on what is certain not to be the beginning of a secret.
    pub(super) fn pass(&mut self, data: &[u8]) {
        self.held.extend_from_slice(data);
        let safe = self.safe_length();
        let rest = self.held.split_off(safe);
        let ready = std::mem::replace(&mut self.held, rest);
        self.emit(ready);
    }

    /// Passes on the rest.
    pub(super) fn finish(mut self) {
        let rest = std::mem::take(&mut self.held);
        self.emit(rest);
    }

    /// Returns the length of what is held before the first place at which a secret may begin and not yet end.
    fn safe_length(&self) -> usize {
        let mut rest = self.held.as_slice();
        while let Some((first, behind)) = rest.split_first() {
            if !self.begins.get(usize::from(*first)).copied().unwrap_or(true) {
                rest = behind;
                continue;
            }
            if self.secrets.iter().any(|secret| secret.may_begin(rest)) {
                break;
            }
            let whole = self.secrets.iter().filter_map(|secret| secret.length_at(rest)).max().unwrap_or(1);
            rest = rest.get(whole..).unwrap_or_default();
        }
        self.held.len() - rest.len()
    }

    fn emit(&self, mut bytes: Vec<u8>) {
        for secret in &self.secrets {
            if let Some(clean) = secret.masked(&bytes) {
                bytes = clean;
            }
        }
        if !bytes.is_empty() {
            // The receiver may have gone, which ends the request elsewhere.
            let _ = self.tap.chunks.send(Bytes::from(bytes));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use deed_ports::Secret;
    use tokio::sync::mpsc::unbounded_channel;

    fn through(secret: &str, chunks: &[&str]) -> (String, usize) {
        let (sender, mut receiver) = unbounded_channel();
        let timing = StreamTiming { total: Duration::ZERO, idle: Duration::ZERO };
        let secrets = vec![Arc::new(Concealed::new("key", &Secret::new(secret)))];
        let mut tap = OpenTap::new(Tap { timing, chunks: sender }, secrets);
        chunks.iter().for_each(|chunk| tap.pass(chunk.as_bytes()));
        let held = tap.held.len();
        tap.finish();
        let mut out = String::new();
        while let Ok(chunk) = receiver.try_recv() {
            out.push_str(std::str::from_utf8(&chunk).unwrap());
        }
        (out, held)
    }

    #[test]
    fn a_secret_that_is_split_over_chunks_is_replaced() {
        assert_eq!(through("tok-123456", &["a tok-", "123", "456 b"]), ("a [secret:key] b".to_owned(), 0));
        assert_eq!(through("abababxy", &["ababab", "abxy", "!"]), ("ab[secret:key]!".to_owned(), 0));
        assert_eq!(through("tok-123456", &["all of it, tok"]), ("all of it, tok".to_owned(), 3));
    }
}
