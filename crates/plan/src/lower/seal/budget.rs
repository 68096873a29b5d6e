//! The worst case: what one attempt can spend, times the attempts, summed over the steps, held against the budgets.

use crate::codes::{NO_PRICE, PLAN_BUDGET, STEP_BUDGET};
use crate::lower::state::{Lowering, Step, Told};
use crate::lower::validators::repair;
use deed_diag::{Severity, quote};
use deed_model::{Backend, Budget, Routing};

/// Tool calls of one attempt of a step whose model writes code or calls tools.
const TOOL_CALLS: u64 = 10;
/// Tokens of one such call.
const TOKENS_PER_CALL: u64 = 8_000;
/// Governed calls of one attempt of written code that has tools for them and no list to work through.
const GOVERNED_CALLS: u64 = 100;
/// Seconds of one attempt.
const WALL_SECONDS: u64 = 600;
/// Seconds of an adapter.
const ADAPTER_SECONDS: u64 = 120;

/// What one attempt of a step can spend.
pub(super) fn attempt(step: &Step<'_>, routing: &Routing) -> Budget {
    let given = step.authored.budget.unwrap_or_default();
    let calls = given.tool_calls.unwrap_or(TOOL_CALLS);
    let items = step.authored.for_each.as_ref();
    let tools = step.authored.tool_needs.iter().any(|tool| !tool.starts_with("sandbox."));
    let written = step.authored.code.is_some() && routing.backend == Backend::SandboxSession;
    let few = if tools && written { GOVERNED_CALLS } else { 0 };
    let governed = items.map_or(few, |each| each.most_items.saturating_mul(each.calls_per_item));
    let tokens = given.model_tokens.unwrap_or_else(|| calls.saturating_mul(TOKENS_PER_CALL));
    let governed = given.governed_calls.unwrap_or(governed);
    // Any call may be the dearest that the rules allow.
    let dearest = step.authored.egress.iter().filter_map(|rule| rule.price_micros).max();
    Budget {
        tool_calls: Some(if routing.needs_model { calls } else { 0 }),
        governed_calls: Some(governed),
        model_tokens: Some(if routing.needs_model { tokens } else { 0 }),
        wall_seconds: Some(given.wall_seconds.unwrap_or(match (routing.backend, step.authored.sandbox) {
            (Backend::Native, _) => ADAPTER_SECONDS,
            (_, Some(sandbox)) => sandbox.limits.wall_seconds,
            _ => WALL_SECONDS,
        })),
        bytes_out: given.bytes_out,
        money_micros: given
            .money_micros
            .or(Budget { money_micros: dearest, ..Budget::default() }.times(governed).money_micros),
    }
}

/// Whether a step does something beyond the workspace.
pub(super) fn acts(step: &Step<'_>) -> bool {
    !step.authored.side_effects.is_empty()
}

pub(super) fn budgets(lowering: &mut Lowering<'_>) {
    let mut whole = Budget::default();
    for index in 0..lowering.steps.len() {
        let Some(step) = lowering.steps.get(index) else { continue };
        let Some(routing) = step.routing.clone() else { continue };
        let each = step.authored.for_each.clone();
        let given = step.authored.budget.unwrap_or_default();
        let retries =
            repair(routing.needs_model, step.authored.adapter.is_some(), acts(step), step.authored.max_retries)
                .max_retries;
        let worst = attempt(step, &routing).times(u64::from(retries) + 1);
        whole = whole.plus(worst);
        let needed = each.as_ref().map(|each| each.most_items.saturating_mul(each.calls_per_item));
        if let (Some(needed), Some(given)) = (needed, given.governed_calls)
            && given < needed
        {
            let message = format!("its budget of {given} governed calls is below the {needed} that its items can make");
            let told = Told::error(index, STEP_BUDGET, "/budget/governed_calls", message);
            lowering.tell(
                told.related(format!("/steps/{index}/for_each"), "the items")
                    .help(format!("allow {needed}, or fewer items")),
            );
        }
        let least = [
            ("tool_calls", given.tool_calls),
            ("model_tokens", given.model_tokens),
            ("wall_seconds", given.wall_seconds),
        ];
        for (name, _) in least.into_iter().filter(|(_, given)| *given == Some(0)) {
            if routing.needs_model || name == "wall_seconds" {
                let message = format!("nothing can be done with 0 of {}", quote(name));
                let told = Told::error(index, STEP_BUDGET, format!("/budget/{name}"), message);
                lowering.tell(told.help("allow at least 1"));
            }
        }
        if let Some(step) = lowering.steps.get_mut(index) {
            step.worst_case = worst;
        }
    }
    for _ in &lowering.inserted {
        whole = whole.plus(adapter_budget());
    }
    let Some(given) = lowering.plan.budget else { return };
    let priced = lowering.plan.steps.iter().any(|step| {
        step.budget.is_some_and(|budget| budget.money_micros.is_some())
            || step.egress.iter().any(|rule| rule.price_micros.is_some())
    });
    if given.money_micros.is_some() && !priced {
        let message = "the plan limits `money_micros`, and nothing in it has a price".to_owned();
        let help = Some("give egress rules `price_micros`, or remove the limit".to_owned());
        lowering.say(Severity::Warning, NO_PRICE, "/budget/money_micros", message, help);
    }
    let endless = lowering.steps.iter().find(|step| {
        let budget = step.authored.budget.unwrap_or_default();
        let limited = budget.bytes_out.is_some() || budget.governed_calls == Some(0);
        !step.authored.egress.is_empty() && !limited
    });
    if let (Some(given), Some(endless)) = (given.bytes_out, endless) {
        let id = quote(&endless.authored.id);
        let message = format!("the plan may spend {given} of `bytes_out`, and step {id} may send without limit");
        let help = Some("give the step `bytes_out` in a `budget` of its own".to_owned());
        lowering.say(Severity::Error, PLAN_BUDGET, "/budget/bytes_out", message, help);
    }
    for ((name, given), (_, worst)) in given.parts().into_iter().zip(whole.parts()) {
        if let (Some(given), Some(worst)) = (given, worst)
            && given < worst
        {
            let message = format!("the plan may spend {given} of {}, and its steps can spend {worst}", quote(name));
            let help = Some(format!("allow {worst}, or give steps smaller budgets and fewer retries"));
            lowering.say(Severity::Error, PLAN_BUDGET, &format!("/budget/{name}"), message, help);
        }
    }
}

pub(super) fn adapter_budget() -> Budget {
    Budget {
        tool_calls: Some(0),
        governed_calls: Some(0),
        model_tokens: Some(0),
        wall_seconds: Some(ADAPTER_SECONDS),
        ..Budget::default()
    }
}
