//! Errors of the gates on the newer version.

use super::change::{Change, ChangeKind};
use super::class::ChangeClass;
use super::effect::ChangeEffect;
use deed_canon::Pointer;
use deed_diag::{Diagnostic, Severity};

/// Returns a change of class `Reject` for each error.
pub(super) fn changes(rejections: &[Diagnostic]) -> Vec<Change> {
    let errors = rejections.iter().filter(|d| d.severity == Severity::Error);
    errors
        .map(|d| {
            let pointer = d.place.as_ref().and_then(|p| p.pointer.clone()).unwrap_or_default();
            let layer = Pointer::tokens(&pointer).next();
            Change {
                layer: layer.unwrap_or_else(|| "pack".to_owned()),
                pointer,
                what: ChangeKind::Changed,
                subject: format!("finding {}", d.code),
                class: ChangeClass::Reject,
                effect: ChangeEffect::Unproven,
                why: d.message.clone(),
                before: None,
                after: None,
            }
        })
        .collect()
}
