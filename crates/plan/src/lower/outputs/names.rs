//! The names of an output by meaning, looked up.

use crate::lower::cx::{Cx, DeclaredOutput};
use crate::lower::findings::Findings;
use crate::lower::snapshot::{StepScope, check_pack_named, entity, kind, profile, slot};
use deed_catalog::Entity;
use deed_model::{KindKey, Profile};

/// The names of an output, looked up.
pub(super) struct ResolvedNames<'l> {
    pub(super) entity: &'l Entity,
    /// The kinds that the plan prefers, the best first.
    pub(super) preferred: Vec<KindKey>,
    pub(super) profile: Option<&'l Profile>,
}

/// Looks up the names of an output; none if one of them leads nowhere.
pub(super) fn look_up<'l>(
    cx: Cx<'l>,
    declared: DeclaredOutput<'_>,
    scope: &StepScope,
    findings: &mut Findings<'_>,
) -> Option<ResolvedNames<'l>> {
    let (authored, at) = (declared.authored, declared.at());
    let mut faults = Vec::new();
    if let Err(fault) = slot(cx.catalog, &authored.slot) {
        faults.push(fault.at(at.key("slot")));
    }
    let known = entity(cx.catalog, &authored.entity_schema_id)
        .map_err(|fault| faults.push(fault.at(at.key("entity_schema_id"))));
    let mut preferred = Vec::new();
    for (number, text) in authored.preferred_kind_keys.iter().enumerate() {
        match kind(cx.catalog, text) {
            Ok(kind) => preferred.push(kind),
            Err(fault) => faults.push(fault.at(at.key("preferred_kind_keys").item(number))),
        }
    }
    let wanted = authored.profile_id.as_ref().map(|text| profile(cx.catalog, text));
    let wanted = wanted.transpose().map_err(|fault| faults.push(fault.at(at.key("profile_id"))));
    let whole = faults.is_empty();
    faults.into_iter().for_each(|fault| findings.add(fault));
    let entity = known.ok()?;
    check_pack_named(cx, &scope.packs, entity, &at.key("entity_schema_id"), findings);
    match wanted {
        Ok(profile) if whole => Some(ResolvedNames { entity, preferred, profile }),
        _ => None,
    }
}
