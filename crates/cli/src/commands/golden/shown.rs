//! Golden cases as lines: what moved, stage by stage.

use crate::text::writeln;
use deed_app::packs::GoldenResult;
use deed_context::{DifferenceScope, GoldenMove, visible};
use deed_model::Stage;
use serde_json::Value;
use std::fmt::Write as _;

/// A case with its verdict, and below it what moved.
pub(super) fn case(out: &mut String, case: &GoldenResult) {
    let verdict = if case.passed { "ok" } else { "moved" };
    let stage = case.stage.filter(|_| !case.passed).map_or("", Stage::as_str);
    let _ = writeln!(out, "{}", format!("{:<32} {verdict:<6} {stage}", case.name).trim_end());
    if case.passed {
        return;
    }
    case.moved.iter().for_each(|one| moved(out, one));
    if let Some(rederived) = &case.rederived {
        let within = match rederived.within {
            DifferenceScope::Record => "",
            DifferenceScope::Pack => " of the pack",
            DifferenceScope::Calls => " of the calls",
        };
        let at = format!("{}{within}", visible(&rederived.pointer));
        let (before, after) = (value(rederived.before.as_ref()), value(rederived.after.as_ref()));
        let _ = writeln!(out, "  against the base, {} {at}: {before} -> {after}", rederived.stage);
    }
}

fn moved(out: &mut String, moved: &GoldenMove) {
    let (before, after) = (value(moved.before.as_ref()), value(moved.after.as_ref()));
    let _ = writeln!(
        out,
        "  {:<9} {}: {before} -> {after}",
        moved.stage.map_or("-", Stage::as_str),
        visible(&moved.pointer)
    );
}

/// A value on one line, cut to a readable length.
fn value(value: Option<&Value>) -> String {
    let text = value.map_or_else(|| "nothing".to_owned(), Value::to_string);
    let text = visible(&text).into_owned();
    match text.char_indices().nth(160) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text,
    }
}
