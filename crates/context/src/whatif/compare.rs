//! Comparison of one request under two packs.

use super::decisions;
use super::prompt::{self, PromptChange};
use super::seen::{Seen, places};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// The comparison of one request.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct RequestComparison {
    /// The id of the recording.
    pub packet_id: String,
    /// The run and request that were recorded.
    pub source_ref: String,
    /// The outcome, if it changes.
    pub outcome: Option<ValueChange>,
    /// Rules whose verdict changes, by rule; `-` if one does not apply.
    pub verdicts: BTreeMap<String, ValueChange>,
    /// Capabilities that are added to the surface.
    pub tools_gained: Vec<String>,
    /// Capabilities that are removed from it.
    pub tools_lost: Vec<String>,
    /// Capabilities whose effective mode changes.
    pub modes: BTreeMap<String, ValueChange>,
    /// Capabilities whose argument bounds change.
    pub bounds_changed: Vec<String>,
    /// Gates that a capability no longer needs, as `adapter.capability: gate`.
    pub tool_gates_lost: Vec<String>,
    /// Gates that a capability now needs, as `adapter.capability: gate`.
    pub tool_gates_gained: Vec<String>,
    /// Gates that become active.
    pub gates_gained: Vec<String>,
    /// Gates that are no longer active.
    pub gates_lost: Vec<String>,
    /// Active gates whose approver or approval lifetime changes.
    pub gate_terms_changed: Vec<String>,
    /// Labels and active guardrails that are removed.
    pub controls_lost: Vec<String>,
    /// Labels and active guardrails that are added.
    pub controls_gained: Vec<String>,
    /// Evidence and memory that are newly admitted.
    pub items_gained: Vec<String>,
    /// Evidence and memory that are no longer admitted.
    pub items_lost: Vec<String>,
    /// Requirements and prohibitions of rules, evidence of decisions and non-negotiables that no longer apply.
    pub obligations_lost: Vec<String>,
    /// Requirements and prohibitions of rules, evidence of decisions and non-negotiables that newly apply.
    pub obligations_gained: Vec<String>,
    /// Redaction rules, with their definitions, that newly apply.
    pub redactions_gained: Vec<String>,
    /// Redaction rules, with their definitions, that no longer apply.
    pub redactions_lost: Vec<String>,
    /// Blocks, by their source, that no longer fit.
    pub blocks_lost: Vec<String>,
    /// Blocks that now fit.
    pub blocks_gained: Vec<String>,
    /// Decisions of the intent that change, as `key: what before -> after`.
    pub decisions_changed: Vec<String>,
    /// Places of the compiled context that differ, as JSON pointers, apart from the prompt, versions and hashes; at most
    /// forty.
    pub places_changed: Vec<String>,
    /// Parts of the prompt that the pack words differently.
    pub prompt: Vec<PromptChange>,
    /// Tokens of the prompt as recorded; 0 if it was refused.
    pub tokens_before: u64,
    /// Tokens with the candidate.
    pub tokens_after: u64,
    /// Overlays of the recording that the candidate does not have.
    pub missing_overlays: Vec<String>,
    /// True if it compiled, and the candidate refuses it.
    pub broken: bool,
    /// True if something that was held back is now allowed.
    pub loosened: bool,
    /// True if a writing capability is added or its declared mode is lowered, a redaction is lost, or more evidence,
    /// memory or classified data is admitted.
    pub widened: bool,
    /// True if something that was allowed is held back, or more is demanded: a stricter outcome, another gate, control,
    /// obligation or redaction, a smaller surface, tighter bounds, less evidence or memory.
    pub tightened: bool,
    /// True if the packs name themselves differently, which alone may take another number of tokens.
    #[serde(skip)]
    pub(super) renamed: bool,
}

/// Before and after.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct ValueChange {
    /// As recorded.
    pub before: String,
    /// With the candidate.
    pub after: String,
}

impl RequestComparison {
    /// Returns true if anything changes.
    pub fn is_changed(&self) -> bool {
        let lists = [
            &self.tools_gained,
            &self.tools_lost,
            &self.gates_gained,
            &self.gates_lost,
            &self.bounds_changed,
            &self.tool_gates_lost,
            &self.tool_gates_gained,
            &self.gate_terms_changed,
            &self.controls_lost,
            &self.controls_gained,
            &self.items_gained,
            &self.items_lost,
            &self.obligations_lost,
            &self.obligations_gained,
            &self.redactions_lost,
            &self.redactions_gained,
            &self.blocks_lost,
            &self.blocks_gained,
            &self.decisions_changed,
            &self.places_changed,
            &self.missing_overlays,
        ];
        self.outcome.is_some()
            || !self.verdicts.is_empty()
            || !self.modes.is_empty()
            || self.widened
            || self.tightened
            || !self.prompt.is_empty()
            || lists.iter().any(|list| !list.is_empty())
            || (!self.renamed && self.tokens_before != self.tokens_after)
    }
}

pub(super) fn compare(
    (packet_id, source_ref): (&str, &str),
    old: &Seen,
    new: &Seen,
    missing_overlays: Vec<String>,
) -> RequestComparison {
    let shift = |a: &str, b: &str| ValueChange { before: a.to_owned(), after: b.to_owned() };
    let minus = |a: &BTreeSet<String>, b: &BTreeSet<String>| a.difference(b).cloned().collect::<Vec<_>>();
    let names = |seen: &Seen| seen.tools.keys().cloned().collect::<BTreeSet<_>>();
    let both = || old.tools.iter().filter_map(|(name, tool)| Some((name, tool, new.tools.get(name)?)));
    let rules: BTreeSet<&String> = old.verdicts.keys().chain(new.verdicts.keys()).collect();
    let said = |seen: &Seen, rule: &String| seen.verdicts.get(rule).map_or_else(|| "-".to_owned(), Clone::clone);
    let verdicts = rules.into_iter().filter_map(|rule| {
        let (a, b) = (said(old, rule), said(new, rule));
        (a != b).then(|| (rule.clone(), ValueChange { before: a, after: b }))
    });
    let modes = both().filter(|(_, a, b)| a.mode != b.mode);
    let ungated =
        both().flat_map(|(name, a, b)| a.gates.difference(&b.gates).map(move |gate| format!("{name}: {gate}")));
    let gated = both().flat_map(|(name, a, b)| b.gates.difference(&a.gates).map(move |gate| format!("{name}: {gate}")));
    let bounds = both().filter(|(_, a, b)| b.bounded_otherwise(a)).map(|(name, _, _)| name.clone());
    let terms = gate_terms(old, new).filter(|(_, before, after)| before != after);
    let compared = RequestComparison {
        packet_id: packet_id.to_owned(),
        source_ref: source_ref.to_owned(),
        outcome: (old.outcome != new.outcome).then(|| shift(&old.outcome.to_string(), &new.outcome.to_string())),
        verdicts: verdicts.collect(),
        tools_lost: minus(&names(old), &names(new)),
        tools_gained: minus(&names(new), &names(old)),
        modes: modes.map(|(name, a, b)| (name.clone(), shift(a.mode.as_str(), b.mode.as_str()))).collect(),
        bounds_changed: bounds.collect(),
        tool_gates_lost: ungated.collect(),
        tool_gates_gained: gated.collect(),
        gates_gained: minus(&new.gates, &old.gates),
        gates_lost: minus(&old.gates, &new.gates),
        gate_terms_changed: terms.map(|(gate, _, _)| gate.clone()).collect(),
        controls_lost: minus(&old.controls, &new.controls),
        controls_gained: minus(&new.controls, &old.controls),
        items_gained: minus(&new.admitted, &old.admitted),
        items_lost: minus(&old.admitted, &new.admitted),
        obligations_lost: minus(&old.obligations, &new.obligations).into_iter().chain(by_call(old, new)).collect(),
        obligations_gained: minus(&new.obligations, &old.obligations).into_iter().chain(by_call(new, old)).collect(),
        redactions_lost: minus(&old.redactions, &new.redactions),
        redactions_gained: minus(&new.redactions, &old.redactions),
        blocks_lost: minus(&new.dropped, &old.dropped),
        blocks_gained: minus(&old.dropped, &new.dropped).into_iter().filter(|b| new.candidates.contains(b)).collect(),
        decisions_changed: match old.compiled && new.compiled {
            true => decisions::changes(&old.decisions, &new.decisions),
            false => Vec::new(),
        },
        places_changed: match old.compiled && new.compiled {
            true => places(&old.whole, &new.whole),
            false => Vec::new(),
        },
        // A refusal has no prompt to compare with.
        prompt: match old.compiled && new.compiled {
            true => prompt::differences(&old.words, &new.words),
            false => Vec::new(),
        },
        tokens_before: old.tokens,
        tokens_after: new.tokens,
        missing_overlays,
        broken: old.compiled && !new.compiled,
        loosened: false,
        widened: false,
        tightened: false,
        renamed: old.compiled && new.compiled && old.reference != new.reference,
    };
    judged(compared, old, new)
}

/// Returns the rules of one side that a call decides and that the other side does not apply at all.
fn by_call<'s>(one: &'s Seen, other: &'s Seen) -> impl Iterator<Item = String> + use<'s> {
    let applies = |rule: &&String| !other.by_call.contains(*rule) && !other.verdicts.contains_key(*rule);
    one.by_call
        .iter()
        .filter(move |rule| other.compiled && applies(rule))
        .map(|rule| format!("rule {rule} over the call"))
}

/// Compares the terms of every gate that is active under both.
fn gate_terms<'s>(old: &'s Seen, new: &'s Seen) -> impl Iterator<Item = (&'s String, &'s Terms, &'s Terms)> {
    old.gate_terms.iter().filter_map(|(gate, before)| Some((gate, before, new.gate_terms.get(gate)?)))
}

/// Describes the approver and the approval lifetime.
type Terms = (String, u64);

/// Returns true if something that was held back is now allowed. A candidate that refuses allows nothing.
fn judged(compared: RequestComparison, old: &Seen, new: &Seen) -> RequestComparison {
    if !new.compiled {
        return RequestComparison { tightened: old.compiled, ..compared };
    }
    let both = || old.tools.iter().filter_map(|(name, tool)| Some((tool, new.tools.get(name)?)));
    let loosened = new.strictness() < old.strictness()
        || old.denials.difference(&new.denials).next().is_some()
        || !compared.gates_lost.is_empty()
        || !compared.tool_gates_lost.is_empty()
        || !compared.obligations_lost.is_empty()
        || !compared.controls_lost.is_empty()
        || gate_terms(old, new).any(|(_, before, after)| before.0 != after.0 || before.1 < after.1)
        || both().any(|(a, b)| b.mode < a.mode || !b.at_least_as_bounded(a))
        || decisions::is_looser(&old.decisions, &new.decisions);
    let writes = |name: &String| {
        let now = new.tools.get(name).is_some_and(|tool| tool.mode.writes());
        // A capability that is newly declared harmless has not become harmless.
        now || old.declared.get(name).is_some_and(|mode| mode.writes())
    };
    let declared_lower = old.declared.iter().any(|(name, mode)| new.declared.get(name).is_some_and(|now| now < mode));
    let widened = compared.tools_gained.iter().any(writes)
        || !compared.redactions_lost.is_empty()
        || declared_lower
        || !compared.items_gained.is_empty()
        || new.ceiling > old.ceiling;
    let stricter = [
        &compared.gates_gained,
        &compared.tool_gates_gained,
        &compared.controls_gained,
        &compared.obligations_gained,
        &compared.redactions_gained,
        &compared.tools_lost,
        &compared.items_lost,
    ];
    let tightened = old.compiled
        && (new.strictness() > old.strictness()
            || new.denials.difference(&old.denials).next().is_some()
            || stricter.iter().any(|list| !list.is_empty())
            || both().any(|(a, b)| b.mode > a.mode || !a.at_least_as_bounded(b))
            || decisions::is_stricter(&old.decisions, &new.decisions)
            || new.ceiling < old.ceiling);
    RequestComparison { loosened, widened, tightened, ..compared }
}
