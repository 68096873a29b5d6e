//! Constructors of step failures.

use crate::conceal;
use deed_diag::{Code, codes};
use deed_model::{FailureCause, FailureClass, StepFailure};
use std::any::Any;

/// Help for a missing secret.
pub(crate) const WHERE_SECRETS_ARE: &str =
    "secrets are files under `.deed/secrets` that only their owner can read, or variables DEED_SECRET_…";

/// A failure of a class, with its code.
pub(crate) fn fault(class: FailureClass, code: Code, message: impl Into<String>) -> StepFailure {
    StepFailure {
        class,
        causes: causes(class),
        code: code.into(),
        message: message.into(),
        help: None,
        subject: None,
        printed: None,
    }
}

/// The cause that a class of failures always has.
fn causes(class: FailureClass) -> Vec<FailureCause> {
    match class {
        FailureClass::PolicyViolation => vec![FailureCause::PolicyBlocked],
        FailureClass::ContractSchema => vec![FailureCause::SchemaMismatch],
        FailureClass::MissingArtifact
        | FailureClass::SandboxRuntime
        | FailureClass::ToolBridge
        | FailureClass::SemanticVerdict
        | FailureClass::OutputShape
        | FailureClass::BudgetExhaustion
        | FailureClass::HumanGatePending => Vec::new(),
    }
}

/// The failure of a step over a panic: a defect of this program, which a retry may avoid.
pub(crate) fn panicked(step: &str, panic: &(dyn Any + Send)) -> StepFailure {
    let said = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let said = said.or_else(|| panic.downcast_ref::<String>().cloned());
    let said = said.map_or_else(String::new, |text| format!(": {}", conceal::secrets(&text)));
    fault(FailureClass::SandboxRuntime, codes::STEP_PANICKED, format!("internal error while the step ran{said}"))
        .about(step)
        .help("please report it with the message and the plan; what the step did before is in the journal")
}

/// Details of a failure.
pub(crate) trait FailureExt {
    /// Adds the fix.
    fn help(self, help: impl Into<String>) -> Self;
    /// Adds the file, tool or host that it concerns.
    fn about(self, subject: impl Into<String>) -> Self;
    /// Adds a cause.
    fn because(self, cause: FailureCause) -> Self;
}

impl FailureExt for StepFailure {
    fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    fn about(mut self, subject: impl Into<String>) -> Self {
        self.subject = Some(subject.into());
        self
    }

    fn because(mut self, cause: FailureCause) -> Self {
        self.causes.push(cause);
        self
    }
}
