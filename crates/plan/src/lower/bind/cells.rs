//! Cells of flat tables: what no cell holds cannot be given as one, and is refused before anything runs.

use super::{Bindings, Inputs};
use crate::lower::cx::{Cx, Step};
use crate::lower::findings::{Finding, Findings};
use crate::lower::output::Output;
use deed_diag::{codes, quote};
use deed_model::{Kind, LadderMode};
use std::collections::BTreeSet;

const HELP: &str = "give it as `table.json_rows`, or name an entity of plain values";

pub(super) fn check(cx: Cx<'_>, inputs: Inputs<'_>, bindings: &Bindings<'_>, findings: &mut Findings<'_>) {
    for step in cx.steps() {
        // A step that names an adapter is held to what the adapter takes.
        let strict = !inputs.snapshot.rules(step.index).allows_generic() && step.authored.adapter.is_none();
        for output in bindings.offers.of_step(step.index).iter().filter(|_| strict) {
            findings_of(cx, output, findings);
        }
        check_adapter(cx, step, bindings, findings);
    }
    for (source, given) in bindings.offers.mission() {
        if bindings.mission_mode(inputs.snapshot, inputs.wiring, source) == Some(LadderMode::Block) {
            findings_of(cx, given, findings);
        }
    }
}

/// Refuses a flat table that cannot hold its columns.
fn findings_of(cx: Cx<'_>, output: &Output, findings: &mut Findings<'_>) {
    if !is_flat(cx, output) {
        return;
    }
    let columns = nested(cx, output);
    if !columns.is_empty() {
        let (kind, entity) = (quote(output.kind.as_str()), quote(output.entity.as_str()));
        let message = format!("no cell of {kind} can hold {} of {entity}", columns.join(", "));
        findings.add(Finding::error(output.at.clone(), codes::COLUMN_NOT_HOLDABLE, message).help(HELP));
    }
}

fn is_flat(cx: Cx<'_>, output: &Output) -> bool {
    cx.catalog.kind(output.kind.as_str()).is_some_and(Kind::is_flat)
}

/// The columns that are surely there and that no cell holds.
fn nested(cx: Cx<'_>, output: &Output) -> Vec<String> {
    let Some(entity) = cx.entity_of(output).filter(|entity| !entity.id.is_generic()) else { return Vec::new() };
    let there: BTreeSet<&String> = entity.required.union(&output.fields).collect();
    there.into_iter().filter(|field| entity.nested.contains(*field)).map(|field| quote(field)).collect()
}

/// A step that names an adapter for flat tables has to give it rows of plain cells.
fn check_adapter(cx: Cx<'_>, step: Step<'_>, bindings: &Bindings<'_>, findings: &mut Findings<'_>) {
    let adapter = step.authored.adapter.as_deref().and_then(|id| cx.catalog.adapter(id));
    let Some(adapter) = adapter.filter(|adapter| adapter.flat) else { return };
    let first = bindings.of_step(step.index).first().and_then(|input| input.bound.as_ref());
    let Some(taken) = first.map(|bound| bindings.offers.get(bound.source)) else { return };
    let columns = nested(cx, taken);
    // A table that is flat already is reported where it is given.
    if is_flat(cx, taken) || columns.is_empty() {
        return;
    }
    let message = format!(
        "{} takes rows of plain values, while {} of {} holds more in one cell",
        quote(&adapter.adapter_id),
        columns.join(", "),
        quote(taken.entity.as_str())
    );
    let finding = Finding::error(step.at().key("adapter"), codes::COLUMN_NOT_HOLDABLE, message);
    let finding = finding.related(&taken.at, "given here");
    findings.add(finding.help("let a step with code write the table from plain columns"));
}
