//! A memo of the counts of short pieces. Texts repeat their words, and a word's count never changes.

use std::cell::RefCell;

/// The maximum length of a stored piece, in bytes.
const LONGEST: usize = 15;
/// The number of slots; a new piece replaces the one in its slot.
const SLOTS: usize = 2048;

/// A piece and its length in sixteen bytes, and its count.
#[derive(Clone, Copy, Default)]
struct Slot {
    key: u128,
    count: u16,
}

/// The pieces that a thread has counted. It memoizes a pure function: the counts are the same without it.
pub(super) struct Memo {
    slots: Vec<Slot>,
}

impl Memo {
    const fn new() -> Self {
        Self { slots: Vec::new() }
    }

    /// Returns the count of a piece, computed and stored if needed.
    pub(super) fn count(&mut self, piece: &[u8], make: impl FnOnce(&[u8]) -> u64) -> u64 {
        let Some(key) = key(piece) else { return make(piece) };
        if self.slots.is_empty() {
            self.slots.resize(SLOTS, Slot::default());
        }
        let Some(slot) = self.slots.get_mut(place(key)) else { return make(piece) };
        if slot.key == key {
            return u64::from(slot.count);
        }
        let count = make(piece);
        if let Ok(short) = u16::try_from(count) {
            *slot = Slot { key, count: short };
        }
        count
    }
}

/// Returns the bytes followed by their number, so that no two pieces collide; `None` for a long or an empty piece.
fn key(piece: &[u8]) -> Option<u128> {
    if piece.is_empty() || piece.len() > LONGEST {
        return None;
    }
    let mut bytes = [0u8; 16];
    for (slot, byte) in bytes.iter_mut().zip(piece) {
        *slot = *byte;
    }
    let [.., last] = &mut bytes;
    *last = u8::try_from(piece.len()).ok()?;
    Some(u128::from_le_bytes(bytes))
}

fn place(key: u128) -> usize {
    #[allow(clippy::cast_possible_truncation, reason = "both halves are looked at")]
    let mixed = ((key as u64) ^ ((key >> 64) as u64).rotate_left(23)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    usize::try_from(mixed >> 53).unwrap_or_default() % SLOTS
}

/// One memo for each vocabulary.
pub(super) struct Memos {
    pub(super) o200k: RefCell<Memo>,
    pub(super) cl100k: RefCell<Memo>,
}

thread_local! {
    pub(super) static MEMOS: Memos =
        const { Memos { o200k: RefCell::new(Memo::new()), cl100k: RefCell::new(Memo::new()) } };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_piece_is_made_once_and_never_taken_for_another() {
        let mut memo = Memo::new();
        assert_eq!(memo.count(b"order", |_| 3), 3);
        assert_eq!(memo.count(b"order", |_| 9), 3);
        assert_eq!(memo.count(b"order\0", |_| 4), 4);
        assert_eq!(memo.count(b"", |_| 0), 0);
        assert_eq!(memo.count(b"a piece that is too long", |_| 5), 5);
        assert_eq!(memo.count(b"a piece that is too long", |_| 6), 6);
        for n in 0..50_000u64 {
            let piece = n.to_string();
            assert_eq!(memo.count(piece.as_bytes(), |_| n % 1000), n % 1000);
        }
    }
}
