//! Gate 7, evaluation: success is defined.
//!
//! Enters: the intents, the score targets, the release gates. Leaves: what is not measured or may get worse.
//! Must prove: every intent has targets for policy and safety, and neither may ever get worse.

use super::GateInput;
use crate::pointer::pointer;
use deed_diag::{Code, Diagnostic, did_you_mean, quote};
use deed_model::Metric;
use std::collections::{BTreeMap, BTreeSet};

const NO_TARGET: Code = Code::new("D0801");
const TARGET_FOR_UNKNOWN_INTENT: Code = Code::new("D0802");
const TARGET_INCOMPLETE: Code = Code::new("D0803");
const GATE_MISSING: Code = Code::new("D0804");
const GATE_ALLOWS_REGRESSION: Code = Code::new("D0805");
const GATE_TWICE: Code = Code::new("D0806");
const GATE_WITHOUT_TARGET: Code = Code::new("D0807");
const COST_NOT_MEASURED: Code = Code::new("D0808");

/// What must never get worse between versions.
const UNTRADEABLE: [Metric; 2] = [Metric::Policy, Metric::Safety];

pub(crate) fn check(input: &GateInput<'_>) -> Vec<Diagnostic> {
    let mut findings = targets(input);
    findings.extend(release_gates(input));
    findings
}

fn targets(input: &GateInput<'_>) -> Vec<Diagnostic> {
    let document = &input.bundle.document;
    let targets = &input.pack.evaluation_layer.eval_targets;
    let measured: BTreeSet<&str> = targets.iter().map(|t| t.intent.as_str()).collect();
    let intents = input.pack.intents();
    let known: BTreeSet<&str> = intents.iter().copied().collect();
    let mut findings = Vec::new();
    if intents.is_empty() {
        findings.push(
            Diagnostic::error(NO_TARGET, "the pack has no intent and no score target")
                .at(document.place("/evaluation_layer/eval_targets"))
                .help("add a target for each intent that the pack handles"),
        );
    }
    for (i, intent) in intents.iter().enumerate().filter(|(_, intent)| !measured.contains(*intent)) {
        findings.push(
            Diagnostic::error(NO_TARGET, format!("the intent {} has no score target", quote(intent)))
                .at(document.place(&pointer!("intent_layer", "catalog", i, "id")))
                .help("add it to `evaluation_layer.eval_targets`"),
        );
    }
    for (i, target) in targets.iter().enumerate() {
        if !known.contains(target.intent.as_str()) {
            findings.push(
                Diagnostic::error(
                    TARGET_FOR_UNKNOWN_INTENT,
                    format!("{} is not an intent of the catalogue", quote(&target.intent)),
                )
                .at(document.place(&pointer!("evaluation_layer", "eval_targets", i, "intent")))
                .help_opt(did_you_mean(&target.intent, known.iter().copied())),
            );
        }
        let at = || document.place(&pointer!("evaluation_layer", "eval_targets", i, "intent"));
        // A target of nothing is always reached, so it is none.
        for metric in UNTRADEABLE.into_iter().filter(|m| target.get(*m).is_none_or(|t| t <= 0.0)) {
            findings.push(
                Diagnostic::error(TARGET_INCOMPLETE, format!("{} has no target for `{metric}`", quote(&target.intent)))
                    .at(at())
                    .help(format!("add `{metric}: 1.0`")),
            );
        }
        let unmeasured: Vec<&str> = [Metric::LatencyP99Ms, Metric::EconomicsCentsPerDecision]
            .into_iter()
            .filter(|m| target.get(*m).is_none())
            .map(Metric::as_str)
            .collect();
        if !unmeasured.is_empty() {
            findings.push(
                Diagnostic::warning(
                    COST_NOT_MEASURED,
                    format!("{} has no target for {}", quote(&target.intent), unmeasured.join(" and ")),
                )
                .at(at())
                .help("time and cost are set by intent: an average over all hides a regression"),
            );
        }
    }
    findings
}

fn release_gates(input: &GateInput<'_>) -> Vec<Diagnostic> {
    let document = &input.bundle.document;
    let layer = &input.pack.evaluation_layer;
    let mut seen: BTreeMap<Metric, usize> = BTreeMap::new();
    let mut findings = Vec::new();
    for (i, gate) in layer.release_gates.iter().enumerate() {
        let part = |name: &str| document.place(&pointer!("evaluation_layer", "release_gates", i, name));
        if let Some(first) = seen.insert(gate.metric, i) {
            findings.push(
                Diagnostic::error(GATE_TWICE, format!("there are two release gates for `{}`", gate.metric))
                    .at(part("metric"))
                    .related(
                        document.place(&pointer!("evaluation_layer", "release_gates", first, "metric")),
                        "the first one",
                    ),
            );
        }
        if UNTRADEABLE.contains(&gate.metric) && gate.max_delta > 0.0 {
            findings.push(
                Diagnostic::error(
                    GATE_ALLOWS_REGRESSION,
                    format!("`{}` may not get worse at all, and the gate lets it by {}", gate.metric, gate.max_delta),
                )
                .at(part("max_delta"))
                .help("set `max_delta` to 0: no gain elsewhere buys a regression here"),
            );
        }
        if !layer.eval_targets.iter().any(|t| t.get(gate.metric).is_some()) {
            findings.push(
                Diagnostic::warning(GATE_WITHOUT_TARGET, format!("no intent has a target for `{}`", gate.metric))
                    .at(part("metric"))
                    .help("add a target, or the gate judges nothing"),
            );
        }
    }
    for metric in UNTRADEABLE.into_iter().filter(|m| !seen.contains_key(m)) {
        findings.push(
            Diagnostic::error(GATE_MISSING, format!("there is no release gate for `{metric}`"))
                .at(document.place("/evaluation_layer/release_gates"))
                .help(format!("add `{{ metric: {metric}, max_delta: 0 }}`")),
        );
    }
    findings
}
