//! Canonical order of members: compares keys inside the output, and moves members that came too early.

use crate::invariant::Invariant as _;
use crate::scalar::Form;
use crate::write::utf16_cmp_bytes;
use std::cmp::Ordering;

/// The position of a member of an open object in the output.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    /// The quote before the key.
    pub(super) start: usize,
    /// One past the quote after the key.
    pub(super) key_end: usize,
    /// One past the value; known only once the members are reordered.
    pub(super) end: usize,
    /// The form of the key.
    pub(super) form: Form,
}

/// Compares two keys of the output.
#[inline]
pub(super) fn compare(out: &[u8], a: &Entry, b: &Entry) -> Ordering {
    let (left, right) = (written(out, a), written(out, b));
    match (a.form, b.form) {
        (Form::Verbatim, Form::Verbatim) => utf16_cmp_bytes(left, right),
        (Form::Escaped, _) | (_, Form::Escaped) => utf16_cmp_bytes(key(out, a).as_bytes(), key(out, b).as_bytes()),
    }
}

/// Returns the key without its escapes.
#[cold]
pub(super) fn key(out: &[u8], entry: &Entry) -> String {
    let text = out.get(entry.start..entry.key_end).invariant("an entry lies within the output");
    serde_json::from_slice(text).invariant("a written key is a JSON string")
}

/// Returns the key's bytes between its quotes.
#[inline]
fn written<'a>(out: &'a [u8], entry: &Entry) -> &'a [u8] {
    out.get(entry.start + 1..entry.key_end - 1).invariant("an entry lies within the output")
}

/// Sorts the members of the object at the end of the output. Returns a duplicate key as the error.
///
/// The sorted members are written behind the object and moved over it, from the first that is out of place.
pub(super) fn reorder(out: &mut Vec<u8>, entries: &mut [Entry]) -> Result<(), Entry> {
    note_ends(out.len(), entries);
    let body = entries.first().map_or(out.len(), |e| e.start);
    entries.sort_unstable_by(|a, b| compare(out, a, b));
    if let Some([twice, _]) = entries.array_windows().find(|[a, b]| compare(out, a, b) == Ordering::Equal) {
        return Err(*twice);
    }
    move_into_order(out, entries, body);
    Ok(())
}

/// A member ends where the comma before the next one stands.
fn note_ends(end: usize, entries: &mut [Entry]) {
    let mut end = end;
    for entry in entries.iter_mut().rev() {
        entry.end = end;
        end = entry.start.saturating_sub(1);
    }
}

fn move_into_order(out: &mut Vec<u8>, entries: &[Entry], body: usize) {
    let (mut place, mut moved) = (body, entries);
    while let Some((first, after)) = moved.split_first()
        && first.start == place
    {
        place = first.end + 1;
        moved = after;
    }
    let sorted = out.len();
    out.reserve(sorted - place);
    for (i, entry) in moved.iter().enumerate() {
        if i > 0 {
            out.push(b',');
        }
        out.extend_from_within(entry.start..entry.end);
    }
    out.copy_within(sorted.., place);
    out.truncate(sorted);
}
