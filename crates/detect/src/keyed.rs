//! A value together with the name it stands under, scanned as one assignment.

use crate::bytes::part_of;
use crate::finding::Finding;

/// The bytes of a key that are scanned: its end, since a longer key is not a name.
const LONGEST_KEY: usize = 256;

/// Scans `value` as if it were written `key="value"` and reports ranges within `value` alone.
pub(crate) fn scan_keyed(key: Option<&str>, value: &str, scan: impl Fn(&str) -> Vec<Finding>) -> Vec<Finding> {
    let Some(key) = key else {
        return scan(value);
    };
    let tail_start = key.ceil_char_boundary(key.len().saturating_sub(LONGEST_KEY));
    let tail = part_of(key, tail_start..);
    let lead = tail.len() + 2;
    let text = format!("{tail}=\"{value}\"");
    scan(&text)
        .into_iter()
        .filter_map(|mut finding| {
            // A finding that begins in the key is one of the key, which is scanned by itself.
            let start = finding.range.start.checked_sub(lead)?;
            let end = (finding.range.end - lead).min(value.len());
            finding.range = start..end;
            Some(finding)
        })
        .collect()
}
