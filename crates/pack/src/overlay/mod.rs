//! Overlays: declared, ordered and hashed changes that may only constrain a pack.
//!
//! In: a pack folder, the typed pack and a selection of overlays. Out: the resolved pack with its hash and a proof for
//! every change, or a report of everything against it. It must prove: there is no context in which the resolved pack
//! allows more than the reviewed pack.

mod declared;
mod edit;
mod forbidden;
mod kinds;
mod overlay_file;
mod resolved;
mod secrets;
mod select;
mod shape;
mod shown;
pub(crate) mod tighten;

pub use resolved::{AppliedChange, Resolved};
pub use select::Selection;

use crate::bundle::Bundle;
use deed_diag::{Diagnostic, Report, Severity};
use deed_model::ContextPack;
use edit::State;

/// Applies the selected overlays in the order in which the pack declares them.
///
/// # Errors
/// A report with every finding, if an overlay is unknown, malformed, or not proven to tighten the pack.
pub fn resolve(bundle: &Bundle, pack: &ContextPack, selection: &Selection) -> Result<Resolved, Report> {
    let mut found = Vec::new();
    let overlays = declared::overlays(bundle, pack, &mut found);
    let selected = select::select(bundle, &overlays, selection, &mut found);
    if let Selection::Named(_) = selection {
        // An overlay that is not selected cannot refuse the others; lint checks it.
        let asked = |name: &str| selected.iter().any(|overlay| overlay.name == name);
        let left = overlays.iter().filter(|overlay| !asked(overlay.name));
        let left: Vec<&str> = left.map(|overlay| overlay.document.source().name()).collect();
        found.retain(|finding| finding.place.as_ref().is_none_or(|place| !left.contains(&place.source.as_str())));
    }
    let mut state = State::of(bundle, pack);
    for overlay in selected {
        overlay_file::apply(overlay, &mut state, &mut found);
    }
    if found.iter().any(|d| d.severity == Severity::Error) {
        return Err(report(bundle, found));
    }
    resolved::seal(bundle, state).map_err(|error| report(bundle, vec![bundle.canon_diagnostic(&error)]))
}

fn report(bundle: &Bundle, diagnostics: Vec<Diagnostic>) -> Report {
    let mut report = bundle.report();
    diagnostics.into_iter().for_each(|d| report.push(d));
    report
}

/// Returns all findings about the overlays of a folder, each checked on its own against the pack.
pub fn check_overlays(bundle: &Bundle, pack: &ContextPack) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for overlay in &declared::overlays(bundle, pack, &mut found) {
        overlay_file::apply(overlay, &mut State::of(bundle, pack), &mut found);
    }
    found
}
