//! The clock, read once at the edge. `--now` sets it, so that scripts and tests repeat exactly.

use deed_diag::Invariant as _;
use jiff::Timestamp;

/// The given time, or the system's, as RFC 3339 in UTC to the second.
pub(crate) fn now(given: Option<&str>) -> Result<String, String> {
    let time = match given {
        Some(text) => text.parse::<Timestamp>().map_err(|_| format!("`{text}` is not an RFC 3339 time"))?,
        None => Timestamp::now(),
    };
    let seconds = Timestamp::from_second(time.as_second()).invariant("the second of a time is a time");
    Ok(seconds.to_string())
}

/// Parses a time that was written by [`now`].
pub(crate) fn parse(text: &str) -> Option<Timestamp> {
    text.parse().ok()
}
