//! Outcomes of a rule, compared by their restrictions.

use super::Strictness;
use super::argument;
use deed_model::{ApprovalMode, ContextPack, RuleOutcome};

/// The outcomes of one rule, compared within its pack.
#[derive(Clone, Copy)]
pub(crate) struct Outcomes<'a> {
    /// The pack, for its declared modes.
    pub(crate) pack: &'a ContextPack,
    /// The decision that the rule governs.
    pub(crate) decision: Option<&'a str>,
}

impl Outcomes<'_> {
    /// Judges a change of outcome.
    pub(crate) fn change(&self, from: &RuleOutcome, to: &RuleOutcome) -> Strictness {
        if self.at_least(to, from) {
            Strictness::Tighter("the new outcome restricts at least as much as the old".to_owned())
        } else if self.at_least(from, to) {
            Strictness::Looser("the new outcome restricts less than the old".to_owned())
        } else {
            Strictness::Unproven("neither of the two outcomes restricts at least as much as the other".to_owned())
        }
    }

    /// Returns true if `a` allows nothing that `b` forbids.
    pub(crate) fn at_least(&self, a: &RuleOutcome, b: &RuleOutcome) -> bool {
        if says_nothing_but_allow(a) {
            return says_nothing_but_allow(b);
        }
        if b.allow == Some(false) && a.allow != Some(false) {
            return false;
        }
        let deny = a.allow == Some(false);
        self.requires(a, b, deny)
            && self.gate(a, b, deny)
            && self.forbids(a, b, deny)
            && self.arguments(a, b, deny)
            && (deny || self.mode(a, b))
    }

    fn requires(&self, a: &RuleOutcome, b: &RuleOutcome, deny: bool) -> bool {
        deny || b.requires.iter().all(|r| a.requires.contains(r))
    }

    /// Under a denial only read-only calls run, so a gate matters only if one of them needs it.
    fn gate(&self, a: &RuleOutcome, b: &RuleOutcome, deny: bool) -> bool {
        let Some(gate) = &b.requires_approval_gate else {
            return true;
        };
        let needed = |p: &deed_model::Permission| {
            p.requires_approval_gate.as_ref() == Some(gate) && self.may_read_only(&p.adapter_id, &p.capability)
        };
        a.requires_approval_gate.as_ref() == Some(gate)
            || (deny && !self.pack.tooling_layer.permissions.iter().any(needed))
    }

    fn forbids(&self, a: &RuleOutcome, b: &RuleOutcome, deny: bool) -> bool {
        b.forbidden().all(|name| a.forbidden().any(|other| other == name) || (deny && !self.runs_under_denial(name)))
    }

    fn arguments(&self, a: &RuleOutcome, b: &RuleOutcome, deny: bool) -> bool {
        if b.arg_constraints.is_empty() {
            return true;
        }
        // Without capabilities the bounds apply to the decision, which a denial rules out.
        if deny && !b.capabilities.iter().any(|name| self.runs_under_denial(name)) {
            return true;
        }
        let covers = b.capabilities.is_empty() == a.capabilities.is_empty()
            && b.capabilities.iter().all(|name| a.capabilities.contains(name));
        let keeps = |(name, old)| a.arg_constraints.get(name).is_some_and(|new| argument::at_least(new, old));
        covers && b.arg_constraints.iter().all(keeps)
    }

    /// A mode below the declared one lowers the reported and gated mode; of several rules the highest wins.
    fn mode(&self, a: &RuleOutcome, b: &RuleOutcome) -> bool {
        match (a.approval_mode, b.approval_mode) {
            (None, None) => true,
            (Some(mode), None) => mode >= self.declared(a),
            (Some(mode), Some(other)) => a.capabilities == b.capabilities && mode >= other,
            (None, Some(_)) => false,
        }
    }

    /// Returns the highest declared mode of everything that an outcome's mode applies to.
    fn declared(&self, outcome: &RuleOutcome) -> ApprovalMode {
        if outcome.capabilities.is_empty() {
            let specs = &self.pack.decision_layer.decision_specs;
            let bound = specs.iter().find(|spec| Some(spec.decision_key.as_str()) == self.decision);
            return bound.map_or(ApprovalMode::Destructive, |spec| spec.approval_mode);
        }
        let modes = outcome.capabilities.iter().map(|name| self.mode_of(name).unwrap_or(ApprovalMode::Destructive));
        modes.max().unwrap_or(ApprovalMode::Destructive)
    }

    fn mode_of(&self, name: &str) -> Option<ApprovalMode> {
        let (adapter_id, capability) = name.split_once('.')?;
        let adapter = self.pack.tooling_layer.adapter_registry.iter().find(|a| a.adapter_id == adapter_id)?;
        let found = adapter.capabilities.iter().find(|c| c.id() == capability)?;
        Some(found.declared_mode(adapter))
    }

    /// Returns true for a capability that is not known to be above read-only.
    fn runs_under_denial(&self, name: &str) -> bool {
        self.mode_of(name).is_none_or(|mode| !mode.writes())
    }

    fn may_read_only(&self, adapter_id: &str, capability: &str) -> bool {
        self.runs_under_denial(&format!("{adapter_id}.{capability}"))
    }
}

/// A bare `allow: true` is the weakest of all outcomes.
fn says_nothing_but_allow(outcome: &RuleOutcome) -> bool {
    let bare = RuleOutcome { allow: Some(true), reason: outcome.reason.clone(), ..RuleOutcome::default() };
    *outcome == bare
}
