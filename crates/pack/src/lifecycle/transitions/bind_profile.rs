//! A published profile is bound to a tenant, a workspace or a run.

use super::super::profiles::{ProfileRegistry, place_of};
use super::super::publication::Purpose;
use super::super::transition::Transition;
use deed_diag::{Diagnostic, codes, quote};
use deed_model::{ProfileRef, ProfileScope, RegistryEvent};

/// Binds a published profile to a scope, in place of the one that was bound before. Binding the same again changes nothing.
///
/// # Errors
/// The profile is not published, is deprecated or revoked, or the scope has no usable name.
pub fn may_bind_profile(
    state: &ProfileRegistry,
    profile_ref: &ProfileRef,
    scope: &ProfileScope,
) -> Result<Transition, Vec<Diagnostic>> {
    let refuse = |code, message: String, help: &str| {
        Err(vec![Diagnostic::error(code, message).stage("lifecycle").at(place_of(profile_ref)).help(help)])
    };
    let Some(published) = state.publication(profile_ref) else {
        let message = format!("`{profile_ref}` is not published here");
        return refuse(codes::PROFILE_NOT_FOUND, message, "publish it first: `deed profile publish FILE --key KEY`");
    };
    let name = profile_ref.to_string();
    if let Some(refusal) = published.endings.refusal(&name, Purpose::NewWork, place_of(profile_ref)) {
        return Err(vec![refusal]);
    }
    if !is_name(scope.name()) {
        let message = format!("{} is not the name of a tenant, a workspace or a run", quote(scope.name()));
        return refuse(codes::BAD_ID, message, "use letters, digits, `.`, `_`, `:` and `-`");
    }
    let replaced = state.bound(scope).map(|bound| bound.profile_ref.clone());
    if replaced.as_ref() == Some(profile_ref) {
        return Ok(Transition::AlreadyDone);
    }
    Ok(Transition::append(RegistryEvent::ProfileBound {
        profile_ref: profile_ref.clone(),
        content_hash: published.content_hash,
        scope: scope.clone(),
        replaces: replaced,
    }))
}

fn is_name(name: &str) -> bool {
    let allowed = |b: u8| b.is_ascii_alphanumeric() || b"._:-".contains(&b);
    (1..=200).contains(&name.len()) && name.bytes().all(allowed)
}
