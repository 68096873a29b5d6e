//! Times in RFC 3339. Time libraries accept more; nothing else is a time here.

use jiff::Timestamp;

/// Parses a time in RFC 3339, with seconds and an offset; `None` for any other spelling.
///
/// ```
/// assert!(deed_canon::timestamp("2026-05-09T10:00:00Z").is_some());
/// assert!(deed_canon::timestamp("2026-05-09").is_none());
/// ```
pub fn timestamp(text: &str) -> Option<Timestamp> {
    let byte = |i: usize| text.as_bytes().get(i).copied();
    let date_and_time = byte(4) == Some(b'-') && byte(7) == Some(b'-') && matches!(byte(10), Some(b'T' | b't'));
    let zone = text.get(19..)?.trim_start_matches(|c: char| c == '.' || c.is_ascii_digit());
    let zoned =
        matches!(zone, "Z" | "z") || (zone.len() == 6 && zone.starts_with(['+', '-']) && zone.get(3..4) == Some(":"));
    (date_and_time && byte(13) == Some(b':') && byte(16) == Some(b':') && zoned).then(|| text.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::timestamp;

    #[test]
    fn only_rfc_3339() {
        for good in ["2026-05-09T00:00:00Z", "2026-05-09T00:00:00.5+05:30", "2026-05-09t00:00:00z"] {
            assert!(timestamp(good).is_some(), "{good}");
        }
        for bad in ["", "2026-05-09", "2026-05-09 00:00:00Z", "2026-05-09T00:00:00", "2026-13-09T00:00:00Z", "now"] {
            assert!(timestamp(bad).is_none(), "{bad}");
        }
    }
}
