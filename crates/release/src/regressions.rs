//! Regressions of a candidate: release gates that fail, changes that are not proven to tighten, targets and gates that are
//! lowered, golden cases that are gone or expect less, corrections that are not met. Each has a hash, so that exactly it can
//! be accepted on the record.

mod weaker;

use crate::release::{Release, golden_name};
use crate::trial::{GOLDEN, TrialResult};
use crate::unproven;
use deed_canon::{CanonError, ContentHash, Pointer, hash_of};
use deed_context::{GateVerdict, RequestComparison};
use deed_diag::{Code, Diagnostic, Invariant as _, codes, quote};
use deed_model::{Metric, MetricDirection, RELEASE_FINDING_TAG, RegressionMetric};
use deed_pack::{ChangeClass, Diff};
use serde_json::{Value, json};
use weaker::weaker;

/// A regression of a candidate.
#[derive(Debug, Clone, PartialEq)]
pub struct Regression {
    /// The metric that gets worse.
    pub metric: RegressionMetric,
    /// The hash of the finding: of the metric, the documents, and what changes.
    pub finding: ContentHash,
    /// The finding, with its place in the candidate.
    pub diagnostic: Diagnostic,
}

/// Returns every regression of a candidate. `diff` compares it with the base, if there is one.
///
/// # Errors
/// If the candidate has no canonical form.
pub fn regressions(
    release: &Release<'_>,
    result: &TrialResult,
    diff: Option<&Diff>,
) -> Result<Vec<Regression>, CanonError> {
    let mut found = Vec::new();
    let content_hash = release.candidate.bundle.content_hash()?;
    let mut push = |metric: RegressionMetric, what: Value, diagnostic: Diagnostic| {
        let finding =
            json!({ "candidate": content_hash, "code": diagnostic.code.as_str(), "metric": metric, "what": what });
        let finding = hash_of(&RELEASE_FINDING_TAG, &finding)?;
        found.push(Regression { metric, finding, diagnostic });
        Ok(())
    };
    gates(release, result, &mut push)?;
    broken(release, result, &mut push)?;
    corrections(release, result, &mut push)?;
    unproven::check(release, diff, &mut push)?;
    targets(release, &mut push)?;
    release_gates(release, &mut push)?;
    golden(release, result, diff, &mut push)?;
    Ok(found)
}

/// Adds a regression: its metric, what changes, and the finding.
pub(crate) type Push<'p> = dyn FnMut(RegressionMetric, Value, Diagnostic) -> Result<(), CanonError> + 'p;

/// Release gates that fail.
fn gates(release: &Release<'_>, result: &TrialResult, push: &mut Push<'_>) -> Result<(), CanonError> {
    for gate in result.what_if.gates.iter().filter(|gate| gate.verdict == GateVerdict::Failed) {
        let delta = gate.delta.invariant("a release gate that fails was measured");
        let affected: Vec<&RequestComparison> = match gate.metric {
            Metric::Policy => result.what_if.changed.iter().filter(|c| c.loosened).collect(),
            Metric::Safety => result.what_if.changed.iter().filter(|c| c.widened).collect(),
            Metric::EconomicsCentsPerDecision | Metric::Utility | Metric::LatencyP99Ms => Vec::new(),
        };
        let what = json!({
            "delta": delta,
            "requests": affected,
            "tokens": [result.what_if.tokens_before, result.what_if.tokens_after],
        });
        let message = format!("`{}` gets worse by {delta:.4}, and {} is allowed", gate.metric, gate.max_delta);
        let help = match affected.is_empty() {
            true => format!("measured: {}", gate.measured),
            false => format!("{}: {}", gate.measured, summary(&affected)),
        };
        let diagnostic = at_gate(release, gate.metric, codes::RELEASE_GATE_FAILED, message).help(help);
        push(gate.metric.into(), what, diagnostic)?;
    }
    Ok(())
}

/// Requests that compiled and that the candidate refuses.
fn broken(release: &Release<'_>, result: &TrialResult, push: &mut Push<'_>) -> Result<(), CanonError> {
    let affected: Vec<&RequestComparison> = result.what_if.changed.iter().filter(|c| c.broken).collect();
    if affected.is_empty() {
        return Ok(());
    }
    let message = format!("{} of {} requests compiled and would be refused", affected.len(), result.what_if.requests);
    let place = release.candidate.bundle.document.place("/pack_meta/pack_version");
    let diagnostic = Diagnostic::error(codes::RECORDED_REQUESTS_REFUSED, message).at(place).help(summary(&affected));
    push(RegressionMetric::Utility, json!({ "requests": affected }), diagnostic)
}

/// Corrections of operators that the candidate does not meet.
fn corrections(release: &Release<'_>, result: &TrialResult, push: &mut Push<'_>) -> Result<(), CanonError> {
    for failing in &result.corrections {
        let message = format!("`still_failing`: {} does not come out as an operator stated", quote(&failing.packet_id));
        let place = release.candidate.bundle.document.place("/pack_meta/pack_version");
        let diagnostic = Diagnostic::error(codes::CORRECTION_STILL_FAILING, message)
            .at(place)
            .help(format!("unmet: {}", failing.unmet.join("; ")));
        let what = json!({ "packet": failing.packet_id, "unmet": failing.unmet });
        push(RegressionMetric::Correction, what, diagnostic)?;
    }
    Ok(())
}

/// The requests that show most: their ids, and what changes for each.
fn summary(affected: &[&RequestComparison]) -> String {
    const SHOWN: usize = 3;
    let mut words: Vec<String> = affected.iter().take(SHOWN).map(|c| format!("{} ({})", c.packet_id, why(c))).collect();
    if affected.len() > SHOWN {
        words.push(format!("and {} more", affected.len() - SHOWN));
    }
    words.join(", ")
}

/// Says why a request counts, in a few words.
fn why(compared: &RequestComparison) -> String {
    let mut words = Vec::new();
    if let Some(shift) = &compared.outcome {
        words.push(format!("{} -> {}", shift.before, shift.after));
    }
    for (sign, list) in [
        ("gate -", &compared.gates_lost),
        ("ungated", &compared.tool_gates_lost),
        ("control -", &compared.controls_lost),
        ("rule -", &compared.obligations_lost),
        ("redacts -", &compared.redactions_lost),
        ("tool +", &compared.tools_gained),
        ("data +", &compared.items_gained),
        ("bounds", &compared.bounds_changed),
        ("terms", &compared.gate_terms_changed),
    ] {
        if let Some(first) = list.first() {
            words.push(format!("{sign} {}", quote(first)));
        }
    }
    words.extend(
        compared.modes.iter().take(1).map(|(name, shift)| format!("{name}: {} -> {}", shift.before, shift.after)),
    );
    if words.is_empty() { "its declared modes or limits".to_owned() } else { words.join(", ") }
}

/// Targets that are lower than in the base, or gone.
fn targets(release: &Release<'_>, push: &mut Push<'_>) -> Result<(), CanonError> {
    let Some(base) = &release.base else { return Ok(()) };
    let own = &release.candidate.pack.evaluation_layer.eval_targets;
    let document = &release.candidate.bundle.document;
    for before in &base.pack.evaluation_layer.eval_targets {
        let position = own.iter().position(|target| target.intent == before.intent);
        for metric in Metric::ALL {
            let Some(was) = before.get(metric) else { continue };
            let now = position.and_then(|at| own.get(at)).and_then(|target| target.get(metric));
            let lower = match (now, metric.aim()) {
                (None, _) => true,
                (Some(now), MetricDirection::Higher) => now < was,
                (Some(now), MetricDirection::Lower) => now > was,
            };
            if !lower {
                continue;
            }
            let now_text = now.map_or_else(|| "none".to_owned(), |now| now.to_string());
            let message =
                format!("the target of {} for `{metric}` is lowered from {was} to {now_text}", quote(&before.intent));
            let pointer = match (position, now) {
                (Some(at), Some(_)) => format!("/evaluation_layer/eval_targets/{at}/{metric}"),
                (Some(at), None) => format!("/evaluation_layer/eval_targets/{at}"),
                (None, _) => "/evaluation_layer/eval_targets".to_owned(),
            };
            let diagnostic = Diagnostic::error(codes::TARGET_LOWERED, message)
                .at(document.place(&pointer))
                .help("restore the target of the base");
            push(metric.into(), json!({ "intent": before.intent, "was": was, "now": now }), diagnostic)?;
        }
    }
    Ok(())
}

/// Release gates that are looser than in the base, or gone.
fn release_gates(release: &Release<'_>, push: &mut Push<'_>) -> Result<(), CanonError> {
    let Some(base) = &release.base else { return Ok(()) };
    for before in &base.pack.evaluation_layer.release_gates {
        let own = release.candidate.pack.evaluation_layer.release_gates.iter();
        let now = own.filter(|gate| gate.metric == before.metric).map(|gate| gate.max_delta).reduce(f64::min);
        if now.is_some_and(|now| now <= before.max_delta) {
            continue;
        }
        let now_text = now.map_or_else(|| "none".to_owned(), |now| now.to_string());
        let message =
            format!("the release gate of `{}` is loosened from {} to {now_text}", before.metric, before.max_delta);
        let diagnostic = at_gate(release, before.metric, codes::RELEASE_GATE_LOOSENED, message)
            .help("restore the gate of the base; the candidate is judged by it in any case");
        push(before.metric.into(), json!({ "was": before.max_delta, "now": now }), diagnostic)?;
    }
    Ok(())
}

/// Golden cases of the base that are gone, or prove less.
fn golden(
    release: &Release<'_>,
    result: &TrialResult,
    diff: Option<&Diff>,
    push: &mut Push<'_>,
) -> Result<(), CanonError> {
    let bundle = release.candidate.bundle;
    let changes = diff.iter().flat_map(|diff| &diff.changes).filter(|change| change.layer == "golden");
    for change in changes.filter(|change| change.class > ChangeClass::Patch) {
        let name = Pointer::tokens(&change.pointer).last().invariant("a change of a golden case names it");
        let document = bundle.golden.iter().find(|case| golden_name(case) == name);
        let (code, message, help) = match (&change.before, &change.after) {
            (_, None) => {
                let message = format!("the golden case {} of the base is gone", quote(&name));
                (codes::GOLDEN_CASE_REMOVED, message, "bring it back")
            }
            (Some(before), Some(after)) => {
                let id = format!("{GOLDEN}{name}");
                let loose = |c: &RequestComparison| c.packet_id == id && (c.loosened || c.widened || c.broken);
                let Some(why) = weaker(before, after, result.what_if.changed.iter().any(loose)) else { continue };
                let help = "state what the case of the base stated, unless the change is meant";
                (codes::GOLDEN_CASE_WEAKENED, format!("{}: {why}", change.subject), help)
            }
            (None, Some(_)) => continue,
        };
        let place = document.map_or_else(|| bundle.document.place(""), |case| case.place("/expect"));
        let what = json!({ "case": name, "before": change.before, "after": change.after });
        push(RegressionMetric::Golden, what, Diagnostic::error(code, message).at(place).help(help))?;
    }
    Ok(())
}

/// A finding at the release gate of a metric, or where the gates are.
fn at_gate(release: &Release<'_>, metric: Metric, code: Code, message: String) -> Diagnostic {
    let gates = &release.candidate.pack.evaluation_layer.release_gates;
    let at = gates.iter().position(|gate| gate.metric == metric);
    let pointer = at.map_or_else(
        || "/evaluation_layer/release_gates".to_owned(),
        |at| format!("/evaluation_layer/release_gates/{at}/metric"),
    );
    Diagnostic::error(code, message).at(release.candidate.bundle.document.place(&pointer))
}
