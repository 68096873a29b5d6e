//! Identity: the actor is of the run's tenant and declared in its role, and the subjects are known to the context.

use super::Cx;
use crate::bindings::Standing;
use crate::sheet::Sheet;
use deed_model::{CriticCheck, CriticVerdict, RunContext};
use serde_json::Value;
use std::collections::BTreeSet;

pub(crate) fn check(cx: Cx<'_>) -> Sheet {
    let mut sheet = Sheet::of(CriticCheck::Identity);
    actor(cx, &mut sheet);
    subjects(cx, &mut sheet);
    sheet
}

fn actor(cx: Cx<'_>, sheet: &mut Sheet) {
    let actor = &cx.claim.actor;
    let tenant = &cx.inputs.context.context_ledger.run.tenant_id;
    sheet.require(!actor.id.trim().is_empty(), CriticVerdict::Replan, "/actor/id", || "the actor has no id".to_owned());
    sheet.require(actor.tenant_id == *tenant, CriticVerdict::Reject, "/actor/tenant_id", || {
        format!("the run is of the tenant {tenant}")
    });
    let declared = declared(cx);
    // An actor without an id was sent back above.
    sheet.require(declared.is_some() || actor.id.trim().is_empty(), CriticVerdict::Escalate, "/actor/id", || {
        format!("{} is neither the user nor an agent of the run, and approved nothing", actor.id)
    });
    let Some((role, roles)) = actor.role.as_deref().zip(declared) else { return };
    let verdict = if roles.is_empty() { CriticVerdict::Escalate } else { CriticVerdict::Reject };
    sheet.require(roles.contains(role), verdict, "/actor/role", || match roles.is_empty() {
        true => format!("nothing says in which role {} decides", actor.id),
        false => {
            let roles: Vec<&str> = roles.iter().copied().collect();
            format!("in this run {} has the role {}", actor.id, roles.join(" or "))
        }
    });
}

/// Returns the roles that the actor has in this run: as its user, as one of its agents, or as an approver whose approval
/// counts. None if nothing declares the actor.
fn declared<'c>(cx: Cx<'c>) -> Option<BTreeSet<&'c str>> {
    let id = cx.claim.actor.id.as_str();
    let run = cx.inputs.run_context;
    let mut found: Option<BTreeSet<&str>> = None;
    if let Some(user) = run.user.as_ref().filter(|_| user_id(run) == Some(id)) {
        let more = user.more.get("roles").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
        found.get_or_insert_default().extend(user.role.as_deref().into_iter().chain(more));
    } else if user_id(run) == Some(id) {
        found = Some(BTreeSet::new());
    }
    for agent in run.agents.iter().filter(|agent| agent.id == id) {
        found.get_or_insert_default().extend(agent.role.as_deref());
    }
    let standings = cx.approved.all().zip(&cx.claim.approvals);
    let counted = standings.filter(|((_, standing), _)| **standing == Standing::Approved);
    for signed in counted.map(|(_, signed)| signed).filter(|signed| signed.approval.approver == id) {
        found.get_or_insert_default().insert(&signed.approval.role);
    }
    found
}

/// Returns the id of the run's user, however the run spells it.
fn user_id(run: &RunContext) -> Option<&str> {
    let own = run.user.as_ref().and_then(|user| user.id.as_deref());
    let spelled = run.user.as_ref().and_then(|user| user.more.get("user_id")).and_then(Value::as_str);
    own.or(spelled).or_else(|| run.more.get("user_id").and_then(Value::as_str))
}

/// Requires subjects that the context knows: those of the run, and the entities of the evidence that was shown.
fn subjects(cx: Cx<'_>, sheet: &mut Sheet) {
    let known = known(cx);
    sheet.require(!cx.claim.subject_ids.is_empty(), CriticVerdict::Replan, "/subject_ids", || {
        "the decision names no subject".to_owned()
    });
    for (i, subject) in cx.claim.subject_ids.iter().enumerate() {
        let pointer = format!("/subject_ids/{i}");
        sheet.require(in_namespace(cx, subject), CriticVerdict::Reject, pointer.clone(), || {
            let namespaces = &cx.inputs.pack.intelligence_refs.identity_layer.ceid_namespaces;
            format!("a subject is `<namespace>:<id>`, with a namespace of the pack: {}", namespaces.join(", "))
        });
        sheet.require(known.contains(subject.as_str()), CriticVerdict::Replan, pointer, || {
            "neither the run nor the evidence is about this subject".to_owned()
        });
    }
}

/// Returns true if the namespace of a subject is one of the pack's.
fn in_namespace(cx: Cx<'_>, subject: &str) -> bool {
    let namespaces = &cx.inputs.pack.intelligence_refs.identity_layer.ceid_namespaces;
    let parts = subject.split_once(':').filter(|(_, id)| !id.is_empty());
    parts.is_some_and(|(namespace, _)| namespaces.iter().any(|own| own == namespace))
}

fn known(cx: Cx<'_>) -> BTreeSet<&str> {
    let run = cx.inputs.run_context;
    let user = run.user.as_ref().and_then(|user| user.id.as_deref()).filter(|_| run.subject_ids.is_empty());
    let manifest = &cx.inputs.context.manifests.evidence_manifest;
    let entities = manifest.iter().filter_map(|entry| {
        let entity = entry.evidence_ref.strip_prefix("kg:")?;
        entity.split_once('#').map(|(entity, _)| entity)
    });
    run.subject_ids.iter().map(String::as_str).chain(user).chain(entities).collect()
}
