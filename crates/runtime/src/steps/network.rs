//! Help for code that failed over a network that its contract does not give it.
//!
//! That a failure concerns the network is known by type: the hooks beside the program record the exception that ended it,
//! and a shell ends with the exit code of its client. What is said about it follows from the contract.

use super::raised::Raised;
use deed_model::{Backend, StepContract, StepFailure};

/// Exit codes of `curl` for a proxy or host that cannot be resolved or reached.
const CURL: [i32; 3] = [5, 6, 7];
/// The exit code of `wget` for a network failure.
const WGET: i32 = 4;

/// The end of a program, as far as it tells whether the network was the reason.
#[derive(Debug, Clone, Copy)]
pub(super) struct ProgramEnd {
    /// The exception that its hook recorded.
    pub(super) raised: Option<Raised>,
    pub(super) exit_code: Option<i32>,
}

/// Adds help to a failure over the network where the contract gives none.
pub(super) fn explained(contract: &StepContract, ending: ProgramEnd, failure: StepFailure) -> StepFailure {
    match no_network(contract) {
        Some(help) if concerns_network(contract, ending) => StepFailure { help: Some(help), ..failure },
        _ => failure,
    }
}

/// Returns whether a program ended over the network.
fn concerns_network(contract: &StepContract, ending: ProgramEnd) -> bool {
    match contract.execution_contract.language.as_deref() {
        Some("shell") => ending.exit_code.is_some_and(|code| CURL.contains(&code) || code == WGET),
        _ => ending.raised.is_some_and(|raised| raised.unreachable),
    }
}

/// Returns the reason why code of a contract has no network, if it has none.
fn no_network(contract: &StepContract) -> Option<String> {
    let execution = &contract.execution_contract;
    if execution.routing.backend != Backend::SandboxSession {
        return None;
    }
    let calls = contract.allowed_tool_ids.iter().any(|tool| tool.starts_with("http."));
    let lacks = match (execution.egress.is_empty(), calls) {
        (true, false) => "no `egress` rule and no `tool_needs: [http.fetch]`",
        (true, true) => "no `egress` rule",
        (false, false) => "no `tool_needs: [http.fetch]`",
        (false, true) => return None,
    };
    Some(format!(
        "the step has {lacks}, so its code reaches no network: add what it needs to the plan; `deed run --learn-egress` \
         prints the rules"
    ))
}
