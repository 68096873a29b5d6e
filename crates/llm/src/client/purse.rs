//! Money: reserved before an attempt, committed or given back after it.

use std::sync::{Mutex, PoisonError};

/// A budget of money for calls of models.
pub trait Purse: Send + Sync {
    /// Reserves the most that an attempt can cost.
    ///
    /// # Errors
    /// The budget does not hold it; the reason, in words.
    fn reserve(&self, micros: u64) -> Result<(), String>;

    /// Replaces a reservation by what was paid.
    fn settle(&self, reserved: u64, paid: u64);
}

/// A budget in memory.
#[derive(Debug)]
pub struct MoneyBudget {
    limit: u64,
    used: Mutex<u64>,
}

impl MoneyBudget {
    /// A budget of so many millionths of the currency.
    pub fn new(limit: u64) -> Self {
        Self { limit, used: Mutex::new(0) }
    }

    /// Returns what was reserved and paid so far.
    pub fn used(&self) -> u64 {
        *self.used.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Purse for MoneyBudget {
    fn reserve(&self, micros: u64) -> Result<(), String> {
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        let after = used.saturating_add(micros);
        if after > self.limit {
            let left = self.limit.saturating_sub(*used);
            return Err(format!("the call can cost {micros} millionths, and {left} are left"));
        }
        *used = after;
        Ok(())
    }

    fn settle(&self, reserved: u64, paid: u64) {
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        *used = used.saturating_sub(reserved).saturating_add(paid);
    }
}
