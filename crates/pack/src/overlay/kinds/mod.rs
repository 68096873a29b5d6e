//! The four kinds of change, a file each. A kind either proves that a change only tightens, or refuses it.

mod endpoint_ref;
mod evaluator_threshold;
mod locale_default;
mod policy_threshold;

use super::edit::{Edit, State};
use super::tighten::Strictness;
use deed_canon::Pointer;
use deed_diag::{Code, Diagnostic, Document, codes};
use deed_model::OverlayChange;

/// The input of a kind.
#[derive(Clone, Copy)]
pub(super) struct Subject<'a> {
    /// The overlay, for places.
    pub(super) document: &'a Document,
    /// JSON Pointer of the change in it.
    pub(super) at: &'a str,
    /// The pack after earlier changes.
    pub(super) state: &'a State,
}

/// A refusal, boxed because it is much larger than a success.
pub(super) type Refusal = Box<Diagnostic>;

impl Subject<'_> {
    /// Returns a finding about one key of the change.
    fn refuse(&self, code: Code, key: &str, message: impl Into<String>) -> Diagnostic {
        Diagnostic::error(code, message).stage("overlay").at(self.document.place(&Pointer::push(self.at, key)))
    }

    /// Returns the finding about an unresolved name.
    fn unknown(&self, key: &str, message: impl Into<String>, help: Option<String>) -> Refusal {
        Box::new(self.refuse(codes::OVERLAY_UNKNOWN_TARGET, key, message).help_opt(help))
    }
}

/// Proves a change, or refuses it with the reason.
pub(super) fn prove(subject: &Subject<'_>, change: &OverlayChange) -> Result<Edit, Refusal> {
    match change {
        OverlayChange::EndpointRef { adapter_id, value, .. } => endpoint_ref::prove(subject, adapter_id, value),
        OverlayChange::PolicyThreshold { rule_id, gate_id, pointer, value, .. } => {
            policy_threshold::prove(subject, rule_id.as_deref(), gate_id.as_deref(), pointer, value)
        }
        OverlayChange::LocaleDefault { key, value, .. } => locale_default::prove(subject, key, value),
        OverlayChange::EvaluatorThreshold { intent, metric, value, .. } => {
            evaluator_threshold::prove(subject, intent, metric, value)
        }
    }
}

/// Returns the kind's name.
pub(super) fn name(change: &OverlayChange) -> &'static str {
    match change {
        OverlayChange::EndpointRef { .. } => "endpoint_ref",
        OverlayChange::PolicyThreshold { .. } => "policy_threshold",
        OverlayChange::LocaleDefault { .. } => "locale_default",
        OverlayChange::EvaluatorThreshold { .. } => "evaluator_threshold",
    }
}

/// Returns the author's reason.
pub(super) fn rationale(change: &OverlayChange) -> Option<String> {
    match change {
        OverlayChange::EndpointRef { rationale, .. }
        | OverlayChange::PolicyThreshold { rationale, .. }
        | OverlayChange::LocaleDefault { rationale, .. }
        | OverlayChange::EvaluatorThreshold { rationale, .. } => rationale.clone(),
    }
}

/// Returns the sentence for a proven change.
fn proof(strictness: &Strictness) -> String {
    match strictness {
        Strictness::Same => "the value is unchanged".to_owned(),
        Strictness::Tighter(_) | Strictness::Looser(_) | Strictness::Unproven(_) => strictness.reason().to_owned(),
    }
}
