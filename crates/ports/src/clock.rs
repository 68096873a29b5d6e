//! The time of day. Durations are measured elsewhere, by clocks that cannot jump.

/// The time of day.
pub trait Clock: Send + Sync {
    /// Milliseconds since 1970.
    fn unix_ms(&self) -> i64;
}
