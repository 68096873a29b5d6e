//! Decision: the context lists it, in this version.

use super::Cx;
use crate::sheet::Sheet;
use deed_model::{CriticCheck, CriticVerdict::Reject};

pub(crate) fn check(cx: Cx<'_>) -> Sheet {
    let mut sheet = Sheet::of(CriticCheck::Decision);
    sheet.require(cx.spec.is_some(), Reject, "/decision_key", || {
        let known: Vec<&str> = cx.inputs.context.decisions.iter().map(|spec| &*spec.decision_key).collect();
        format!("the request leads to no such decision; it leads to {}", known.join(", "))
    });
    if let Some(spec) = cx.spec {
        sheet.require(spec.version == cx.claim.version, Reject, "/version", || {
            format!("the pack has version {} of it", spec.version)
        });
    }
    sheet
}
