//! The wall clock. Durations are measured elsewhere, with monotonic clocks.

/// The wall clock.
pub trait Clock: Send + Sync {
    /// Milliseconds since 1970 in UTC.
    fn unix_ms(&self) -> i64;
}
