//! Everything in a text that must not be shown.

use crate::{PersonalKind, SecretScanner, scan_personal};
use std::ops::Range;

/// Finds the byte ranges of a text that must not be shown: secrets and personal data, as the standard rules see them.
///
/// ```
/// assert_eq!(deed_detect::sensitive_ranges("card 4111111111111111"), [5..21]);
/// ```
pub fn sensitive_ranges(text: &str) -> Vec<Range<usize>> {
    let secrets = SecretScanner::standard().scan(text);
    // The scanner finds keys already.
    let kinds: Vec<PersonalKind> = PersonalKind::ALL.into_iter().filter(|kind| *kind != PersonalKind::ApiKey).collect();
    secrets.into_iter().chain(scan_personal(text, &kinds)).map(|finding| finding.range).collect()
}
