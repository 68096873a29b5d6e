//! Which parts of a window may hold a placeholder, so that most rows and lines are never looked at for one.

use crate::sentinel::Needles;
use std::collections::VecDeque;

/// Bytes that are marked together.
const BLOCK: u64 = 256;

/// A needle may lie across two readings, so the end of the one is looked at again with the next.
const OVERLAP: u64 = 32;

/// Marks blocks of an artifact in which a needle stands.
pub(crate) struct Watch {
    needles: &'static Needles,
    /// What has been looked through.
    done: u64,
    blocks: VecDeque<u64>,
}

impl Watch {
    pub(crate) fn new(needles: &'static Needles) -> Self {
        Self { needles, done: 0, blocks: VecDeque::new() }
    }

    /// Looks through what is new in a window that begins at an offset.
    pub(crate) fn see(&mut self, window: &[u8], offset: u64) {
        let from = self.done.saturating_sub(OVERLAP).max(offset);
        let skip = usize::try_from(from - offset).unwrap_or(usize::MAX);
        let new = window.get(skip..).unwrap_or_default();
        let known = self.blocks.len();
        let blocks = &mut self.blocks;
        self.needles.each(new, |start, end| {
            for block in (from + start as u64) / BLOCK..=(from + end as u64) / BLOCK {
                if blocks.back() != Some(&block) {
                    blocks.push_back(block);
                }
            }
        });
        // Kinds of needles are looked for one after the other, so what is new may be out of order.
        if self.blocks.len() > known {
            self.blocks.make_contiguous().sort_unstable();
        }
        self.done = self.done.max(offset + window.len() as u64);
    }

    /// True where something may be found between two offsets. Asked in rising order.
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
