//! Failures of calls of models: as the code of the step sees them, and as the step fails over them.

use crate::fault::{FailureExt, fault};
use deed_desk::{DeskRefusal, DeskRefusalKind};
use deed_diag::{Code, codes};
use deed_model::{BridgeErrorKind, FailureClass, ModelFailureKind, StepFailure};
use deed_ports::{ModelError, ModelErrorKind};

/// A call of a model without a usable answer.
#[derive(Debug, Clone)]
pub(crate) struct AskFailure {
    /// The kind, for the code of the step.
    pub(crate) kind: BridgeErrorKind,
    /// The failure of the step, if its code fails over it.
    pub(crate) failure: Box<StepFailure>,
}

impl AskFailure {
    /// Makes a failure.
    pub(crate) fn new(kind: BridgeErrorKind, class: FailureClass, code: Code, message: impl Into<String>) -> Self {
        Self { kind, failure: Box::new(fault(class, code, message)) }
    }

    /// Adds the fix.
    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.failure = Box::new((*self.failure).help(help));
        self
    }

    /// The failure over an error of a model.
    pub(crate) fn of_error(error: &ModelError) -> Self {
        let shown = deed_llm::diagnostic(error);
        let (kind, class) = handling(&kept(error.kind));
        let failed = Self::new(kind, class, shown.code, error.message.clone());
        match shown.help {
            Some(help) => failed.help(help),
            None => failed,
        }
    }

    /// The failure over an error that the journal has.
    pub(crate) fn of_kept(kind: &ModelFailureKind, message: &str) -> Self {
        let (bridge, class) = handling(kind);
        Self::new(bridge, class, code_of(kind), message)
    }

    /// The failure over a desk that does not ask.
    pub(crate) fn of_refusal(refusal: &DeskRefusal) -> Self {
        let (kind, class) = match refusal.kind {
            DeskRefusalKind::Unbound => (BridgeErrorKind::NoModel, FailureClass::OutputShape),
            DeskRefusalKind::Unusable => (BridgeErrorKind::Unfit, FailureClass::ContractSchema),
            DeskRefusalKind::MustRefuse => (BridgeErrorKind::Denied, FailureClass::PolicyViolation),
            DeskRefusalKind::TooLarge => (BridgeErrorKind::Unfit, FailureClass::OutputShape),
        };
        let failed = Self::new(kind, class, refusal.code(), refusal.message.clone());
        match &refusal.help {
            Some(help) => failed.help(help.clone()),
            None => failed,
        }
    }
}

/// Returns the kind under which the journal keeps an error.
pub(crate) fn kept(kind: ModelErrorKind) -> ModelFailureKind {
    use ModelErrorKind as E;
    match kind {
        E::UnknownProvider | E::UnknownModel | E::Unencodable => ModelFailureKind::Unusable,
        E::MissingKey | E::RefusedKey => ModelFailureKind::Key,
        E::NoPrice => ModelFailureKind::NoPrice,
        E::OverBudget => ModelFailureKind::OverBudget,
        E::Denied => ModelFailureKind::Denied,
        E::Unreachable | E::RateLimited | E::ServerFailed | E::TimedOut | E::Cut => ModelFailureKind::Unavailable,
        E::Rejected | E::Redirected => ModelFailureKind::Rejected,
        E::NotJson | E::BadUtf8 | E::TooLarge | E::Malformed | E::RepeatedToolCallId | E::BadUsage => {
            ModelFailureKind::BadAnswer
        }
        E::OutputNeverValid => ModelFailureKind::BadAnswer,
        E::BeyondReservation => ModelFailureKind::BeyondReservation,
        E::Unrecorded => ModelFailureKind::Unrecorded,
        E::NotInTranscript => ModelFailureKind::NotInTranscript,
    }
}

/// Returns how a failure is handled: only what may pass is retried.
fn handling(kind: &ModelFailureKind) -> (BridgeErrorKind, FailureClass) {
    match kind {
        ModelFailureKind::Unusable | ModelFailureKind::NotInTranscript => {
            (BridgeErrorKind::Unfit, FailureClass::ContractSchema)
        }
        ModelFailureKind::Key => (BridgeErrorKind::Credential, FailureClass::MissingArtifact),
        ModelFailureKind::NoPrice | ModelFailureKind::OverBudget | ModelFailureKind::BeyondReservation => {
            (BridgeErrorKind::Budget, FailureClass::BudgetExhaustion)
        }
        ModelFailureKind::Denied => (BridgeErrorKind::Denied, FailureClass::PolicyViolation),
        ModelFailureKind::Unavailable => (BridgeErrorKind::Unavailable, FailureClass::ToolBridge),
        ModelFailureKind::Rejected
        | ModelFailureKind::BadAnswer
        | ModelFailureKind::Unrecorded
        | ModelFailureKind::Other(_) => (BridgeErrorKind::Failed, FailureClass::ToolBridge),
        ModelFailureKind::Lost => (BridgeErrorKind::OutcomeUnknown, FailureClass::ToolBridge),
    }
}

/// Returns the code of a failure of which only the kind was kept.
fn code_of(kind: &ModelFailureKind) -> Code {
    match kind {
        ModelFailureKind::Unusable => codes::MODEL_BINDING_UNUSABLE,
        ModelFailureKind::Key => codes::MODEL_KEY_REFUSED,
        ModelFailureKind::NoPrice => codes::MODEL_WITHOUT_PRICE,
        ModelFailureKind::OverBudget => codes::MODEL_OVER_BUDGET,
        ModelFailureKind::BeyondReservation => codes::MODEL_USAGE_BEYOND_RESERVATION,
        ModelFailureKind::Denied => codes::MODEL_CALL_DENIED,
        ModelFailureKind::Unavailable => codes::MODEL_UNREACHABLE,
        ModelFailureKind::Rejected => codes::MODEL_REQUEST_REJECTED,
        ModelFailureKind::BadAnswer => codes::MODEL_ANSWER_MALFORMED,
        ModelFailureKind::Unrecorded => codes::MODEL_ATTEMPT_UNRECORDED,
        ModelFailureKind::NotInTranscript => codes::CALL_NOT_IN_TRANSCRIPT,
        ModelFailureKind::Lost | ModelFailureKind::Other(_) => codes::MODEL_CALL_LOST,
    }
}
