//! The producer gives an accepted kind under another profile than the one that is asked for.

use super::Case;
use crate::lower::findings::Finding;
use deed_diag::{codes, quote};
use deed_model::ProfileId;

pub(super) fn diagnose(case: &Case<'_, '_>) -> Finding {
    let name = |profile: Option<&ProfileId>| profile.map_or("none".to_owned(), |id| quote(id.as_str()));
    let (wanted, given) = (name(case.need.profile.as_ref()), name(case.output().profile.as_ref()));
    let (slot, who) = (case.slot(), case.producer());
    let message = format!("input {slot} asks for profile {wanted}, and {who} gives {given}");
    Finding::error(case.input.at().key("profile_id"), codes::OTHER_PROFILE, message)
        .help("name the profile under `profile_id` of the output, or do not ask for one")
}
