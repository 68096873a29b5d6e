//! The binding of a profile to a scope is ended.

use super::super::profiles::ProfileRegistry;
use super::super::transition::Transition;
use super::reason;
use deed_diag::{Diagnostic, Place, codes};
use deed_model::{ProfileScope, RegistryEvent};

/// Ends the binding of a scope: its runs resolve to the profile of the next wider one.
///
/// # Errors
/// The reason is empty, or nothing was ever bound to the scope.
pub fn may_unbind_profile(
    state: &ProfileRegistry,
    scope: &ProfileScope,
    why: &str,
) -> Result<Transition, Vec<Diagnostic>> {
    let place = Place::file(format!("scope:{scope}"));
    reason::given(why, "ending a binding", place.clone())?;
    match state.bound(scope) {
        Some(bound) => Ok(Transition::append(RegistryEvent::ProfileUnbound {
            profile_ref: bound.profile_ref.clone(),
            scope: scope.clone(),
            reason: why.to_owned(),
        })),
        None if state.was_bound(scope) => Ok(Transition::AlreadyDone),
        None => {
            let message = format!("no profile is bound to {scope}");
            let help = "`deed profile list` lists the bindings";
            Err(vec![Diagnostic::error(codes::NOTHING_BOUND, message).stage("lifecycle").at(place).help(help)])
        }
    }
}
