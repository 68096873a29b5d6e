//! Static comparison: changes of what a pack enforces, or of what a model reads, that are not proven to tighten.
//!
//! Enters: a release, and its differences from the base. Leaves: a regression for each change that no proof covers. Must
//! prove: a change is left out only if the table of the differences proves that it enforces no less, whatever the version
//! number and whatever the golden cases look at.

use crate::regressions::Push;
use crate::release::{Release, Side};
use deed_canon::{CanonError, Pointer, to_canonical};
use deed_diag::{Diagnostic, Document, Format, Place, Report, codes, quote};
use deed_model::RegressionMetric;
use deed_pack::{Bundle, Change, ChangeEffect, ChangeKind, Diff, Selection, diff, resolve};
use serde_json::{Value, json};

/// Changes that are judged elsewhere: golden cases, targets and release gates as they are written, and findings of the
/// validation gates.
fn is_judged_elsewhere(change: &Change, compared: &Diff) -> bool {
    let target = change.layer == "evaluation_layer" && change.what != ChangeKind::Added;
    change.layer == "golden" || (target && is_known(change, compared)) || change.class == deed_pack::ChangeClass::Reject
}

/// Returns true if the two differ so as they are written, without overlays.
fn is_known(found: &Change, compared: &Diff) -> bool {
    let same = |c: &Change| c.pointer == found.pointer && c.before == found.before && c.after == found.after;
    compared.changes.iter().any(same)
}

/// Reports every change that is not proven to tighten. `compared` has the differences of the two as they are written; the
/// overlays that an environment applies are part of what is compared.
pub(crate) fn check(release: &Release<'_>, compared: Option<&Diff>, push: &mut Push<'_>) -> Result<(), CanonError> {
    let (Some(base), Some(compared)) = (&release.base, compared) else { return Ok(()) };
    let candidate = &release.candidate;
    let mut changes = compared.changes.clone();
    if !(base.material.selected.is_empty() && candidate.material.selected.is_empty()) {
        match between(base, candidate, &base.material.selected, &candidate.material.selected) {
            Ok(applied) => changes = applied,
            Err(report) => not_applied(release, &report, push)?,
        }
    }
    for change in changes.iter().filter(|change| change.effect >= ChangeEffect::PromptText) {
        if is_judged_elsewhere(change, compared) || tightens_where_applied(base, candidate, change, compared) {
            continue;
        }
        let (metric, code, help) = match change.effect {
            ChangeEffect::PromptText => {
                (RegressionMetric::PromptText, codes::PROMPT_TEXT_CHANGED, "read the text as the model does")
            }
            ChangeEffect::None | ChangeEffect::Tightens | ChangeEffect::Unproven => (
                metric_of(&change.layer),
                codes::CHANGE_NOT_PROVEN_TO_TIGHTEN,
                "restore what the base has, or make a change that is proven to tighten",
            ),
        };
        let message = format!("{}: {}", named(change), change.why);
        let what = json!({
            "after": change.after, "before": change.before, "pointer": change.pointer, "what": change.what.as_str(),
        });
        push(metric, what, Diagnostic::error(code, message).at(place(candidate.bundle, change)).help(help))?;
    }
    Ok(())
}

/// Returns the metric that a layer concerns most.
fn metric_of(layer: &str) -> RegressionMetric {
    match layer {
        "policy_layer" | "decision_layer" | "intent_layer" | "evaluation_layer" => RegressionMetric::Policy,
        "budget_layer" => RegressionMetric::Utility,
        _ => RegressionMetric::Safety,
    }
}

/// Names a change: the thing, the field that changed, and how.
fn named(change: &Change) -> String {
    let field = Pointer::tokens(&change.pointer).last().filter(|last| last.parse::<usize>().is_err());
    match field.filter(|field| !change.subject.ends_with(field.as_str())) {
        Some(field) => format!("{}, {} {}", change.subject, quote(&field), change.what.as_str()),
        None => format!("{} {}", change.subject, change.what.as_str()),
    }
}

/// Returns the place of a change in the candidate; for what is gone, the part that it was in.
fn place(bundle: &Bundle, change: &Change) -> Place {
    let mut steps: Vec<String> = Pointer::tokens(&change.pointer).collect();
    let overlay = steps.get(1).filter(|_| change.layer == "overlays").and_then(|name| bundle.overlays.get(name));
    let document = overlay.unwrap_or(&bundle.document);
    if overlay.is_some() {
        steps.drain(..2);
    }
    if change.what == ChangeKind::Removed {
        // Indices are those of the base.
        steps.truncate(2);
    }
    while document.value().pointer(&pointer(&steps)).is_none() && steps.pop().is_some() {}
    document.place(&pointer(&steps))
}

fn pointer(steps: &[String]) -> String {
    steps.iter().fold(String::new(), |at, step| Pointer::push(&at, step))
}

/// Returns true for a changed overlay if the pack with it changes in nothing but what is found without it.
fn tightens_where_applied(base: &Side<'_>, candidate: &Side<'_>, change: &Change, compared: &Diff) -> bool {
    let mut steps = Pointer::tokens(&change.pointer);
    let is_overlay = change.layer == "overlays" && change.what == ChangeKind::Changed;
    let Some(name) = steps.nth(1).filter(|_| is_overlay) else { return false };
    let alone = [name];
    let Ok(applied) = between(base, candidate, &alone, &alone) else { return false };
    let looser = |found: &&Change| found.effect >= ChangeEffect::PromptText && found.layer != "golden";
    applied.iter().filter(looser).all(|found| is_known(found, compared) || found.layer == "overlays")
}

/// Compares the two packs with overlays applied.
fn between(base: &Side<'_>, candidate: &Side<'_>, old: &[String], new: &[String]) -> Result<Vec<Change>, Report> {
    Ok(diff(&applied(base, old)?, &applied(candidate, new)?, &[])?.changes)
}

/// Returns a pack with overlays applied.
fn applied(side: &Side<'_>, overlays: &[String]) -> Result<Bundle, Report> {
    let bundle = side.bundle;
    if overlays.is_empty() {
        return Ok(bundle.clone());
    }
    let resolved = resolve(bundle, &side.pack, &Selection::Named(overlays.to_vec()))?;
    let no_form = |error: CanonError| {
        let diagnostic = Diagnostic::error(codes::NO_CANONICAL_FORM, error.to_string()).stage("release");
        Report::of(diagnostic.at(bundle.document.place("")))
    };
    let bytes = to_canonical(&resolved.pack).map_err(no_form)?;
    let document = Document::read(bundle.document.source().name(), &bytes, Format::Json)?;
    Ok(Bundle::new(document, bundle.overlays.clone(), bundle.golden.clone()))
}

/// An environment whose overlays cannot be applied cannot be compared.
fn not_applied(release: &Release<'_>, report: &Report, push: &mut Push<'_>) -> Result<(), CanonError> {
    let why = report.diagnostics().first().map_or_else(String::new, |found| found.message.clone());
    let overlays = &release.candidate.material.selected;
    let message = format!("the overlays of the environment cannot be applied to be compared: {why}");
    let diagnostic = Diagnostic::error(codes::CHANGE_NOT_PROVEN_TO_TIGHTEN, message)
        .at(release.candidate.bundle.document.place("/pack_meta/overlays"))
        .help("name overlays that both versions have");
    push(RegressionMetric::Safety, Value::from(overlays.clone()), diagnostic)
}
