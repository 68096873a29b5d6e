//! Parts of bytes at positions that were found in them. A position outside of the bytes is a defect: an empty part in
//! its place would leave content unhashed, unparsed or unsearched.

use deed_diag::Invariant as _;

const WITHIN: &str = "a position lies within its bytes";

/// The bytes before a position.
#[inline]
#[track_caller]
pub(crate) fn before(bytes: &[u8], end: usize) -> &[u8] {
    bytes.get(..end).invariant(WITHIN)
}

/// The bytes from a position on.
#[inline]
#[track_caller]
pub(crate) fn after(bytes: &[u8], start: usize) -> &[u8] {
    bytes.get(start..).invariant(WITHIN)
}

/// The bytes between two positions.
#[inline]
#[track_caller]
pub(crate) fn between(bytes: &[u8], start: usize, end: usize) -> &[u8] {
    bytes.get(start..end).invariant(WITHIN)
}

/// The first bytes, at most so many.
#[inline]
pub(crate) fn head(bytes: &[u8], most: usize) -> &[u8] {
    bytes.get(..most).unwrap_or(bytes)
}
