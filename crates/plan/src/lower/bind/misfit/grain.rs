//! The producer's rows are something else than those that the input reads.

use super::Case;
use crate::lower::findings::Finding;
use deed_catalog::grouped_id;
use deed_diag::{codes, quote};
use std::collections::BTreeSet;

pub(super) fn diagnose(case: &Case<'_, '_>) -> Finding {
    let (slot, wanted) = (case.slot(), rows(&case.need.grain));
    let regrouped = case.need.keys.as_ref().filter(|_| !case.need.accepted.contains(&case.output().kind));
    let (message, help) = match regrouped {
        Some(keys) => (
            format!("input {slot} has one row for each {wanted}, and its keys give one for each {}", rows(keys)),
            "leave `grain` out, or write the keys there".to_owned(),
        ),
        None => {
            let (who, given) = (case.producer(), rows(&case.output().grain));
            let help = match groups(case) {
                Some(groups) => format!("name {}, the entity of such groups", quote(&groups)),
                None => "add a step that groups or splits the rows, or say how under `adapt`".to_owned(),
            };
            (format!("input {slot} has one row for each {wanted}, and {who} gives one for each {given}"), help)
        }
    };
    Finding::error(case.input.at().key("grain"), codes::OTHER_GRAIN, message).help(help)
}

fn rows(grain: &BTreeSet<String>) -> String {
    grain.iter().map(|field| quote(field)).collect::<Vec<_>>().join(" and ")
}

/// The entity of the groups that an input means by an entity and a grain, where the plan derives it.
fn groups(case: &Case<'_, '_>) -> Option<String> {
    let keys: Vec<String> = case.need.grain.iter().cloned().collect();
    let groups = case.view.cx.catalog.entity(grouped_id(&case.need.entity, &keys)?.as_str())?;
    (groups.derived_from.as_ref() == Some(&case.need.entity)).then(|| groups.id.to_string())
}
