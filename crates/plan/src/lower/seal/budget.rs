//! The worst case: what one attempt can spend, times the attempts, summed over the steps, compared with the budgets.

use super::Inputs;
use crate::lower::cx::{Cx, Step};
use crate::lower::findings::{At, Finding, Findings};
use crate::lower::validators::repair;
use deed_diag::{codes, quote};
use deed_model::{Backend, Budget, PlanStep, Routing};

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

/// Compares the budgets of steps and plan with the worst case.
pub(super) fn check(cx: Cx<'_>, inputs: Inputs<'_>, findings: &mut Findings<'_>) {
    let mut worst = Budget::default();
    for step in cx.steps() {
        // Code that no backend runs is refused, and has no worst case.
        if let Some(routing) = inputs.routes.of_step(step.index) {
            check_step(step, routing, findings);
            worst = worst.plus(worst_case(step.authored, routing));
        }
    }
    for _ in &inputs.adapters.inserted {
        worst = worst.plus(of_inserted());
    }
    if let Some(limit) = cx.plan.budget {
        check_prices(cx, limit, findings);
        check_senders(cx, limit, findings);
        check_plan(limit, worst, findings);
    }
}

/// The most that a step can spend, with all its retries.
pub(super) fn worst_case(step: &PlanStep, routing: &Routing) -> Budget {
    attempt(step, routing).times(u64::from(repair::repair(step, routing).max_retries) + 1)
}

/// The most that one attempt of a step can spend.
pub(super) fn attempt(step: &PlanStep, routing: &Routing) -> Budget {
    let given = step.budget.unwrap_or_default();
    let calls = given.tool_calls.unwrap_or(TOOL_CALLS);
    let tokens = given.model_tokens.unwrap_or_else(|| calls.saturating_mul(TOKENS_PER_CALL));
    // A model that judges for written code, or corrects what it writes, is asked only where the author allowed it tokens.
    let allowed = given.model_tokens.filter(|_| step.code.is_some()).unwrap_or_default();
    let governed = given.governed_calls.unwrap_or_else(|| governed_calls(step, routing));
    // Any call may be the most expensive that the rules allow.
    let dearest = step.egress.iter().filter_map(|rule| rule.price_micros).max();
    let priced = Budget { money_micros: dearest, ..Budget::default() }.times(governed);
    Budget {
        tool_calls: Some(if routing.needs_model { calls } else { 0 }),
        governed_calls: Some(governed),
        model_tokens: Some(if routing.needs_model { tokens } else { allowed }),
        wall_seconds: Some(given.wall_seconds.unwrap_or(match (routing.backend, step.sandbox) {
            (Backend::Native, _) => ADAPTER_SECONDS,
            (_, Some(sandbox)) => sandbox.limits.wall_seconds,
            _ => WALL_SECONDS,
        })),
        bytes_out: given.bytes_out,
        money_micros: given.money_micros.or(priced.money_micros),
    }
}

/// Returns whether a model may judge for the code of a step.
fn may_be_judged(step: &PlanStep) -> bool {
    step.tool_needs.iter().any(|tool| tool == "operator.artifact.evaluate")
}

/// The governed calls of an attempt if the budget of the step names no number.
fn governed_calls(step: &PlanStep, routing: &Routing) -> u64 {
    let tools = step.tool_needs.iter().any(|tool| !tool.starts_with("sandbox."));
    let written = step.code.is_some() && routing.backend == Backend::SandboxSession;
    let usual = if tools && written { GOVERNED_CALLS } else { 0 };
    item_calls(step).unwrap_or(usual)
}

/// The governed calls of all items of a loop.
fn item_calls(step: &PlanStep) -> Option<u64> {
    step.for_each.as_ref().map(|each| each.most_items.saturating_mul(each.calls_per_item))
}

/// The budget of an adapter that the compiler inserted.
pub(super) fn of_inserted() -> Budget {
    Budget {
        tool_calls: Some(0),
        governed_calls: Some(0),
        model_tokens: Some(0),
        wall_seconds: Some(ADAPTER_SECONDS),
        ..Budget::default()
    }
}

/// The budget of a step has to cover its items, and leave something to work with.
fn check_step(step: Step<'_>, routing: &Routing, findings: &mut Findings<'_>) {
    let Some(given) = step.authored.budget else { return };
    let at = step.at().key("budget");
    if let (Some(needed), Some(given)) = (item_calls(step.authored), given.governed_calls)
        && given < needed
    {
        let message = format!("its budget of {given} governed calls is below the {needed} that its items can make");
        let finding = Finding::error(at.key("governed_calls"), codes::STEP_BUDGET_TOO_SMALL, message);
        let finding = finding.related(&step.at().key("for_each"), "the items");
        findings.add(finding.help(format!("allow {needed}, or fewer items")));
    }
    let parts = [
        ("tool_calls", given.tool_calls, routing.needs_model),
        ("model_tokens", given.model_tokens, routing.needs_model),
        ("wall_seconds", given.wall_seconds, true),
    ];
    let priced = step.authored.egress.iter().any(|rule| rule.price_micros.is_some()) || may_be_judged(step.authored);
    if given.money_micros.is_some() && !priced {
        let message = "the step limits `money_micros`, and none of its egress rules has a price";
        let finding = Finding::warning(at.key("money_micros"), codes::MONEY_LIMIT_WITHOUT_PRICE, message);
        findings.add(finding.help("give egress rules `price_micros`, or remove the limit"));
    }
    for (name, ..) in parts.into_iter().filter(|(_, given, needed)| *given == Some(0) && *needed) {
        let message = format!("nothing can be done with 0 of {}", quote(name));
        let finding = Finding::error(at.key(name), codes::STEP_BUDGET_TOO_SMALL, message);
        findings.add(finding.help("allow at least 1"));
    }
}

/// A limit on money means nothing where nothing has a price.
fn check_prices(cx: Cx<'_>, limit: Budget, findings: &mut Findings<'_>) {
    let priced = |step: &PlanStep| may_be_judged(step) || step.egress.iter().any(|rule| rule.price_micros.is_some());
    if limit.money_micros.is_some() && !cx.plan.steps.iter().any(priced) {
        let message = "the plan limits `money_micros`, and nothing in it has a price";
        let finding = Finding::warning(At::plan("/budget/money_micros"), codes::MONEY_LIMIT_WITHOUT_PRICE, message);
        findings.add(finding.help("give egress rules `price_micros`, or remove the limit"));
    }
}

/// A limit on bytes does not hold where a step may send without limit.
fn check_senders(cx: Cx<'_>, limit: Budget, findings: &mut Findings<'_>) {
    let unlimited = |step: &&PlanStep| {
        let budget = step.budget.unwrap_or_default();
        !step.egress.is_empty() && budget.bytes_out.is_none() && budget.governed_calls != Some(0)
    };
    if let (Some(limit), Some(step)) = (limit.bytes_out, cx.plan.steps.iter().find(unlimited)) {
        let id = quote(&step.id);
        let message = format!("the plan may spend {limit} of `bytes_out`, and step {id} may send without limit");
        let finding = Finding::error(At::plan("/budget/bytes_out"), codes::PLAN_BUDGET_TOO_SMALL, message);
        findings.add(finding.help("give the step `bytes_out` in a `budget` of its own"));
    }
}

fn check_plan(limit: Budget, worst: Budget, findings: &mut Findings<'_>) {
    for ((name, limit), (_, worst)) in limit.parts().into_iter().zip(worst.parts()) {
        if let (Some(limit), Some(worst)) = (limit, worst)
            && limit < worst
        {
            let message = format!("the plan may spend {limit} of {}, and its steps can spend {worst}", quote(name));
            let at = At::plan("/budget").key(name);
            let finding = Finding::error(at, codes::PLAN_BUDGET_TOO_SMALL, message);
            findings.add(finding.help(format!("allow {worst}, or give steps smaller budgets and fewer retries")));
        }
    }
}
