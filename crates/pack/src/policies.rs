//! Every predicate of a pack, compiled once and shared by the gates.

use crate::context_types::evaluation_context;
use crate::pointer::pointer;
use deed_diag::Invariant as _;
use deed_logic::{CompileError, Mode, Program, Sat, Term, Ty, satisfiable};
use deed_model::{ApprovalGate, ContextPack, Guardrail, PolicyBundle, PolicyLanguage, Rule};
use serde_json::Value;
use std::collections::BTreeMap;

/// A predicate, its place and its compilation.
#[derive(Debug)]
pub(crate) struct Predicate {
    /// JSON Pointer of the predicate in the pack.
    pub(crate) pointer: String,
    /// The program, or every compile error.
    pub(crate) program: Result<Program, Vec<CompileError>>,
}

impl Predicate {
    fn new(pointer: String, source: &Value, mode: Mode) -> Self {
        Self { pointer, program: Program::compile(source, mode) }
    }

    /// The satisfiability, if the predicate compiled. One that reads nothing is simply evaluated.
    pub(crate) fn holds(&self, context: &Ty) -> Option<Sat> {
        let program = self.program()?;
        if program.variables().is_empty() {
            match program.test(&Value::Null) {
                Ok(true) => return Some(Sat::Always),
                Ok(false) => return Some(Sat::Never { reason: "it is constant and false".to_owned() }),
                Err(_) => {}
            }
        }
        Some(satisfiable(&[Term { program, holds: true }], context))
    }

    /// Returns the program, if it compiled.
    pub(crate) fn program(&self) -> Option<&Program> {
        self.program.as_ref().ok()
    }
}

/// The compiled predicates of a pack, in document order.
#[derive(Debug)]
pub(crate) struct Policies {
    rules: Vec<Predicate>,
    gates: Vec<Predicate>,
    guardrails: Vec<(String, Predicate)>,
    gate_index: BTreeMap<String, usize>,
    /// The type of the context.
    pub(crate) context: Ty,
    contexts: BTreeMap<String, Ty>,
}

/// A rule together with its bundle, its place and its predicate.
#[derive(Clone, Copy)]
pub(crate) struct RuleView<'a> {
    pub(crate) bundle: &'a PolicyBundle,
    pub(crate) rule: &'a Rule,
    pub(crate) bundle_index: usize,
    pub(crate) rule_index: usize,
    pub(crate) predicate: &'a Predicate,
}

impl<'a> RuleView<'a> {
    /// Returns the JSON Pointer of the rule.
    pub(crate) fn pointer(&self) -> String {
        rule_pointer(self.bundle_index, self.rule_index)
    }

    /// Returns the JSON Pointer of a part of the rule.
    pub(crate) fn part(&self, name: &str) -> String {
        deed_canon::Pointer::push(&self.pointer(), name)
    }

    /// Returns the one intent that the rule is limited to; none if it applies to several or to all.
    pub(crate) fn intent(&self) -> Option<&'a str> {
        let mut named = self.rule.applies_to.as_ref()?.named();
        named.next().filter(|_| named.next().is_none())
    }

    /// Returns true if the rule applies to requests of an intent.
    pub(crate) fn covers(&self, intent: &str) -> bool {
        self.rule.applies_to.as_ref().is_none_or(|scope| scope.covers(intent))
    }
}

fn rule_pointer(bundle: usize, rule: usize) -> String {
    pointer!("policy_layer", "policy_bundles", bundle, "policy_dsl", "rules", rule)
}

/// Returns the mode of a policy language.
pub fn mode_of(language: PolicyLanguage) -> Mode {
    match language {
        PolicyLanguage::Strict => Mode::Strict,
        PolicyLanguage::Compat => Mode::Compat,
    }
}

impl Policies {
    /// Compiles every predicate of a pack.
    pub(crate) fn compile(pack: &ContextPack) -> Self {
        let mut rules = Vec::new();
        for (b, bundle) in pack.policy_layer.policy_bundles.iter().enumerate() {
            let mode = mode_of(bundle.policy_dsl.language);
            for (r, rule) in bundle.policy_dsl.rules.iter().enumerate() {
                let at = deed_canon::Pointer::push(&rule_pointer(b, r), "if");
                rules.push(Predicate::new(at, &rule.condition, mode));
            }
        }
        let approval_gates = &pack.policy_layer.approval_gates;
        let gates = approval_gates
            .iter()
            .enumerate()
            .map(|(i, gate)| {
                Predicate::new(pointer!("policy_layer", "approval_gates", i, "when"), &gate.when, Mode::Strict)
            })
            .collect();
        let gate_index = approval_gates.iter().enumerate().map(|(i, g)| (g.gate_id.clone(), i)).collect();
        let guards = &pack.policy_layer.guardrails;
        let guardrails = [("must_refuse", &guards.must_refuse), ("must_escalate", &guards.must_escalate)]
            .into_iter()
            .flat_map(|(list, items)| items.iter().enumerate().map(move |(i, item)| (list, i, item)))
            .filter_map(|(list, i, item)| match item {
                Guardrail::Label(_) => None,
                Guardrail::Predicate { id, when, .. } => {
                    let at = pointer!("policy_layer", "guardrails", list, i, "when");
                    Some((id.clone(), Predicate::new(at, when, Mode::Strict)))
                }
            })
            .collect();
        let contexts = pack.intents().into_iter().map(|i| (i.to_owned(), evaluation_context(pack, Some(i)))).collect();
        Self { rules, gates, guardrails, gate_index, context: evaluation_context(pack, None), contexts }
    }

    /// Returns the type of the context for a rule that is limited to an intent.
    pub(crate) fn context_for(&self, intent: Option<&str>) -> &Ty {
        intent.and_then(|i| self.contexts.get(i)).unwrap_or(&self.context)
    }

    /// Iterates over every rule in document order.
    pub(crate) fn rules<'a>(&'a self, pack: &'a ContextPack) -> impl Iterator<Item = RuleView<'a>> {
        let views = pack.policy_layer.policy_bundles.iter().enumerate().flat_map(|(bundle_index, bundle)| {
            bundle
                .policy_dsl
                .rules
                .iter()
                .enumerate()
                .map(move |(rule_index, rule)| (bundle, rule, bundle_index, rule_index))
        });
        let mut predicates = self.rules.iter();
        views.map(move |view| (view, predicates.next().invariant("every rule has its predicate"))).map(
            |((bundle, rule, bundle_index, rule_index), predicate)| RuleView {
                bundle,
                rule,
                bundle_index,
                rule_index,
                predicate,
            },
        )
    }

    /// Iterates over every gate in document order.
    pub(crate) fn gates<'a>(
        &'a self,
        pack: &'a ContextPack,
    ) -> impl Iterator<Item = (usize, &'a ApprovalGate, &'a Predicate)> {
        let mut predicates = self.gates.iter();
        let gates = pack.policy_layer.approval_gates.iter().enumerate();
        gates.map(move |(i, gate)| (i, gate, predicates.next().invariant("every gate has its predicate")))
    }

    /// Returns the predicate of a gate.
    pub(crate) fn gate(&self, gate_id: &str) -> Option<&Predicate> {
        self.gate_index.get(gate_id).map(|i| self.gates.get(*i).invariant("the index names a gate"))
    }

    /// Iterates over every guardrail that has a predicate.
    pub(crate) fn guardrails(&self) -> impl Iterator<Item = (&str, &Predicate)> {
        self.guardrails.iter().map(|(id, predicate)| (id.as_str(), predicate))
    }

    /// Iterates over every predicate.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Predicate> {
        self.rules.iter().chain(&self.gates).chain(self.guardrails.iter().map(|(_, p)| p))
    }
}
