//! The outcome of a compile, as recordings and golden cases write it.

use super::compiled::Verdict;
use crate::words::stored_words;

stored_words! {
    /// The outcome of a compile, as recordings and golden cases write it.
    pub enum CompileOutcome {
        /// The context was compiled, and the runtime may continue.
        Compiled = "compiled",
        /// A person must approve or take over before anything is done.
        MustEscalate = "must_escalate",
        /// Nothing above `read_only` may run.
        MustRefuse = "must_refuse",
        /// There is no context: the compile was refused.
        Refused = "refused",
        /// The recording cannot be read any more, so that nothing was compiled.
        Unreadable = "unreadable",
    }
}

impl Default for CompileOutcome {
    fn default() -> Self {
        Self::Other(String::new())
    }
}

impl From<Verdict> for CompileOutcome {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Compiled => Self::Compiled,
            Verdict::MustEscalate => Self::MustEscalate,
            Verdict::MustRefuse => Self::MustRefuse,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_outcomes_are_kept_as_they_were_written() {
        crate::words::check_round_trip(CompileOutcome::KNOWN, |word| matches!(word, CompileOutcome::Other(_)));
        for verdict in [Verdict::Compiled, Verdict::MustEscalate, Verdict::MustRefuse] {
            assert_eq!(CompileOutcome::from(verdict), verdict.as_str());
        }
    }
}
