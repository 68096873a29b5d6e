//! Lists by index without panics of the language: an index that leads nowhere breaks an invariant of the layout.

use deed_diag::Invariant as _;

const KNOWN: &str = "an index of the layout leads to an element";

/// Returns the value at a place.
pub(super) fn at<T: Copy>(list: &[T], index: usize) -> T {
    list.get(index).copied().invariant(KNOWN)
}

/// Returns the inner list at a place.
pub(super) fn inner<T>(lists: &[Vec<T>], index: usize) -> &[T] {
    lists.get(index).invariant(KNOWN)
}

/// Replaces the value at a place.
pub(super) fn set<T>(list: &mut [T], index: usize, value: T) {
    *list.get_mut(index).invariant(KNOWN) = value;
}

/// Adds to the inner list at a place.
pub(super) fn push<T>(lists: &mut [Vec<T>], index: usize, value: T) {
    lists.get_mut(index).invariant(KNOWN).push(value);
}

/// Counts one more at a place.
pub(super) fn more(list: &mut [usize], index: usize) {
    *list.get_mut(index).invariant(KNOWN) += 1;
}
