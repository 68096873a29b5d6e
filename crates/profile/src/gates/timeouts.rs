//! Gate 7, timeouts: nothing may take longer than the run, and no call longer than calls may.
//!
//! The time of an approval is not compared: a run that waits for a person does not run.

use super::GateInput;
use deed_diag::{Diagnostic, codes};

pub(super) fn run(input: &GateInput<'_>) -> Vec<Diagnostic> {
    let timeouts = &input.profile.budgets.timeouts;
    let place = |name: &str| format!("/budgets/timeouts/{name}");
    let mut findings = Vec::new();
    let mut compare = |name: &str, pointer: String, value: u64, limit_name: &str, limit: Option<u64>| {
        if let Some(limit) = limit.filter(|limit| value > *limit) {
            let message = format!("`{name}` {value} is longer than `{limit_name}` {limit}");
            findings.push(
                Diagnostic::error(codes::TIMEOUT_TOO_LONG, message)
                    .at(input.file.place(&pointer))
                    .related(input.file.place(&place(limit_name)), "the longer time can never pass")
                    .help(format!("lower it to {limit} or less, or raise `{limit_name}`")),
            );
        }
    };
    for (name, value) in timeouts.parts() {
        if let Some(value) = value.filter(|_| !matches!(name, "run_wall_ms" | "approval_ms")) {
            compare(name, place(name), value, "run_wall_ms", timeouts.run_wall_ms);
        }
    }
    let pairs = [("model_call_ms", timeouts.model_call_ms), ("tool_call_ms", timeouts.tool_call_ms)];
    for (name, value) in pairs.into_iter().filter_map(|(name, value)| Some((name, value?))) {
        compare(name, place(name), value, "step_wall_ms", timeouts.step_wall_ms);
    }
    for placed in input.bindings() {
        if let Some(value) = placed.binding.runtime_overrides.timeout_ms {
            let pointer = || format!("{}/runtime_overrides/timeout_ms", placed.pointer);
            compare("timeout_ms", pointer(), value, "model_call_ms", timeouts.model_call_ms);
            compare("timeout_ms", pointer(), value, "run_wall_ms", timeouts.run_wall_ms);
        }
    }
    findings
}
