//! What a compile comes to.

use crate::refusal::Refusal;
use deed_model::{CompiledContext, Verdict};

/// What a compile comes to.
#[derive(Debug)]
pub enum Outcome<'a> {
    /// A compile could not be made.
    Refused(Box<Refusal>),
    /// Go on.
    Compiled(Box<CompiledContext<'a>>),
    /// A person must approve or take over before anything is done.
    MustEscalate(Box<CompiledContext<'a>>),
    /// Refuse: nothing above `read_only` may run.
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

    /// The compiled context, where there is one.
    pub fn context(&self) -> Option<&CompiledContext<'a>> {
        match self {
            Self::Refused(_) => None,
            Self::Compiled(context) | Self::MustEscalate(context) | Self::MustRefuse(context) => Some(context),
        }
    }

    /// The compiled context, or why there is none.
    pub fn into_result(self) -> Result<Box<CompiledContext<'a>>, Box<Refusal>> {
        match self {
            Self::Refused(refusal) => Err(refusal),
            Self::Compiled(context) | Self::MustEscalate(context) | Self::MustRefuse(context) => Ok(context),
        }
    }

    /// `refused`, `compiled`, `must_escalate` or `must_refuse`.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Refused(_) => "refused",
            Self::Compiled(_) => Verdict::Compiled.as_str(),
            Self::MustEscalate(_) => Verdict::MustEscalate.as_str(),
            Self::MustRefuse(_) => Verdict::MustRefuse.as_str(),
        }
    }
}
