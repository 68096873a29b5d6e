//! Any secret, under the name that redaction rules use for it.

use std::ops::Range;

use crate::secrets::SecretScanner;

/// The bytes of every secret in the text, each once however many rules found it.
pub(super) fn find(text: &str) -> Vec<Range<usize>> {
    let found = SecretScanner::standard().scan(text);
    let mut ranges: Vec<_> = found.into_iter().map(|finding| finding.range).collect();
    ranges.sort_by_key(|range| (range.start, range.end));
    ranges.dedup();
    ranges
}
