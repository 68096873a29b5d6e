//! SHA-256 of a stream, on a thread of its own for a large one.
//!
//! Input: the bytes in order. Output: the hash. The thread receives copies in a fixed number of recycled buffers, so it
//! cannot fall behind without bound.

use deed_canon::ContentHash;
use sha2::{Digest, Sha256};
use std::io;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread::{Builder, Scope, ScopedJoinHandle};

/// The size from which on a thread saves more than it costs.
const WORTH_A_THREAD: u64 = 4 << 20;

/// Buffers between the two threads, and the bytes of each.
const BUFFERS: usize = 4;
const LENT: usize = 256 << 10;

/// A hash in progress.
pub(crate) enum Hasher<'s> {
    Inline(Sha256),
    Threaded(HashThread<'s>),
}

/// The hash on a thread of its own.
pub(crate) struct HashThread<'s> {
    send: SyncSender<Vec<u8>>,
    back: Receiver<Vec<u8>>,
    lent: usize,
    handle: ScopedJoinHandle<'s, Sha256>,
}

impl<'s> Hasher<'s> {
    /// Starts a hasher for about `bytes` bytes.
    pub(crate) fn start<'e>(scope: &'s Scope<'s, 'e>, bytes: u64) -> Self {
        if bytes < WORTH_A_THREAD {
            return Self::Inline(Sha256::new());
        }
        let (send, receive) = sync_channel::<Vec<u8>>(BUFFERS);
        let (give_back, back) = channel();
        match Builder::new().spawn_scoped(scope, move || digest(&receive, &give_back)) {
            Ok(handle) => Self::Threaded(HashThread { send, back, lent: 0, handle }),
            // Without a thread the hash is computed inline: slower, with the same result.
            Err(_) => Self::Inline(Sha256::new()),
        }
    }

    pub(crate) fn see(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self {
            Self::Inline(state) => state.update(bytes),
            Self::Threaded(thread) => return bytes.chunks(LENT).try_for_each(|part| thread.see(part)),
        }
        Ok(())
    }

    pub(crate) fn finish(self) -> io::Result<ContentHash> {
        let state = match self {
            Self::Inline(state) => state,
            Self::Threaded(thread) => {
                drop(thread.send);
                thread.handle.join().map_err(|_| stopped())?
            }
        };
        Ok(ContentHash::of_digest(state.finalize().into()))
    }
}

impl HashThread<'_> {
    fn see(&mut self, bytes: &[u8]) -> io::Result<()> {
        let mut buffer = if self.lent < BUFFERS {
            self.lent += 1;
            Vec::with_capacity(bytes.len())
        } else {
            self.back.recv().map_err(|_| stopped())?
        };
        buffer.clear();
        buffer.extend_from_slice(bytes);
        self.send.send(buffer).map_err(|_| stopped())
    }
}

fn digest(receive: &Receiver<Vec<u8>>, give_back: &Sender<Vec<u8>>) -> Sha256 {
    let mut state = Sha256::new();
    for buffer in receive {
        state.update(&buffer);
        // At the end the other side no longer takes buffers back.
        let _ = give_back.send(buffer);
    }
    state
}

fn stopped() -> io::Error {
    io::Error::other("the hash of the artifact could not be taken")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_hashes_as_one_piece_does() {
        let bytes: Vec<u8> = (0..5_000_000_u32).map(|i| (i * 7 / 3) as u8).collect();
        let hash = std::thread::scope(|scope| {
            let mut hasher = Hasher::start(scope, bytes.len() as u64);
            assert!(matches!(hasher, Hasher::Threaded(_)));
            for part in bytes.chunks(77_777) {
                hasher.see(part).unwrap();
            }
            hasher.finish().unwrap()
        });
        assert_eq!(hash, ContentHash::of_bytes(&bytes));
    }
}
