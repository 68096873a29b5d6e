//! Parts of texts and lists, by ranges that were found in them.

use deed_diag::Invariant as _;
use std::slice::SliceIndex;

/// The part of a text at a range that was found in it. A reader that continued with an empty part would drop what the
/// text says.
#[track_caller]
pub(crate) fn excerpt<R: SliceIndex<str, Output = str>>(text: &str, range: R) -> &str {
    text.get(range).invariant("a range was found in its text")
}

/// The part of a list at a range that was found in it.
#[track_caller]
pub(crate) fn items<T, R: SliceIndex<[T], Output = [T]>>(list: &[T], range: R) -> &[T] {
    list.get(range).invariant("a range was found in its list")
}
