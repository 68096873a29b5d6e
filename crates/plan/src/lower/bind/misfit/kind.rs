//! The producer gives another kind, and no adapters lead to one that is accepted.

use super::Case;
use crate::lower::findings::Finding;
use deed_catalog::{Route, grouping_route, route, unheld};
use deed_diag::{codes, quote};
use deed_model::{AdapterUse, Kind};

pub(super) fn diagnose(case: &Case<'_, '_>) -> Finding {
    let (why, help) = reason(case);
    let (slot, accepted, who) = (case.slot(), case.accepted(), case.producer());
    let given = quote(case.output().kind.as_str());
    let message = format!("input {slot} accepts {accepted}, {who} gives {given}, and {why}");
    Finding::error(case.input.at().key("accepted_kind_keys"), codes::NO_ADAPTER_ROUTE, message).help(help)
}

/// Explains why no adapters lead to an accepted kind, and what helps: rows that no flat table holds, or missing keys.
fn reason(case: &Case<'_, '_>) -> (String, String) {
    let (need, output, catalog) = (case.need, case.output(), case.view.cx.catalog);
    let nested: Vec<String> =
        unheld(catalog, &need.in_slot(""), &output.offer()).iter().map(|field| quote(field)).collect();
    let plain_rows = || "let the producer give `table.json_rows`, or do not read the column".to_owned();
    if need.accepted.contains(&output.kind) && !nested.is_empty() {
        return (format!("no cell of that can hold {} of {}", nested.join(", "), case.given()), plain_rows());
    }
    let keys = need.keys.is_some();
    if let (false, Some(way)) = (nested.is_empty(), way(case, keys, false)) {
        let columns = nested.join(", ");
        let why = format!(
            "{} takes rows of plain values, while {columns} of {} holds more in one cell",
            way.names(),
            case.given()
        );
        let given = output.kind.as_str();
        return match catalog.kind(given).is_some_and(Kind::is_flat) {
            true => (why, plain_rows()),
            false => (why, format!("accept `{given}`, or let the producer give another form of rows")),
        };
    }
    if let (false, Some(way)) = (keys, way(case, true, !nested.is_empty())) {
        let why = format!("{} needs keys to group by", way.names());
        return (why, "name them under `adapt: { keys: [...] }` of the input".to_owned());
    }
    ("no adapters lead from one to the other".to_owned(), reachable(case, !nested.is_empty()))
}

/// The adapters to an accepted kind, if the policy allowed any.
fn way<'v>(case: &Case<'_, 'v>, keys: bool, nested: bool) -> Option<Route<'v>> {
    let (catalog, from, accepted) = (case.view.cx.catalog, &case.output().kind, &case.need.accepted);
    match case.need.groups {
        true => grouping_route(catalog, from, accepted, [nested, false], AdapterUse::Any),
        false => route(catalog, from, accepted, keys, nested, AdapterUse::Any),
    }
}

/// The kinds that adapters could reach, or the one that the producer could prefer.
fn reachable(case: &Case<'_, '_>, nested: bool) -> String {
    let (need, output) = (case.need, case.output());
    let adapters = case.view.cx.catalog.adapters();
    let kinds: Vec<String> = adapters
        .filter(|adapter| adapter.from == [output.kind.clone()] && !(adapter.flat && nested))
        .filter(|adapter| need.keys.is_some() || !adapter.needs_keys)
        .map(|adapter| quote(adapter.to.as_str()))
        .collect();
    let first = need.accepted.first().map_or("", |kind| kind.as_str());
    match kinds.is_empty() {
        true => format!("let the producer give `{first}`"),
        false => format!("let the producer give `{first}`, or accept what adapters reach: {}", kinds.join(", ")),
    }
}
