//! The kind of an output by meaning.

use super::authored_contract;
use super::names::ResolvedNames;
use crate::lower::cx::{Cx, DeclaredOutput};
use crate::lower::findings::{Finding, Findings};
use crate::lower::snapshot::{PROFILE_HELP, kind};
use deed_catalog::{kind_of_path, kinds_of_path};
use deed_diag::{Invariant as _, codes, quote};
use deed_model::{Kind, KindKey};

/// Chooses the kind of an output: as its contract says, as the plan prefers, as its profile says, or by the path.
pub(super) fn choose<'l>(
    cx: Cx<'l>,
    declared: DeclaredOutput<'_>,
    named: &ResolvedNames<'_>,
    path: &str,
    findings: &mut Findings<'_>,
) -> Option<&'l Kind> {
    let authored = authored_contract(declared.step.authored, path);
    let by_contract = authored.and_then(|(key, spec)| Some((key, kind(cx.catalog, spec.kind_key.as_deref()?))));
    let by_contract = match by_contract {
        Some((_, Ok(kind))) => Some(kind),
        Some((key, Err(fault))) => {
            let at = declared.step.at().key("artifact_contracts").key(key).key("kind_key");
            findings.add(fault.at(at));
            return None;
        }
        None => None,
    };
    let carried = cx.catalog.slot(&declared.authored.slot).map(|slot| slot.kinds.as_slice()).unwrap_or_default();
    let form = by_contract
        .or_else(|| preferred(cx, &named.preferred, path))
        .or_else(|| named.profile.map(|profile| profile.kind_key.clone()))
        .or_else(|| kind_of_path(cx.catalog, path, carried));
    let Some(form) = form else {
        let message = format!("the kind of {} is not clear from its name", quote(path));
        let finding = Finding::error(declared.at(), codes::KIND_UNCLEAR, message);
        findings.add(finding.help("name it under `preferred_kind_keys`"));
        return None;
    };
    check(declared, named, &form, carried, findings);
    Some(cx.catalog.kind(form.as_str()).invariant("kinds of a catalogue's profiles and slots are in the catalogue"))
}

/// The first preferred kind that the path is named as, or else the first.
fn preferred(cx: Cx<'_>, preferred: &[KindKey], path: &str) -> Option<KindKey> {
    let by_name: Vec<&KindKey> = kinds_of_path(cx.catalog, path).into_iter().map(|kind| &kind.kind_key).collect();
    preferred.iter().find(|kind| by_name.contains(kind)).or(preferred.first()).cloned()
}

/// The kind has to be that of the profile, and one that the slot carries.
fn check(
    declared: DeclaredOutput<'_>,
    named: &ResolvedNames<'_>,
    form: &KindKey,
    carried: &[KindKey],
    findings: &mut Findings<'_>,
) {
    if let Some(profile) = named.profile.filter(|profile| profile.kind_key != *form) {
        let message =
            format!("profile {} is another kind than {}", quote(profile.profile_id.as_str()), quote(form.as_str()));
        let finding = Finding::error(declared.at().key("profile_id"), codes::PROFILE_CONTRADICTS, message);
        findings.add(finding.help(PROFILE_HELP));
    }
    if !carried.contains(form) {
        let kinds: Vec<String> = carried.iter().map(|kind| quote(kind.as_str())).collect();
        let message = format!("{} is not carried by slot {}", quote(form.as_str()), quote(&declared.authored.slot));
        let finding = Finding::error(declared.at().key("slot"), codes::KIND_NOT_CARRIED_BY_SLOT, message);
        findings.add(finding.help(format!("it carries {}", kinds.join(", "))));
    }
}
