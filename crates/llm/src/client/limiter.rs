//! Limits of a provider: calls at once, and calls in a minute.

use crate::pace::Pace;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// A token bucket, in thousandths of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Bucket {
    per_minute: u64,
    level: u64,
    at_ms: u64,
}

impl Bucket {
    /// Takes one call out, or returns the milliseconds until there is one.
    fn take(&mut self, now_ms: u64) -> Result<(), u64> {
        let full = self.per_minute.saturating_mul(1000);
        let gained = now_ms.saturating_sub(self.at_ms).saturating_mul(self.per_minute) / 60;
        if gained > 0 {
            self.level = self.level.saturating_add(gained).min(full);
            self.at_ms = now_ms;
        }
        match self.level.checked_sub(1000) {
            Some(rest) => {
                self.level = rest;
                Ok(())
            }
            None => Err(((1000 - self.level) * 60).div_ceil(self.per_minute)),
        }
    }
}

/// The limits of a provider, shared by all its clients.
#[derive(Debug)]
pub struct Limiter {
    at_once: Arc<Semaphore>,
    bucket: Option<Mutex<Bucket>>,
}

impl Limiter {
    /// A limiter for so many calls at once and in a minute.
    pub fn new(concurrency: usize, per_minute: Option<u32>) -> Self {
        let bucket = per_minute.map(|calls| u64::from(calls.max(1)));
        let bucket = bucket.map(|per_minute| Mutex::new(Bucket { per_minute, level: per_minute * 1000, at_ms: 0 }));
        Self { at_once: Arc::new(Semaphore::new(concurrency.max(1))), bucket }
    }

    /// Waits for a place. It is free again when the permit is dropped.
    pub(super) async fn enter(&self, pace: &dyn Pace) -> Option<OwnedSemaphorePermit> {
        // It fails only for a semaphore that was closed, and this one never is.
        let permit = self.at_once.clone().acquire_owned().await.ok();
        while let Some(bucket) = &self.bucket {
            let taken = bucket.lock().unwrap_or_else(PoisonError::into_inner).take(pace.now_ms());
            match taken {
                Ok(()) => break,
                Err(wait) => pace.wait(wait.max(1)).await,
            }
        }
        permit
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_gives_what_was_gained_and_names_the_wait() {
        let mut bucket = Bucket { per_minute: 60, level: 2000, at_ms: 0 };
        assert_eq!([bucket.take(0), bucket.take(0), bucket.take(0)], [Ok(()), Ok(()), Err(1000)]);
        assert_eq!([bucket.take(500), bucket.take(1000), bucket.take(1000)], [Err(500), Ok(()), Err(1000)]);
        assert_eq!(bucket.take(3_600_000), Ok(()));
        assert_eq!(bucket.level, 59_000, "it never holds more than a minute");
    }
}
