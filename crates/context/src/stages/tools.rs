//! Stage 3, tools.
//!
//! Enters: registry, permissions, the run's prohibitions and safety mode, policy decisions. Leaves: the surfaced
//! capabilities. Must prove: registry ∩ permissions − prohibitions − forbidden, at most the safety mode; and every
//! capability has its derivation or the checks that hid it.

use super::Cx;
use super::evidence::ceiling;
use super::policy::Policy;
use crate::block_id::block_id;
use crate::decided::ToolsView;
use crate::hydrate::{Demands, HydratedCapability, HydratedOutcome, HydratedRule, StaticText, Ties, render_tool};
use crate::redacted::Redacted;
use crate::seal::StageOutput;
use crate::text::cleaned;
use deed_canon::ContentHash;
use deed_diag::{Code, Invariant as _, codes, quote};
use deed_model::{
    ApprovalMode, ArgConstraint, BoundArguments, CapabilityMetadata, Classification, EnvironmentEndpoints, HidingCheck,
    LedgerCapability, LedgerNotice, Prohibition, Stage, ToolCheck, ToolEndpoint, ToolEntry,
};
use serde::Serialize;
use serde_json::Value;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// The tool surface.
pub(crate) struct Tools<'a> {
    /// Every capability of the registry, surfaced or hidden.
    pub(crate) capabilities: Vec<LedgerCapability<'a>>,
    /// The surfaced capabilities, by adapter.
    pub(crate) manifest: Vec<ToolEntry<'a>>,
    /// Each surfaced capability, in order.
    pub(crate) surfaced: Vec<SurfacedCapability<'a>>,
    pub(crate) notices: Vec<LedgerNotice<'a>>,
    /// The values that arguments are tied to, by `<source>/<argument>`.
    tied: BTreeMap<String, Value>,
    /// The endpoints of the environment.
    endpoints: Option<&'a EnvironmentEndpoints>,
}

/// A capability that the model may use, under the bounds of this request.
pub(crate) struct SurfacedCapability<'a> {
    pub(crate) tool: &'a HydratedCapability,
    pub(crate) mode: ApprovalMode,
    /// The gates that are active for a call.
    pub(crate) gates: Vec<&'a str>,
    /// The gates that depend on the call.
    pending: Vec<&'a str>,
    /// The rules that depend on the call.
    rules_by_call: Vec<Cow<'a, str>>,
    /// The bounds on its arguments, ties resolved.
    pub(crate) bounds: Vec<BoundArguments<'a>>,
    /// True if the bounds, the mode or the demands differ from the static text.
    is_special: bool,
}

/// Text that was rendered while hydrating, or for this request.
pub(crate) enum ToolText<'a> {
    Static(&'a StaticText),
    Rendered(String),
}

#[derive(Serialize)]
struct Reads<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    ceiling: Option<Classification>,
    #[serde(skip_serializing_if = "Option::is_none")]
    endpoints: Option<&'a EnvironmentEndpoints>,
    layer: ContentHash,
    prohibitions: &'a [Prohibition],
    safety_mode: ApprovalMode,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    tied: BTreeMap<String, Value>,
}

pub(crate) fn surface<'a>(cx: Cx<'a>, policy: &Policy<'a>) -> Tools<'a> {
    let bounds = Bounds::of(cx, policy);
    let mut tools = Tools {
        capabilities: Vec::new(),
        manifest: Vec::new(),
        surfaced: Vec::new(),
        notices: Vec::new(),
        tied: BTreeMap::new(),
        endpoints: cx.pack.endpoints.as_ref(),
    };
    tools.capabilities.reserve(cx.pack.tools.len());
    for (position, tool) in cx.pack.tools.iter().enumerate() {
        tools.judge(cx, policy, &bounds, position, tool);
    }
    tools.note_unknown_names(cx, policy);
    tools.note_unregistered_endpoints();
    tools
}

impl<'a> StageOutput<'a> for Tools<'a> {
    const STAGE: Stage = Stage::Tools;

    fn reads(&self, cx: Cx<'a>) -> impl Serialize {
        let run = cx.inputs.run.context();
        Reads {
            ceiling: bounding_ceiling(cx),
            endpoints: cx.pack.endpoints.as_ref(),
            layer: cx.pack.layers.tools,
            prohibitions: &run.prohibitions,
            safety_mode: run.safety_mode,
            tied: self.tied.clone(),
        }
    }

    fn decided(&self, _: Cx<'a>) -> impl Serialize {
        ToolsView { capabilities: &self.capabilities, surface: &self.manifest }
    }
}

/// The effect of the run's prohibitions and of the fired rules on capabilities, by position in the registry.
#[derive(Default)]
struct Bounds<'a> {
    /// The adapters that the run prohibits, or single capabilities of them.
    prohibited: BTreeSet<(&'a str, Option<&'a str>)>,
    forbidden: BTreeMap<usize, &'a HydratedRule>,
    meant: BTreeMap<usize, Vec<(&'a HydratedRule, &'a HydratedOutcome)>>,
}

impl<'a> Bounds<'a> {
    fn of(cx: Cx<'a>, policy: &Policy<'a>) -> Self {
        let prohibitions = cx.inputs.run.context().prohibitions.iter();
        let prohibited = prohibitions.map(|p| (p.adapter_id.as_str(), p.capability.as_deref())).collect();
        let mut bounds = Self { prohibited, ..Self::default() };
        for (rule, outcome) in &policy.fired {
            for position in &outcome.forbidden_tools {
                bounds.forbidden.entry(*position).or_insert(rule);
            }
            for position in &outcome.meant_tools {
                bounds.meant.entry(*position).or_default().push((rule, outcome));
            }
        }
        bounds
    }
}

impl<'a> Tools<'a> {
    fn judge(
        &mut self,
        cx: Cx<'a>,
        policy: &Policy<'a>,
        bounds: &Bounds<'a>,
        position: usize,
        tool: &'a HydratedCapability,
    ) {
        let rules = bounds.meant.get(&position).map(Vec::as_slice).unwrap_or_default();
        let mut hidden_by = checks(cx, bounds, position, tool);
        let arguments = match hidden_by.is_empty() {
            true => self.arguments(cx, policy, rules, tool),
            false => Ok(Vec::new()),
        };
        let arguments = arguments.unwrap_or_else(|check| {
            hidden_by.push(check);
            Vec::new()
        });
        let surfaced = hidden_by.is_empty();
        let block_id = surfaced.then(|| block_id("tool", self.surfaced.len()));
        if surfaced {
            let pending = pending_rules(policy, position);
            self.surface(policy, rules, pending, arguments, tool);
        }
        self.capabilities.push(LedgerCapability {
            adapter_id: Cow::Borrowed(&tool.adapter_id),
            block_id,
            capability: Cow::Borrowed(&tool.capability),
            declared_mode: tool.mode,
            hidden_by,
            surfaced,
        });
    }

    fn surface(
        &mut self,
        policy: &Policy<'a>,
        rules: &[(&'a HydratedRule, &'a HydratedOutcome)],
        rules_by_call: Vec<Cow<'a, str>>,
        arg_constraints: Vec<BoundArguments<'a>>,
        tool: &'a HydratedCapability,
    ) {
        let mode = self.effective_mode(rules, tool);
        let gates = active_gates(policy, rules, tool);
        let pending: Vec<&str> = own_gates(tool).filter(|gate| policy.is_pending(gate)).collect();
        let mut derivation: Vec<Cow<'a, str>> = tool.derivation.iter().map(|d| Cow::Borrowed(d.as_str())).collect();
        derivation.extend(rules.iter().map(|(_, outcome)| source(outcome)));
        let tied = arg_constraints.iter().any(|bound| matches!(bound.arguments, Cow::Owned(_)));
        let bound_by_rules = rules.iter().any(|(_, outcome)| !outcome.arguments.is_empty());
        let metadata = CapabilityMetadata {
            approval_gates: gates.iter().copied().map(Cow::Borrowed).collect(),
            approval_gates_by_call: pending.iter().copied().map(Cow::Borrowed).collect(),
            approval_mode: mode,
            arg_constraints: arg_constraints.clone(),
            declared_mode: tool.mode,
            derivation,
            kind: tool.kind.as_deref().map(Cow::Borrowed),
            risk_level: tool.risk_level.as_deref().map(Cow::Borrowed),
            rules_by_call: rules_by_call.clone(),
            schema_ref: tool.schema_ref.as_deref().map(Cow::Borrowed),
        };
        let is_special = tied || bound_by_rules || mode != tool.mode || !rules_by_call.is_empty();
        let bounds = arg_constraints;
        self.surfaced.push(SurfacedCapability { tool, mode, gates, pending, rules_by_call, bounds, is_special });
        self.enter(tool, metadata);
    }

    /// Returns the bounds on the arguments of a call, with every tie resolved to its value.
    fn arguments(
        &mut self,
        cx: Cx<'a>,
        policy: &Policy<'a>,
        rules: &[(&'a HydratedRule, &'a HydratedOutcome)],
        tool: &'a HydratedCapability,
    ) -> Result<Vec<BoundArguments<'a>>, HidingCheck<'a>> {
        let permitted = tool.allowed.iter().map(|p| (Cow::Borrowed(p.source.as_str()), &p.arguments, &p.ties));
        let of_rules = rules.iter().map(|(_, outcome)| (source(outcome), &outcome.arguments, &outcome.ties));
        let mut bounds = Vec::new();
        for (source, arguments, ties) in permitted.chain(of_rules).filter(|(_, arguments, _)| !arguments.is_empty()) {
            let arguments = match ties.is_empty() {
                true => Cow::Borrowed(arguments),
                false => Cow::Owned(self.resolved(cx, policy, &source, arguments, ties)?),
            };
            bounds.push(BoundArguments { arguments, source });
        }
        Ok(bounds)
    }

    fn resolved(
        &mut self,
        cx: Cx<'a>,
        policy: &Policy<'a>,
        source: &Cow<'a, str>,
        arguments: &BTreeMap<String, ArgConstraint>,
        ties: &Ties,
    ) -> Result<BTreeMap<String, ArgConstraint>, HidingCheck<'a>> {
        let mut resolved = arguments.clone();
        for (argument, program) in ties {
            let value = program.as_ref().map_err(Clone::clone).and_then(|program| policy.value(cx, program));
            let value = value.map_err(|error| {
                let message = format!("{source} ties `{argument}` to a value that cannot be computed: {error}");
                self.notices.push(LedgerNotice {
                    code: Cow::Borrowed(codes::TIE_WITHOUT_VALUE.as_str()),
                    message: Cow::Owned(message),
                    stage: Stage::Tools,
                });
                HidingCheck { check: ToolCheck::Arguments, source: Some(source.clone()) }
            })?;
            // A decision about a call needs the value itself; what is shown is redacted.
            let shown = serde_json::to_value(Redacted(&value, &cx.pack.redactor)).invariant("a redacted value is JSON");
            self.tied.insert(format!("{source}/{argument}"), shown.clone());
            if let Some(bound) = resolved.get_mut(argument) {
                bound.equals = Some(if cx.call.is_some() { value } else { shown });
            }
        }
        Ok(resolved)
    }

    /// Adds a notice for each prohibition or rule that names an unknown tool: the name is probably misspelt.
    fn note_unknown_names(&mut self, cx: Cx<'a>, policy: &Policy<'a>) {
        let forbidding = policy.fired.iter().any(|(_, outcome)| !outcome.forbids.is_empty());
        if cx.inputs.run.context().prohibitions.is_empty() && !forbidding {
            return;
        }
        let mut note = |code: Code, message: String| {
            let (code, message) = (Cow::Borrowed(code.as_str()), Cow::Owned(message));
            self.notices.push(LedgerNotice { code, message, stage: Stage::Tools });
        };
        let adapters: BTreeSet<&str> = cx.pack.tools.iter().map(|tool| tool.adapter_id.as_str()).collect();
        let names: BTreeSet<&str> = cx.pack.tools.iter().map(|tool| tool.name.as_str()).collect();
        for prohibition in &cx.inputs.run.context().prohibitions {
            let (known, name) = match &prohibition.capability {
                None => (adapters.contains(prohibition.adapter_id.as_str()), prohibition.adapter_id.clone()),
                Some(capability) => {
                    let name = format!("{}.{capability}", prohibition.adapter_id);
                    (names.contains(name.as_str()), name)
                }
            };
            if !known {
                let message = format!("the run prohibits {}, which the pack does not have", quote(&name));
                note(codes::PROHIBITION_NAMES_NOTHING, message);
            }
        }
        for (rule, outcome) in &policy.fired {
            for name in outcome.forbids.iter().filter(|name| !names.contains(name.as_str())) {
                let message = format!("`{}` forbids {}, which the pack does not have", rule.rule_id, quote(name));
                note(codes::RULE_FORBIDS_NOTHING, message);
            }
        }
    }

    /// Adds a capability to its adapter's entry. The registry lists the capabilities of an adapter one after the other.
    fn enter(&mut self, tool: &'a HydratedCapability, metadata: CapabilityMetadata<'a>) {
        let capability = Cow::Borrowed(tool.capability.as_str());
        match self.manifest.last_mut().filter(|entry| entry.adapter_id == tool.adapter_id) {
            Some(entry) => {
                entry.capabilities.push(capability.clone());
                entry.capability_metadata.insert(capability, metadata);
            }
            None => self.manifest.push(ToolEntry {
                adapter_id: Cow::Borrowed(&tool.adapter_id),
                capabilities: vec![capability.clone()],
                capability_metadata: BTreeMap::from([(capability, metadata)]),
                endpoint: self.endpoints.map(|known| endpoint(known, tool)),
            }),
        }
    }

    /// Adds a notice for each surfaced adapter whose endpoint the environment does not have, or has with another protocol.
    fn note_unregistered_endpoints(&mut self) {
        let Some(known) = self.endpoints else { return };
        for entry in &self.manifest {
            let Some(endpoint) = &entry.endpoint else { continue };
            let registered = known.addresses.get(&*endpoint.endpoint_ref);
            let (adapter, reference) = (&entry.adapter_id, quote(&endpoint.endpoint_ref));
            let (code, message) = match registered {
                None => {
                    let message =
                        format!("`{adapter}` refers to {reference}, which `{}` does not have", known.environment);
                    (codes::ENDPOINT_NOT_REGISTERED, message)
                }
                Some(address) if address.adapter_type != endpoint.adapter_type => {
                    let (own, other) = (endpoint.adapter_type, address.adapter_type);
                    let message =
                        format!("`{adapter}` is {own}, and {reference} in `{}` is {other}", known.environment);
                    (codes::ENDPOINT_OF_OTHER_TYPE, message)
                }
                Some(_) => continue,
            };
            let (code, message) = (Cow::Borrowed(code.as_str()), Cow::Owned(message));
            self.notices.push(LedgerNotice { code, message, stage: Stage::Tools });
        }
    }

    /// Returns the effective mode. Rules may lower it; of several the highest wins, and none exceeds the declared one.
    fn effective_mode(
        &mut self,
        rules: &[(&'a HydratedRule, &'a HydratedOutcome)],
        tool: &HydratedCapability,
    ) -> ApprovalMode {
        let mut effective = None;
        for (rule, outcome) in rules {
            let Some(mode) = outcome.mode else { continue };
            if mode > tool.mode {
                let message = format!(
                    "`{}` sets {mode} for `{}`: {}, which it declares, counts",
                    rule.rule_id, tool.name, tool.mode
                );
                self.notices.push(LedgerNotice {
                    code: Cow::Borrowed(codes::RULE_MODE_CLAMPED.as_str()),
                    message: Cow::Owned(message),
                    stage: Stage::Tools,
                });
            }
            effective = effective.max(Some(mode.min(tool.mode)));
        }
        effective.unwrap_or(tool.mode)
    }
}

fn source<'a>(outcome: &'a HydratedOutcome) -> Cow<'a, str> {
    let [_, rule] = &outcome.provenance;
    Cow::Borrowed(rule)
}

/// Returns the endpoint of a tool where an environment is named. An entry with another protocol is no address of it.
fn endpoint<'a>(known: &'a EnvironmentEndpoints, tool: &'a HydratedCapability) -> ToolEndpoint<'a> {
    let address = known.addresses.get(&tool.endpoint_ref).filter(|address| address.adapter_type == tool.adapter_type);
    ToolEndpoint {
        base_url: address.map(|address| Cow::Borrowed(address.base_url.as_str())),
        endpoint_ref: Cow::Borrowed(&tool.endpoint_ref),
        environment: Cow::Borrowed(&known.environment),
        adapter_type: tool.adapter_type,
    }
}

/// Returns the ceiling of the compile, if it can hide a tool.
fn bounding_ceiling(cx: Cx<'_>) -> Option<Classification> {
    let ceiling = ceiling(cx);
    let bounds = ceiling == Classification::Restricted || cx.pack.tools.iter().any(|tool| tool.clearance.is_some());
    bounds.then_some(ceiling)
}

/// Returns true if the service of a tool may receive everything that a compile may hold. One that states no clearance may
/// receive all but RESTRICTED data.
fn is_cleared(cx: Cx<'_>, tool: &HydratedCapability) -> bool {
    ceiling(cx) <= tool.clearance.unwrap_or(Classification::Confidential)
}

/// Returns all checks that hide a capability, in order.
fn checks<'a>(cx: Cx<'a>, bounds: &Bounds<'a>, position: usize, tool: &'a HydratedCapability) -> Vec<HidingCheck<'a>> {
    let run = cx.inputs.run.context();
    let mut hidden = Vec::new();
    if tool.allowed.is_empty() || tool.withheld.is_some() {
        let source = tool.withheld.as_deref().map(Cow::Borrowed);
        hidden.push(HidingCheck { check: ToolCheck::Permission, source });
    }
    let prohibited = |capability| bounds.prohibited.contains(&(tool.adapter_id.as_str(), capability));
    if prohibited(None) || prohibited(Some(tool.capability.as_str())) {
        hidden.push(HidingCheck { check: ToolCheck::Prohibition, source: Some(Cow::Borrowed(run.run_id.as_str())) });
    }
    if let Some(rule) = bounds.forbidden.get(&position) {
        hidden.push(HidingCheck { check: ToolCheck::Policy, source: Some(Cow::Borrowed(rule.rule_id.as_str())) });
    }
    if tool.mode > run.safety_mode {
        hidden
            .push(HidingCheck { check: ToolCheck::SafetyMode, source: Some(Cow::Borrowed(run.safety_mode.as_str())) });
    }
    if !is_cleared(cx, tool) {
        let source = Some(Cow::Borrowed(ceiling(cx).as_str()));
        hidden.push(HidingCheck { check: ToolCheck::Classification, source });
    }
    hidden
}

/// Iterates over the gates of the permissions that expose a capability.
fn own_gates(tool: &HydratedCapability) -> impl Iterator<Item = &str> {
    tool.allowed.iter().filter_map(|p| p.gate.as_deref())
}

/// Returns the rules that may decide about a call of a capability: those that name it, and those that name none.
fn pending_rules<'a>(policy: &Policy<'a>, position: usize) -> Vec<Cow<'a, str>> {
    let concerns = |outcome: &HydratedOutcome| {
        let named = outcome.meant_tools.contains(&position) || outcome.forbidden_tools.contains(&position);
        named || (outcome.capabilities.is_empty() && outcome.forbids.is_empty())
    };
    let of_tool =
        policy.pending.iter().filter(|rule| concerns(&rule.then) || rule.otherwise.as_ref().is_some_and(concerns));
    of_tool.map(|rule| Cow::Borrowed(rule.rule_id.as_str())).collect()
}

/// Returns the gates that a call must pass now: those of its permissions that are active, and those that rules require
/// for it.
fn active_gates<'a>(
    policy: &Policy<'a>,
    rules: &[(&'a HydratedRule, &'a HydratedOutcome)],
    tool: &'a HydratedCapability,
) -> Vec<&'a str> {
    let permitted = own_gates(tool).filter(|gate| policy.is_active(gate));
    let demanded = rules.iter().filter_map(|(_, outcome)| outcome.gate.as_deref());
    let mut gates = Vec::new();
    for gate in permitted.chain(demanded) {
        if !gates.contains(&gate) {
            gates.push(gate);
        }
    }
    gates
}

impl<'a> SurfacedCapability<'a> {
    /// Returns the text for the model. The two usual ones were rendered while hydrating; a rule that lowers the mode or
    /// binds arguments needs a new one.
    pub(crate) fn text(&self) -> ToolText<'a> {
        let Self { tool, mode, gates, pending, rules_by_call, bounds, is_special } = self;
        match (is_special, gates.as_slice(), pending.as_slice(), &tool.gated, &tool.pending) {
            (false, [], [], _, _) => ToolText::Static(&tool.plain),
            (false, [gate], [], Some((own, text)), _) if own == gate => ToolText::Static(text),
            (false, [], [gate], _, Some((own, text))) if own == gate => ToolText::Static(text),
            _ => {
                let arguments = bounds.iter().map(|bound| &*bound.arguments);
                let demands = Demands { gates, pending, rules: rules_by_call };
                let text = render_tool(&tool.name, *mode, tool.description.as_deref(), arguments, demands);
                ToolText::Rendered(cleaned(text))
            }
        }
    }
}
