//! The origin of a recording: what a packet says besides inputs and result, checked before it is sealed.

use crate::inputs::Inputs;
use deed_canon::{CanonError, ContentHash, hash_of};
use deed_diag::{Diagnostic, Place, Report, codes, quote};
use deed_model::{
    CallVerdict, CompileOutcome, Correction, REPLAY_BUNDLE_TAG, RecordedCall, SideEffectPolicy, SourceKind,
    TranscriptEntry,
};
use std::collections::BTreeSet;

/// What is known of the origin of a recording. Everything is optional.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RecordingOrigin {
    /// The operator's correction, for an `operator_correction`.
    pub correction: Option<Correction>,
    /// Sessions besides those that the run and the request name.
    pub session_ids: Vec<String>,
    /// The side effects that a replay may have; from the transcript, if it is left out.
    pub side_effect_policy: Option<SideEffectPolicy>,
    /// The snapshot that evidence was read from; the run's, if it is left out.
    pub snapshot_ref: Option<String>,
    /// The run, decision or episode that was recorded; run and request, if it is left out.
    pub source_ref: Option<String>,
    /// The packet that the new one supersedes.
    pub supersedes: Option<String>,
    /// The trace.
    pub trace_id: Option<String>,
    /// The tool calls that were made.
    pub transcript: Vec<TranscriptEntry>,
}

impl RecordingOrigin {
    /// Refuses a correction without what should have happened, and one of anything but a correction.
    pub(super) fn check(&self, kind: SourceKind) -> Result<(), Report> {
        let refuse = |code, message: String, help: &str| {
            Err(Report::of(Diagnostic::error(code, message).stage("record").help(help)))
        };
        match (&self.correction, kind) {
            (None, SourceKind::OperatorCorrection) => refuse(
                codes::CORRECTION_MISSING,
                "an operator correction must state what should have happened".to_owned(),
                "give a file with `reason` and `expect` by `--correction`",
            ),
            (Some(_), kind) if kind != SourceKind::OperatorCorrection => refuse(
                codes::CORRECTION_OF_OTHER_KIND,
                format!("a correction was given, and the recording is of the kind `{kind}`"),
                "record it with `--kind operator_correction`",
            ),
            (Some(correction), _) => states_the_code(correction),
            (None, _) => Ok(()),
        }
    }

    /// The refusal of a correction of what is right.
    pub(super) fn nothing_to_correct() -> Report {
        let message = "the pack already does what the correction states";
        let place = Place { source: "correction".to_owned(), pointer: Some("/expect".to_owned()), span: None };
        Report::of(
            Diagnostic::error(codes::NOTHING_TO_CORRECT, message)
                .stage("record")
                .at(place)
                .help("state what should have happened and did not; a case that holds belongs under `golden/`"),
        )
    }

    /// Returns the policy for side effects, or the reason why the transcript does not fit it.
    pub(super) fn side_effects(
        &self,
        transcript: &[TranscriptEntry],
        calls: &[RecordedCall],
    ) -> Result<SideEffectPolicy, Report> {
        let derived = match transcript.is_empty() {
            true => SideEffectPolicy::LiveDisallowed,
            false => SideEffectPolicy::TranscriptOnly,
        };
        let policy = self.side_effect_policy.unwrap_or(derived);
        misfit(policy, transcript, calls).map_or(Ok(policy), |(message, pointer)| {
            let place = Place { source: "transcript".to_owned(), pointer: Some(pointer), span: None };
            let diagnostic = Diagnostic::error(codes::SIDE_EFFECT_POLICY_UNMET, message).stage("record").at(place);
            Err(Report::of(diagnostic.help("`sandbox` allows calls without answers, `live_disallowed` has no calls")))
        })
    }

    /// Returns the sessions of the run, of the request and of the caller, sorted.
    pub(super) fn sessions(&self, inputs: Inputs<'_>) -> Vec<String> {
        let named = [inputs.run.context().session_id.as_deref(), inputs.request.session_id()];
        let all = named.into_iter().flatten().chain(self.session_ids.iter().map(String::as_str));
        all.map(str::to_owned).collect::<BTreeSet<_>>().into_iter().collect()
    }

    /// Returns the snapshot, or a refusal if the caller names another one than the run.
    pub(super) fn snapshot(&self, of_run: Option<&str>) -> Result<Option<String>, Report> {
        match (self.snapshot_ref.as_deref(), of_run) {
            (Some(named), Some(own)) if named != own => {
                let message = format!("the snapshot {} was named, and the run pins {}", quote(named), quote(own));
                let place =
                    Place { source: "run context".to_owned(), pointer: Some("/kg_snapshot_id".to_owned()), span: None };
                let diagnostic = Diagnostic::error(codes::SNAPSHOT_DISAGREES, message).stage("record").at(place);
                Err(Report::of(diagnostic.help("leave the option out: the run says which snapshot was read")))
            }
            (named, own) => Ok(named.or(own).map(str::to_owned)),
        }
    }

    /// Returns the identity of the packet: that of the recording, with the correction if there is one. Two corrections of
    /// one request are two packets.
    pub(super) fn identity(&self, recording: &ContentHash) -> Result<ContentHash, CanonError> {
        match &self.correction {
            None => Ok(*recording),
            Some(correction) => hash_of(&REPLAY_BUNDLE_TAG, &(recording, &correction.expect)),
        }
    }
}

/// Refuses a correction that expects a refusal without its code: any fault of a pack refuses a request too.
fn states_the_code(correction: &Correction) -> Result<(), Report> {
    if correction.expect.outcome != CompileOutcome::Refused || correction.expect.code.is_some() {
        return Ok(());
    }
    let place = Place { source: "correction".to_owned(), pointer: Some("/expect/outcome".to_owned()), span: None };
    let message = "the correction expects a refusal and does not say with which code";
    Err(Report::of(
        Diagnostic::error(codes::REFUSAL_WITHOUT_CODE, message)
            .stage("record")
            .at(place)
            .help("add the `code`, such as `code: D1511`"),
    ))
}

/// Returns the first thing in a transcript that its policy does not allow, with its place.
pub(super) fn misfit(
    policy: SideEffectPolicy,
    transcript: &[TranscriptEntry],
    calls: &[RecordedCall],
) -> Option<(String, String)> {
    match policy {
        SideEffectPolicy::Sandbox => None,
        SideEffectPolicy::LiveDisallowed => {
            let first = transcript.first()?;
            Some((
                format!("`live_disallowed` has no calls, and {} was called", quote(&first.call.tool)),
                "/0".to_owned(),
            ))
        }
        SideEffectPolicy::TranscriptOnly if transcript.is_empty() => {
            Some(("`transcript_only` needs the transcript of the calls".to_owned(), String::new()))
        }
        SideEffectPolicy::TranscriptOnly => {
            let mut answered = transcript.iter().zip(calls).enumerate();
            let (at, (entry, _)) =
                answered.find(|(_, (entry, call))| call.verdict == CallVerdict::Allow && entry.answer.is_none())?;
            let tool = quote(&entry.call.tool);
            Some((format!("`transcript_only` needs an answer to the call of {tool}"), format!("/{at}")))
        }
    }
}
