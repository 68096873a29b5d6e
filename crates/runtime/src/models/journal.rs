//! The journal and the budget of one call of a model: each attempt is on disk before another one leaves, and none leaves
//! without a reservation.

use super::caller::Caller;
use super::cost::Owed;
use crate::budget::Reservation;
use deed_canon::ContentHash;
use deed_llm::{AttemptLog, Purse};
use deed_model::{AttemptPayment, Budget, ModelAttempt, RunEvent};
use deed_ports::Wait;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The journal and the budget of one call.
pub(super) struct AskJournal {
    caller: Arc<dyn Caller>,
    worst: Owed,
    inner: Mutex<Inner>,
}

struct Inner {
    /// Money that is reserved and not used.
    free: u64,
    /// Reservations beyond the first.
    more: Vec<Reservation>,
    /// The reason why the budget holds no other attempt.
    short: Option<String>,
}

impl AskJournal {
    /// A journal for a call whose worst case is reserved once.
    pub(super) fn new(caller: &Arc<dyn Caller>, worst: Owed) -> Self {
        let inner = Inner { free: worst.micros.unwrap_or_default(), more: Vec::new(), short: None };
        Self { caller: caller.clone(), worst, inner: Mutex::new(inner) }
    }

    /// Returns the reservations beyond the first, which end when they are dropped.
    pub(super) fn reservations(&self) -> Vec<Reservation> {
        std::mem::take(&mut self.inner().more)
    }

    /// Returns the reason why the budget holds no other attempt, if that ended the call.
    pub(super) fn short(&self) -> Option<String> {
        self.inner().short.clone()
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn reserve_more(&self, most: &Budget) -> Result<(), String> {
        let reserved = self.caller.run().ledger.reserve(self.caller.account(), most);
        let mut inner = self.inner();
        match reserved {
            Ok(reservation) => {
                inner.more.push(reservation);
                Ok(())
            }
            Err(short) => {
                inner.short = Some(short.to_string());
                Err(short.to_string())
            }
        }
    }
}

impl AttemptLog for AskJournal {
    fn record(&self, key: &ContentHash, attempt: &ModelAttempt) -> Result<(), String> {
        let step = self.caller.step().to_owned();
        let event = RunEvent::ModelAttempted { step, key: *key, attempt: attempt.clone() };
        self.caller.run().record(event, Wait::Durable).map_err(|error| {
            self.caller.give_up(&error);
            error.message
        })?;
        if attempt.wait_ms.is_some() && attempt.payment != AttemptPayment::None {
            let tokens = Budget { model_tokens: Some(self.worst.tokens), ..Budget::default() };
            self.reserve_more(&tokens)?;
        }
        if self.caller.is_over() && attempt.wait_ms.is_some() {
            return Err("the attempt is over".to_owned());
        }
        Ok(())
    }
}

impl Purse for AskJournal {
    fn reserve(&self, micros: u64) -> Result<(), String> {
        let lacking = {
            let mut inner = self.inner();
            let lacking = micros.saturating_sub(inner.free);
            inner.free = inner.free.saturating_sub(micros);
            lacking
        };
        match lacking {
            0 => Ok(()),
            _ => self.reserve_more(&Budget { money_micros: Some(lacking), ..Budget::default() }),
        }
    }

    fn settle(&self, reserved: u64, paid: u64) {
        let mut inner = self.inner();
        inner.free = inner.free.saturating_add(reserved.saturating_sub(paid));
    }
}
