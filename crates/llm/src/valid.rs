//! Asking again while a reply violates its output contract.

use deed_model::{ModelCall, ModelCost, OutputCheck};
use deed_ports::{Model, ModelAnswer, ModelError, ModelErrorKind, SpentCall};

/// Asks until a reply meets its output contract, at most so often. Each further call is another occurrence, with a key, a
/// record and a price of its own.
///
/// # Errors
/// A call fails, or no reply meets the contract.
pub fn ask_valid(
    model: &dyn Model,
    call: &ModelCall,
    first_occurrence: u64,
    most: u32,
) -> Result<ModelAnswer, ModelError> {
    let mut last = String::new();
    let (mut attempts, mut exchanges, mut cost) = (Vec::new(), Vec::new(), None);
    for occurrence in (first_occurrence..).take(most as usize) {
        let answer = model.ask(call, occurrence)?;
        last = match &answer.reply.output {
            OutputCheck::Unchecked | OutputCheck::Valid => return Ok(answer),
            OutputCheck::Cut => "it was cut at the maximum number of tokens".to_owned(),
            OutputCheck::NotJson => "it is not JSON".to_owned(),
            OutputCheck::Violates { violations } => violations.join("; "),
        };
        attempts.extend(answer.attempts);
        exchanges.extend(answer.exchanges);
        cost = added(cost, answer.cost);
    }
    let message = format!("none of {most} replies meets the output contract; the last one: {last}");
    let spent = Box::new(SpentCall { attempts, cost, exchanges });
    Err(ModelError { kind: ModelErrorKind::OutputNeverValid, message, spent })
}

/// Adds up costs by one price table.
fn added(sum: Option<ModelCost>, more: Option<ModelCost>) -> Option<ModelCost> {
    match (sum, more) {
        (Some(mut sum), Some(more)) => {
            sum.reserved_micros = sum.reserved_micros.saturating_add(more.reserved_micros);
            sum.actual_micros = sum.actual_micros.saturating_add(more.actual_micros);
            Some(sum)
        }
        (sum, more) => sum.or(more),
    }
}
