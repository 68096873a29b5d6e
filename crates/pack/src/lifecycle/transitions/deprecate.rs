//! published or pinned → deprecated: for replay only.

use super::super::history::PackHistory;
use super::super::publication::{Purpose, may_use, not_revoked, published};
use super::super::transition::Transition;
use super::reason;
use super::take_down::{self, PinnedUse};
use deed_diag::Diagnostic;
use deed_model::RegistryEvent;

/// Deprecates a version. Pins of it stay recorded and load nothing for new work.
pub fn may_deprecate(history: &PackHistory, why: &str, pinned: PinnedUse) -> Result<Transition, Vec<Diagnostic>> {
    reason::given(why, "deprecating a version", history.place())?;
    published(history)?;
    not_revoked(history)?;
    match &history.deprecation {
        Some(ending) if ending.reason == why => Ok(Transition::AlreadyDone),
        // A second reason would be lost silently.
        Some(_) => may_use(history, Purpose::NewWork).map(|_| Transition::AlreadyDone),
        None => take_down::allowed(history, "deprecate", pinned).map(|()| {
            let (pack_ref, reason) = (history.pack_ref.clone(), why.to_owned());
            Transition::append(RegistryEvent::PackDeprecated { pack_ref, reason })
        }),
    }
}
