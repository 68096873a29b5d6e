//! L4, conformance: keys outside `allowed_keys` are stripped, and the full schema has its say.

use crate::climb::{Cx, Draft, Finding, Inputs, Output};
use crate::edits::Cause;
use crate::ladder::Ladder;
use crate::naming::same_but_style;
use crate::place::{push, push_index};
use deed_canon::{CanonError, Pointer};
use deed_diag::{Code, codes, nearest, quote};
use deed_imprint::Expected;
use deed_model::{LadderFinding, Rung};
use deed_schema::ViolationKind;
use serde_json::{Map, Value};
use std::collections::HashSet;

/// Keys of the schema that a message names.
const MOST_NAMED: usize = 4;

/// Strips keys that are not allowed, and holds the payload to the schema.
pub(crate) fn check(cx: Cx<'_>, inputs: Inputs<'_>) -> Output {
    let mut draft = Draft::new(inputs);
    strip(cx, &mut draft);
    if draft.all_changes().any(|change| change.rung != Rung::L0)
        && let Some(finding) = without_canonical_form(draft.payload())
    {
        draft.find(finding);
    }
    check_draft(cx, &mut draft);
    draft.into_output()
}

fn strip(cx: Cx<'_>, draft: &mut Draft<'_>) {
    for (place, keys) in &cx.ladder.allowed_keys {
        let mut strangers = Vec::new();
        place.each(draft.payload(), &mut |at, value| {
            if let Value::Object(map) = value
                && only_wrapped(cx.ladder, at, map, keys).is_none()
            {
                strangers.extend(map.keys().filter(|key| !keys.contains(*key)).map(|key| Pointer::push(at, key)));
            }
        });
        for at in strangers.into_iter().rev() {
            let cause =
                Cause { rung: Rung::L4, rule: "allowed_keys", confidence: 1000, why: "the contract does not list it" };
            if draft.is_free(&at) {
                draft.remove(&at, cause);
            }
        }
    }
}

/// A finding about a payload with numbers that programs read differently, or that is too deep.
pub(crate) fn without_canonical_form(payload: &Value) -> Option<Finding<'static>> {
    let error = deed_canon::to_canonical(payload).err()?;
    let help = match error {
        CanonError::TooDeep { .. } => "write a flatter value",
        _ => "write large numbers as text",
    };
    let message = format!("it has no canonical form: {error}");
    Some(Finding::blocking(Rung::L0, codes::PAYLOAD_WITHOUT_CANONICAL_FORM, "", message).help(help))
}

/// The key that all of an object stands in, if it may be a wrapper that was left: to strip it would leave nothing.
fn only_wrapped<'m>(
    ladder: &Ladder,
    at: &str,
    map: &'m Map<String, Value>,
    keys: &HashSet<String>,
) -> Option<&'m String> {
    let mut members = map.iter();
    let (Some((key, inner)), None) = (members.next(), members.next()) else { return None };
    let wrappers = &ladder.contract.structure.wrappers;
    let may_wrap = wrappers.contains(key) || (wrappers.is_empty() && at.is_empty());
    let has_content = inner.as_object().is_some_and(|inner| !inner.is_empty());
    (may_wrap && has_content && !keys.contains(key)).then_some(key)
}

/// Finds wrappers that were neither taken off nor stripped.
fn wrappers_left(cx: Cx<'_>, draft: &mut Draft<'_>) {
    let mut left = Vec::new();
    for (place, keys) in &cx.ladder.allowed_keys {
        place.each(draft.payload(), &mut |at, value| {
            let key = value.as_object().and_then(|map| only_wrapped(cx.ladder, at, map, keys));
            left.extend(key.map(|key| (Pointer::push(at, key), quote(key))));
        });
    }
    for (at, key) in left {
        let reported =
            |finding: &LadderFinding| finding.code == codes::KEY_NOT_ALLOWED.as_str() && finding.pointer == at;
        if !draft.findings.iter().any(reported) {
            let message = format!("{key} is not among the keys that are kept, and without it nothing would be left");
            let finding = Finding::blocking(Rung::L4, codes::KEY_NOT_ALLOWED, &at, message);
            draft.find(finding.help("give what stands in it without it").rule("allowed_keys"));
        }
    }
}

/// Finds everything that the schema does not allow, and what stripping would have emptied.
pub(crate) fn check_draft(cx: Cx<'_>, draft: &mut Draft<'_>) {
    against_schema(cx, draft);
    wrappers_left(cx, draft);
    near_keys(cx, draft);
    other_keys(cx, draft);
}

/// Refuses an object that has keys, none of them one that the schema names. An open schema without required keys allows
/// it, and so it would allow an error in the place of an answer.
fn other_keys(cx: Cx<'_>, draft: &mut Draft<'_>) {
    let payload = draft.payload();
    let expected = cx.ladder.imprint.expected();
    let is_map = cx.ladder.imprint.schema().value().get("additionalProperties").is_some_and(Value::is_object);
    let Some(map) = payload.as_object().filter(|map| !map.is_empty() && !is_map) else { return };
    if !expected.is_known(payload) || expected.strangers(payload).len() < map.len() {
        return;
    }
    let names: Vec<String> = expected.keys(payload).iter().take(MOST_NAMED).map(|key| quote(key.name)).collect();
    let is_near = |finding: &LadderFinding| finding.code == codes::KEY_NEAR_DECLARED_ONE.as_str();
    if draft.findings.iter().any(is_near) || !draft.is_valid(cx) {
        return;
    }
    let message = "none of its keys is one that the schema names".to_owned();
    let finding = Finding::blocking(Rung::L4, codes::OBJECT_OF_OTHER_KEYS, "", message);
    draft.find(finding.help(format!("give the value with keys such as {}", names.join(", "))));
}

/// Collects keys that are near to a declared one, each with its place and the declared one.
fn undeclared(expected: &Expected<'_>, value: &Value, at: &mut String, found: &mut Vec<(String, String, String)>) {
    let length = at.len();
    match value {
        Value::Object(map) => {
            let unknown = expected.strangers(value);
            let declared = if unknown.is_empty() { Vec::new() } else { expected.keys(value) };
            let names = || declared.iter().map(|key| key.name);
            for key in unknown {
                let styled = names().find(|name| same_but_style(name, key));
                if let Some(near) = styled.or_else(|| nearest(key, names())) {
                    found.push((Pointer::push(at, key), quote(key), quote(near)));
                }
            }
            for (key, inner) in map.iter().filter(|(_, inner)| inner.is_object() || inner.is_array()) {
                push(at, key);
                undeclared(&expected.key(value, key), inner, at, found);
                at.truncate(length);
            }
        }
        Value::Array(items) => {
            for (index, inner) in items.iter().enumerate().filter(|(_, inner)| inner.is_object() || inner.is_array()) {
                push_index(at, index);
                undeclared(&expected.item(value, index), inner, at, found);
                at.truncate(length);
            }
        }
        _ => {}
    }
}

/// Reports keys that the schema does not declare and lets pass, where they are near to a declared one.
fn near_keys(cx: Cx<'_>, draft: &mut Draft<'_>) {
    if !cx.ladder.has_open_objects {
        return;
    }
    let mut found = Vec::new();
    undeclared(&cx.ladder.imprint.expected(), draft.payload(), &mut String::new(), &mut found);
    for (at, key, near) in found {
        // What another rung said of the key need not be said again.
        if !draft.findings.iter().any(|finding| finding.pointer == at) {
            let message = format!("undeclared key {key}, which the schema lets pass");
            let finding = Finding::remark(Rung::L4, codes::KEY_NEAR_DECLARED_ONE, &at, message);
            draft.find(finding.help(format!("did you mean {near}?")));
        }
    }
}

fn against_schema(cx: Cx<'_>, draft: &mut Draft<'_>) {
    if draft.is_valid(cx) {
        return;
    }
    let ruled_out = |message: String| Finding::blocking(Rung::L4, codes::PAYLOAD_RULED_OUT, "", message);
    match cx.ladder.imprint.schema().violations(draft.payload()) {
        Err(refused) => draft.find(ruled_out(format!("the schema cannot judge it: {refused}"))),
        Ok(violations) if violations.is_empty() => draft.find(ruled_out("the schema does not allow it".to_owned())),
        Ok(violations) => {
            for violation in violations {
                let code = code(violation.kind);
                let finding = Finding::blocking(Rung::L4, code, &violation.pointer, violation.message);
                draft.find(finding.help_opt(violation.help));
            }
        }
    }
}

fn code(kind: ViolationKind) -> Code {
    match kind {
        ViolationKind::Missing => codes::REQUIRED_VALUE_MISSING,
        ViolationKind::UnknownKey => codes::KEY_NOT_ALLOWED,
        ViolationKind::WrongType => codes::PAYLOAD_WRONG_TYPE,
        ViolationKind::NotAllowed => codes::PAYLOAD_VALUE_NOT_ALLOWED,
        ViolationKind::OutOfRange => codes::PAYLOAD_OUT_OF_RANGE,
        ViolationKind::BadForm => codes::PAYLOAD_BAD_FORM,
        ViolationKind::NoVariant => codes::PAYLOAD_NO_VARIANT,
        ViolationKind::Other => codes::PAYLOAD_RULED_OUT,
    }
}
