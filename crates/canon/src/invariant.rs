//! Invariants. A broken one is a defect: the operation ends with an internal diagnostic (exit code 4), and never
//! continues with a default value.

use std::fmt::{Arguments, Display};

/// Ends the operation because an invariant is broken. The front end reports it as D0004; if it happens in a step, the
/// step fails.
///
/// # Panics
/// Always.
#[track_caller]
#[expect(clippy::panic, reason = "the one way in which a broken invariant ends an operation")]
pub fn broken(what: Arguments<'_>) -> ! {
    panic!("invariant broken: {what}")
}

/// Ends the operation with an internal diagnostic unless a condition holds.
#[macro_export]
macro_rules! invariant {
    ($holds:expr, $($what:tt)+) => {
        if !$holds {
            $crate::broken(format_args!($($what)+));
        }
    };
}

/// A value that must be present.
pub trait Invariant {
    /// The value.
    type Value;

    /// Returns the value, or ends the operation with an internal diagnostic that names the invariant.
    #[track_caller]
    fn invariant(self, what: &str) -> Self::Value;
}

impl<T> Invariant for Option<T> {
    type Value = T;

    fn invariant(self, what: &str) -> T {
        match self {
            Some(value) => value,
            None => broken(format_args!("{what}")),
        }
    }
}

impl<T, E: Display> Invariant for Result<T, E> {
    type Value = T;

    fn invariant(self, what: &str) -> T {
        match self {
            Ok(value) => value,
            Err(error) => broken(format_args!("{what}: {error}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(work: impl FnOnce() + std::panic::UnwindSafe) -> String {
        let panic = std::panic::catch_unwind(work).unwrap_err();
        panic.downcast_ref::<String>().cloned().unwrap_or_default()
    }

    #[test]
    fn what_does_not_hold_is_named() {
        invariant!(1 + 1 == 2, "sums hold");
        assert_eq!(Some(7).invariant("a number"), 7);
        assert_eq!(said(|| invariant!(1 > 2, "{} is more", 1)), "invariant broken: 1 is more");
        assert_eq!(
            said(|| drop(None::<String>.invariant("a step is in the plan"))),
            "invariant broken: a step is in the plan"
        );
        let failed: Result<String, &str> = Err("no");
        assert_eq!(said(move || drop(failed.invariant("it has a hash"))), "invariant broken: it has a hash: no");
    }
}
