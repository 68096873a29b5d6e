//! Cells of flat tables: what no cell holds cannot be given as one, and is refused before anything runs.

use super::seal::mission_mode;
use super::state::{Lowering, Output, Told};
use crate::codes::UNHELD;
use deed_diag::{Severity, quote};
use deed_model::{Kind, LadderMode};
use std::collections::BTreeSet;

pub(super) fn check(lowering: &mut Lowering<'_>) {
    lowering.stage = "bind";
    for index in 0..lowering.steps.len() {
        let outputs = lowering.steps.get(index).map(|step| step.outputs.clone()).unwrap_or_default();
        // A step that names an adapter is held to what the adapter takes.
        let adapted = lowering.plan.steps.get(index).is_some_and(|step| step.adapter.is_some());
        let strict = !lowering.rules(index).allows_generic() && !adapted;
        for (position, output) in outputs.iter().enumerate().filter(|_| strict) {
            if let Some(message) = unheld(lowering, output) {
                let at = format!("/abstract_outputs/{position}");
                lowering.tell(Told::error(index, UNHELD, at, message).help(HELP));
            }
        }
        by_adapter(lowering, index);
    }
    for number in 0..lowering.given.len() {
        let Some(given) = lowering.given.get(number).cloned() else { continue };
        let blocks = mission_mode(lowering, number, &given) == Some(LadderMode::Block);
        if let Some(message) = unheld(lowering, &given).filter(|_| blocks) {
            lowering.say(Severity::Error, UNHELD, &given.at, message, Some(HELP.to_owned()));
        }
    }
}

const HELP: &str = "give it as `table.json_rows`, or name an entity of plain values";

/// Why a flat table cannot hold what it is to hold.
fn unheld(lowering: &Lowering<'_>, output: &Output) -> Option<String> {
    lowering.catalog.kind(output.kind.as_str()).filter(|kind| kind.is_flat())?;
    let columns = nested(lowering, output);
    (!columns.is_empty()).then(|| {
        format!(
            "no cell of {} can hold {} of {}",
            quote(output.kind.as_str()),
            columns.join(", "),
            quote(output.entity.as_str())
        )
    })
}

/// The columns that are surely there and that no cell holds.
fn nested(lowering: &Lowering<'_>, output: &Output) -> Vec<String> {
    let entity = output.derived.as_deref().or_else(|| lowering.catalog.entity(output.entity.as_str()));
    let Some(entity) = entity.filter(|entity| !entity.id.is_generic()) else { return Vec::new() };
    let there: BTreeSet<&String> = entity.required.union(&output.fields).collect();
    there.into_iter().filter(|field| entity.nested.contains(*field)).map(|field| quote(field)).collect()
}

/// A step that names an adapter for flat tables gives it rows that have plain cells.
fn by_adapter(lowering: &mut Lowering<'_>, index: usize) {
    let Some(step) = lowering.steps.get(index) else { return };
    let adapter = step.authored.adapter.as_deref().and_then(|id| lowering.catalog.adapter(id));
    let Some(adapter) = adapter.filter(|adapter| adapter.flat) else { return };
    let bound = step.bound.first().and_then(Option::as_ref);
    let Some(taken) = bound.and_then(|bound| lowering.output(bound.source)) else { return };
    // What is flat already is told where it is given.
    if lowering.catalog.kind(taken.kind.as_str()).is_some_and(Kind::is_flat) {
        return;
    }
    let columns = nested(lowering, taken);
    if columns.is_empty() {
        return;
    }
    let message = format!(
        "{} takes rows of plain values, while {} of {} holds more in one cell",
        quote(&adapter.adapter_id),
        columns.join(", "),
        quote(taken.entity.as_str())
    );
    let at = taken.at.clone();
    let told = Told::error(index, UNHELD, "/adapter", message).related(at, "given here");
    lowering.tell(told.help("let a step with code write the table from plain columns"));
}
