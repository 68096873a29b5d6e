//! Help for failures whose cause is a fact of the contract, which the code that failed cannot know.

use crate::codes::{CODE_FAILED, VERDICT};
use deed_model::{Backend, StepContract, StepFailure};

/// Words of interpreters and libraries for a network that is not there. They only select failures that concern the
/// network; what is said about them follows from the contract.
const NO_NETWORK: [&str; 14] = [
    "name or service not known",
    "temporary failure in name resolution",
    "no address associated with hostname",
    "could not resolve host",
    "getaddrinfo",
    "gaierror",
    "enotfound",
    "eai_again",
    "connection refused",
    "econnrefused",
    "network is unreachable",
    "enetunreach",
    "no route to host",
    "urlopen error",
];

/// Adds help to a failure of a step.
pub(super) fn explained(run_id: &str, contract: &StepContract, failure: StepFailure) -> StepFailure {
    let step = &contract.step_id;
    if failure.code == VERDICT.as_str() {
        let help = format!(
            "`deed runs events {run_id} --step {step} --kind call_ended --json` prints the verdict with its reasons"
        );
        return StepFailure { help: Some(help), ..failure };
    }
    match no_network(contract) {
        Some(help) if failure.code == CODE_FAILED.as_str() && is_about_network(&failure) => {
            StepFailure { help: Some(help), ..failure }
        }
        _ => failure,
    }
}

/// Why code of a contract has no network, if it has none.
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

fn is_about_network(failure: &StepFailure) -> bool {
    let printed = failure.printed.as_deref().unwrap_or_default().to_lowercase();
    // Where a filter refuses the connection, the words are those for a file that may not be read.
    let refused = ["permission denied", "eacces"].iter().any(|words| printed.contains(words));
    NO_NETWORK.iter().any(|words| printed.contains(words)) || (refused && printed.contains("connect"))
}
