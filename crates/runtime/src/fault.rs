//! Failures of steps, made in one way.

use deed_diag::Code;
use deed_model::{FailureClass, StepFailure};

/// Where secrets are looked for.
pub(crate) const WHERE_SECRETS_ARE: &str =
    "secrets are files under `.deed/secrets` that only their owner can read, or variables DEED_SECRET_…";

/// A failure of a class, with its code.
pub(crate) fn fault(class: FailureClass, code: Code, message: impl Into<String>) -> StepFailure {
    StepFailure {
        class,
        code: code.as_str().to_owned(),
        message: message.into(),
        help: None,
        subject: None,
        printed: None,
    }
}

/// What can be said further of a failure.
pub(crate) trait Told {
    /// What can be done about it.
    fn help(self, help: impl Into<String>) -> Self;
    /// What it concerns.
    fn about(self, subject: impl Into<String>) -> Self;
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
}
