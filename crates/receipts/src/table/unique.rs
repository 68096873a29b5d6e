//! Detection of duplicate values: all hashes are kept, up to a bound, and sorted now and then.
//!
//! Sorting at every fourfold growth finds a duplicate soon after it occurs, and costs little more than one
//! sort at the end. Beyond the bound nothing is guessed.

use deed_model::Uniqueness;

const FIRST_SORT: usize = 64;

/// Compares hashes with all before them.
pub(crate) struct Unique {
    hashes: Vec<u64>,
    next_sort: usize,
    most: usize,
    state: State,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// No duplicate was found so far.
    Open,
    Twice,
    /// There are more values than hashes are kept.
    Beyond,
}

impl Unique {
    pub(crate) fn new(most: usize) -> Self {
        Self { hashes: Vec::new(), next_sort: FIRST_SORT, most, state: State::Open }
    }

    /// Takes a hash. `pool` is the number of hashes that all columns together may still keep.
    #[inline]
    pub(crate) fn see(&mut self, hash: u64, pool: &mut usize) {
        self.keep(hash, pool);
        if self.hashes.len() >= self.next_sort {
            self.next_sort = self.hashes.len() * 4;
            if self.has_twins() {
                self.close(State::Twice, pool);
            }
        }
    }

    /// Takes the hash of a value that is known to be new, to compare it with later ones.
    #[inline]
    pub(crate) fn keep(&mut self, hash: u64, pool: &mut usize) {
        if self.state != State::Open {
            return;
        }
        if self.hashes.len() >= self.most || *pool == 0 {
            self.close(State::Beyond, pool);
            return;
        }
        *pool -= 1;
        self.hashes.push(hash);
    }

    /// Records a null: the values cannot be a key.
    pub(crate) fn refute(&mut self, pool: &mut usize) {
        if self.state != State::Twice {
            self.close(State::Twice, pool);
        }
    }

    /// Returns whether further hashes can change the verdict.
    #[inline]
    pub(crate) fn is_open(&self) -> bool {
        self.state == State::Open
    }

    fn close(&mut self, state: State, pool: &mut usize) {
        *pool += self.hashes.len();
        self.hashes = Vec::new();
        self.state = state;
    }

    fn has_twins(&mut self) -> bool {
        self.hashes.sort_unstable();
        self.hashes.array_windows().any(|[one, next]| one == next)
    }

    /// The verdict.
    pub(crate) fn verdict(&mut self) -> Uniqueness {
        let twins = self.has_twins();
        match self.state {
            State::Open if !twins => Uniqueness::Unique,
            State::Open | State::Twice => Uniqueness::NotUnique,
            State::Beyond => Uniqueness::Unknown,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(hashes: impl IntoIterator<Item = u64>, most: usize, mut pool: usize) -> (Uniqueness, usize) {
        let mut unique = Unique::new(most);
        hashes.into_iter().for_each(|hash| unique.see(hash, &mut pool));
        (unique.verdict(), pool)
    }

    #[test]
    fn the_verdict_covers_the_compared_values() {
        assert_eq!(verdict(0..1_000, 5_000, 5_000).0, Uniqueness::Unique);
        assert_eq!(verdict((0..1_000).chain([7]), 5_000, 5_000).0, Uniqueness::NotUnique);
        assert_eq!(verdict((0..1_000).chain([7]), 900, 5_000), (Uniqueness::Unknown, 5_000));
        assert_eq!(verdict(0..1_000, 5_000, 900), (Uniqueness::Unknown, 900));
        assert_eq!(verdict([1, 1].into_iter().chain(0..1_000), 900, 5_000).0, Uniqueness::NotUnique);
    }
}
