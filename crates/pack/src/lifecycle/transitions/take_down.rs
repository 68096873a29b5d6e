//! Ending a version that environments use takes them down.

use super::super::history::{PackHistory, PinnedEnvironment};
use super::super::publication::refusal;
use deed_diag::{Diagnostic, codes};

/// The handling of environments that have a version pinned, or of scopes that a profile is bound to, when it is deprecated or
/// revoked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PinnedUse {
    /// Refuse: the next load of these environments would be refused.
    #[default]
    Refused,
    /// Take them down.
    TakenDown,
}

/// Refuses to end a version that environments use, unless they are to go down. The history has the pins.
pub(super) fn allowed(history: &PackHistory, verb: &str, pinned: PinnedUse) -> Result<(), Vec<Diagnostic>> {
    if pinned == PinnedUse::TakenDown || history.pinned_in.is_empty() {
        return Ok(());
    }
    let name = |place: &PinnedEnvironment| format!("`{}` of `{}`", place.environment, place.tenant_id);
    let places: Vec<String> = history.pinned_in.iter().map(name).collect();
    let message = format!("to {verb} `{}` takes down {}", history.pack_ref, places.join(", "));
    Err(vec![
        refusal(history, codes::ENVIRONMENTS_GO_DOWN, message)
            .help("pin another version there first (`deed pack rollback`), or repeat with `--force`"),
    ])
}
