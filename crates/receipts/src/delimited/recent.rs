//! Cells that a column had lately: what stands there again needs no second look.
//!
//! Most columns of most tables have few different values. A cell is known again by all of its bytes, so what is found
//! is exactly what a second look would find. Columns that rarely repeat themselves are not asked for a while.

use deed_model::ValueType;

/// Bytes of all columns together.
const MEMORY: usize = 4 << 20;

/// Cells of one column.
const MOST: usize = 2_048;
const FEWEST: usize = 64;

/// The longest cell that is kept: what repeats itself is short, and a slot is half a line of the cache.
const LONGEST: usize = 16;

/// After so many cells it is asked whether it was worth it; if not, so many go by.
const TRIED: u32 = 4_096;
const PASSED: u32 = 65_536;

/// A cell of at most [`LONGEST`] bytes: no two have the same key.
#[derive(Clone, Copy)]
pub(super) struct Key {
    first: u64,
    last: u64,
    length: u32,
}

/// What is known of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Known {
    pub(super) of: ValueType,
    pub(super) hash: u64,
}

/// A cell and what is known of it.
#[derive(Clone, Copy)]
#[repr(align(32))]
struct Slot {
    first: u64,
    last: u64,
    hash: u64,
    length: u32,
    of: ValueType,
}

/// The cells of one column.
pub(super) struct Recent {
    slots: Box<[Slot]>,
    shift: u32,
    tried: u32,
    hits: u32,
    passing: u32,
}

/// One for each of so many columns; none where there are too many.
pub(super) fn of_columns(columns: usize) -> Vec<Recent> {
    let room = MEMORY / size_of::<Slot>() / columns.max(1);
    if room < FEWEST {
        return Vec::new();
    }
    let bits = room.min(MOST).ilog2();
    let nothing = Slot { first: 0, last: 0, hash: 0, length: 0, of: ValueType::Null };
    let new = || Recent { slots: vec![nothing; 1 << bits].into(), shift: 64 - bits, tried: 0, hits: 0, passing: 0 };
    (0..columns).map(|_| new()).collect()
}

impl Recent {
    /// The key of a cell, where it is worth looking for it.
    #[inline]
    pub(super) fn key(&mut self, cell: &[u8]) -> Option<Key> {
        if self.passing > 0 {
            self.passing -= 1;
            return None;
        }
        Key::new(cell)
    }

    /// What is known of a cell.
    #[inline]
    pub(super) fn find(&mut self, key: Key) -> Option<Known> {
        let slot = self.slots.get(key.slot(self.shift)).filter(|slot| slot.holds(key));
        let known = slot.map(|slot| Known { of: slot.of, hash: slot.hash });
        self.hits += u32::from(known.is_some());
        self.tried += 1;
        if self.tried == TRIED {
            self.passing = if self.hits < TRIED / 8 { PASSED } else { 0 };
            (self.tried, self.hits) = (0, 0);
        }
        known
    }

    /// Keeps a cell. Where another is kept, one of four takes its place: values that come round again in turn would
    /// otherwise all drive each other out.
    #[inline]
    pub(super) fn keep(&mut self, key: Key, known: Known) {
        let replaces = self.tried.is_multiple_of(4);
        if let Some(slot) = self.slots.get_mut(key.slot(self.shift)).filter(|slot| replaces || slot.length == 0) {
            let Key { first, last, length } = key;
            *slot = Slot { first, last, hash: known.hash, length, of: known.of };
        }
    }
}

impl Slot {
    /// Whether a cell is kept here. Word by word: the words come from registers, and a comparison of memory would have
    /// to wait for them to get there.
    #[inline]
    fn holds(&self, key: Key) -> bool {
        self.first ^ key.first | self.last ^ key.last | u64::from(self.length ^ key.length) == 0
    }
}

impl Key {
    #[inline]
    fn new(cell: &[u8]) -> Option<Self> {
        let length = cell.len();
        let (first, last) = ends(cell);
        (1..=LONGEST).contains(&length).then_some(Self { first, last, length: length as u32 })
    }

    #[inline]
    fn slot(self, shift: u32) -> usize {
        let all = self.first ^ self.last.rotate_left(23) ^ u64::from(self.length);
        all.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_shr(shift) as usize
    }
}

/// The first and the last bytes of at most 16, which overlap where there are fewer.
#[inline]
fn ends(cell: &[u8]) -> (u64, u64) {
    if let (Some(one), Some(two)) = (cell.first_chunk::<8>(), cell.last_chunk::<8>()) {
        return (u64::from_le_bytes(*one), u64::from_le_bytes(*two));
    }
    if let (Some(one), Some(two)) = (cell.first_chunk::<4>(), cell.last_chunk::<4>()) {
        return (u32::from_le_bytes(*one).into(), u32::from_le_bytes(*two).into());
    }
    (cell.iter().fold(0, |word, byte| word << 8 | u64::from(*byte)), 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_known_by_all_its_bytes() {
        for length in 1..=LONGEST {
            let mut recent = of_columns(1).remove(0);
            let cell = vec![b'a'; length];
            let key = recent.key(&cell).unwrap();
            let known = Known { of: ValueType::Text, hash: 7 };
            recent.keep(key, known);
            assert_eq!(recent.find(key), Some(known));
            let slot = recent.slots[key.slot(recent.shift)];
            for at in 0..length {
                let mut other = cell.clone();
                other[at] = b'b';
                assert!(!slot.holds(Key::new(&other).unwrap()), "{length} {at}");
            }
            assert!(Key::new(&vec![b'a'; length + 1]).is_none_or(|other| !slot.holds(other)));
        }
        assert!(Key::new(b"").is_none());
        assert!(Key::new(&[b'a'; LONGEST + 1]).is_none());
    }

    #[test]
    fn a_column_that_never_repeats_is_left_alone() {
        let mut recent = of_columns(1).remove(0);
        let asked = |recent: &mut Recent, i: u32| match recent.key(i.to_string().as_bytes()) {
            Some(key) => {
                let _ = recent.find(key);
                recent.keep(key, Known { of: ValueType::Integer, hash: i.into() });
                true
            }
            None => false,
        };
        let all = (0..TRIED + PASSED + 10).filter(|i| asked(&mut recent, *i)).count();
        assert_eq!(all as u32, TRIED + 10);
        let mut recent = of_columns(1).remove(0);
        assert!((0..3 * TRIED).all(|i| asked(&mut recent, i % 50)));
    }

    #[test]
    fn wide_tables_keep_less_or_nothing() {
        assert_eq!(of_columns(7).first().unwrap().slots.len(), MOST);
        assert_eq!(of_columns(2_000).first().unwrap().slots.len(), FEWEST);
        assert!(of_columns(3_000).is_empty());
    }
}
