//! published, pinned or deprecated → revoked: blocked, with a reason, for ever.

use super::super::history::PackHistory;
use super::super::publication::{not_revoked, published};
use super::super::transition::Transition;
use super::reason;
use super::take_down::{self, PinnedUse};
use deed_diag::Diagnostic;
use deed_model::RegistryEvent;

/// Blocks a version. Its bytes stay for audit.
pub fn may_revoke(history: &PackHistory, why: &str, pinned: PinnedUse) -> Result<Transition, Vec<Diagnostic>> {
    reason::given(why, "revoking a version", history.place())?;
    published(history)?;
    match &history.revocation {
        Some(ending) if ending.reason == why => Ok(Transition::AlreadyDone),
        // A second reason would be lost silently.
        Some(_) => not_revoked(history).map(|()| Transition::AlreadyDone),
        None => take_down::allowed(history, "revoke", pinned).map(|()| {
            let (pack_ref, reason) = (history.pack_ref.clone(), why.to_owned());
            Transition::append(RegistryEvent::PackRevoked { pack_ref, reason })
        }),
    }
}
