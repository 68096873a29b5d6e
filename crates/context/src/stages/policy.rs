//! Stage 2, policy.
//!
//! Enters: guardrails, rules of the intent, gates, and the evaluation context. Leaves: a decision for every rule that
//! fired or failed, and the active controls. Must prove: every decision has its ids, verdict and obligations; an error
//! in an enforcing rule denies, and a control that cannot be evaluated is active.

use super::Cx;
use super::intent::Intent;
use crate::decided::PolicyView;
use crate::hydrate::{CompiledRule, HydratedControl, HydratedOutcome, HydratedRule};
use crate::redacted::{Redacted, RedactedFields};
use crate::refusal::Refusal;
use crate::seal::{StageOutput, no_canonical_form};
use deed_canon::{ContentHash, TypeTag, derive_id, hash_of};
use deed_diag::{Code, Invariant as _, codes};
use deed_logic::{EvalError, EvalErrorKind, Program, Scope, Truth};
use deed_model::{ControlKind, LedgerControl, LedgerNotice, PolicyDecision, RuleBranch, RuleVerdict, Stage};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::Value;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// The field of the evaluation context that is not known while compiling.
const CALL: &str = "call";
const READS_TAG: TypeTag = TypeTag::literal("deed/policy-reads/v1");

/// The result of policy.
pub(crate) struct Policy<'a> {
    intent: Intent<'a>,
    pub(crate) decisions: Vec<PolicyDecision<'a>>,
    /// The applied branch of each rule, in the same order as the decisions.
    pub(crate) fired: Vec<(&'a HydratedRule, &'a HydratedOutcome)>,
    pub(crate) controls: Vec<LedgerControl<'a>>,
    pub(crate) notices: Vec<LedgerNotice<'a>>,
    /// Rules whose predicate depends on the call, in order of evaluation.
    pub(crate) pending: Vec<&'a HydratedRule>,
    /// Rules that could not be evaluated: those that deny for it, and those that are skipped.
    pub(crate) failed: Vec<&'a HydratedRule>,
    active_gates: BTreeSet<Cow<'a, str>>,
    /// Gates whose predicate depends on the call.
    pending_gates: BTreeSet<&'a str>,
}

#[derive(Serialize)]
struct Read<'a> {
    layer: ContentHash,
    values: Reads<'a>,
}

pub(crate) fn resolve<'a>(cx: Cx<'a>, intent: Intent<'a>) -> Result<Policy<'a>, Refusal> {
    let over = context(cx, intent);
    let scope = Scope::new(cx.inputs.run.fields(), &over);
    let reads = Reads::of(cx, intent);
    let read_hash = hash_of(&READS_TAG, &reads).map_err(|error| no_canonical_form(Stage::Policy, &error))?;
    // Capacity for all rules: unused memory is never touched.
    let room = intent.entry.rules.len();
    let mut policy = Policy {
        intent,
        decisions: Vec::with_capacity(room),
        fired: Vec::with_capacity(room),
        controls: Vec::new(),
        notices: Vec::new(),
        pending: Vec::new(),
        failed: Vec::new(),
        active_gates: BTreeSet::new(),
        pending_gates: BTreeSet::new(),
    };
    policy.guardrails(cx, &scope);
    policy.rules(cx, &scope, &read_hash);
    policy.gates(cx, &scope);
    Ok(policy)
}

impl<'a> StageOutput<'a> for Policy<'a> {
    const STAGE: Stage = Stage::Policy;

    fn reads(&self, cx: Cx<'a>) -> impl Serialize {
        Read { layer: cx.pack.layers.policy, values: Reads::of(cx, self.intent) }
    }

    fn decided(&self, _: Cx<'a>) -> impl Serialize {
        PolicyView { controls: &self.controls, decisions: &self.decisions, depends_on_call: self.depends_on_call() }
    }
}

/// Returns the values that override the fields of the run context. Without a call, `call` is never read from here: it
/// is unknown.
pub(crate) fn context<'a>(cx: Cx<'a>, intent: Intent<'a>) -> [(&'a str, &'a Value); 5] {
    [
        (CALL, cx.call.unwrap_or(&Value::Null)),
        ("request", cx.inputs.request.value()),
        ("intent", &intent.entry.value),
        ("tenant", tenant(cx)),
        ("env", &cx.pack.env),
    ]
}

/// Returns the tenant of the run. The pack knows the name of its own tenant; a shared pack serves others too.
fn tenant(cx: Cx<'_>) -> &Value {
    let own = cx.pack.pack.pack_meta.tenant.tenant_id == cx.inputs.run.context().tenant_id;
    if own { &cx.pack.tenant } else { cx.inputs.run.tenant() }
}

impl<'a> Policy<'a> {
    fn guardrails(&mut self, cx: Cx<'a>, scope: &Scope<'_>) {
        for guardrail in cx.pack.guardrails.iter().filter(|g| !g.standing) {
            let control = self.control(cx, guardrail, scope);
            self.controls.push(control);
        }
    }

    fn gates(&mut self, cx: Cx<'a>, scope: &Scope<'_>) {
        let mut naming: BTreeMap<&str, Vec<Cow<'a, str>>> = BTreeMap::new();
        for (rule, outcome) in &self.fired {
            if let Some(gate) = outcome.gate.as_deref() {
                naming.entry(gate).or_default().push(Cow::Borrowed(&rule.rule_id));
            }
        }
        for gate in &cx.pack.gates {
            let mut control = self.control(cx, gate, scope);
            control.named_by = naming.remove(gate.id.as_str()).unwrap_or_default();
            control.active |= !control.named_by.is_empty();
            self.controls.push(control);
        }
        // Lint refuses a pack with an undeclared gate; without lint, the gate still requires a person.
        for (_, outcome) in &self.fired {
            let Some(gate) = outcome.gate.as_deref() else { continue };
            let Some(named_by) = naming.remove(gate) else { continue };
            let message = format!("the gate `{gate}`, which rules demand, is not declared in the pack");
            self.notices.push(notice(codes::UNDECLARED_GATE_DEMANDED, message));
            let (id, kind) = (Cow::Borrowed(gate), ControlKind::ApprovalGate);
            let (depends_on_call, error) = (false, None);
            self.controls.push(LedgerControl { active: true, depends_on_call, error, id, kind, named_by });
        }
        self.active_gates = self.active(ControlKind::ApprovalGate).map(|control| control.id.clone()).collect();
    }

    /// A control whose predicate fails is active. One for other intents is silent, and so is one that depends on the
    /// call until there is one.
    fn control(&mut self, cx: Cx<'a>, control: &'a HydratedControl, scope: &Scope<'_>) -> LedgerControl<'a> {
        let truth = match control.concerns(self.intent.id) {
            true => test(cx, &control.program, control.reads_call, scope),
            false => Ok(Truth::Fails),
        };
        let (active, error) = match &truth {
            Ok(truth) => (*truth == Truth::Holds, None),
            Err(error) => {
                let message = format!("`{}` could not be evaluated and counts as active: {error}", control.id);
                self.notices.push(notice(codes::CONTROL_FAILED, message));
                (true, Some(Cow::Owned(error.clone())))
            }
        };
        let depends_on_call = truth == Ok(Truth::Depends);
        if depends_on_call && control.kind == ControlKind::ApprovalGate {
            self.pending_gates.insert(&control.id);
        }
        let (id, kind, named_by) = (Cow::Borrowed(control.id.as_str()), control.kind, Vec::new());
        LedgerControl { active, depends_on_call, error, id, kind, named_by }
    }

    fn rules(&mut self, cx: Cx<'a>, scope: &Scope<'_>, reads: &ContentHash) {
        for at in &self.intent.entry.rules {
            let CompiledRule { program, reads_call, rule } =
                cx.pack.rules.get(*at).invariant("every rule of an intent is a rule of the pack");
            let (outcome, error) = match test(cx, program, *reads_call, scope) {
                Ok(Truth::Holds) => (Some(&rule.then), None),
                Ok(Truth::Fails) => (rule.otherwise.as_ref(), None),
                Ok(Truth::Depends) => {
                    self.pending.push(rule);
                    continue;
                }
                Err(error) if rule.enforcing => {
                    self.failed.push(rule);
                    (Some(&rule.error), Some(error))
                }
                Err(error) => {
                    self.failed.push(rule);
                    let message = format!("`{}` is not enforcing and was skipped: {error}", rule.rule_id);
                    self.notices.push(notice(codes::RULE_SKIPPED, message));
                    (None, None)
                }
            };
            let Some(outcome) = outcome else { continue };
            if let (Some(from), Some(to)) = (outcome.clamped_from, outcome.mode) {
                let message = format!("`{}` sets {from}, above its decision: {to} counts", rule.rule_id);
                self.notices.push(notice(codes::RULE_MODE_CLAMPED, message));
            }
            self.decisions.push(decision(rule, outcome, error, reads));
            self.fired.push((rule, outcome));
        }
    }

    /// Computes a value over the evaluation context, without the call.
    pub(crate) fn value(&self, cx: Cx<'a>, program: &Program) -> Result<Value, String> {
        let over = context(cx, self.intent);
        program.eval_in(&Scope::new(cx.inputs.run.fields(), &over)).map_err(|error| without_values(&error))
    }

    /// Returns the ids of the rules that depend on the call.
    pub(crate) fn depends_on_call(&self) -> Vec<Cow<'a, str>> {
        self.pending.iter().map(|rule| Cow::Borrowed(rule.rule_id.as_str())).collect()
    }

    /// Returns true if a gate may become active with a call.
    pub(crate) fn is_pending(&self, gate: &str) -> bool {
        self.pending_gates.contains(gate) && !self.is_active(gate)
    }

    /// Returns true if a gate is active.
    pub(crate) fn is_active(&self, gate: &str) -> bool {
        self.active_gates.contains(gate)
    }

    /// Iterates over the active controls of a kind, in order.
    pub(crate) fn active(&self, kind: ControlKind) -> impl Iterator<Item = &LedgerControl<'a>> {
        self.controls.iter().filter(move |c| c.active && c.kind == kind)
    }

    /// Iterates over the rules that denied, in order.
    pub(crate) fn denials(&self) -> impl Iterator<Item = &PolicyDecision<'a>> {
        self.decisions.iter().filter(|d| d.verdict == RuleVerdict::Deny)
    }
}

fn notice<'a>(code: Code, message: String) -> LedgerNotice<'a> {
    LedgerNotice { code: Cow::Borrowed(code.as_str()), message: Cow::Owned(message), stage: Stage::Policy }
}

fn test(cx: Cx<'_>, program: &Result<Program, String>, reads_call: bool, scope: &Scope<'_>) -> Result<Truth, String> {
    let program = program.as_ref().map_err(Clone::clone)?;
    let truth = match reads_call && cx.call.is_none() {
        true => program.test_before(scope, CALL),
        false => program.test_in(scope).map(|holds| if holds { Truth::Holds } else { Truth::Fails }),
    };
    truth.map_err(|error| without_values(&error))
}

/// Describes an error without the values involved, which may be personal data.
pub(crate) fn without_values(error: &EvalError) -> String {
    let what = match &error.kind {
        EvalErrorKind::TypeMismatch { op, expected, .. } => format!("`{op}` needs {expected}"),
        EvalErrorKind::MixedComparison { op, .. } => format!("`{op}` cannot compare values of different types"),
        EvalErrorKind::NotBoolean { .. } => "a condition must be true or false".to_owned(),
        EvalErrorKind::MissingVariable { .. }
        | EvalErrorKind::DivisionByZero
        | EvalErrorKind::NotANumber
        | EvalErrorKind::Infinite
        | EvalErrorKind::Undefined
        | EvalErrorKind::StepLimit { .. }
        | EvalErrorKind::TooDeep { .. }
        | EvalErrorKind::SplitCharacter
        | EvalErrorKind::DataAsLogic
        | EvalErrorKind::Throws { .. } => error.to_string(),
    };
    if error.pointer.is_empty() { what } else { format!("{what} (at {})", error.pointer) }
}

fn decision<'a>(
    rule: &'a HydratedRule,
    outcome: &'a HydratedOutcome,
    error: Option<String>,
    reads: &ContentHash,
) -> PolicyDecision<'a> {
    let borrow = |texts: &'a [String]| texts.iter().map(|t| Cow::Borrowed(t.as_str())).collect();
    PolicyDecision {
        approval_gate: outcome.gate.as_deref().map(Cow::Borrowed),
        approval_mode: outcome.mode,
        arg_constraints: (!outcome.arguments.is_empty()).then_some(Cow::Borrowed(&outcome.arguments)),
        branch: outcome.branch,
        bundle_id: Cow::Borrowed(&rule.bundle_id),
        capabilities: borrow(&outcome.capabilities),
        decision_binding: rule.decision_binding.as_deref().map(Cow::Borrowed),
        error: error.map(|why| Cow::Owned(format!("policy_eval_error: {why}"))),
        forbids: borrow(&outcome.forbids),
        policy_decision_id: Cow::Owned(decision_id(outcome, reads)),
        rationale: rule.rationale.as_deref().map(Cow::Borrowed),
        reason: outcome.reason.as_deref().filter(|_| outcome.branch != RuleBranch::Error).map(Cow::Borrowed),
        requires: borrow(&outcome.requires),
        rule_id: Cow::Borrowed(&rule.rule_id),
        verdict: outcome.verdict,
    }
}

/// Derives the id of a decision: the same branch of the same rule over the same values has the same id, so that a retry
/// is recognised.
fn decision_id(outcome: &HydratedOutcome, reads: &ContentHash) -> String {
    let mut both = [0u8; 64];
    let (first, second) = both.split_at_mut(32);
    first.copy_from_slice(outcome.hash.as_bytes());
    second.copy_from_slice(reads.as_bytes());
    derive_id("pol", &ContentHash::of_bytes(&both))
}

/// The values that predicates read, by path; all of run and request if a predicate may read anything.
struct Reads<'a> {
    cx: Cx<'a>,
    over: [(&'a str, &'a Value); 5],
    intent: &'a crate::hydrate::HydratedIntent,
}

impl<'a> Reads<'a> {
    fn of(cx: Cx<'a>, intent: Intent<'a>) -> Self {
        Self { cx, over: context(cx, intent), intent: intent.entry }
    }
}

impl Serialize for Reads<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let redactor = &self.cx.pack.redactor;
        let mut out = serializer.serialize_map(None)?;
        if self.intent.reads.everything {
            out.serialize_entry("*run", &RedactedFields(self.cx.inputs.run.fields(), redactor))?;
            for (name, value) in self.over.into_iter().filter(|(name, _)| *name != CALL) {
                out.serialize_entry(&format!("*{name}"), &Redacted(value, redactor))?;
            }
            return out.end();
        }
        let scope = Scope::new(self.cx.inputs.run.fields(), &self.over);
        for (name, path) in &self.intent.reads.paths {
            if let Some(value) = look_up(&scope, path) {
                out.serialize_entry(name, &Redacted(value, redactor))?;
            }
        }
        out.end()
    }
}

fn look_up<'a>(scope: &Scope<'a>, path: &[String]) -> Option<&'a Value> {
    let (first, rest) = path.split_first()?;
    let mut value = scope.get(first)?;
    for segment in rest {
        value = match value {
            Value::Object(fields) => fields.get(segment)?,
            Value::Array(items) => match segment.parse::<usize>() {
                Ok(index) => items.get(index)?,
                // For example its length: the whole array is recorded instead.
                Err(_) => return Some(value),
            },
            _ => return Some(value),
        };
    }
    Some(value)
}
