//! Gate 8, budgets: amounts with which a run can do anything at all.

use super::GateInput;
use deed_diag::{Diagnostic, codes};

pub(super) fn run(input: &GateInput<'_>) -> Vec<Diagnostic> {
    let budgets = &input.profile.budgets;
    let amounts = [
        ("money_micros", budgets.money_micros),
        ("model_tokens", budgets.model_tokens),
        ("tool_calls", budgets.tool_calls),
    ];
    let zero = amounts.into_iter().filter(|(_, amount)| *amount == Some(0)).map(|(name, _)| {
        Diagnostic::warning(codes::BUDGET_WITHOUT_EFFECT, format!("a budget of `{name}` 0 allows none"))
            .at(input.file.place(&format!("/budgets/{name}")))
            .help("leave it out for no limit, or keep 0 if no run may use any")
    });
    let window = budgets.window_size.zip(budgets.max_steps).filter(|(window, most)| window > most);
    let window = window.map(|(window, most)| {
        let message = format!("`window_size` {window} is more than `max_steps` {most}");
        Diagnostic::warning(codes::BUDGET_WITHOUT_EFFECT, message)
            .at(input.file.place("/budgets/window_size"))
            .help("no more steps can be in flight than a plan has")
    });
    zero.chain(window).collect()
}
