//! The selection of overlays to apply.

use super::declared::OverlayFile;
use super::shown::shown;
use crate::bundle::Bundle;
use deed_diag::{Diagnostic, codes, did_you_mean};

/// The overlays to apply. The order is always that of `pack_meta.overlays`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Selection {
    /// All that are declared.
    All,
    /// Only these, by name as in `overlays/<name>.yaml`.
    Named(Vec<String>),
}

/// Returns the selected overlays in order of application.
pub(super) fn select<'o, 'a>(
    bundle: &Bundle,
    overlays: &'o [OverlayFile<'a>],
    selection: &Selection,
    found: &mut Vec<Diagnostic>,
) -> Vec<&'o OverlayFile<'a>> {
    let declared = || overlays.iter().filter(|o| o.order.is_some());
    match selection {
        Selection::All => declared().collect(),
        Selection::Named(names) => {
            let unknown = names.iter().filter(|name| !declared().any(|o| o.name == name.as_str()));
            found.extend(unknown.map(|name| not_an_overlay(bundle, name, declared().map(|o| o.name))));
            declared().filter(|o| names.iter().any(|name| name == o.name)).collect()
        }
    }
}

fn not_an_overlay<'n>(bundle: &Bundle, name: &str, known: impl Iterator<Item = &'n str> + Clone) -> Diagnostic {
    let list: Vec<String> = known.clone().map(|name| format!("`{name}`")).collect();
    let all = if list.is_empty() { "it has none".to_owned() } else { format!("it has {}", list.join(", ")) };
    Diagnostic::error(codes::UNKNOWN_OVERLAY, format!("the pack has no overlay {}", shown(name)))
        .stage("overlay")
        .at(bundle.document.place("/pack_meta/overlays"))
        .help(did_you_mean(name, known).unwrap_or(all))
}
