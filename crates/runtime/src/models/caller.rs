//! The caller of a model: what is journalled, reserved and stopped with it.

use crate::attempt::Attempt;
use crate::run::Run;
use deed_egress::Gateway;
use deed_ports::StoreError;
use std::any::Any;
use std::sync::Arc;

/// The caller of a model: an attempt of a step, or a distillation.
pub(crate) trait Caller: Send + Sync {
    /// Returns the run in whose journal the call stands.
    fn run(&self) -> &Arc<Run>;
    /// Returns the step.
    fn step(&self) -> &str;
    /// Returns the number of the attempt.
    fn number(&self) -> u32;
    /// Returns the name of its account in the ledger.
    fn account(&self) -> &str;
    /// Returns whether it is being stopped, so that nothing more leaves.
    fn is_over(&self) -> bool;
    /// Stops it, since the disk or the journal cannot be used.
    fn give_up(&self, error: &StoreError);
    /// Fails it over a panic in what was done for it.
    fn broke(&self, panic: &(dyn Any + Send));
    /// Returns the gateway to a provider, if one was opened.
    fn model_gateway(&self, provider: &str) -> Option<Gateway>;
    /// Keeps the gateway to a provider; the first that is kept counts.
    fn keep_model_gateway(&self, provider: &str, gateway: Gateway) -> Gateway;
}

impl Caller for Attempt {
    fn run(&self) -> &Arc<Run> {
        &self.run
    }

    fn step(&self) -> &str {
        &self.contract.step_id
    }

    fn number(&self) -> u32 {
        self.number
    }

    fn account(&self) -> &str {
        &self.account
    }

    fn is_over(&self) -> bool {
        Self::is_over(self)
    }

    fn give_up(&self, error: &StoreError) {
        Self::give_up(self, error);
    }

    fn broke(&self, panic: &(dyn Any + Send)) {
        Self::broke(self, panic);
    }

    fn model_gateway(&self, provider: &str) -> Option<Gateway> {
        Self::model_gateway(self, provider)
    }

    fn keep_model_gateway(&self, provider: &str, gateway: Gateway) -> Gateway {
        Self::keep_model_gateway(self, provider, gateway)
    }
}
