//! The standing of a person in a role: may they decide?

use crate::fold::WorkspaceState;
use deed_diag::{did_you_mean, quote};
use deed_model::{ApproverAuthority, HeldAuthority};

/// The standing of a person in a role.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Standing {
    /// They may decide in it, by this authority.
    Holds(HeldAuthority),
    /// They may not, for this reason, with a fix.
    Lacks {
        /// The reason.
        why: String,
        /// The fix.
        help: String,
    },
}

/// Returns the standing of a person in a role. The only person of a workspace may decide in every role.
pub fn standing(state: &WorkspaceState, person_id: &str, role: &str) -> Standing {
    let workspace = &state.workspace;
    let Some(person) = state.person(person_id) else {
        let why = format!("{} is no person of the workspace `{workspace}`", quote(person_id));
        let like = did_you_mean(person_id, state.people().map(|person| person.person_id.as_str()));
        let help = like.unwrap_or_else(|| format!("an owner adds them: `deed people add {person_id} --role {role}`"));
        return Standing::Lacks { why, help };
    };
    if let Some(since) = state.role_since(person_id, role) {
        return Standing::Holds(HeldAuthority { authority: ApproverAuthority::Directory, since });
    }
    if let Some(since) = state.sole_since() {
        return Standing::Holds(HeldAuthority { authority: ApproverAuthority::SolePerson, since });
    }
    let own: Vec<String> = person.roles.iter().map(|role| quote(role)).collect();
    let own = if own.is_empty() { "no role".to_owned() } else { own.join(", ") };
    let why = format!("{} does not hold the role {} in the workspace `{workspace}`", quote(person_id), quote(role));
    let holders: Vec<String> =
        state.people().filter(|person| person.roles.contains(role)).map(|person| quote(&person.person_id)).collect();
    let ask = match holders.is_empty() {
        true => format!("an owner gives it: `deed people add {person_id} --role {role}`"),
        false => format!("ask {}", holders.join(", ")),
    };
    Standing::Lacks { why, help: format!("they hold {own}; {ask}") }
}
