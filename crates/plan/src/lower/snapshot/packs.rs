//! The type packs that a plan and its steps name, and the entities that may be used because of them.

use super::names::pack_fault;
use crate::lower::cx::{Cx, Step};
use crate::lower::findings::{At, Finding, Findings};
use deed_catalog::{Entity, PackKind};
use deed_diag::{codes, quote};
use deed_model::{Plan, PlanStep};
use std::collections::BTreeSet;

/// The packs of a step: its own and those of the plan.
pub(in crate::lower) struct StepPacks {
    pub(in crate::lower) domain: Vec<String>,
    pub(in crate::lower) workflow: Vec<String>,
    /// True if one of them does not exist. Then an entity could be from it.
    in_doubt: bool,
}

/// Checks the packs that the plan names for all steps.
pub(super) fn check_plan(cx: Cx<'_>, findings: &mut Findings<'_>) {
    for kind in [PackKind::Domain, PackKind::Workflow] {
        let ids = of_plan(cx.plan, kind);
        check(cx, kind, ids, &At::plan(""), findings);
    }
}

/// Resolves the packs of a step.
pub(super) fn of_step(cx: Cx<'_>, step: Step<'_>, findings: &mut Findings<'_>) -> StepPacks {
    let mut in_doubt = false;
    let mut all = |kind: PackKind| -> Vec<String> {
        let (outer, own) = (of_plan(cx.plan, kind), of_authored(step.authored, kind));
        check(cx, kind, own, &step.at(), findings);
        in_doubt |= outer.iter().chain(own).any(|id| cx.catalog.pack(kind, id).is_none());
        outer.iter().chain(own).cloned().collect::<BTreeSet<_>>().into_iter().collect()
    };
    let (domain, workflow) = (all(PackKind::Domain), all(PackKind::Workflow));
    StepPacks { domain, workflow, in_doubt }
}

fn of_plan(plan: &Plan, kind: PackKind) -> &[String] {
    match kind {
        PackKind::Workflow => &plan.workflow_pack_ids,
        PackKind::Domain | PackKind::Generic => &plan.domain_pack_ids,
    }
}

fn of_authored(step: &PlanStep, kind: PackKind) -> &[String] {
    match kind {
        PackKind::Workflow => &step.workflow_pack_ids,
        PackKind::Domain | PackKind::Generic => &step.domain_pack_ids,
    }
}

fn check(cx: Cx<'_>, kind: PackKind, ids: &[String], at: &At, findings: &mut Findings<'_>) {
    for (position, id) in ids.iter().enumerate() {
        if let Some(fault) = pack_fault(cx.catalog, kind, id) {
            findings.add(fault.at(at.key(&format!("{}_pack_ids", kind.as_str())).item(position)));
        }
    }
}

impl StepPacks {
    fn names(&self, kind: PackKind, pack: &String) -> bool {
        match kind {
            PackKind::Workflow => self.workflow.contains(pack),
            PackKind::Domain | PackKind::Generic => self.domain.contains(pack),
        }
    }
}

/// An entity can be used if a pack that defines it is named, as a library is imported.
pub(in crate::lower) fn check_pack_named(
    cx: Cx<'_>,
    packs: &StepPacks,
    entity: &Entity,
    at: &At,
    findings: &mut Findings<'_>,
) {
    if packs.in_doubt {
        return;
    }
    if let Some((message, kind, pack)) = missing(cx, entity, |kind, pack| packs.names(kind, pack)) {
        let help = format!("add `{pack}` to `{}_pack_ids` of the step or the plan", kind.as_str());
        findings.add(Finding::error(at.clone(), codes::PACK_NOT_NAMED, message).help(help));
    }
}

/// The same for what the mission is given: any step may name the pack.
pub(super) fn check_pack_named_anywhere(cx: Cx<'_>, entity: &Entity, at: &At, findings: &mut Findings<'_>) {
    let named = |kind: PackKind, pack: &String| {
        let steps = cx.plan.steps.iter().flat_map(|step| of_authored(step, kind));
        of_plan(cx.plan, kind).iter().chain(steps).any(|id| id == pack)
    };
    if let Some((message, kind, pack)) = missing(cx, entity, named) {
        let help = format!("add `{pack}` to `{}_pack_ids` of the plan", kind.as_str());
        findings.add(Finding::error(at.clone(), codes::PACK_NOT_NAMED, message).help(help));
    }
}

/// The first pack that defines an entity, if none that does is named.
fn missing<'l>(
    cx: Cx<'l>,
    entity: &Entity,
    named: impl Fn(PackKind, &String) -> bool,
) -> Option<(String, PackKind, &'l str)> {
    if entity.id.is_generic() {
        return None;
    }
    let defining = cx.catalog.defined_by(entity.id.as_str());
    if defining.iter().any(|(kind, pack)| named(*kind, pack)) {
        return None;
    }
    let (kind, pack) = defining.first()?;
    let (id, kind_name) = (quote(entity.id.as_str()), kind.as_str());
    let message = format!("{id} is defined by {kind_name} pack {}, which is not named", quote(pack));
    Some((message, *kind, pack))
}
