//! Retries: which failures, after which wait.

use crate::pace::Pace;
use deed_model::AttemptOutcome;
use jiff::fmt::rfc2822::DateTimeParser;
use serde_json::Value;

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
    if let Some(ms) = header("retry-after-ms").and_then(|text| thousandths(text, 1)) {
        return Some(ms);
    }
    let text = header("retry-after")?;
    if let Some(ms) = thousandths(text, 1000) {
        return Some(ms);
    }
    let date = DateTimeParser::new().parse_timestamp(text).ok()?;
    Some(u64::try_from(date.as_millisecond().saturating_sub(unix_ms)).unwrap_or_default())
}

/// Reads the wait that Gemini asks for in the body of a refusal, in milliseconds: `retryDelay`, as in `"34.07s"`.
pub(super) fn asked_in_body(error: &Value) -> Option<u64> {
    let details = error.get("details").and_then(Value::as_array).into_iter().flatten();
    let mut delays = details.filter_map(|detail| detail.get("retryDelay").and_then(Value::as_str));
    thousandths(delays.next()?.strip_suffix('s')?, 1000)
}

/// Reads a decimal number that is not negative, times a factor, rounded up. A wait that is too short is worse than one
/// that is too long.
fn thousandths(text: &str, factor: u64) -> Option<u64> {
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(whole) || !(part.is_empty() || digits(part)) {
        return None;
    }
    let whole = whole.parse::<u64>().unwrap_or(u64::MAX).saturating_mul(factor);
    let part: String = part.chars().take(9).collect();
    let scale = 10_u64.pow(u32::try_from(part.len()).ok()?);
    let part = if part.is_empty() { 0 } else { part.parse::<u64>().ok()? };
    Some(whole.saturating_add(part.saturating_mul(factor).div_ceil(scale)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_wait_is_read_in_all_its_forms() {
        let read = |name: &str, value: &str| asked_wait(&[(name.to_owned(), value.to_owned())], 1_445_412_470_000);
        assert_eq!(read("retry-after", "7"), Some(7000));
        assert_eq!(read("retry-after-ms", "250"), Some(250));
        assert_eq!(read("retry-after", "Wed, 21 Oct 2015 07:28:00 GMT"), Some(10_000));
        assert_eq!(read("retry-after", "Wed, 21 Oct 2015 07:00:00 GMT"), Some(0));
        assert_eq!(read("retry-after", "1.5"), Some(1500));
        assert_eq!(read("retry-after", "0.0001"), Some(1));
        assert_eq!(read("retry-after-ms", "250.4"), Some(251));
        assert_eq!(read("retry-after", "99999999999999999999999"), Some(u64::MAX));
        for bad in ["soon", "-1", "1.", ".5", "1.x", "", "1e3"] {
            let expected = if bad == "1." { Some(1000) } else { None };
            assert_eq!(read("retry-after", bad), expected, "{bad}");
        }
        let body = |delay: &str| asked_in_body(&json!({"details": [{"reason": "x"}, {"retryDelay": delay}]}));
        assert_eq!((body("34.07s"), body("0s"), body("7m")), (Some(34_070), Some(0), None));
    }
}
