//! Validation gate 7, evaluation: success is defined.
//!
//! Enters: the intents, the score targets, the release gates. Leaves: intents that are not measured, and metrics that
//! may regress. Must prove: every intent has targets for policy and safety, and neither may ever regress.

use super::GateInput;
use crate::pointer::pointer;
use deed_diag::{Diagnostic, Place, codes, did_you_mean, quote};
use deed_model::{EvalTarget, Metric};
use std::collections::{BTreeMap, BTreeSet};

/// Metrics that must never regress between versions.
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
            Diagnostic::error(codes::TARGET_MISSING, "the pack has no intent and no score target")
                .at(document.place("/evaluation_layer/eval_targets"))
                .help("add a target for each intent that the pack handles"),
        );
    }
    for (i, intent) in intents.iter().enumerate().filter(|(_, intent)| !measured.contains(*intent)) {
        findings.push(
            Diagnostic::error(codes::TARGET_MISSING, format!("the intent {} has no score target", quote(intent)))
                .at(document.place(&pointer!("intent_layer", "catalog", i, "id")))
                .help("add it to `evaluation_layer.eval_targets`"),
        );
    }
    for (i, target) in targets.iter().enumerate() {
        let at = |name: &str| document.place(&pointer!("evaluation_layer", "eval_targets", i, name));
        if !known.contains(target.intent.as_str()) {
            findings.push(
                Diagnostic::error(
                    codes::TARGET_FOR_UNKNOWN_INTENT,
                    format!("{} is not an intent of the catalogue", quote(&target.intent)),
                )
                .at(at("intent"))
                .help_opt(did_you_mean(&target.intent, known.iter().copied())),
            );
        }
        findings.extend(untradeable(target, at("intent")));
        findings.extend(costs(target, at));
    }
    findings
}

/// Findings about the metrics that a pack must reach, and must not reach by refusing everything. A target of zero is
/// always reached, so it does not count as one.
fn untradeable(target: &EvalTarget, at: Place) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    for metric in UNTRADEABLE.into_iter().filter(|m| target.get(*m).is_none_or(|t| t <= 0.0)) {
        findings.push(
            Diagnostic::error(
                codes::TARGET_INCOMPLETE,
                format!("{} has no target for `{metric}`", quote(&target.intent)),
            )
            .at(at.clone())
            .help(format!("add `{metric}: 1.0`")),
        );
    }
    if target.get(Metric::Utility).is_none_or(|t| t <= 0.0) {
        findings.push(
            Diagnostic::warning(
                codes::UTILITY_NOT_MEASURED,
                format!("{} has no target for `utility`", quote(&target.intent)),
            )
            .at(at)
            .help("add `utility: 0.9`: a pack that refuses everything would reach all its other targets"),
        );
    }
    findings
}

/// Findings about the targets for time and money.
fn costs(target: &EvalTarget, at: impl Fn(&str) -> Place) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    if target.get(Metric::LatencyP99Ms).is_some_and(|t| t <= 0.0) {
        findings.push(
            Diagnostic::error(
                codes::TARGET_UNREACHABLE,
                format!("{} has a target of no time at all", quote(&target.intent)),
            )
            .at(at("latency_p99_ms"))
            .help("write the milliseconds that 99 of 100 decisions may take, such as 3000"),
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
                codes::COST_NOT_MEASURED,
                format!("{} has no target for {}", quote(&target.intent), unmeasured.join(" and ")),
            )
            .at(at("intent"))
            .help("set time and cost per intent: an average over all intents hides a regression"),
        );
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
                Diagnostic::error(
                    codes::DUPLICATE_RELEASE_GATE,
                    format!("there are two release gates for `{}`", gate.metric),
                )
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
                    codes::RELEASE_GATE_ALLOWS_REGRESSION,
                    format!(
                        "`{}` must not regress at all, but the release gate allows {}",
                        gate.metric, gate.max_delta
                    ),
                )
                .at(part("max_delta"))
                .help("set `max_delta` to 0: no gain elsewhere justifies a regression here"),
            );
        }
        if !layer.eval_targets.iter().any(|t| t.get(gate.metric).is_some()) {
            findings.push(
                Diagnostic::warning(
                    codes::RELEASE_GATE_WITHOUT_TARGET,
                    format!("no intent has a target for `{}`", gate.metric),
                )
                .at(part("metric"))
                .help("add a target: without one the release gate has no effect"),
            );
        }
    }
    for metric in UNTRADEABLE.into_iter().filter(|m| !seen.contains_key(m)) {
        findings.push(
            Diagnostic::error(codes::RELEASE_GATE_MISSING, format!("there is no release gate for `{metric}`"))
                .at(document.place("/evaluation_layer/release_gates"))
                .help(format!("add `{{ metric: {metric}, max_delta: 0 }}`")),
        );
    }
    findings
}
