//! Explaining: every effective value as a row of a table, with its origin and what it overrides.

use crate::narrow::NarrowingLevel;
use crate::resolve::{ResolveInputs, Resolved, origin_place};
use crate::settings::SettingsFile;
use deed_diag::{Invariant as _, Place, Report};
use deed_model::ProfilePower;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

/// An effective value, as `deed profile explain` shows it.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ExplainedRow {
    /// The key: `operator_planner.pass_a/temperature`.
    pub key: String,
    /// The value.
    pub value: Value,
    /// The level that decided.
    pub level: String,
    /// The document and its line.
    pub place: String,
    /// What it overrides, as `level: value`, the nearest first.
    pub overrides: Vec<String>,
    /// The reason why the parameter is not sent, if it is dropped.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dropped: Option<String>,
}

/// Explains every value of a resolved profile, by key.
pub fn explain(inputs: &ResolveInputs<'_>, resolved: &Resolved) -> Vec<ExplainedRow> {
    let mut rows = chain(inputs, resolved);
    rows.extend(validation(inputs, resolved));
    rows.extend(power(inputs, resolved));
    rows.sort_by(|a, b| a.key.cmp(&b.key));
    rows
}

/// The values of the override chain.
fn chain(inputs: &ResolveInputs<'_>, resolved: &Resolved) -> Vec<ExplainedRow> {
    let sources = sources(inputs);
    let row = |found: &crate::chain::EffectiveValue| ExplainedRow {
        key: found.key.clone(),
        value: found.value.clone(),
        level: found.origin.level.to_string(),
        place: located(&sources, &origin_place(inputs, found), &found.origin.source),
        overrides: found.overridden.iter().map(|lower| format!("{}: {}", lower.origin.level, lower.value)).collect(),
        dropped: dropped(resolved, &found.key),
    };
    resolved.values.iter().map(row).collect()
}

/// The reason why a parameter of a slot is not sent.
fn dropped(resolved: &Resolved, key: &str) -> Option<String> {
    let (slot, parameter) = key.split_once('/')?;
    let binding = resolved.snapshot.bindings.get(slot)?;
    let found = binding.dropped.iter().find(|drop| drop.parameter.as_str() == parameter)?;
    Some(found.reason.clone())
}

/// The mode of each phase.
fn validation(inputs: &ResolveInputs<'_>, resolved: &Resolved) -> Vec<ExplainedRow> {
    let sources = sources(inputs);
    let rows = resolved.snapshot.validation.iter().map(|(name, phase)| {
        let pointer = format!("/validation/phases/{name}/mode");
        let set = inputs.profile.document.value().pointer(&pointer).is_some();
        let source = inputs.profile.document.source().name();
        ExplainedRow {
            key: format!("validation/{name}/mode"),
            value: Value::from(phase.mode.as_str()),
            level: if set { "profile" } else { "built_in" }.to_owned(),
            place: match set {
                true => located(&sources, &inputs.profile.document.place(&pointer), source),
                false => "a phase that is left out is off".to_owned(),
            },
            overrides: Vec::new(),
            dropped: None,
        }
    });
    rows.collect()
}

/// The parts of the power, with the level that made each of them as small as it is.
fn power(inputs: &ResolveInputs<'_>, resolved: &Resolved) -> Vec<ExplainedRow> {
    let parts = serde_json::to_value(&resolved.snapshot.power).invariant("a power has a form in JSON");
    let granted = crate::narrow::power_of(inputs.profile.profile().invariant("a resolved profile is typed"));
    let granted = serde_json::to_value::<ProfilePower>(granted).invariant("a power has a form in JSON");
    let members = parts.as_object().into_iter().flatten();
    let rows = members.map(|(name, value)| {
        let level = resolved.power_origins.get(name.as_str()).copied().unwrap_or(NarrowingLevel::Profile);
        let narrowed = level != NarrowingLevel::Profile;
        let before = granted.get(name).filter(|_| narrowed).map(|before| format!("profile: {before}"));
        let file = match level {
            NarrowingLevel::Workspace => inputs.workspace,
            NarrowingLevel::GovernedSettings => inputs.governed,
            NarrowingLevel::Profile | NarrowingLevel::Step => None,
        };
        let source = file.map_or(inputs.profile.document.source().name(), |file| file.document.source().name());
        ExplainedRow {
            key: format!("power/{name}"),
            value: value.clone(),
            level: level.as_str().to_owned(),
            place: source.to_owned(),
            overrides: before.into_iter().collect(),
            dropped: None,
        }
    });
    rows.collect()
}

/// A report with every document, to find lines.
fn sources(inputs: &ResolveInputs<'_>) -> Report {
    let mut report = inputs.profile.report();
    report.add_source(SettingsFile::built_in().document.source().clone());
    for settings in inputs.governed.iter().chain(&inputs.workspace) {
        report.add_source(settings.document.source().clone());
    }
    report
}

/// Returns `document:line`; the document alone where the line is not known.
fn located(sources: &Report, place: &Place, name: &str) -> String {
    let line = sources.source(&place.source).zip(place.span).map(|(source, span)| source.line_column(span.start).line);
    line.map_or_else(|| name.to_owned(), |line| format!("{name}:{line}"))
}

/// Writes rows as a table of four columns.
pub fn table(rows: &[ExplainedRow]) -> Vec<String> {
    let width = |column: fn(&ExplainedRow) -> String| rows.iter().map(|row| column(row).chars().count()).max();
    let key = width(|row| row.key.clone()).unwrap_or_default();
    let value = width(shown).unwrap_or_default().min(48);
    rows.iter()
        .map(|row| {
            let dropped = row.dropped.as_ref().map(|reason| format!("  (dropped: {reason})")).unwrap_or_default();
            format!("{:<key$}  {:<value$}  {:<17}  {}{dropped}", row.key, shown(row), row.level, row.place)
        })
        .collect()
}

fn shown(row: &ExplainedRow) -> String {
    match &row.value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
