//! The results of an evaluator: scores against the targets, and against the scores before.

use super::document::{hashed, read};
use super::{Checked, Found};
use deed_diag::{Diagnostic, Document, Report, codes, did_you_mean, quote};
use deed_model::{EvaluatorResults, EvaluatorScore, Metric, MetricDirection};

pub(super) fn check(checked: &Checked<'_>, document: &Document) -> Result<Found, Report> {
    let results: EvaluatorResults = read(document)?;
    in_range(document, &results)?;
    let own = &checked.bundle.document;
    let intents = checked.pack.intents();
    let mut findings = Vec::new();
    for (at, score) in results.scores.iter().enumerate() {
        if !intents.contains(&score.intent.as_str()) {
            let message = format!("the pack has no intent {}", quote(&score.intent));
            findings.push(
                Diagnostic::error(codes::DEPENDENCY_NOT_USED, message)
                    .at(document.place(&format!("/scores/{at}/intent")))
                    .help_opt(did_you_mean(&score.intent, intents.iter().copied())),
            );
            continue;
        }
        findings.extend(judge(checked, document, at, score));
    }
    for (at, target) in checked.pack.evaluation_layer.eval_targets.iter().enumerate() {
        let missing = |metric: &Metric| {
            target.get(*metric).is_some()
                && !results.scores.iter().any(|s| s.intent == target.intent && s.metric == *metric)
        };
        for metric in Metric::ALL.into_iter().filter(missing) {
            let message = format!("the evaluator gives no score of `{metric}` for {}", quote(&target.intent));
            findings.push(
                Diagnostic::error(codes::SCORE_MISSING, message)
                    .at(own.place(&format!("/evaluation_layer/eval_targets/{at}/{metric}")))
                    .help("let the evaluator measure it"),
            );
        }
    }
    Ok(Found { name: results.evaluator_id, hash: hashed(document.value())?, findings, replaced: None })
}

/// Refuses scores that no evaluator can give: shares beyond 0 and 1, and negative times and costs.
fn in_range(document: &Document, results: &EvaluatorResults) -> Result<(), Report> {
    let mut report = Report::default();
    report.add_source(document.source().clone());
    for (at, score) in results.scores.iter().enumerate() {
        let most = match score.metric {
            Metric::Policy | Metric::Safety | Metric::Utility => 1.0,
            Metric::LatencyP99Ms | Metric::EconomicsCentsPerDecision => f64::MAX,
        };
        let given = [("before", score.before), ("after", Some(score.after))];
        for (field, value) in given.into_iter().filter_map(|(field, value)| Some((field, value?))) {
            if (0.0..=most).contains(&value) {
                continue;
            }
            let range = if most > 1.0 { "at least 0" } else { "between 0 and 1" };
            let message = format!("a score of `{}` is {range}, and this one is {value}", score.metric);
            let found = Diagnostic::error(codes::DEPENDENCY_NOT_READABLE, message).stage("recheck");
            report.push(found.at(document.place(&format!("/scores/{at}/{field}"))).help("correct the evaluator"));
        }
    }
    if report.has_errors() { Err(report) } else { Ok(()) }
}

/// Judges one score by the target and the release gate of its metric.
fn judge(checked: &Checked<'_>, document: &Document, at: usize, score: &EvaluatorScore) -> Vec<Diagnostic> {
    let layer = &checked.pack.evaluation_layer;
    let name = format!("`{}` of {}", score.metric, quote(&score.intent));
    let worse = |before: f64, after: f64| match score.metric.aim() {
        MetricDirection::Higher => before - after,
        MetricDirection::Lower => after - before,
    };
    let place = || document.place(&format!("/scores/{at}/after"));
    let mut findings = Vec::new();
    let target = layer.eval_targets.iter().find(|t| t.intent == score.intent).and_then(|t| t.get(score.metric));
    if let Some(target) = target.filter(|target| worse(*target, score.after) > 1e-12) {
        let message = format!("{name} is {}, and the target is {target}", score.after);
        findings
            .push(Diagnostic::error(codes::SCORE_REGRESSED, message).at(place()).help("look at the runs behind it"));
    }
    let gate = layer.release_gates.iter().enumerate().find(|(_, gate)| gate.metric == score.metric);
    if gate.is_some() && score.before.is_none() {
        let message = format!("{name} has no score from before, so its release gate was not judged");
        let found = Diagnostic::warning(codes::SCORE_MISSING, message).at(document.place(&format!("/scores/{at}")));
        findings.push(found.help("add `before`, the score of the version that was measured last"));
    }
    if let (Some((gate_at, gate)), Some(before)) = (gate, score.before) {
        let delta = worse(before, score.after);
        if delta > gate.max_delta + 1e-12 {
            let message = format!("{name} gets worse by {delta:.4}, and {} is allowed", gate.max_delta);
            findings.push(Diagnostic::error(codes::SCORE_REGRESSED, message).at(place()).related(
                checked.bundle.document.place(&format!("/evaluation_layer/release_gates/{gate_at}/max_delta")),
                "the release gate",
            ));
        }
    }
    findings
}
