//! The kinds of errors that the bridge answers calls with.

use crate::words::stored_words;

stored_words! {
    /// The kind of an error of the bridge: what the code of a step matches on, and what the journal keeps of a call that
    /// failed.
    pub enum BridgeErrorKind {
        /// The request is not a call.
        BadRequest = "bad_request",
        /// The request is larger than a call may be.
        TooLarge = "too_large",
        /// The bridge has nothing at this path.
        NotFound = "not_found",
        /// The bridge itself failed.
        Internal = "internal",
        /// No tool has this name.
        UnknownTool = "unknown_tool",
        /// The contract does not allow the call.
        NotAllowed = "not_allowed",
        /// The arguments do not fit the tool.
        BadArguments = "bad_arguments",
        /// The result has no canonical form.
        BadResult = "bad_result",
        /// A budget does not suffice.
        Budget = "budget",
        /// The call waits for an approver.
        Parked = "parked",
        /// An approver rejected the call.
        Rejected = "rejected",
        /// The code is being stopped.
        Stopped = "stopped",
        /// The egress rules deny the request.
        Denied = "denied",
        /// The credential of a rule cannot be used.
        Credential = "credential",
        /// The tool failed.
        Failed = "failed",
        /// The evaluator cannot judge the bundle.
        Unfit = "unfit",
        /// The evaluation needs a model, and none is configured.
        NoModel = "no_model",
        /// The evaluator cannot be reached.
        Unavailable = "unavailable",
        /// The call was sent, and its outcome is unknown.
        OutcomeUnknown = "outcome_unknown",
        /// The stored answer cannot be read.
        LostAnswer = "lost_answer",
        /// The journal cannot be written.
        Journal = "journal",
    }
}

#[cfg(test)]
mod tests {
    use super::BridgeErrorKind;

    #[test]
    fn unknown_kinds_are_kept_as_they_were_written() {
        crate::words::check_round_trip(BridgeErrorKind::KNOWN, |kind| matches!(kind, BridgeErrorKind::Other(_)));
        assert_eq!(BridgeErrorKind::from("outcome_unknown"), BridgeErrorKind::OutcomeUnknown);
    }
}
