//! What a compile gave, in the words of an expectation.
//!
//! Enters: an outcome with the records of its stages, and an expectation. Leaves: the same fields as they would have to
//! read for the case to pass. Must prove: a case passes if and only if nothing would have to read differently.

use super::compare::{all_reasons, tool_bounds, tool_checks, tool_names};
use super::stage_hash::stage_hashes;
use crate::dispatch::dispatch_as;
use crate::hydrate::Hydrated;
use crate::inputs::Inputs;
use crate::outcome::Outcome;
use crate::prompt::render;
use deed_diag::Invariant as _;
use deed_model::{
    ArgConstraint, Bucket, CallVerdict, CompileOutcome, CompiledContext, GoldenCall, GoldenExpectation, ItemStatus,
    RecordedStage, Stage,
};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// A compile as golden cases see it.
pub(crate) struct Observation<'o, 'a> {
    outcome: &'o Outcome<'a>,
    stages: BTreeMap<Stage, String>,
    /// What calls are decided with; none if nothing was compiled.
    compiled: Option<(&'o Hydrated, Inputs<'o>)>,
}

impl<'o, 'a> Observation<'o, 'a> {
    /// Observes a compile with a pack that could be made ready.
    pub(crate) fn of(
        (pack, inputs): (&'o Hydrated, Inputs<'o>),
        outcome: &'o Outcome<'a>,
        records: &[RecordedStage],
    ) -> Self {
        Self { outcome, stages: stage_hashes(pack, records), compiled: Some((pack, inputs)) }
    }

    /// Observes a refusal before anything was compiled.
    pub(super) fn before_compile(outcome: &'o Outcome<'a>) -> Self {
        Self { outcome, stages: BTreeMap::new(), compiled: None }
    }

    /// The stage that refused; none if the compile was not refused, or before the first stage.
    pub(super) fn refused_at(&self) -> Option<Stage> {
        match self.outcome {
            Outcome::Refused(refusal) => refusal.stage,
            Outcome::Compiled(_) | Outcome::MustEscalate(_) | Outcome::MustRefuse(_) => None,
        }
    }

    /// Returns the hashes of what each stage decided.
    pub(super) fn stages(&self) -> &BTreeMap<Stage, String> {
        &self.stages
    }

    /// Returns the verdict on a call; none if it cannot be decided.
    pub(super) fn verdict(&self, call: &GoldenCall) -> Option<CallVerdict> {
        let (pack, inputs) = self.compiled?;
        dispatch_as(pack, inputs, &call.call(), false).ok().map(|decided| decided.verdict)
    }

    /// Returns what the fields of an expectation would have to be. A field that cannot hold, such as the verdict of a rule
    /// that did not fire, is left out.
    pub(crate) fn expectation(&self, asked: &GoldenExpectation) -> GoldenExpectation {
        let mut now = match self.outcome {
            Outcome::Refused(refusal) => GoldenExpectation {
                outcome: CompileOutcome::Refused,
                code: asked.code.as_ref().map(|_| refusal.diagnostic.code.to_string()),
                ..GoldenExpectation::default()
            },
            Outcome::Compiled(context) | Outcome::MustEscalate(context) | Outcome::MustRefuse(context) => {
                compiled(asked, context)
            }
        };
        let known = |stage: &Stage| self.stages.get(stage).map(|hash| (*stage, hash.clone()));
        if now.outcome != CompileOutcome::Refused {
            let decided = asked.calls.iter().filter_map(|call| {
                let expect = self.verdict(call)?;
                Some(GoldenCall { expect, ..call.clone() })
            });
            now.calls = decided.collect();
        }
        now.stages = asked.stages.keys().filter_map(known).collect();
        now
    }

    /// Returns the expectations that a new case states: enough to notice every change of behaviour, and none that follows
    /// the pack's version.
    pub(crate) fn full(&self) -> GoldenExpectation {
        let context = match self.outcome {
            Outcome::Refused(refusal) => {
                return GoldenExpectation {
                    outcome: CompileOutcome::Refused,
                    code: Some(refusal.diagnostic.code.to_string()),
                    ..GoldenExpectation::default()
                };
            }
            Outcome::Compiled(context) | Outcome::MustEscalate(context) | Outcome::MustRefuse(context) => context,
        };
        let ledger = &context.context_ledger;
        let all = |list: &[Cow<'_, str>]| Some(list.iter().map(|text| text.to_string()).collect());
        let memory: Vec<String> = kept_memory(context).collect();
        GoldenExpectation {
            outcome: context.outcome.into(),
            rules: Some(ledger.policy_decisions.iter().map(|d| d.rule_id.to_string()).collect()),
            verdicts: ledger.policy_decisions.iter().map(|d| (d.rule_id.to_string(), d.verdict)).collect(),
            tools: Some(tool_names(context)),
            evidence: Some(evidence_refs(context)),
            memory: (!ledger.memory.is_empty()).then_some(memory),
            must_refuse: all(&context.runtime_controls.must_refuse),
            must_escalate: all(&context.runtime_controls.must_escalate),
            approval_gates_active: all(&context.runtime_controls.approval_gates_active),
            dropped: Some(dropped(context)),
            tokens_allocated: Bucket::ALL
                .into_iter()
                .map(|bucket| (bucket, context.budget_report.tokens_allocated.get(bucket)))
                .collect(),
            stages: self.stages.clone(),
            compiled_context_hash: Some(whole_hash(context)),
            ..GoldenExpectation::default()
        }
    }
}

fn compiled(asked: &GoldenExpectation, context: &CompiledContext<'_>) -> GoldenExpectation {
    let (ledger, controls) = (&context.context_ledger, &context.runtime_controls);
    let list = |asked: &Option<Vec<String>>, found: Vec<String>| asked.as_ref().map(|_| found);
    let texts = |list: &[Cow<'_, str>]| list.iter().map(|text| text.to_string()).collect::<Vec<_>>();
    let verdict = |rule: &String| ledger.policy_decisions.iter().find(|d| d.rule_id == **rule).map(|d| d.verdict);
    let checks = tool_checks(context);
    let evidence = all_reasons(ledger.evidence.iter().map(|e| (e.evidence_ref.as_ref(), e.reasons.as_slice())));
    let memory = all_reasons(ledger.memory.iter().map(|m| (m.id.as_ref(), m.reasons.as_slice())));
    let prompt = if asked.prompt_has.is_empty() && asked.prompt_lacks.is_empty() {
        String::new()
    } else {
        render(&context.compiled_prompt)
    };
    let blocks = context.compiled_prompt.context_blocks.iter().map(|block| block.block_id.to_string());
    GoldenExpectation {
        outcome: context.outcome.into(),
        code: None,
        rules: list(&asked.rules, ledger.policy_decisions.iter().map(|d| d.rule_id.to_string()).collect()),
        verdicts: known(&asked.verdicts, verdict),
        tools: list(&asked.tools, tool_names(context)),
        hidden: known(&asked.hidden, |tool| checks.get(tool).cloned()),
        arguments: arguments(asked, context),
        evidence: list(&asked.evidence, evidence_refs(context)),
        rejected_evidence: known(&asked.rejected_evidence, |item| evidence.get(item.as_str()).cloned()),
        memory: list(&asked.memory, kept_memory(context).collect()),
        rejected_memory: known(&asked.rejected_memory, |item| memory.get(item.as_str()).cloned()),
        must_refuse: list(&asked.must_refuse, texts(&controls.must_refuse)),
        must_escalate: list(&asked.must_escalate, texts(&controls.must_escalate)),
        approval_gates_active: list(&asked.approval_gates_active, texts(&controls.approval_gates_active)),
        redaction_rules_active: list(&asked.redaction_rules_active, texts(&controls.redaction_rules_active)),
        redactions: asked.redactions.as_ref().map(|asked| redactions(asked, context)),
        blocks: list(&asked.blocks, blocks.collect()),
        dropped: asked.dropped.as_ref().map(|asked| dropped_as(asked, context)),
        calls: Vec::new(),
        prompt_has: asked.prompt_has.iter().filter(|text| prompt.contains(text.as_str())).cloned().collect(),
        prompt_lacks: asked.prompt_lacks.iter().filter(|text| !prompt.contains(text.as_str())).cloned().collect(),
        tokens_allocated: known(&asked.tokens_allocated, |bucket| {
            Some(context.budget_report.tokens_allocated.get(*bucket))
        }),
        stages: BTreeMap::new(),
        compiled_context_hash: asked.compiled_context_hash.as_ref().map(|_| whole_hash(context)),
    }
}

/// The values of the keys that are asked for and exist.
fn known<K: Ord + Clone, V>(asked: &BTreeMap<K, V>, find: impl Fn(&K) -> Option<V>) -> BTreeMap<K, V> {
    asked.keys().filter_map(|key| find(key).map(|found| (key.clone(), found))).collect()
}

fn evidence_refs(context: &CompiledContext<'_>) -> Vec<String> {
    context.manifests.evidence_manifest.iter().map(|entry| entry.evidence_ref.to_string()).collect()
}

fn kept_memory<'c>(context: &'c CompiledContext<'_>) -> impl Iterator<Item = String> + 'c {
    let kept = context.context_ledger.memory.iter().filter(|memory| memory.status == ItemStatus::Kept);
    kept.map(|memory| memory.id.to_string())
}

fn whole_hash(context: &CompiledContext<'_>) -> String {
    context.context_ledger.compiled_context_hash.invariant("a compiled context has a hash").to_string()
}

/// The asked bounds that are in force; in place of another the first that binds the argument.
fn arguments(
    asked: &GoldenExpectation,
    context: &CompiledContext<'_>,
) -> BTreeMap<String, BTreeMap<String, ArgConstraint>> {
    let in_force = tool_bounds(context);
    let of_tool = |tool: &String, asked: &BTreeMap<String, ArgConstraint>| {
        let all = in_force.get(tool)?;
        let bound = |argument: &String, asked: &ArgConstraint| {
            let mut found = all.iter().filter_map(|bounds| bounds.get(argument));
            let same = found.clone().find(|bound| *bound == asked);
            same.or_else(|| found.next()).cloned()
        };
        Some(asked.iter().filter_map(|(name, own)| Some((name.clone(), bound(name, own)?))).collect())
    };
    let tools = asked.arguments.iter();
    tools.filter_map(|(tool, own)| Some((tool.clone(), of_tool(tool, own)?))).collect()
}

/// The counts of rules that are asked for and exist, and of all others that redact something.
fn redactions(asked: &BTreeMap<String, u64>, context: &CompiledContext<'_>) -> BTreeMap<String, u64> {
    let all = context.context_ledger.redactions.iter();
    let told = all.filter(|redaction| redaction.count > 0 || asked.contains_key(redaction.rule.as_ref()));
    told.map(|redaction| (redaction.rule.to_string(), redaction.count)).collect()
}

fn dropped(context: &CompiledContext<'_>) -> BTreeMap<Bucket, Vec<String>> {
    let lists = context.budget_report.dropped_block_ids.iter();
    let lists = lists.filter(|(_, ids)| !ids.is_empty());
    lists.map(|(bucket, ids)| (*bucket, ids.iter().map(|id| id.to_string()).collect())).collect()
}

/// The dropped blocks by bucket. A bucket that is asked for and loses nothing stays, with an empty list.
fn dropped_as(asked: &BTreeMap<Bucket, Vec<String>>, context: &CompiledContext<'_>) -> BTreeMap<Bucket, Vec<String>> {
    let mut found = dropped(context);
    for bucket in asked.keys() {
        found.entry(*bucket).or_default();
    }
    found
}
