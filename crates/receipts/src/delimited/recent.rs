//! A cache of the recent cells of a column: a repeated cell is not analysed again.
//!
//! Most columns of most tables have few different values. A cell is recognised by all of its bytes, so that the result
//! is exactly that of another analysis. Columns that rarely repeat themselves bypass the cache for a while.

use deed_model::ValueType;

/// Memory of all columns together, in bytes.
const MEMORY: usize = 4 << 20;

/// The number of slots for one column.
const MOST: usize = 2_048;
const FEWEST: usize = 64;

/// The longest cell that is kept: repeated cells are short, and a slot is half a cache line.
const LONGEST: usize = 16;

/// The number of cells after which the hit rate is checked, and the number that bypass the cache if it is low.
const TRIED: u32 = 4_096;
const PASSED: u32 = 65_536;

/// A cell of at most [`LONGEST`] bytes: no two have the same key.
#[derive(Clone, Copy)]
pub(super) struct Key {
    first: u64,
    last: u64,
    length: u32,
}

/// The known type and hash of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct KnownCell {
    pub(super) of: ValueType,
    pub(super) hash: u64,
}

/// A cell with its type and hash.
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
pub(super) struct RecentCells {
    slots: Box<[Slot]>,
    shift: u32,
    tried: u32,
    hits: u32,
    passing: u32,
}

/// A cache for each column; none if there are too many columns.
pub(super) fn of_columns(columns: usize) -> Vec<RecentCells> {
    let room = MEMORY / size_of::<Slot>() / columns.max(1);
    if room < FEWEST {
        return Vec::new();
    }
    let bits = room.min(MOST).ilog2();
    let nothing = Slot { first: 0, last: 0, hash: 0, length: 0, of: ValueType::Null };
    let new =
        || RecentCells { slots: vec![nothing; 1 << bits].into(), shift: 64 - bits, tried: 0, hits: 0, passing: 0 };
    (0..columns).map(|_| new()).collect()
}

impl RecentCells {
    /// The key of a cell; `None` if the cell bypasses the cache.
    #[inline]
    pub(super) fn key(&mut self, cell: &[u8]) -> Option<Key> {
        if self.passing > 0 {
            self.passing -= 1;
            return None;
        }
        Key::new(cell)
    }

    /// Finds a cell.
    #[inline]
    pub(super) fn find(&mut self, key: Key) -> Option<KnownCell> {
        let slot = self.slots.get(key.slot(self.shift)).filter(|slot| slot.holds(key));
        let known = slot.map(|slot| KnownCell { of: slot.of, hash: slot.hash });
        self.hits += u32::from(known.is_some());
        self.tried += 1;
        if self.tried == TRIED {
            self.passing = if self.hits < TRIED / 8 { PASSED } else { 0 };
            (self.tried, self.hits) = (0, 0);
        }
        known
    }

    /// Keeps a cell. If the slot has another cell, one in four replaces it: values that repeat in turn would otherwise
    /// evict each other all the time.
    #[inline]
    pub(super) fn keep(&mut self, key: Key, known: KnownCell) {
        let replaces = self.tried.is_multiple_of(4);
        if let Some(slot) = self.slots.get_mut(key.slot(self.shift)).filter(|slot| replaces || slot.length == 0) {
            let Key { first, last, length } = key;
            *slot = Slot { first, last, hash: known.hash, length, of: known.of };
        }
    }
}

impl Slot {
    /// Returns whether the slot has a cell. Compares word by word: the words are in registers, and a comparison of
    /// memory would have to wait for them to be stored.
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
            let known = KnownCell { of: ValueType::Text, hash: 7 };
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
        let asked = |recent: &mut RecentCells, i: u32| match recent.key(i.to_string().as_bytes()) {
            Some(key) => {
                let _ = recent.find(key);
                recent.keep(key, KnownCell { of: ValueType::Integer, hash: i.into() });
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
