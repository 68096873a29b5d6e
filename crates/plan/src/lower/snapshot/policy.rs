//! The policy of every step: the strictest of all that apply to it.

use super::names::policy_named;
use crate::lower::cx::{Cx, Step, StepIndex};
use crate::lower::findings::{At, Finding, Findings};
use deed_catalog::{Catalog, PackKind};
use deed_diag::{codes, quote};
use deed_model::{AdapterUse, LadderMode, Plan, PlanStep, PolicyProfile, PolicyRules, StepPolicy};
use std::collections::BTreeSet;

/// The policy of steps for which neither plan, step nor pack names one.
const STRICTEST: &str = "strict.fail-closed.v1";

/// Checks the policies that the plan names for all steps.
pub(super) fn check_plan(cx: Cx<'_>, findings: &mut Findings<'_>) {
    for (at, id) in of_plan(cx.plan) {
        if let Err(fault) = policy_named(cx.catalog, id) {
            findings.add(fault.at(at));
        }
    }
}

/// Resolves the policy of a step.
pub(super) fn of_step(cx: Cx<'_>, step: Step<'_>, findings: &mut Findings<'_>) -> StepPolicy {
    let of_plan: Vec<&PolicyProfile> =
        of_plan(cx.plan).into_iter().filter_map(|(_, id)| cx.catalog.policy(id)).collect();
    let outer = together(&of_plan);
    let mut own: Vec<&PolicyProfile> = Vec::new();
    let named = names(&step.at(), step.authored.policy_profile_id.as_ref(), &step.authored.extra_policy_profile_ids);
    for (at, id) in named {
        match policy_named(cx.catalog, id) {
            Ok(policy) => {
                own.push(policy);
                if let Some(outer) = outer.filter(|outer| loosens(policy.rules, *outer)) {
                    findings.add(without_effect(at, id, outer));
                }
            }
            Err(fault) => findings.add(fault.at(at)),
        }
    }
    if of_plan.is_empty() && own.is_empty() {
        own.extend(default_policy(cx.catalog, cx.plan, step.authored));
    }
    let ids: BTreeSet<_> = of_plan.iter().chain(&own).map(|policy| policy.policy_profile_id.clone()).collect();
    let rules = match (outer, together(&own)) {
        (Some(outer), Some(own)) => outer.tightened_by(own),
        (Some(only), None) | (None, Some(only)) => only,
        (None, None) => PolicyRules::STRICTEST,
    };
    StepPolicy { policy_profile_ids: ids.into_iter().collect(), rules }
}

/// The rules of policies that are named together.
fn together(named: &[&PolicyProfile]) -> Option<PolicyRules> {
    named.iter().map(|policy| policy.rules).reduce(PolicyRules::and)
}

fn of_plan(plan: &Plan) -> Vec<(At, &String)> {
    names(&At::plan(""), plan.policy_profile_id.as_ref(), &plan.extra_policy_profile_ids)
}

fn names<'p>(at: &At, one: Option<&'p String>, more: &'p [String]) -> Vec<(At, &'p String)> {
    let more = more.iter().enumerate().map(|(number, id)| (at.key("extra_policy_profile_ids").item(number), id));
    one.map(|id| (at.key("policy_profile_id"), id)).into_iter().chain(more).collect()
}

fn without_effect(at: At, id: &str, outer: PolicyRules) -> Finding {
    let message = format!("{} allows more than the plan's policy, which holds", quote(id));
    let help = match outer.adapters {
        AdapterUse::None => "adapters are still not put in; name them as steps of their own",
        AdapterUse::KeepsValues | AdapterUse::Any => "loosen the plan's policy, and tighten the steps that need it",
    };
    Finding::warning(at, codes::POLICY_WITHOUT_EFFECT, message).help(help)
}

/// Returns whether a policy allows what another does not. One that also adds demands of its own is not meant to loosen.
fn loosens(inner: PolicyRules, outer: PolicyRules) -> bool {
    let adds = inner.effects_need_gate && !outer.effects_need_gate || inner.provenance > outer.provenance;
    let allows = inner.adapters > outer.adapters || inner.allows_generic() && !outer.allows_generic();
    allows && !adds
}

/// The policy of the first pack that has one, or the strictest.
fn default_policy<'c>(catalog: &'c Catalog, plan: &Plan, step: &PlanStep) -> Option<&'c PolicyProfile> {
    let domains = step.domain_pack_ids.iter().chain(&plan.domain_pack_ids).map(|id| (PackKind::Domain, id));
    let workflows = step.workflow_pack_ids.iter().chain(&plan.workflow_pack_ids).map(|id| (PackKind::Workflow, id));
    let mut packs = domains.chain(workflows).filter_map(|(kind, id)| catalog.pack(kind, id));
    let named = packs.find_map(|pack| pack.library.default_policy.as_ref());
    catalog.policy(named.map_or(STRICTEST, |id| id.as_str()))
}

/// Says how a step gets under a policy that allows something: a step cannot loosen what the plan demands.
pub(in crate::lower) fn put_under(cx: Cx<'_>, step: StepIndex, allows: fn(&PolicyRules) -> bool) -> &'static str {
    let outer = of_plan(cx.plan).into_iter().filter_map(|(_, id)| cx.catalog.policy(id));
    match outer.map(|policy| policy.rules).reduce(PolicyRules::and) {
        Some(rules) if !allows(&rules) => "put the plan under",
        _ if cx.step(step).authored.policy_profile_id.is_some() => "put the step under another policy, such as",
        _ => "put the step under",
    }
}

/// The mode in which an input is held to its entity: where generic data may be bound, a violation is only reported.
pub(in crate::lower) fn input_mode(rules: PolicyRules) -> LadderMode {
    if rules.allows_generic() { LadderMode::Report } else { LadderMode::Block }
}
