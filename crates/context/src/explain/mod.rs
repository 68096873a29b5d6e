//! Why everything is in or out, in words, with a tree for every predicate.

mod tree;
mod words;

use crate::hydrate::{Hydrated, HydratedControl, Rules};
use crate::inputs::Inputs;
use crate::stages::Cx;
use crate::stages::intent::Intent;
use crate::stages::policy::context;
use deed_logic::{Program, Scope};
use deed_model::{CompiledContext, ControlKind, DroppedBlock, ItemStatus, RuleBranch, RuleVerdict, Verdict};
use serde::Serialize;
use serde_json::Value;

/// Why a compile came out as it did.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Explained<'a> {
    /// What the runtime must do.
    pub outcome: Verdict,
    /// What made it so.
    pub because: Vec<String>,
    /// Every rule that concerns the intent, fired or not.
    pub rules: Vec<ExplainedRule<'a>>,
    /// Every guardrail and gate.
    pub controls: Vec<ExplainedControl<'a>>,
    /// Every capability of the registry.
    pub tools: Vec<Why>,
    /// Every piece of evidence.
    pub evidence: Vec<Why>,
    /// Every memory.
    pub memory: Vec<Why>,
    /// Every block that found no room.
    pub dropped: Vec<DroppedBlock<'a>>,
}

/// A rule and what came of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ExplainedRule<'a> {
    /// The rule.
    pub rule_id: &'a str,
    /// Its bundle.
    pub bundle_id: &'a str,
    /// The part that spoke; nothing where none did.
    pub branch: Option<RuleBranch>,
    /// How strongly.
    pub verdict: Option<RuleVerdict>,
    /// What happened at every expression; nothing where the predicate does not compile.
    pub tree: Option<Value>,
    /// The same as indented text.
    #[serde(skip)]
    pub text: String,
}

/// A guardrail or gate and what came of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ExplainedControl<'a> {
    /// Its id.
    pub id: &'a str,
    /// What it is.
    pub kind: ControlKind,
    /// Whether it is active.
    pub active: bool,
    /// Why.
    pub why: String,
    /// What happened at every expression; nothing for a label.
    pub tree: Option<Value>,
    /// The same as indented text.
    #[serde(skip)]
    pub text: String,
}

/// Something that is in or out, and all the reasons.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Why {
    /// A capability, a reference or an id.
    pub name: String,
    /// True for a tool that is surfaced, and for evidence and memory whose block is in the prompt.
    pub included: bool,
    /// Why, one reason each.
    pub reasons: Vec<String>,
}

/// Explains a compiled context. Pack and inputs must be those that it was compiled from.
pub fn explain<'a>(pack: &'a Hydrated, inputs: Inputs<'a>, context: &CompiledContext<'a>) -> Explained<'a> {
    let cx = Cx { pack, inputs, counts: None, pinned: true };
    Explained {
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

/// The predicates over the same data that the compile saw.
fn over<'a>(cx: Cx<'a>, context_id: &str) -> Option<[(&'a str, &'a Value); 4]> {
    let (id, entry) = cx.pack.intents.get_key_value(context_id)?;
    Some(context(cx, &Intent { id, entry }))
}

fn tree(cx: Cx<'_>, intent: &str, program: &Result<Program, String>) -> (Option<Value>, String) {
    match (program, over(cx, intent)) {
        (Ok(program), Some(over)) => {
            let explanation = program.explain_in(&Scope::new(cx.inputs.run.fields(), &over));
            (Some(tree::value(&explanation, &cx.pack.redactor)), tree::text(&explanation, &cx.pack.redactor))
        }
        (Err(error), _) => (None, error.clone()),
        (Ok(_), None) => (None, String::new()),
    }
}

fn rules<'a>(cx: Cx<'a>, context: &CompiledContext<'a>) -> Vec<ExplainedRule<'a>> {
    let intent = &context.context_ledger.intent.id;
    let all = cx.pack.intents.get(intent.as_ref()).map(|entry| entry.rules.as_slice()).unwrap_or_default();
    let mut decisions = context.context_ledger.policy_decisions.iter().peekable();
    let Rules { rules, programs } = &cx.pack.rules;
    let explained = all.iter().filter_map(|at| {
        let (rule, program) = (rules.get(*at)?, programs.get(*at)?);
        let own = |d: &&deed_model::PolicyDecision<'_>| d.rule_id == rule.rule_id && d.bundle_id == rule.bundle_id;
        let decision = decisions.next_if(own);
        let (tree, text) = tree(cx, intent, program);
        Some(ExplainedRule {
            rule_id: &rule.rule_id,
            bundle_id: &rule.bundle_id,
            branch: decision.map(|d| d.branch),
            verdict: decision.map(|d| d.verdict),
            tree,
            text,
        })
    });
    explained.collect()
}

fn controls<'a>(cx: Cx<'a>, context: &CompiledContext<'a>) -> Vec<ExplainedControl<'a>> {
    let ledger = &context.context_ledger;
    let explained = |control: &'a HydratedControl| {
        if control.standing {
            let why = "a standing label: it is told to the model and changes no outcome by itself".to_owned();
            return ExplainedControl {
                id: &control.id,
                kind: control.kind,
                active: false,
                why,
                tree: None,
                text: String::new(),
            };
        }
        let own = ledger.controls.iter().find(|c| c.id == control.id && c.kind == control.kind);
        let (tree, text) = tree(cx, &ledger.intent.id, &control.program);
        let active = own.is_some_and(|c| c.active);
        ExplainedControl { id: &control.id, kind: control.kind, active, why: words::control(own), tree, text }
    };
    cx.pack.guardrails.iter().chain(&cx.pack.gates).map(explained).collect()
}

/// Whether an item is in the prompt.
fn is_in(status: ItemStatus) -> bool {
    status == ItemStatus::Kept
}
