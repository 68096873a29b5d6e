//! Stage 3, tools.
//!
//! Enters: registry, permissions, the run's prohibitions and safety mode, policy decisions. Leaves: the surfaced
//! capabilities. Must prove: registry ∩ permissions − prohibitions − forbidden, at most the safety mode; and every
//! capability says why it is in or which checks hid it.

use super::Cx;
use super::policy::Policy;
use crate::block_id::block_id;
use crate::decided::ToolsView;
use crate::hydrate::{HydratedCapability, HydratedOutcome, HydratedRule, StaticText, render_tool};
use crate::refusal::{Refusal, notices};
use crate::seal::Seals;
use deed_canon::ContentHash;
use deed_diag::{Code, quote};
use deed_model::{
    ApprovalMode, BoundArguments, CapabilityMetadata, HiddenBy, LedgerCapability, LedgerNotice, Prohibition, Stage,
    ToolCheck, ToolEntry,
};
use serde::Serialize;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// The tool surface.
pub(crate) struct Tools<'a> {
    /// Every capability of the registry, in or out.
    pub(crate) capabilities: Vec<LedgerCapability<'a>>,
    /// What is surfaced, by adapter.
    pub(crate) manifest: Vec<ToolEntry<'a>>,
    /// The text of each surfaced capability, in order.
    pub(crate) blocks: Vec<(&'a HydratedCapability, ToolText<'a>)>,
    pub(crate) notices: Vec<LedgerNotice<'a>>,
}

/// Text that was rendered while hydrating, or for this request.
pub(crate) enum ToolText<'a> {
    Ready(&'a StaticText),
    Fresh(String),
}

#[derive(Serialize)]
struct Reads<'a> {
    layer: ContentHash,
    prohibitions: &'a [Prohibition],
    safety_mode: ApprovalMode,
}

pub(crate) fn surface<'a>(cx: Cx<'a>, policy: &Policy<'a>, seals: &mut Seals) -> Result<Tools<'a>, Refusal> {
    let said = Said::of(cx, policy);
    let mut tools = Tools { capabilities: Vec::new(), manifest: Vec::new(), blocks: Vec::new(), notices: Vec::new() };
    tools.capabilities.reserve(cx.pack.tools.len());
    for (position, tool) in cx.pack.tools.iter().enumerate() {
        tools.judge(cx, policy, &said, position, tool);
    }
    tools.names_nothing(cx, policy);
    let run = cx.inputs.run.context();
    let reads = Reads { layer: cx.pack.layers.tools, prohibitions: &run.prohibitions, safety_mode: run.safety_mode };
    let decided = ToolsView { capabilities: &tools.capabilities, surface: &tools.manifest };
    seals.seal(Stage::Tools, &reads, &decided)?;
    Ok(tools)
}

/// What the rules that fired say of capabilities, by position in the registry.
#[derive(Default)]
struct Said<'a> {
    /// What the run prohibits: an adapter, or one of its capabilities.
    prohibited: BTreeSet<(&'a str, Option<&'a str>)>,
    forbidden: BTreeMap<usize, &'a HydratedRule>,
    meant: BTreeMap<usize, Vec<(&'a HydratedRule, &'a HydratedOutcome)>>,
}

impl<'a> Said<'a> {
    fn of(cx: Cx<'a>, policy: &Policy<'a>) -> Self {
        let prohibitions = cx.inputs.run.context().prohibitions.iter();
        let prohibited = prohibitions.map(|p| (p.adapter_id.as_str(), p.capability.as_deref())).collect();
        let mut said = Self { prohibited, ..Self::default() };
        for (rule, outcome) in &policy.fired {
            for position in &outcome.forbidden_tools {
                said.forbidden.entry(*position).or_insert(rule);
            }
            for position in &outcome.meant_tools {
                said.meant.entry(*position).or_default().push((rule, outcome));
            }
        }
        said
    }
}

impl<'a> Tools<'a> {
    fn judge(
        &mut self,
        cx: Cx<'a>,
        policy: &Policy<'a>,
        said: &Said<'a>,
        position: usize,
        tool: &'a HydratedCapability,
    ) {
        let hidden_by = checks(cx, said, position, tool);
        let surfaced = hidden_by.is_empty();
        let block_id = surfaced.then(|| block_id("tool", self.blocks.len()));
        if surfaced {
            self.surface(policy, said.meant.get(&position).map(Vec::as_slice).unwrap_or_default(), tool);
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
        tool: &'a HydratedCapability,
    ) {
        let mode = self.effective_mode(rules, tool);
        let gates = active_gates(policy, rules, tool);
        let permitted = tool.allowed.iter().filter(|p| !p.arguments.is_empty());
        let mut bounds: Vec<BoundArguments<'a>> = permitted
            .map(|p| BoundArguments { arguments: Cow::Borrowed(&p.arguments), source: Cow::Borrowed(&p.source) })
            .collect();
        let from_rules = rules.iter().filter(|(_, outcome)| !outcome.arguments.is_empty());
        bounds.extend(from_rules.map(|(_, outcome)| BoundArguments {
            arguments: Cow::Borrowed(&outcome.arguments),
            source: source(outcome),
        }));
        let mut derivation: Vec<Cow<'a, str>> = tool.derivation.iter().map(|d| Cow::Borrowed(d.as_str())).collect();
        derivation.extend(rules.iter().map(|(_, outcome)| source(outcome)));
        self.blocks.push((tool, text(tool, mode, &gates, rules)));
        let metadata = CapabilityMetadata {
            approval_gates: gates.into_iter().map(Cow::Borrowed).collect(),
            approval_mode: mode,
            arg_constraints: bounds,
            declared_mode: tool.mode,
            derivation,
            kind: tool.kind.as_deref().map(Cow::Borrowed),
            risk_level: tool.risk_level.as_deref().map(Cow::Borrowed),
            schema_ref: tool.schema_ref.as_deref().map(Cow::Borrowed),
        };
        self.enter(tool, metadata);
    }

    /// A prohibition or a rule that takes away what is not there is probably misspelt.
    fn names_nothing(&mut self, cx: Cx<'a>, policy: &Policy<'a>) {
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
                note(notices::PROHIBITS_NOTHING, message);
            }
        }
        for (rule, outcome) in &policy.fired {
            for name in outcome.forbids.iter().filter(|name| !names.contains(name.as_str())) {
                let message = format!("`{}` forbids {}, which the pack does not have", rule.rule_id, quote(name));
                note(notices::FORBIDS_NOTHING, message);
            }
        }
    }

    /// The registry lists the capabilities of an adapter one after the other.
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
            }),
        }
    }

    /// Rules may lower the mode. Of several the highest wins, and none gets above the declared one.
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
                    code: Cow::Borrowed(notices::MODE_CLAMPED.as_str()),
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

/// All checks that hide a capability, in their order.
fn checks<'a>(cx: Cx<'a>, said: &Said<'a>, position: usize, tool: &'a HydratedCapability) -> Vec<HiddenBy<'a>> {
    let run = cx.inputs.run.context();
    let mut hidden = Vec::new();
    if tool.allowed.is_empty() || tool.withheld.is_some() {
        let source = tool.withheld.as_deref().map(Cow::Borrowed);
        hidden.push(HiddenBy { check: ToolCheck::Permission, source });
    }
    let prohibited = |capability| said.prohibited.contains(&(tool.adapter_id.as_str(), capability));
    if prohibited(None) || prohibited(Some(tool.capability.as_str())) {
        hidden.push(HiddenBy { check: ToolCheck::Prohibition, source: Some(Cow::Borrowed(run.run_id.as_str())) });
    }
    if let Some(rule) = said.forbidden.get(&position) {
        hidden.push(HiddenBy { check: ToolCheck::Policy, source: Some(Cow::Borrowed(rule.rule_id.as_str())) });
    }
    if tool.mode > run.safety_mode {
        hidden.push(HiddenBy { check: ToolCheck::SafetyMode, source: Some(Cow::Borrowed(run.safety_mode.as_str())) });
    }
    hidden
}

/// The gates that a call must pass now: those that its permissions name while they are active, and those that the rules
/// which speak of it demand.
fn active_gates<'a>(
    policy: &Policy<'a>,
    rules: &[(&'a HydratedRule, &'a HydratedOutcome)],
    tool: &'a HydratedCapability,
) -> Vec<&'a str> {
    let permitted = tool.allowed.iter().filter_map(|p| p.gate.as_deref()).filter(|gate| policy.is_active(gate));
    let demanded = rules.iter().filter_map(|(_, outcome)| outcome.gate.as_deref());
    let mut gates = Vec::new();
    for gate in permitted.chain(demanded) {
        if !gates.contains(&gate) {
            gates.push(gate);
        }
    }
    gates
}

/// The two usual texts are ready; a rule that lowers the mode or binds arguments makes a new one.
fn text<'a>(
    tool: &'a HydratedCapability,
    mode: ApprovalMode,
    gates: &[&str],
    rules: &[(&'a HydratedRule, &'a HydratedOutcome)],
) -> ToolText<'a> {
    let usual = mode == tool.mode && rules.iter().all(|(_, outcome)| outcome.arguments.is_empty());
    match (usual, gates, &tool.gated) {
        (true, [], _) => ToolText::Ready(&tool.plain),
        (true, [gate], Some((own, gated))) if own == gate => ToolText::Ready(gated),
        _ => {
            let of_rules = rules.iter().map(|(_, outcome)| &outcome.arguments);
            let arguments = tool.allowed.iter().map(|p| &p.arguments).chain(of_rules);
            ToolText::Fresh(render_tool(&tool.name, mode, tool.description.as_deref(), arguments, gates))
        }
    }
}
