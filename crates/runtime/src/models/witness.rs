//! The witness of the gateway through which providers are reached: it writes down every decision. The requests themselves
//! are written down as calls of models.

use super::caller::Caller;
use deed_egress::{BeginOutcome, FetchError, Meter, Outgoing, Stop, StopClass, StoredResponse, Witness};
use deed_model::{EgressDecision, RunEvent};
use deed_ports::Wait;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Weak};

/// The witness of a caller's requests to providers.
pub(super) struct ModelWitness {
    caller: Weak<dyn Caller>,
}

impl ModelWitness {
    pub(super) fn new(caller: &Arc<dyn Caller>) -> Self {
        Self { caller: Arc::downgrade(caller) }
    }

    fn caller(&self) -> Result<Arc<dyn Caller>, Stop> {
        let stop = || Stop { class: StopClass::Cancelled, message: "the attempt is over".to_owned() };
        self.caller.upgrade().filter(|caller| !caller.is_over()).ok_or_else(stop)
    }
}

impl Witness for ModelWitness {
    fn decided(&self, decision: &EgressDecision) -> Result<(), Stop> {
        let caller = self.caller()?;
        let record = || {
            let step = caller.step().to_owned();
            caller.run().record(RunEvent::Egress { step, decision: decision.clone() }, Wait::Ordered)
        };
        match catch_unwind(AssertUnwindSafe(record)) {
            Ok(Ok(())) => Ok(()),
            Ok(Err(error)) => {
                caller.give_up(&error);
                Err(Stop { class: StopClass::Cancelled, message: "what happens cannot be written down".to_owned() })
            }
            Err(panic) => {
                caller.broke(&*panic);
                Err(Stop { class: StopClass::Cancelled, message: "the journal broke".to_owned() })
            }
        }
    }

    fn begin(&self, call: &Outgoing) -> Result<BeginOutcome, Stop> {
        self.caller()?;
        // The same request has the same key, so that a provider that honours it does nothing twice.
        Ok(BeginOutcome::Go { idempotency_key: call.body_sha256.hex() })
    }

    fn end(&self, _: &str, _: &Result<StoredResponse, FetchError>) -> Result<(), Stop> {
        Ok(())
    }

    fn broke(&self, panic: &(dyn Any + Send)) {
        if let Some(caller) = self.caller.upgrade() {
            caller.broke(panic);
        }
    }
}

/// Counts nothing: `bytes_out` bounds what code sends, and calls of models are bounded by their tokens.
pub(super) struct ByTokens;

impl Meter for ByTokens {
    fn leaving(&self, _: u64) -> Result<(), Stop> {
        Ok(())
    }

    fn stayed(&self, _: u64) {}
}
