//! Time and randomness of retries, from the outside, so that tests wait for nothing.

use std::future::Future;
use std::pin::Pin;
use std::time::{Duration, Instant};

/// A wait to come.
pub type Waiting<'a> = Pin<Box<dyn Future<Output = ()> + Send + 'a>>;

/// A source of time and randomness.
pub trait Pace: Send + Sync {
    /// Milliseconds since an arbitrary begin; never less than before.
    fn now_ms(&self) -> u64;

    /// Milliseconds since 1970 in UTC.
    fn unix_ms(&self) -> i64;

    /// Waits.
    fn wait(&self, ms: u64) -> Waiting<'_>;

    /// Draws a number from 0 to `most`, inclusive.
    fn draw(&self, most: u64) -> u64;
}

/// The clock and the randomness of this system.
#[derive(Debug, Clone, Copy)]
pub struct SystemPace {
    begin: Instant,
}

#[allow(clippy::disallowed_methods, reason = "the one place where the clients read a clock")]
impl SystemPace {
    /// Begins to count.
    #[allow(clippy::new_without_default, reason = "each begins at another time")]
    pub fn new() -> Self {
        Self { begin: Instant::now() }
    }
}

#[allow(clippy::disallowed_methods, reason = "the one place where the clients read a clock")]
impl Pace for SystemPace {
    fn now_ms(&self) -> u64 {
        u64::try_from(self.begin.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    fn unix_ms(&self) -> i64 {
        let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        since.ok().and_then(|since| i64::try_from(since.as_millis()).ok()).unwrap_or_default()
    }

    fn wait(&self, ms: u64) -> Waiting<'_> {
        Box::pin(tokio::time::sleep(Duration::from_millis(ms)))
    }

    fn draw(&self, most: u64) -> u64 {
        let mut bytes = [0; 8];
        // Without randomness, the wait is the longest.
        match getrandom::fill(&mut bytes) {
            Ok(()) => u64::from_le_bytes(bytes) % most.saturating_add(1).max(1),
            Err(_) => most,
        }
    }
}
