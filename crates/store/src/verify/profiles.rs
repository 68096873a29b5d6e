//! Replays the events about profiles, prompts and validation packs, and verifies their publications as of today.

use super::replay::other_kind;
use crate::blobs::Blobs;
use crate::error::RegistryError;
use crate::evidence::envelope;
use deed_diag::{Diagnostic, Place, codes};
use deed_model::RegistryEvent;
use deed_pack::{
    EndOfUse, ObjectCandidate, PinnedUse, ProfileCandidate, ProfileRegistry, PublishedState, RegistryState,
    SigningTime, Transition, Trust, may_bind_profile, may_end_object, may_end_profile, may_publish_object,
    may_publish_profile, may_unbind_profile,
};

/// Applies the rules to an event, given the state before it.
pub(super) fn transition(
    blobs: &Blobs,
    state: &ProfileRegistry,
    trust: &Trust,
    event: &RegistryEvent,
) -> Result<Transition, RegistryError> {
    // The log does not say what a version's end stopped: that was decided when it was asked for.
    let forced = PinnedUse::TakenDown;
    match event {
        RegistryEvent::ProfilePublished { document, envelope: blob, .. } => {
            let candidate = ProfileCandidate::from_canonical(blobs.get(document)?)?;
            let allowed = may_publish_profile(state, trust, &candidate, &envelope(blobs, blob)?, *blob)?;
            Ok(as_recorded(allowed, event))
        }
        RegistryEvent::ProfileBound { profile_ref, scope, .. } => Ok(may_bind_profile(state, profile_ref, scope)?),
        RegistryEvent::ProfileUnbound { scope, reason, .. } => Ok(may_unbind_profile(state, scope, reason)?),
        RegistryEvent::ProfileDeprecated { profile_ref, reason } => {
            Ok(may_end_profile(state, profile_ref, (EndOfUse::Deprecate, reason.as_str()), &[], forced)?)
        }
        RegistryEvent::ProfileRevoked { profile_ref, reason } => {
            Ok(may_end_profile(state, profile_ref, (EndOfUse::Revoke, reason.as_str()), &[], forced)?)
        }
        RegistryEvent::ObjectPublished { object, document, envelope: blob, issuer, .. } => {
            let candidate = ObjectCandidate::from_canonical(object, issuer, blobs.get(document)?)?;
            Ok(may_publish_object(state, trust, &candidate, &envelope(blobs, blob)?, *blob)?)
        }
        RegistryEvent::ObjectDeprecated { object, reason } => {
            Ok(may_end_object(state, object, (EndOfUse::Deprecate, reason.as_str()), forced)?)
        }
        RegistryEvent::ObjectRevoked { object, reason } => {
            Ok(may_end_object(state, object, (EndOfUse::Revoke, reason.as_str()), forced)?)
        }
        _ => Err(other_kind("about a profile")),
    }
}

/// Earlier logs do not say which validation packs a profile holds.
fn as_recorded(allowed: Transition, event: &RegistryEvent) -> Transition {
    let is_early =
        matches!(event, RegistryEvent::ProfilePublished { validation_packs, .. } if validation_packs.is_empty());
    match allowed {
        Transition::Append(mut now) if is_early => {
            if let RegistryEvent::ProfilePublished { validation_packs, .. } = now.as_mut() {
                validation_packs.clear();
            }
            Transition::Append(now)
        }
        Transition::Append(now) => Transition::Append(now),
        Transition::AlreadyDone => Transition::AlreadyDone,
    }
}

/// Returns a warning for each version that is not revoked and can no longer be used, because a key was revoked.
pub(super) fn check(blobs: &Blobs, state: &RegistryState) -> Vec<Diagnostic> {
    let (profiles, trust) = (&state.profiles, &state.trust);
    let of_profiles = profiles.published().filter(|(_, found)| found.endings.state() != PublishedState::Revoked);
    let of_profiles = of_profiles.map(|(reference, found)| {
        let proven = || -> Result<(), RegistryError> {
            let candidate = ProfileCandidate::from_canonical(blobs.get(&found.document)?)?;
            candidate.verify(&envelope(blobs, &found.envelope)?, trust, SigningTime::At(found.seq))?;
            Ok(())
        };
        (format!("profile:{reference}"), reference.to_string(), proven())
    });
    let of_objects = profiles.objects().filter(|(_, found)| found.endings.state() != PublishedState::Revoked);
    let of_objects = of_objects.map(|(object, found)| {
        let proven = || -> Result<(), RegistryError> {
            let candidate = ObjectCandidate::from_canonical(object, &found.issuer, blobs.get(&found.document)?)?;
            candidate.verify(&envelope(blobs, &found.envelope)?, trust, SigningTime::At(found.seq))?;
            Ok(())
        };
        (object.subject(), object.name.clone(), proven())
    });
    let all = of_profiles.chain(of_objects);
    all.flat_map(|(place, name, proven)| match proven {
        Ok(()) | Err(RegistryError::Environment(_)) => Vec::new(),
        Err(RegistryError::Refused(why)) => why.iter().map(|why| no_longer_holds(&place, &name, why)).collect(),
    })
    .collect()
}

fn no_longer_holds(place: &str, name: &str, why: &Diagnostic) -> Diagnostic {
    Diagnostic::warning(codes::VERSION_NO_LONGER_HOLDS, format!("`{name}` can no longer be used: {}", why.message))
        .stage("registry")
        .at(Place::file(place.to_owned()))
        .help("publish the same content under the next version with another key, or revoke the version")
}
