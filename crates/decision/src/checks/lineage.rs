//! Lineage: the draft was made from this context, this pack, this run and this request's intent.

use super::Cx;
use crate::claim::document;
use crate::sheet::Sheet;
use deed_canon::timestamp;
use deed_model::{CriticCheck, CriticVerdict::Reject};
use serde_json::Value;

pub(crate) fn check(cx: Cx<'_>) -> Sheet {
    let mut sheet = Sheet::of(CriticCheck::Lineage);
    let (stated, ledger) = (&cx.claim.lineage, &cx.inputs.context.context_ledger);
    sheet.require(ledger.compiled_context_hash == Some(stated.context), Reject, "/lineage/context", || {
        "it was made from another context".to_owned()
    });
    sheet.require(stated.pack == document(&ledger.pack), Reject, "/lineage/pack", || {
        format!("the context was compiled from {}", ledger.pack.reference)
    });
    let overlays = ledger.overlays.iter().map(document);
    sheet.require(stated.overlays.iter().cloned().eq(overlays), Reject, "/lineage/overlays", || {
        "the context was compiled with other overlays".to_owned()
    });
    sheet.require(ledger.resolved_pack_hash == cx.inputs.pack_hash, Reject, "/lineage/pack", || {
        "the pack at hand is not the one that the context was compiled from".to_owned()
    });
    sheet.require(stated.run == ledger.run.run_id, Reject, "/lineage/run", || {
        format!("the context was compiled for the run {}", ledger.run.run_id)
    });
    sheet.require(cx.claim.intent == ledger.intent.id, Reject, "/intent", || {
        format!("the intent of the request is {}", ledger.intent.id)
    });
    let compiled = ledger.as_of.as_deref().and_then(timestamp);
    sheet.require(compiled.is_none_or(|at| at <= cx.inputs.as_of), Reject, "", || {
        "it is judged at a time before its context was compiled".to_owned()
    });
    facts(cx, &mut sheet);
    journal(cx, &mut sheet);
    sheet
}

/// Requires that an input with the name of a fact of the request has its value: rules and gates decided about that one.
fn facts(cx: Cx<'_>, sheet: &mut Sheet) {
    for (name, value) in &cx.claim.inputs {
        if let Some(fact) = cx.inputs.facts.get(name) {
            sheet.require(is_same(value, fact), Reject, format!("/inputs/{}", escaped(name)), || {
                "the request states another value, and rules and gates decided about that one".to_owned()
            });
        }
    }
}

/// Compares values; numbers by value, however they are written.
pub(super) fn is_same(a: &Value, b: &Value) -> bool {
    match (a.as_f64(), b.as_f64()) {
        (Some(a), Some(b)) => a.total_cmp(&b).is_eq() || (a == 0.0 && b == 0.0),
        _ => a == b,
    }
}

/// Escapes a name for a JSON Pointer.
pub(super) fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

/// Compares run and step with the run's journal, where there is one.
fn journal(cx: Cx<'_>, sheet: &mut Sheet) {
    let stated = &cx.claim.lineage;
    match (cx.inputs.journal, &stated.plan_step) {
        (Some(journal), step) => {
            sheet.require(journal.run_id == stated.run, Reject, "/lineage/run", || {
                format!("the journal is of the run {}", journal.run_id)
            });
            if let Some(step) = step {
                sheet.require(journal.steps.contains(step), Reject, "/lineage/plan_step", || {
                    "the plan of the run has no such step".to_owned()
                });
            }
        }
        (None, Some(_)) => {
            sheet.note("/lineage/plan_step", "the step was not compared with a run".to_owned());
        }
        (None, None) => {}
    }
}
