//! Names of a plan, parsed and looked up in the catalogue. A name that leads nowhere is refused with the nearest one.

use crate::lower::findings::{At, Finding};
use deed_catalog::{Catalog, Entity, PackKind};
use deed_diag::{Code, codes, did_you_mean, quote};
use deed_model::{EntitySchemaId, KindKey, NameError, PolicyProfile, PolicyProfileId, Profile, ProfileId};
use std::str::FromStr;

/// Help for a profile that contradicts its entity or kind.
pub(in crate::lower) const PROFILE_HELP: &str = "leave `profile_id` out, or name a profile of this entity and kind";

/// Help for an entity that resembles none.
const ENTITY_HELP: &str = "`deed catalog infer FILE --plan` writes an entity from a file, for `entities:` of this plan; \
                           `deed catalog list entities` lists all";

/// A name that leads nowhere.
pub(in crate::lower) struct NameFault {
    code: Code,
    message: String,
    help: Option<String>,
}

impl NameFault {
    /// The fault as a finding at a place.
    pub(in crate::lower) fn at(self, at: At) -> Finding {
        Finding::error(at, self.code, self.message).help_opt(self.help)
    }
}

/// Parses a name and looks it up.
fn look_up<'c, N: FromStr<Err = NameError>, T>(
    text: &str,
    what: &str,
    code: Code,
    found: Option<T>,
    all: impl Iterator<Item = &'c str>,
) -> Result<(N, T), NameFault> {
    match (text.parse::<N>(), found) {
        (Ok(name), Some(found)) => Ok((name, found)),
        (Ok(_), None) => {
            let message = format!("no {what} is called {}", quote(text));
            let help = did_you_mean(text, all)
                .unwrap_or_else(|| "`deed catalog list` shows what there is, and a folder can add more".to_owned());
            Err(NameFault { code, message, help: Some(help) })
        }
        (Err(error), _) => {
            let message = format!("{} does not name {}: {error}", quote(text), article(what));
            Err(NameFault { code: codes::NAME_NOT_CANONICAL, message, help: did_you_mean(text, all) })
        }
    }
}

fn article(what: &str) -> String {
    if what.starts_with(['a', 'e', 'i', 'o', 'u']) { format!("an {what}") } else { format!("a {what}") }
}

pub(in crate::lower) fn entity<'c>(catalog: &'c Catalog, text: &str) -> Result<&'c Entity, NameFault> {
    let all = || catalog.entities().map(|entity| entity.id.as_str());
    let found = look_up::<EntitySchemaId, _>(text, "entity", codes::UNKNOWN_ENTITY, catalog.entity(text), all());
    found.map(|(_, found)| found).map_err(|fault| match did_you_mean(text, all()) {
        None if fault.code == codes::UNKNOWN_ENTITY => NameFault { help: Some(ENTITY_HELP.to_owned()), ..fault },
        _ => fault,
    })
}

pub(in crate::lower) fn kind(catalog: &Catalog, text: &str) -> Result<KindKey, NameFault> {
    let all = catalog.kinds().map(|kind| kind.kind_key.as_str());
    look_up::<KindKey, _>(text, "kind", codes::UNKNOWN_ARTIFACT_KIND, catalog.kind(text), all).map(|(key, _)| key)
}

pub(in crate::lower) fn profile<'c>(catalog: &'c Catalog, text: &str) -> Result<&'c Profile, NameFault> {
    let all = catalog.profiles().map(|profile| profile.profile_id.as_str());
    let found = catalog.profile(text);
    look_up::<ProfileId, _>(text, "profile", codes::UNKNOWN_PROFILE, found, all).map(|(_, found)| found)
}

pub(in crate::lower) fn slot(catalog: &Catalog, text: &str) -> Result<(), NameFault> {
    if catalog.slot(text).is_some() {
        return Ok(());
    }
    let help = did_you_mean(text, catalog.slots().map(|slot| slot.slot.as_str()));
    let help = help.unwrap_or_else(|| "`deed catalog list slots` shows the slots there are".to_owned());
    Err(NameFault {
        code: codes::UNKNOWN_SLOT,
        message: format!("no slot is called {}", quote(text)),
        help: Some(help),
    })
}

pub(super) fn policy_named<'c>(catalog: &'c Catalog, text: &str) -> Result<&'c PolicyProfile, NameFault> {
    let all = catalog.policies().map(|policy| policy.policy_profile_id.as_str());
    let found = catalog.policy(text);
    look_up::<PolicyProfileId, _>(text, "policy", codes::UNKNOWN_POLICY, found, all).map(|(_, found)| found)
}

pub(super) fn pack_fault(catalog: &Catalog, kind: PackKind, id: &str) -> Option<NameFault> {
    if catalog.pack(kind, id).is_some() {
        return None;
    }
    let code = if kind == PackKind::Domain { codes::UNKNOWN_DOMAIN_PACK } else { codes::UNKNOWN_WORKFLOW_PACK };
    let all = catalog.packs().filter(|pack| pack.kind == kind).map(|pack| pack.library.id());
    let help = did_you_mean(id, all)
        .unwrap_or_else(|| format!("`deed catalog new {} {id}` begins one, `deed catalog add` adds it", kind.as_str()));
    Some(NameFault { code, message: format!("no {} pack is called {}", kind.as_str(), quote(id)), help: Some(help) })
}
