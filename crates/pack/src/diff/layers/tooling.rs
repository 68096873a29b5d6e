//! `tooling_layer`: the tools that can be called.

use crate::diff::effect::ChangeEffect;
use crate::diff::shape::{Keyed, Named, Order, Shape, Spot, Verdict, typed};
use crate::overlay::tighten;
use deed_model::{Adapter, ApprovalMode, ArgConstraint, Capability, CapabilitySpec, Classification, Permission};
use serde_json::Value;
use std::collections::BTreeMap;

pub(super) const LAYER: Shape =
    Shape::Object(&[("adapter_registry", Shape::Keyed(&ADAPTERS)), ("permissions", Shape::Keyed(&PERMISSIONS))]);

const ADAPTERS: Keyed = Keyed {
    noun: "adapter",
    id: "adapter_id",
    named: Named::Alone,
    order: Order::Free,
    added: new_adapter,
    removed: |_| Verdict::breaking("calls that worked before no longer do"),
    item: Shape::Object(&[
        ("type", Shape::Behaviour("the adapter has another protocol")),
        ("endpoint_ref", Shape::Behaviour("calls go elsewhere")),
        ("capabilities", Shape::Keyed(&CAPABILITIES)),
        ("approval_mode", Shape::Judged(adapter_mode)),
        ("max_classification", Shape::Judged(clearance)),
        ("schema_ref", Shape::Behaviour("calls have other arguments")),
        ("description", Shape::Words),
    ]),
};

const CAPABILITIES: Keyed = Keyed {
    noun: "capability",
    id: "id",
    named: Named::WithOwner,
    order: Order::Free,
    added: new_capability,
    removed: |_| Verdict::breaking("calls that worked before no longer do"),
    item: Shape::Judged(capability),
};

const PERMISSIONS: Keyed = Keyed {
    noun: "permission",
    id: "permission_id",
    named: Named::Alone,
    order: Order::Free,
    added: new_permission,
    removed: lost_permission,
    item: Shape::Object(&[
        ("adapter_id", Shape::Behaviour("it is about another capability")),
        ("capability", Shape::Behaviour("it is about another capability")),
        ("allow", Shape::Judged(allow)),
        ("requires_approval_gate", Shape::Judged(gate)),
        ("arg_constraints", Shape::Judged(arguments)),
        ("rationale", Shape::Words),
    ]),
};

/// A lower clearance shows the service to fewer runs.
fn clearance(spot: &Spot<'_>) -> Verdict {
    // Without a clearance a service may receive all but RESTRICTED data.
    let level = |value: Option<&Value>| value.map_or(Some(Classification::Confidential), typed::<Classification>);
    match (level(spot.before), level(spot.after)) {
        (Some(before), Some(after)) if after == before => Verdict::patch("the same data may reach the service"),
        (Some(before), Some(after)) if after < before => Verdict::minor("less data may reach the service"),
        _ => Verdict::major("more data may reach the service"),
    }
}

const READS: &str = "one more source that is only read";
const TAKEN: &str = "a capability is removed";
const WRITES: &str = "one more capability with effects";

fn new_adapter(spot: &Spot<'_>) -> Verdict {
    let adapter = spot.after.and_then(typed::<Adapter>);
    let reads = |a: &Adapter| !a.approval_mode.writes() && a.capabilities.iter().all(|c| !c.declared_mode(a).writes());
    let verdict = if adapter.is_some_and(|a| reads(&a)) { Verdict::minor(READS) } else { Verdict::major(WRITES) };
    verdict.with(WITHOUT_PERMISSION)
}

/// What no permission exposes is hidden; the permission is a change of its own.
const WITHOUT_PERMISSION: ChangeEffect = ChangeEffect::None;

/// A higher mode shows the adapter to fewer runs, and never lowers what a call needs.
fn adapter_mode(spot: &Spot<'_>) -> Verdict {
    let why = "other runs may use the adapter";
    match spot.both::<ApprovalMode>() {
        Some((before, after)) if after > before => Verdict::breaking("fewer runs may use the adapter"),
        _ => Verdict::major(why),
    }
}

fn new_capability(spot: &Spot<'_>) -> Verdict {
    let adapter = spot.up(1).1.and_then(typed::<Adapter>);
    let capability = spot.after.and_then(typed::<Capability>);
    let verdict = match (adapter, capability) {
        (Some(adapter), Some(capability)) if !capability.declared_mode(&adapter).writes() => Verdict::minor(READS),
        _ => Verdict::major(WRITES),
    };
    verdict.with(WITHOUT_PERMISSION)
}

/// A name and an object that adds nothing to it are the same capability.
fn capability(spot: &Spot<'_>) -> Verdict {
    let silent = |capability: Capability| match capability {
        Capability::Name(id) => CapabilitySpec {
            id,
            approval_mode: None,
            schema_ref: None,
            kind: None,
            risk_level: None,
            description: None,
        },
        Capability::Spec(spec) => CapabilitySpec { description: None, ..spec },
    };
    match spot.both::<Capability>() {
        Some((before, after)) if silent(before.clone()) == silent(after.clone()) => {
            match description(&before) == description(&after) {
                true => Verdict::patch("only the way it is written differs"),
                false => Verdict::minor("only its description differs, and a model reads it").read_by_model(),
            }
        }
        _ => Verdict::major("the capability is another one under the same name"),
    }
}

fn description(capability: &Capability) -> Option<&str> {
    match capability {
        Capability::Name(_) => None,
        Capability::Spec(spec) => spec.description.as_deref(),
    }
}

fn new_permission(spot: &Spot<'_>) -> Verdict {
    let Some(permission) = spot.after.and_then(typed::<Permission>) else {
        return Verdict::major(WRITES);
    };
    let same = |p: &&Permission| p.adapter_id == permission.adapter_id && p.capability == permission.capability;
    let exposed = spot.old.tooling_layer.permissions.iter().filter(same).any(|p| p.allow);
    match (permission.allow, exposed) {
        (false, true) => return Verdict::major(TAKEN),
        (false, false) => return Verdict::minor("it withholds what was not exposed"),
        (true, true) => return Verdict::major("a second permission may lack the gate or the bounds of the first"),
        (true, false) => {}
    }
    match mode_of(spot, &permission) {
        Some(ApprovalMode::ReadOnly) => Verdict::minor(READS).with(ChangeEffect::Unproven),
        Some(_) | None => Verdict::major(WRITES),
    }
}

/// A permission that alone exposed its capability hides it when it goes.
fn lost_permission(spot: &Spot<'_>) -> Verdict {
    let verdict = Verdict::major("what it exposed is hidden, or what it withheld is exposed");
    let Some(lost) = spot.before.and_then(typed::<Permission>) else { return verdict };
    let same = |p: &Permission| p.adapter_id == lost.adapter_id && p.capability == lost.capability;
    let left = spot.new.tooling_layer.permissions.iter().any(|p| same(p) && p.allow);
    if lost.allow && !left { verdict.with(ChangeEffect::Tightens) } else { verdict }
}

fn mode_of(spot: &Spot<'_>, permission: &Permission) -> Option<ApprovalMode> {
    let adapter = spot.new.tooling_layer.adapter_registry.iter().find(|a| a.adapter_id == permission.adapter_id)?;
    let capability = adapter.capabilities.iter().find(|c| c.id() == permission.capability)?;
    Some(capability.declared_mode(adapter))
}

fn allow(spot: &Spot<'_>) -> Verdict {
    match spot.after.and_then(Value::as_bool) {
        Some(false) => Verdict::breaking(TAKEN),
        Some(true) | None => Verdict::major("the capability is exposed"),
    }
}

fn gate(spot: &Spot<'_>) -> Verdict {
    match (spot.before, spot.after) {
        (None, Some(_)) => Verdict::minor("a call needs an approval that it did not need before"),
        _ => Verdict::major("a call no longer needs the approval that it needed"),
    }
}

fn arguments(spot: &Spot<'_>) -> Verdict {
    let bounds = |value: Option<&Value>| value.map_or(Some(BTreeMap::new()), typed::<BTreeMap<String, ArgConstraint>>);
    match (bounds(spot.before), bounds(spot.after)) {
        (Some(before), Some(after)) => Verdict::of(&tighten::arguments(&before, &after)),
        _ => Verdict::major("the bounds cannot be compared"),
    }
}
