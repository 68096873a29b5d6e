//! published → deprecated or revoked, for a profile, a prompt or a validation pack.

use super::super::endings::Endings;
use super::super::objects;
use super::super::profiles::{self, ProfileRegistry};
use super::super::publication::Purpose;
use super::super::transition::Transition;
use super::reason;
use super::take_down::PinnedUse;
use deed_diag::{Diagnostic, Place, codes};
use deed_model::{ObjectKind, ObjectRef, ProfileRef, RegistryEvent};

/// The way in which a version ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EndOfUse {
    /// It serves no new work, and can be replayed.
    Deprecate,
    /// It is blocked.
    Revoke,
}

/// The users of a version that its end stops.
struct Users {
    names: Vec<String>,
    /// What becomes of them, after their names.
    effect: &'static str,
    help: &'static str,
}

/// Ends a published profile. `elsewhere` names what uses it besides the scopes that it is bound to.
///
/// # Errors
/// It is not published, the reason is empty, it ended for another reason, or something uses it and is not to be stopped.
pub fn may_end_profile(
    state: &ProfileRegistry,
    profile_ref: &ProfileRef,
    (end, why): (EndOfUse, &str),
    elsewhere: &[String],
    in_use: PinnedUse,
) -> Result<Transition, Vec<Diagnostic>> {
    let place = profiles::place_of(profile_ref);
    let name = profile_ref.to_string();
    let published = state.publication(profile_ref).map(|found| &found.endings);
    let endings = published.ok_or_else(|| vec![unpublished(&name, "deed profile", place.clone())])?;
    let scopes = state.scopes_of(profile_ref).into_iter().map(ToString::to_string);
    let users = Users {
        names: scopes.chain(elsewhere.iter().cloned()).collect(),
        effect: "without a profile for new runs",
        help: "bind another version there first (`deed profile bind`), or repeat with `--force`",
    };
    let fresh = ends(endings, &name, (end, why), &users, (in_use, place))?;
    let (profile_ref, reason) = (profile_ref.clone(), why.to_owned());
    Ok(match (fresh, end) {
        (false, _) => Transition::AlreadyDone,
        (true, EndOfUse::Deprecate) => Transition::append(RegistryEvent::ProfileDeprecated { profile_ref, reason }),
        (true, EndOfUse::Revoke) => Transition::append(RegistryEvent::ProfileRevoked { profile_ref, reason }),
    })
}

/// Ends a published prompt or validation pack.
///
/// # Errors
/// As for profiles; profiles that may still be used and name it count as its users.
pub fn may_end_object(
    state: &ProfileRegistry,
    object: &ObjectRef,
    (end, why): (EndOfUse, &str),
    in_use: PinnedUse,
) -> Result<Transition, Vec<Diagnostic>> {
    let place = objects::place_of(object);
    let command = match object.kind {
        ObjectKind::Prompt => "deed prompt",
        ObjectKind::ValidationPack => "deed valpack",
    };
    let published = state.object(object).map(|found| &found.endings);
    let endings = published.ok_or_else(|| vec![unpublished(&object.name, command, place.clone())])?;
    let naming = state.naming(object).into_iter().map(|profile| {
        let scopes: Vec<String> = state.scopes_of(profile).into_iter().map(ToString::to_string).collect();
        match scopes.is_empty() {
            true => format!("`{profile}`"),
            false => format!("`{profile}` ({})", scopes.join(", ")),
        }
    });
    let users = Users {
        names: naming.collect(),
        effect: "unfit for new runs, because they name it",
        help: "publish versions of these profiles that name another one, or repeat with `--force`",
    };
    let fresh = ends(endings, &object.name, (end, why), &users, (in_use, place))?;
    let (object, reason) = (object.clone(), why.to_owned());
    Ok(match (fresh, end) {
        (false, _) => Transition::AlreadyDone,
        (true, EndOfUse::Deprecate) => Transition::append(RegistryEvent::ObjectDeprecated { object, reason }),
        (true, EndOfUse::Revoke) => Transition::append(RegistryEvent::ObjectRevoked { object, reason }),
    })
}

/// Returns true if an event is to be appended, and false if the version ended so before. The rules are those of packs.
fn ends(
    endings: &Endings,
    name: &str,
    (end, why): (EndOfUse, &str),
    users: &Users,
    (in_use, place): (PinnedUse, Place),
) -> Result<bool, Vec<Diagnostic>> {
    let (verb, what) = match end {
        EndOfUse::Deprecate => ("deprecate", "deprecating a version"),
        EndOfUse::Revoke => ("revoke", "revoking a version"),
    };
    reason::given(why, what, place.clone())?;
    let recorded = match end {
        EndOfUse::Deprecate => &endings.deprecation,
        EndOfUse::Revoke => &endings.revocation,
    };
    // A second reason would be lost silently, and a revoked version can only stay revoked.
    let same = recorded.as_ref().is_some_and(|record| record.reason == why);
    let blocked = end == EndOfUse::Deprecate && endings.revocation.is_some();
    if blocked || (recorded.is_some() && !same) {
        let refusal = endings.refusal(name, Purpose::NewWork, place);
        return Err(refusal.into_iter().collect());
    }
    if same {
        return Ok(false);
    }
    if in_use == PinnedUse::TakenDown || users.names.is_empty() {
        return Ok(true);
    }
    let message = format!("to {verb} `{name}` leaves {} {}", users.names.join(", "), users.effect);
    let found = Diagnostic::error(codes::PROFILE_IN_USE, message).stage("lifecycle");
    Err(vec![found.at(place).help(users.help)])
}

fn unpublished(name: &str, command: &str, place: Place) -> Diagnostic {
    Diagnostic::error(codes::NOT_PUBLISHED, format!("the registry has no `{name}`"))
        .stage("lifecycle")
        .at(place)
        .help(format!("`{command} list` lists what is published"))
}
