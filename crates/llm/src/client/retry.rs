//! Retries: which failures, after which wait.

use crate::pace::Pace;
use deed_model::AttemptOutcome;
use jiff::fmt::rfc2822::DateTimeParser;

/// The rules of retries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RetryPolicy {
    /// The most attempts, the first included.
    pub most_attempts: u32,
    /// The most attempts whose reply may have been delivered and paid for before another one is made.
    pub most_paid_twice: u32,
    /// The first wait in milliseconds; each further one is twice as long.
    pub first_wait_ms: u64,
    /// The longest wait in milliseconds, also where the provider asks for more: then the call fails instead.
    pub longest_wait_ms: u64,
}

impl Default for RetryPolicy {
    fn default() -> Self {
        Self { most_attempts: 4, most_paid_twice: 1, first_wait_ms: 500, longest_wait_ms: 60_000 }
    }
}

/// Returns true if an outcome may pass when the call is made again.
pub(super) fn may_pass(outcome: AttemptOutcome) -> bool {
    match outcome {
        AttemptOutcome::Unreachable | AttemptOutcome::RateLimited | AttemptOutcome::ServerFailed => true,
        AttemptOutcome::Cut | AttemptOutcome::Idle => true,
        AttemptOutcome::Replied | AttemptOutcome::Denied | AttemptOutcome::Rejected => false,
        AttemptOutcome::Late | AttemptOutcome::Unusable => false,
    }
}

impl RetryPolicy {
    /// Returns the wait before the next attempt; none if the provider asks for more than the longest.
    pub(super) fn wait(&self, attempt: u32, asked_ms: Option<u64>, pace: &dyn Pace) -> Option<u64> {
        if let Some(asked) = asked_ms {
            return (asked <= self.longest_wait_ms).then_some(asked);
        }
        let doubled = self.first_wait_ms.saturating_mul(1_u64 << attempt.saturating_sub(1).min(20));
        let whole = doubled.min(self.longest_wait_ms);
        // Half of it is fixed and half is drawn, so that clients that failed together do not return together.
        Some(whole / 2 + pace.draw(whole - whole / 2))
    }
}

/// Reads the wait that a provider asks for, in milliseconds: `retry-after-ms`, or `Retry-After` in seconds or as a date.
pub(super) fn asked_wait(headers: &[(String, String)], unix_ms: i64) -> Option<u64> {
    let header = |name: &str| headers.iter().find(|(own, _)| own == name).map(|(_, value)| value.trim());
    if let Some(ms) = header("retry-after-ms").and_then(|text| text.parse().ok()) {
        return Some(ms);
    }
    let text = header("retry-after")?;
    if let Ok(seconds) = text.parse::<u64>() {
        return Some(seconds.saturating_mul(1000));
    }
    let date = DateTimeParser::new().parse_timestamp(text).ok()?;
    Some(u64::try_from(date.as_millisecond().saturating_sub(unix_ms)).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_is_read_in_all_its_forms() {
        let read = |name: &str, value: &str| asked_wait(&[(name.to_owned(), value.to_owned())], 1_445_412_470_000);
        assert_eq!(read("retry-after", "7"), Some(7000));
        assert_eq!(read("retry-after-ms", "250"), Some(250));
        assert_eq!(read("retry-after", "Wed, 21 Oct 2015 07:28:00 GMT"), Some(10_000));
        assert_eq!(read("retry-after", "Wed, 21 Oct 2015 07:00:00 GMT"), Some(0));
        assert_eq!(read("retry-after", "soon"), None);
    }
}
