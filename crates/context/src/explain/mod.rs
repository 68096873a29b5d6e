//! Explanations: why each item is in or out, with a tree for every predicate.

mod tree;
mod words;

use crate::hydrate::{CompiledRule, Hydrated, HydratedControl};
use crate::inputs::Inputs;
use crate::stages::Cx;
use crate::stages::intent::Intent;
use crate::stages::policy::context;
use deed_diag::Invariant as _;
use deed_logic::{Program, Scope};
use deed_model::{CompiledContext, ControlKind, DroppedBlock, ItemStatus, RuleBranch, RuleVerdict, Verdict};
use serde::Serialize;
use serde_json::Value;

/// The explanation of a compile.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct ContextExplanation<'a> {
    /// The verdict.
    pub outcome: Verdict,
    /// The reasons for the verdict.
    pub because: Vec<String>,
    /// Every rule that concerns the intent, fired or not.
    pub rules: Vec<RuleExplanation<'a>>,
    /// Every guardrail and gate.
    pub controls: Vec<ControlExplanation<'a>>,
    /// Every capability of the registry.
    pub tools: Vec<ItemExplanation>,
    /// Every piece of evidence.
    pub evidence: Vec<ItemExplanation>,
    /// Every memory.
    pub memory: Vec<ItemExplanation>,
    /// Every dropped block.
    pub dropped: Vec<DroppedBlock<'a>>,
}

/// A rule and its result.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct RuleExplanation<'a> {
    /// The rule.
    pub rule_id: &'a str,
    /// Its bundle.
    pub bundle_id: &'a str,
    /// The branch that applied, if any.
    pub branch: Option<RuleBranch>,
    /// The verdict.
    pub verdict: Option<RuleVerdict>,
    /// The result of every expression; `None` if the predicate does not compile.
    pub tree: Option<Value>,
    /// The tree as indented text.
    #[serde(skip)]
    pub text: String,
}

/// A guardrail or gate and its result.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct ControlExplanation<'a> {
    /// Its id.
    pub id: &'a str,
    /// The kind of control.
    pub kind: ControlKind,
    /// True if it is active.
    pub active: bool,
    /// The reason.
    pub why: String,
    /// The result of every expression; `None` for a label.
    pub tree: Option<Value>,
    /// The tree as indented text.
    #[serde(skip)]
    pub text: String,
}

/// An item that is in or out, with all reasons.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct ItemExplanation {
    /// A capability, a reference or an id.
    pub name: String,
    /// True for a tool that is surfaced, and for evidence and memory whose block is in the prompt.
    pub included: bool,
    /// The reasons.
    pub reasons: Vec<String>,
}

/// Explains a compiled context.
///
/// # Panics
/// If the context was not compiled with this pack: its intent must be one of the pack's.
pub fn explain<'a>(pack: &'a Hydrated, inputs: Inputs<'a>, context: &CompiledContext<'a>) -> ContextExplanation<'a> {
    let cx = Cx { pack, inputs, counts: None, call: None, pinned: true };
    ContextExplanation {
        outcome: context.outcome,
        because: words::because(context),
        rules: rules(cx, context),
        controls: controls(cx, context),
        tools: words::tools(cx, context),
        evidence: words::evidence(cx, context),
        memory: words::memory(cx, context),
        dropped: context.budget_report.dropped_blocks.clone(),
    }
}

/// The intent that the context was compiled for.
fn intent<'a>(cx: Cx<'a>, context: &CompiledContext<'_>) -> Intent<'a> {
    let entry = cx.pack.intents.get_key_value(context.context_ledger.intent.id.as_ref());
    let (id, entry) = entry.invariant("a context is explained with the pack that it was compiled with");
    Intent { id, entry }
}

/// Evaluates a predicate over the data that the compile saw, with every step.
fn tree(cx: Cx<'_>, intent: Intent<'_>, program: &Result<Program, String>) -> (Option<Value>, String) {
    match program {
        Ok(program) => {
            let over = context(cx, intent);
            let explanation = program.explain_in(&Scope::new(cx.inputs.run.fields(), &over));
            (Some(tree::value(&explanation, &cx.pack.redactor)), tree::text(&explanation, &cx.pack.redactor))
        }
        Err(error) => (None, error.clone()),
    }
}

fn rules<'a>(cx: Cx<'a>, context: &CompiledContext<'a>) -> Vec<RuleExplanation<'a>> {
    let intent = intent(cx, context);
    let mut decisions = context.context_ledger.policy_decisions.iter().peekable();
    let explained = intent.entry.rules.iter().map(|at| {
        let CompiledRule { program, rule, .. } =
            cx.pack.rules.get(*at).invariant("every rule of an intent is a rule of the pack");
        let own = |d: &&deed_model::PolicyDecision<'_>| d.rule_id == rule.rule_id && d.bundle_id == rule.bundle_id;
        let decision = decisions.next_if(own);
        let (tree, text) = tree(cx, intent, program);
        RuleExplanation {
            rule_id: &rule.rule_id,
            bundle_id: &rule.bundle_id,
            branch: decision.map(|d| d.branch),
            verdict: decision.map(|d| d.verdict),
            tree,
            text,
        }
    });
    explained.collect()
}

fn controls<'a>(cx: Cx<'a>, context: &CompiledContext<'a>) -> Vec<ControlExplanation<'a>> {
    let ledger = &context.context_ledger;
    let intent = intent(cx, context);
    let explained = |control: &'a HydratedControl| {
        if control.standing {
            let why = "a static label: the model sees it, and it changes no outcome by itself".to_owned();
            return ControlExplanation {
                id: &control.id,
                kind: control.kind,
                active: false,
                why,
                tree: None,
                text: String::new(),
            };
        }
        let own = ledger.controls.iter().find(|c| c.id == control.id && c.kind == control.kind);
        let (tree, text) = tree(cx, intent, &control.program);
        let active = own.is_some_and(|c| c.active);
        ControlExplanation { id: &control.id, kind: control.kind, active, why: words::control(own), tree, text }
    };
    cx.pack.guardrails.iter().chain(&cx.pack.gates).map(explained).collect()
}

/// Returns true if an item is in the prompt.
fn is_in(status: ItemStatus) -> bool {
    status == ItemStatus::Kept
}
