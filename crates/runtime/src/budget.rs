//! The budget of a run: reserved before, settled after, and never more than was granted, also with concurrent callers.
//!
//! One lock guards the whole run's ledger: a reservation is checked against the attempt and against the run in one go.

use deed_diag::Invariant as _;
use deed_model::Budget;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use thiserror::Error;

/// The number of parts of a budget.
const PARTS: usize = 6;

type Amounts = [u64; PARTS];

/// A budget that is too small for what was asked.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{asked} of `{part}` are asked for, and {left} of {granted} are left to {of}")]
pub(crate) struct InsufficientBudget {
    /// The part that is short, as contracts name it.
    pub part: &'static str,
    /// The amount that was asked for.
    pub asked: u64,
    /// The amount that is left.
    pub left: u64,
    /// The amount that was granted.
    pub granted: u64,
    /// The owner of the budget: the attempt or the run.
    pub of: &'static str,
}

/// The budget of a run.
#[derive(Debug, Clone)]
pub(crate) struct Ledger(Arc<Mutex<Inner>>);

#[derive(Debug)]
struct Inner {
    run: Account,
    attempts: BTreeMap<String, Account>,
}

#[derive(Debug, Clone, Copy)]
struct Account {
    granted: [Option<u64>; PARTS],
    spent: Amounts,
    reserved: Amounts,
}

impl Account {
    fn new(granted: &Budget, spent: Amounts) -> Self {
        Self { granted: granted.parts().map(|(_, amount)| amount), spent, reserved: [0; PARTS] }
    }

    fn check(&self, asked: &Amounts, of: &'static str) -> Result<(), InsufficientBudget> {
        let names = Budget::default().parts().map(|(part, _)| part);
        let used = self.spent.iter().zip(&self.reserved).map(|(spent, reserved)| spent.saturating_add(*reserved));
        for (((part, granted), used), asked) in names.into_iter().zip(self.granted).zip(used).zip(*asked) {
            let Some(granted) = granted else { continue };
            let left = granted.saturating_sub(used);
            if asked > left {
                return Err(InsufficientBudget { part, asked, left, granted, of });
            }
        }
        Ok(())
    }
}

/// A reserved amount. Dropping it without settling releases it.
#[derive(Debug)]
pub(crate) struct Reservation {
    ledger: Ledger,
    attempt: String,
    amounts: Amounts,
    open: bool,
}

fn amounts(budget: &Budget) -> Amounts {
    budget.parts().map(|(_, amount)| amount.unwrap_or(0))
}

fn add(to: &mut Amounts, more: &Amounts) {
    to.iter_mut().zip(more).for_each(|(to, more)| *to = to.saturating_add(*more));
}

fn take(from: &mut Amounts, less: &Amounts) {
    from.iter_mut().zip(less).for_each(|(from, less)| *from = from.saturating_sub(*less));
}

impl Ledger {
    /// A ledger of a grant of which some is spent.
    pub(crate) fn new(grant: &Budget, spent: &Budget) -> Self {
        let run = Account::new(grant, amounts(spent));
        Self(Arc::new(Mutex::new(Inner { run, attempts: BTreeMap::new() })))
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        // No change under this lock can be left half done.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Opens the account of an attempt; what its calls spent before a restart counts against it.
    pub(crate) fn open(&self, attempt: &str, grant: &Budget, spent: &Budget) {
        self.lock().attempts.insert(attempt.to_owned(), Account::new(grant, amounts(spent)));
    }

    /// Closes the account of an attempt.
    pub(crate) fn close(&self, attempt: &str) {
        self.lock().attempts.remove(attempt);
    }

    /// Reserves the most that something can cost, for an attempt and for the run.
    pub(crate) fn reserve(&self, attempt: &str, most: &Budget) -> Result<Reservation, InsufficientBudget> {
        let asked = amounts(most);
        let mut inner = self.lock();
        // Without an account an attempt would have no bound of its own.
        inner.attempts.get(attempt).invariant("an attempt that spends has an account").check(&asked, "this attempt")?;
        inner.run.check(&asked, "the run")?;
        add(&mut inner.run.reserved, &asked);
        add(&mut inner.attempts.get_mut(attempt).invariant("an attempt that spends has an account").reserved, &asked);
        drop(inner);
        Ok(Reservation { ledger: self.clone(), attempt: attempt.to_owned(), amounts: asked, open: true })
    }

    /// Returns what is spent and reserved.
    #[cfg(test)]
    pub(crate) fn used(&self) -> Budget {
        let inner = self.lock();
        let mut all = inner.run.spent;
        add(&mut all, &inner.run.reserved);
        let [tool_calls, governed_calls, model_tokens, wall_seconds, bytes_out, money_micros] = all.map(Some);
        Budget { tool_calls, governed_calls, model_tokens, wall_seconds, bytes_out, money_micros }
    }
}

impl Reservation {
    /// Settles it with the actual cost. A cost above the reservation is spent all the same.
    pub(crate) fn settle(mut self, actual: &Budget) {
        self.close(&amounts(actual));
    }

    fn close(&mut self, actual: &Amounts) {
        if !std::mem::take(&mut self.open) {
            return;
        }
        let mut inner = self.ledger.lock();
        take(&mut inner.run.reserved, &self.amounts);
        add(&mut inner.run.spent, actual);
        if let Some(account) = inner.attempts.get_mut(&self.attempt) {
            take(&mut account.reserved, &self.amounts);
            add(&mut account.spent, actual);
        }
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        self.close(&[0; PARTS]);
    }
}

/// Returns the first part in which a worst case is above a grant.
pub(crate) fn exceeds(worst: &Budget, grant: &Budget) -> Option<(&'static str, u64, u64)> {
    let both = worst.parts().into_iter().zip(grant.parts());
    both.filter_map(|((name, worst), (_, grant))| Some((name, worst?, grant?))).find(|(_, worst, grant)| worst > grant)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn calls(count: u64) -> Budget {
        Budget { governed_calls: Some(count), ..Budget::default() }
    }

    #[test]
    fn sixty_four_at_once_never_spend_more_than_there_is() {
        let ledger = Ledger::new(&calls(1_000), &calls(100));
        let got: u64 = std::thread::scope(|scope| {
            let asking = |index: u64| {
                let ledger = ledger.clone();
                move || {
                    let attempt = format!("a{index}");
                    ledger.open(&attempt, &calls(50), &Budget::default());
                    let mut got = 0;
                    for round in 0..100 {
                        if let Ok(reservation) = ledger.reserve(&attempt, &calls(1 + round % 2)) {
                            // Some cost less than was reserved, some nothing at all.
                            match round % 3 {
                                0 => drop(reservation),
                                _ => {
                                    reservation.settle(&calls(1));
                                    got += 1;
                                }
                            }
                        }
                    }
                    got
                }
            };
            let threads: Vec<_> = (0..64).map(|index| scope.spawn(asking(index))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).sum()
        });
        assert_eq!(got, 900, "all of it is spent, and no more");
        assert_eq!(ledger.used().governed_calls, Some(1_000));
    }

    #[test]
    fn an_attempt_has_its_own_bound() {
        let ledger = Ledger::new(&calls(100), &Budget::default());
        ledger.open("a", &calls(2), &calls(1));
        let first = ledger.reserve("a", &calls(1)).unwrap();
        let short = ledger.reserve("a", &calls(1)).unwrap_err();
        assert_eq!((short.of, short.left, short.granted), ("this attempt", 0, 2));
        drop(first);
        ledger.reserve("a", &calls(1)).unwrap().settle(&calls(1));
        assert!(ledger.reserve("a", &calls(1)).is_err());
    }

    #[test]
    fn what_no_budget_names_has_no_bound() {
        let ledger = Ledger::new(&Budget::default(), &Budget::default());
        ledger.open("a", &Budget::default(), &Budget::default());
        assert!(ledger.reserve("a", &calls(u64::MAX)).is_ok());
    }

    #[test]
    #[should_panic(expected = "an attempt that spends has an account")]
    fn an_attempt_without_an_account_spends_nothing() {
        let _ = Ledger::new(&Budget::default(), &Budget::default()).reserve("a", &calls(1));
    }
}
