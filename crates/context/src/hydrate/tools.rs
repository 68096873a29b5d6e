//! The registry with its permissions.

use super::policy::compile;
use super::stat::StaticText;
use super::tool_text::{Demands, render};
use crate::tokens::Tokenizer;
use deed_logic::{Mode, Program};
use deed_model::{
    Adapter, AdapterType, ApprovalMode, ArgConstraint, Capability, Classification, ContextPack, Permission,
};
use std::collections::BTreeMap;

/// A capability of the registry.
#[derive(Debug)]
pub(crate) struct HydratedCapability {
    /// `adapter.capability`.
    pub(crate) name: String,
    pub(crate) adapter_id: String,
    pub(crate) capability: String,
    pub(crate) adapter_type: AdapterType,
    pub(crate) endpoint_ref: String,
    /// The highest classification that the service may receive.
    pub(crate) clearance: Option<Classification>,
    /// The declared mode, at most the adapter's.
    pub(crate) mode: ApprovalMode,
    pub(crate) kind: Option<String>,
    pub(crate) risk_level: Option<String>,
    pub(crate) schema_ref: Option<String>,
    pub(crate) description: Option<String>,
    /// The permissions that expose it.
    pub(crate) allowed: Vec<HydratedPermission>,
    /// The permission that withholds it.
    pub(crate) withheld: Option<String>,
    /// Its text at the declared mode, without an active gate and with the first one active.
    pub(crate) plain: StaticText,
    pub(crate) gated: Option<(String, StaticText)>,
    /// Its text at the declared mode while the first gate depends on the call.
    pub(crate) pending: Option<(String, StaticText)>,
    /// The sources of its metadata, before rules apply.
    pub(crate) derivation: Vec<String>,
}

/// A permission that exposes a capability.
#[derive(Debug)]
pub(crate) struct HydratedPermission {
    /// `permission:<id>`.
    pub(crate) source: String,
    pub(crate) gate: Option<String>,
    pub(crate) arguments: BTreeMap<String, ArgConstraint>,
    pub(crate) ties: Ties,
}

/// The values that arguments are tied to, by argument: a program, or the reason why there is none.
pub(crate) type Ties = BTreeMap<String, Result<Program, String>>;

/// Compiles the ties of argument bounds.
pub(super) fn ties(arguments: &BTreeMap<String, ArgConstraint>) -> Ties {
    let tied = arguments.iter().filter_map(|(name, bound)| Some((name, bound.equals.as_ref()?)));
    tied.map(|(name, equals)| (name.clone(), compile(equals, Mode::Strict))).collect()
}

/// Returns every capability in the order of the registry, and a notice for each clamped mode.
pub(super) fn capabilities(pack: &ContextPack, tokenizer: &dyn Tokenizer) -> (Vec<HydratedCapability>, Vec<String>) {
    let mut permissions: BTreeMap<(&str, &str), Vec<&Permission>> = BTreeMap::new();
    for permission in &pack.tooling_layer.permissions {
        permissions.entry((&permission.adapter_id, &permission.capability)).or_default().push(permission);
    }
    let mut clamped = Vec::new();
    let mut tools = Vec::new();
    for adapter in &pack.tooling_layer.adapter_registry {
        for capability in &adapter.capabilities {
            let key = (adapter.adapter_id.as_str(), capability.id());
            let own = permissions.get(&key).map(Vec::as_slice).unwrap_or_default();
            let declared = capability.declared_mode(adapter);
            if declared > adapter.approval_mode {
                clamped.push(format!(
                    "`{}.{}` declares {declared}, above its adapter: {} counts",
                    adapter.adapter_id,
                    capability.id(),
                    adapter.approval_mode
                ));
            }
            tools.push(hydrate(adapter, capability, own, tokenizer));
        }
    }
    (tools, clamped)
}

fn hydrate(
    adapter: &Adapter,
    capability: &Capability,
    permissions: &[&Permission],
    tokenizer: &dyn Tokenizer,
) -> HydratedCapability {
    let name = format!("{}.{}", adapter.adapter_id, capability.id());
    let mode = capability.declared_mode(adapter).min(adapter.approval_mode);
    let spec = match capability {
        Capability::Name(_) => None,
        Capability::Spec(spec) => Some(spec),
    };
    let allowed: Vec<HydratedPermission> = permissions.iter().filter(|p| p.allow).map(|p| permission(p)).collect();
    let description = spec.and_then(|s| s.description.clone());
    let text = |gates: &[&str], pending: &[&str]| {
        let arguments = allowed.iter().map(|p| &p.arguments);
        let demands = Demands { gates, pending, rules: &[] };
        StaticText::new(render(&name, mode, description.as_deref(), arguments, demands), tokenizer)
    };
    let gate = allowed.iter().find_map(|p| p.gate.clone());
    let mut derivation = vec![format!("adapter:{}", adapter.adapter_id)];
    derivation.extend(allowed.iter().map(|p| p.source.clone()));
    HydratedCapability {
        plain: text(&[], &[]),
        gated: gate.as_ref().map(|gate| (gate.clone(), text(&[gate], &[]))),
        pending: gate.as_ref().map(|gate| (gate.clone(), text(&[], &[gate]))),
        adapter_id: adapter.adapter_id.clone(),
        capability: capability.id().to_owned(),
        adapter_type: adapter.adapter_type,
        endpoint_ref: adapter.endpoint_ref.clone(),
        clearance: adapter.max_classification,
        mode,
        kind: spec.and_then(|s| s.kind.clone()),
        risk_level: spec.and_then(|s| s.risk_level.clone()),
        schema_ref: spec.and_then(|s| s.schema_ref.clone()).or_else(|| adapter.schema_ref.clone()),
        withheld: permissions.iter().find(|p| !p.allow).map(|p| p.permission_id.clone()),
        description,
        allowed,
        derivation,
        name,
    }
}

fn permission(permission: &Permission) -> HydratedPermission {
    HydratedPermission {
        source: format!("permission:{}", permission.permission_id),
        gate: permission.requires_approval_gate.clone(),
        arguments: permission.arg_constraints.clone(),
        ties: ties(&permission.arg_constraints),
    }
}
