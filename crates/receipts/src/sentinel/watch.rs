//! The parts of a window that may contain a placeholder, so that most rows and lines are never checked for one.

use crate::bytes::after;
use crate::sentinel::Needles;
use deed_diag::Invariant as _;
use std::collections::VecDeque;

/// Bytes that are marked together.
const BLOCK: u64 = 256;

/// A needle may span two reads, so the end of one is searched again with the next.
const OVERLAP: u64 = 32;

/// The blocks of an artifact that contain a needle.
pub(crate) struct Watch {
    needles: &'static Needles,
    /// The offset up to which the artifact was searched.
    done: u64,
    blocks: VecDeque<u64>,
}

impl Watch {
    pub(crate) fn new(needles: &'static Needles) -> Self {
        Self { needles, done: 0, blocks: VecDeque::new() }
    }

    /// Searches the new part of a window that begins at an offset.
    pub(crate) fn see(&mut self, window: &[u8], offset: u64) {
        let from = self.done.saturating_sub(OVERLAP).max(offset);
        let skip = usize::try_from(from - offset).invariant("a window fits in memory");
        let new = after(window, skip);
        let known = self.blocks.len();
        let blocks = &mut self.blocks;
        self.needles.each(new, |start, end| {
            for block in (from + start as u64) / BLOCK..=(from + end as u64) / BLOCK {
                if blocks.back() != Some(&block) {
                    blocks.push_back(block);
                }
            }
        });
        // Kinds of needles are searched for one after the other, so new blocks may be out of order.
        if self.blocks.len() > known {
            self.blocks.make_contiguous().sort_unstable();
        }
        self.done = self.done.max(offset + window.len() as u64);
    }

    /// Returns whether a placeholder may be between two offsets. Called in ascending order.
    #[inline]
    pub(crate) fn touches(&mut self, start: u64, end: u64) -> bool {
        while let Some(block) = self.blocks.front() {
            if (block + 1) * BLOCK > start {
                return block * BLOCK < end;
            }
            self.blocks.pop_front();
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sentinel::Sentinels;

    #[test]
    fn a_needle_across_two_readings_is_seen() {
        let mut text = vec![b'.'; 5_000];
        text.splice(2_998..3_002, *b"TODO");
        let mut watch = Watch::new(Sentinels::new().unwrap().needles());
        watch.see(&text[..3_000], 0);
        watch.see(&text[2_000..], 2_000);
        assert!(!watch.touches(0, 1_000));
        assert!(watch.touches(2_900, 3_100));
        assert!(!watch.touches(4_000, 5_000));
    }
}
