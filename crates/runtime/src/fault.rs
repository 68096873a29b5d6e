//! Failures of steps, made in one way.

use deed_diag::Code;
use deed_model::{FailureCause, FailureClass, StepFailure};

/// Where secrets are looked for.
pub(crate) const WHERE_SECRETS_ARE: &str =
    "secrets are files under `.deed/secrets` that only their owner can read, or variables DEED_SECRET_…";

/// A failure of a class, with its code.
pub(crate) fn fault(class: FailureClass, code: Code, message: impl Into<String>) -> StepFailure {
    StepFailure {
        class,
        causes: causes(class),
        code: code.as_str().to_owned(),
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

/// What can be said further of a failure.
pub(crate) trait Told {
    /// What can be done about it.
    fn help(self, help: impl Into<String>) -> Self;
    /// What it concerns.
    fn about(self, subject: impl Into<String>) -> Self;
    /// What caused it.
    fn because(self, cause: FailureCause) -> Self;
}

impl Told for StepFailure {
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
