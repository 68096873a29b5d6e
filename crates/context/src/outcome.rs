//! The outcome of a compile.

use crate::refusal::Refusal;
use deed_model::{CompileOutcome, CompiledContext, Verdict};

/// The outcome of a compile.
#[derive(Debug)]
pub enum Outcome<'a> {
    /// The compile was refused.
    Refused(Box<Refusal>),
    /// The request may proceed.
    Compiled(Box<CompiledContext<'a>>),
    /// A person must approve or take over before any action.
    MustEscalate(Box<CompiledContext<'a>>),
    /// The request must be refused: nothing above `read_only` may run.
    MustRefuse(Box<CompiledContext<'a>>),
}

impl<'a> Outcome<'a> {
    pub(crate) fn of(result: Result<CompiledContext<'a>, Refusal>) -> Self {
        match result {
            Err(refusal) => Self::Refused(Box::new(refusal)),
            Ok(context) => match context.outcome {
                Verdict::Compiled => Self::Compiled(Box::new(context)),
                Verdict::MustEscalate => Self::MustEscalate(Box::new(context)),
                Verdict::MustRefuse => Self::MustRefuse(Box::new(context)),
            },
        }
    }

    /// Returns the compiled context, unless the compile was refused.
    pub fn context(&self) -> Option<&CompiledContext<'a>> {
        match self {
            Self::Refused(_) => None,
            Self::Compiled(context) | Self::MustEscalate(context) | Self::MustRefuse(context) => Some(context),
        }
    }

    /// Converts the outcome to a result.
    ///
    /// # Errors
    /// The refusal, if the compile was refused.
    pub fn into_result(self) -> Result<Box<CompiledContext<'a>>, Box<Refusal>> {
        match self {
            Self::Refused(refusal) => Err(refusal),
            Self::Compiled(context) | Self::MustEscalate(context) | Self::MustRefuse(context) => Ok(context),
        }
    }

    /// Returns the outcome as recordings write it.
    pub(crate) fn recorded(&self) -> CompileOutcome {
        match self {
            Self::Refused(_) => CompileOutcome::Refused,
            Self::Compiled(_) => CompileOutcome::Compiled,
            Self::MustEscalate(_) => CompileOutcome::MustEscalate,
            Self::MustRefuse(_) => CompileOutcome::MustRefuse,
        }
    }

    /// Returns `refused`, `compiled`, `must_escalate` or `must_refuse`.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Refused(_) => "refused",
            Self::Compiled(_) => Verdict::Compiled.as_str(),
            Self::MustEscalate(_) => Verdict::MustEscalate.as_str(),
            Self::MustRefuse(_) => Verdict::MustRefuse.as_str(),
        }
    }
}
