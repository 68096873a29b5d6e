//! What a call of a model can cost, and what it did: the same arithmetic when it is paid and when it is verified.

use super::frozen::RunModels;
use deed_llm::{actual_cost, counted_input, worst_case, worst_tokens};
use deed_model::{AttemptPayment, Budget, ModelAttempt, ModelCall, ModelPrice, ModelReply};

/// The worst case of one attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Owed {
    /// Tokens of input and output.
    pub(crate) tokens: u64,
    /// Money, where the model has a price.
    pub(crate) micros: Option<u64>,
}

impl Owed {
    /// Returns it as a budget.
    pub(crate) fn budget(self) -> Budget {
        Budget { model_tokens: Some(self.tokens), money_micros: self.micros, ..Budget::default() }
    }
}

/// Returns the most that one attempt at a call can cost.
///
/// # Errors
/// The call cannot be written for its provider.
pub(crate) fn worst(models: &RunModels, call: &ModelCall) -> Result<Owed, String> {
    let provider = models.provider(&call.model)?;
    let input = counted_input(&provider, call)?;
    let price = models.price(&call.model);
    let micros = price.map(|price| worst_case(price, call, input));
    Ok(Owed { tokens: worst_tokens(price, call, input), micros })
}

/// The beginning of the names of what asks beside the calls of a step: a key of a governed call has none of it.
pub(crate) const BESIDE_CALLS: &str = "beside:";

/// Returns what is reserved for a question. The first question of a governed call is that call itself; each further one is
/// another, and so is each of what asks beside the calls of the step.
pub(crate) fn reserved(owed: Owed, call: &str, ask: u32) -> Budget {
    let is_another = ask > 0 || call.starts_with(BESIDE_CALLS);
    Budget { governed_calls: Some(u64::from(is_another)), ..owed.budget() }
}

/// Returns what the attempts at a call cost: the reported usage of the reply, and the whole reservation of every attempt that
/// may have been paid for without one.
pub(crate) fn owed(
    worst: Owed,
    price: Option<&ModelPrice>,
    attempts: &[ModelAttempt],
    reply: Option<&ModelReply>,
) -> Owed {
    let usage = reply.and_then(|reply| reply.usage);
    let (mut tokens, mut micros) = (0_u64, 0_u64);
    let last = attempts.len();
    for (attempt, number) in attempts.iter().zip(1..) {
        let own = match (attempt.payment, usage.filter(|_| number == last), price) {
            (AttemptPayment::None, _, _) => (0, 0),
            (AttemptPayment::Paid, Some(usage), Some(price)) => (usage.total(), actual_cost(price, &usage)),
            (AttemptPayment::Paid, Some(usage), None) => (usage.total(), 0),
            (AttemptPayment::Paid | AttemptPayment::Possible, _, _) => (worst.tokens, worst.micros.unwrap_or_default()),
        };
        tokens = tokens.saturating_add(own.0);
        micros = micros.saturating_add(own.1);
    }
    Owed { tokens, micros: worst.micros.map(|_| micros) }
}

/// Returns what a call spent: its attempts, and the whole reservation of each time that a process ended while it was under
/// way.
pub(crate) fn spent_by(owed: Owed, reserved: Budget, lost: u32) -> Budget {
    let lost = reserved.times(u64::from(lost));
    let paid = Budget { governed_calls: reserved.governed_calls, ..owed.budget() };
    paid.plus(lost)
}
