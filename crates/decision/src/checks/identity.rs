//! Identity: the actor is of the run's tenant, and the subjects are known to the context.

use super::Cx;
use crate::sheet::Sheet;
use deed_model::{CriticCheck, CriticVerdict};
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
    let user = cx.inputs.run_context.user.as_ref().filter(|user| user.id.as_deref() == Some(actor.id.as_str()));
    if let Some(role) = user.and_then(|user| user.role.as_ref()) {
        sheet.require(actor.role.as_ref().is_none_or(|own| own == role), CriticVerdict::Reject, "/actor/role", || {
            format!("in this run {} has the role {role}", actor.id)
        });
    }
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
