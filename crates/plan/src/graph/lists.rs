//! Lists by index without panics: what is not there is the type's default.

/// The value at a place.
pub(super) fn at<T: Copy + Default>(list: &[T], index: usize) -> T {
    list.get(index).copied().unwrap_or_default()
}

/// The inner list at a place.
pub(super) fn inner<T>(lists: &[Vec<T>], index: usize) -> &[T] {
    lists.get(index).map(Vec::as_slice).unwrap_or_default()
}

/// Puts a value where one is.
pub(super) fn set<T>(list: &mut [T], index: usize, value: T) {
    if let Some(slot) = list.get_mut(index) {
        *slot = value;
    }
}

/// Adds to the inner list at a place.
pub(super) fn push<T>(lists: &mut [Vec<T>], index: usize, value: T) {
    if let Some(list) = lists.get_mut(index) {
        list.push(value);
    }
}

/// Counts one more at a place.
pub(super) fn more(list: &mut [usize], index: usize) {
    if let Some(count) = list.get_mut(index) {
        *count += 1;
    }
}
