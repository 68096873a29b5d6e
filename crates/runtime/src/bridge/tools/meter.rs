//! Counts what leaves for one call to `http.fetch`: the request, each retry of it and each redirect, every one of them
//! before any of its bytes leave.

use crate::attempt::Attempt;
use crate::budget::Reservation;
use deed_egress::{Meter, Stop, StopClass};
use deed_model::Budget;
use std::sync::{Mutex, PoisonError};

/// The meter of one call.
pub(super) struct FetchMeter<'a> {
    attempt: &'a Attempt,
    inner: Mutex<Inner>,
}

struct Inner {
    /// Bytes that are reserved and have not been used.
    left: u64,
    /// Bytes that have left, or are leaving.
    sent: u64,
    reservations: Vec<Reservation>,
}

impl<'a> FetchMeter<'a> {
    /// Makes a meter for a call with this many bytes reserved.
    pub(super) fn new(attempt: &'a Attempt, reserved: u64) -> Self {
        Self { attempt, inner: Mutex::new(Inner { left: reserved, sent: 0, reservations: Vec::new() }) }
    }

    /// Adds bytes that the caller reserved for a retry.
    pub(super) fn add(&self, bytes: u64) {
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        inner.left = inner.left.saturating_add(bytes);
    }

    /// Returns the bytes that have left, and their reservations beyond the first.
    pub(super) fn total(self) -> (u64, Vec<Reservation>) {
        let inner = self.inner.into_inner().unwrap_or_else(PoisonError::into_inner);
        (inner.sent, inner.reservations)
    }
}

impl Meter for FetchMeter<'_> {
    fn leaving(&self, bytes: u64) -> Result<(), Stop> {
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        let lacking = bytes.saturating_sub(inner.left);
        if lacking > 0 {
            let most = Budget { bytes_out: Some(lacking), ..Budget::default() };
            let set_aside = self.attempt.run.ledger.reserve(&self.attempt.account, &most);
            let set_aside = set_aside.map_err(|short| Stop { class: StopClass::Budget, message: short.to_string() })?;
            inner.reservations.push(set_aside);
        }
        inner.left = inner.left.saturating_add(lacking).saturating_sub(bytes);
        inner.sent = inner.sent.saturating_add(bytes);
        Ok(())
    }

    fn stayed(&self, bytes: u64) {
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        inner.left = inner.left.saturating_add(bytes);
        inner.sent = inner.sent.saturating_sub(bytes);
    }
}
