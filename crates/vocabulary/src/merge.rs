//! Merges the bytes of a piece by rank: of all neighbours that together are a token, those of the lowest rank first, and
//! of two of the same rank the left one.

use crate::table::Table;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Marks a part that was merged into the one before it.
const MERGED: usize = usize::MAX;

/// The parts of a piece: each begins at a byte, and knows its neighbours.
struct Parts {
    /// For the first byte of a part the first byte of the next one, or the length of the piece.
    next: Vec<usize>,
    /// For the first byte of a part the first byte of the one before.
    previous: Vec<usize>,
}

impl Parts {
    fn new(length: usize) -> Self {
        Self { next: (1..=length).collect(), previous: (0..length).map(|at| at.saturating_sub(1)).collect() }
    }

    /// The end of the part that begins at a byte; none where no part begins there.
    fn end(&self, start: usize) -> Option<usize> {
        self.next.get(start).copied().filter(|end| *end != MERGED)
    }

    fn before(&self, start: usize) -> Option<usize> {
        if start == 0 { None } else { self.previous.get(start).copied() }
    }

    /// Merges the parts `start..middle` and `middle..end`.
    fn merge(&mut self, start: usize, middle: usize, end: usize) {
        for (at, value) in [(start, end), (middle, MERGED)] {
            if let Some(slot) = self.next.get_mut(at) {
                *slot = value;
            }
        }
        if let Some(slot) = self.previous.get_mut(end) {
            *slot = start;
        }
    }
}

/// The number of tokens of a piece.
pub(crate) fn count(table: &Table, piece: &[u8]) -> usize {
    let mut parts = Parts::new(piece.len());
    let mut count = piece.len();
    let rank = |start: usize, end: usize| piece.get(start..end).and_then(|bytes| table.rank(bytes));
    let mut open: BinaryHeap<Reverse<(u32, usize)>> =
        (0..piece.len().saturating_sub(1)).filter_map(|at| Some(Reverse((rank(at, at + 2)?, at)))).collect();
    while let Some(Reverse((merged, start))) = open.pop() {
        let Some(middle) = parts.end(start) else { continue };
        let Some(end) = parts.end(middle) else { continue };
        // One of the two has grown since: what it is now stands elsewhere in the heap.
        if table.token(merged).len() != end - start {
            continue;
        }
        parts.merge(start, middle, end);
        count -= 1;
        if let Some(rank) = parts.end(end).and_then(|after| rank(start, after)) {
            open.push(Reverse((rank, start)));
        }
        if let Some(before) = parts.before(start)
            && let Some(rank) = rank(before, end)
        {
            open.push(Reverse((rank, before)));
        }
    }
    count
}
