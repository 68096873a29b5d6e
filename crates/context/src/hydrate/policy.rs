//! Rules, gates and guardrails with their predicates compiled.

use super::decisions::{Requirement, requirements};
use super::rule_text;
use super::stat::StaticText;
use super::tools::{HydratedCapability, Ties, ties};
use crate::tokens::Tokenizer;
use deed_canon::{CanonError, ContentHash, TypeTag, hash_of};
use deed_diag::Invariant as _;
use deed_logic::{Mode, Program, VarUse};
use deed_model::{
    ApprovalMode, ArgConstraint, ContextPack, ControlKind, Guardrail, IntentScope, PolicyBundle, Rule, RuleBranch,
    RuleOutcome, RuleVerdict,
};
use deed_pack::{EvidenceSources, mode_of};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

const DECISION_TAG: TypeTag = TypeTag::literal("deed/rule-branch/v1");

/// A rule, ready for evaluation.
#[derive(Debug)]
pub(crate) struct HydratedRule {
    pub(crate) rule_id: String,
    pub(crate) bundle_id: String,
    scope: Option<IntentScope>,
    pub(crate) enforcing: bool,
    pub(crate) decision_binding: Option<String>,
    pub(crate) rationale: Option<String>,
    pub(crate) then: HydratedOutcome,
    pub(crate) otherwise: Option<HydratedOutcome>,
    pub(crate) error: HydratedOutcome,
}

/// One branch of a rule.
#[derive(Debug)]
pub(crate) struct HydratedOutcome {
    pub(crate) branch: RuleBranch,
    pub(crate) verdict: RuleVerdict,
    pub(crate) reason: Option<String>,
    pub(crate) requires: Vec<String>,
    pub(crate) requirements: Vec<Requirement>,
    pub(crate) gate: Option<String>,
    pub(crate) forbids: Vec<String>,
    /// The forbidden capabilities as indices in the registry.
    pub(crate) forbidden_tools: Vec<usize>,
    pub(crate) mode: Option<ApprovalMode>,
    /// The mode before it was clamped to the decision's.
    pub(crate) clamped_from: Option<ApprovalMode>,
    pub(crate) capabilities: Vec<String>,
    /// The capabilities as indices in the registry.
    pub(crate) meant_tools: Vec<usize>,
    pub(crate) arguments: BTreeMap<String, ArgConstraint>,
    pub(crate) ties: Ties,
    /// True if a person is required and no gate names the role.
    pub(crate) wants_person: bool,
    /// Hash of the rule and this branch of it, for the decision's id.
    pub(crate) hash: ContentHash,
    /// The block's text.
    pub(crate) block: StaticText,
    pub(crate) provenance: [String; 2],
}

/// A gate or guardrail with a predicate, or a static label.
#[derive(Debug)]
pub(crate) struct HydratedControl {
    pub(crate) id: String,
    pub(crate) kind: ControlKind,
    /// True for a label, which is copied and never evaluated.
    pub(crate) standing: bool,
    /// The program, or the reason why there is none.
    pub(crate) program: Result<Program, String>,
    /// True if the predicate may read the call.
    pub(crate) reads_call: bool,
    /// The requests that it applies to.
    scope: Option<IntentScope>,
    /// The person that a gate asks.
    pub(crate) approver: Option<Approver>,
}

/// The person that a gate asks.
#[derive(Debug)]
pub(crate) struct Approver {
    pub(crate) role: String,
    pub(crate) ttl_seconds: u64,
}

impl HydratedRule {
    pub(crate) fn concerns(&self, intent: &str) -> bool {
        self.scope.as_ref().is_none_or(|scope| scope.covers(intent))
    }
}

impl HydratedControl {
    /// Returns true if the control applies to requests of an intent.
    pub(crate) fn concerns(&self, intent: &str) -> bool {
        self.scope.as_ref().is_none_or(|scope| scope.covers(intent))
    }
}

/// Returns true if a predicate may read the call.
fn reads_call(program: &Result<Program, String>) -> bool {
    let reads = |used: &VarUse| used.dynamic || used.path.first().is_none_or(|root| root == "call");
    program.as_ref().is_ok_and(|program| program.variables().iter().filter(|used| !used.scoped).any(reads))
}

pub(super) fn compile(source: &Value, mode: Mode) -> Result<Program, String> {
    Program::compile(source, mode).map_err(|errors| {
        let first = errors.first().invariant("a predicate that does not compile has an error");
        format!("the predicate does not compile: {first}")
    })
}

/// A rule and its compiled predicate. Most rules do not fire, so the rest is boxed: evaluation then reads one predicate
/// after the other without touching anything else.
#[derive(Debug)]
pub(crate) struct CompiledRule {
    /// The program, or why the predicate does not compile.
    pub(crate) program: Result<Program, String>,
    /// True if the predicate may read the call.
    pub(crate) reads_call: bool,
    pub(crate) rule: Box<HydratedRule>,
}

/// Returns every rule in order of evaluation: bundles by priority, high first, then by id; rules in document order.
pub(super) fn rules(
    pack: &ContextPack,
    tools: &[HydratedCapability],
    sources: &EvidenceSources,
    tokenizer: &dyn Tokenizer,
) -> Result<Vec<CompiledRule>, CanonError> {
    let mut bundles: Vec<&PolicyBundle> = pack.policy_layer.policy_bundles.iter().collect();
    bundles.sort_by(|a, b| b.priority.cmp(&a.priority).then_with(|| a.bundle_id.cmp(&b.bundle_id)));
    // Lint refuses duplicate names; without lint, a rule applies to every capability with the name.
    let mut positions: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (i, tool) in tools.iter().enumerate() {
        positions.entry(&tool.name).or_default().push(i);
    }
    let cx = Context { pack, positions, sources, tokenizer };
    let rules = bundles.iter().flat_map(|bundle| bundle.policy_dsl.rules.iter().map(move |rule| (*bundle, rule)));
    let compiled: Result<Vec<CompiledRule>, CanonError> = rules
        .map(|(bundle, rule)| {
            let program = compile(&rule.condition, mode_of(bundle.policy_dsl.language));
            Ok(CompiledRule { reads_call: reads_call(&program), program, rule: Box::new(cx.rule(bundle, rule)?) })
        })
        .collect();
    let mut compiled = compiled?;
    // Compiling leaves gaps between the programs; copies made one after the other have none.
    let programs: Vec<Result<Program, String>> = compiled.iter().map(|rule| rule.program.clone()).collect();
    compiled.iter_mut().zip(programs).for_each(|(rule, program)| rule.program = program);
    Ok(compiled)
}

struct Context<'a> {
    pack: &'a ContextPack,
    positions: BTreeMap<&'a str, Vec<usize>>,
    sources: &'a EvidenceSources,
    tokenizer: &'a dyn Tokenizer,
}

impl Context<'_> {
    fn rule(&self, bundle: &PolicyBundle, rule: &Rule) -> Result<HydratedRule, CanonError> {
        let failed = RuleOutcome {
            allow: Some(false),
            reason: Some("The rule could not be evaluated.".to_owned()),
            ..RuleOutcome::default()
        };
        let outcome = |branch, outcome: &RuleOutcome| self.outcome(bundle, rule, branch, outcome);
        Ok(HydratedRule {
            rule_id: rule.rule_id.clone(),
            bundle_id: bundle.bundle_id.clone(),
            scope: rule.applies_to.clone(),
            enforcing: rule.non_enforcing != Some(true),
            decision_binding: rule.decision_binding.clone(),
            rationale: rule.rationale.clone(),
            then: outcome(RuleBranch::Then, &rule.then)?,
            otherwise: rule.otherwise.as_ref().map(|other| outcome(RuleBranch::Else, other)).transpose()?,
            error: outcome(RuleBranch::Error, &failed)?,
        })
    }

    fn outcome(
        &self,
        bundle: &PolicyBundle,
        rule: &Rule,
        branch: RuleBranch,
        outcome: &RuleOutcome,
    ) -> Result<HydratedOutcome, CanonError> {
        let gate = outcome.requires_approval_gate.clone();
        let verdict = match outcome.allow {
            Some(false) => RuleVerdict::Deny,
            _ if !outcome.requires.is_empty() || gate.is_some() => RuleVerdict::Require,
            _ => RuleVerdict::Allow,
        };
        let (mode, clamped_from) = self.mode(rule, outcome);
        let forbids: Vec<String> = outcome.forbidden().map(str::to_owned).collect();
        let places = |names: &[String]| -> Vec<usize> {
            let found = names.iter().filter_map(|name| self.positions.get(name.as_str())).flatten().copied();
            found.collect::<BTreeSet<usize>>().into_iter().collect()
        };
        let text = rule_text::render(rule, verdict, branch, outcome);
        Ok(HydratedOutcome {
            branch,
            verdict,
            reason: outcome.reason.clone(),
            requires: outcome.requires.clone(),
            requirements: requirements(&outcome.requires, self.sources),
            wants_person: gate.is_none() && outcome.requires.iter().any(|r| r == "approval"),
            gate,
            forbidden_tools: places(&forbids),
            forbids,
            mode,
            clamped_from,
            meant_tools: places(&outcome.capabilities),
            capabilities: outcome.capabilities.clone(),
            arguments: outcome.arg_constraints.clone(),
            ties: ties(&outcome.arg_constraints),
            hash: hash_of(&DECISION_TAG, &(&bundle.bundle_id, branch, rule))?,
            block: StaticText::new(text, self.tokenizer),
            provenance: [format!("bundle:{}", bundle.bundle_id), format!("rule:{}", rule.rule_id)],
        })
    }

    /// Returns the mode that a rule sets. Without capabilities it applies to the rule's decision, whose own mode is the
    /// maximum.
    fn mode(&self, rule: &Rule, outcome: &RuleOutcome) -> (Option<ApprovalMode>, Option<ApprovalMode>) {
        let Some(mode) = outcome.approval_mode else { return (None, None) };
        let specs = &self.pack.decision_layer.decision_specs;
        let bound = rule.decision_binding.as_ref().filter(|_| outcome.capabilities.is_empty());
        let ceiling = bound.and_then(|key| specs.iter().find(|s| s.decision_key == *key)).map(|s| s.approval_mode);
        match ceiling {
            Some(ceiling) if mode > ceiling => (Some(ceiling), Some(mode)),
            _ => (Some(mode), None),
        }
    }
}

/// Returns the gates in document order.
pub(super) fn gates(pack: &ContextPack) -> Vec<HydratedControl> {
    let gates = pack.policy_layer.approval_gates.iter();
    gates
        .map(|gate| {
            let approver = Approver { role: gate.required_approver_role.clone(), ttl_seconds: gate.ttl_seconds };
            HydratedControl {
                scope: gate.applies_to.clone(),
                approver: Some(approver),
                ..control(gate.gate_id.clone(), ControlKind::ApprovalGate, compile(&gate.when, Mode::Strict))
            }
        })
        .collect()
}

/// Returns the guardrails in document order, those of `must_refuse` first.
pub(super) fn guardrails(pack: &ContextPack) -> Vec<HydratedControl> {
    let guards = &pack.policy_layer.guardrails;
    let lists = [(ControlKind::MustRefuse, &guards.must_refuse), (ControlKind::MustEscalate, &guards.must_escalate)];
    let all = lists.into_iter().flat_map(|(kind, list)| list.iter().map(move |guardrail| (kind, guardrail)));
    all.map(|(kind, guardrail)| match guardrail {
        Guardrail::Label(id) => {
            HydratedControl { standing: true, ..control(id.clone(), kind, Err("a label".to_owned())) }
        }
        Guardrail::Predicate { id, when, .. } => control(id.clone(), kind, compile(when, Mode::Strict)),
    })
    .collect()
}

/// Returns a control with a predicate, for all requests.
fn control(id: String, kind: ControlKind, program: Result<Program, String>) -> HydratedControl {
    HydratedControl {
        id,
        kind,
        standing: false,
        reads_call: reads_call(&program),
        program,
        scope: None,
        approver: None,
    }
}
