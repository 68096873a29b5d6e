//! L0c, structure: text that is JSON, needless wrappers, single items and numbers as text, put right where the
//! schema leaves one reading.
//!
//! Only places that the schema refuses are looked at. A fix is kept if the place is right afterwards; what can be
//! read in two ways is left as it is and named. Where one fix lays open another, all of them are made, each as a change
//! of its own, or none is.

mod call;
mod chat;
mod decided;
mod forms;
mod masked;
mod numbers;
mod placeholders;
mod points;
mod readings;
mod tokens;
mod unanswered;

use crate::climb::{Cx, Draft, Finding, Inputs, Output, Source};
use crate::edits::Cause;
use crate::embed::words;
use crate::place::{is_within, parent};
use crate::rungs::about::about;
use deed_canon::Pointer;
use deed_diag::{Invariant as _, codes};
use deed_imprint::Expected;
use deed_model::{LadderChange, LadderMode, Rung, StructuralFix};
use deed_schema::{Violation, ViolationKind};
use numbers::Field;
pub(crate) use numbers::names_other_unit;
pub(crate) use readings::is_nothing;
use readings::{Chain, Rules, readings};
use serde_json::{Number, Value};
use std::collections::{BTreeSet, HashMap, HashSet};

/// How often a fix may lay open another one beneath it.
const MOST_PASSES: usize = 64;
/// Faults that one pass looks at.
const MOST_FAULTS: usize = 100_000;

/// Fixes the structure of the payload.
pub(crate) fn fix(cx: Cx<'_>, inputs: Inputs<'_>) -> Output {
    let mut draft = Draft::new(inputs);
    tokens::remove(cx, &mut draft);
    placeholders::refuse(cx, &mut draft);
    // Places that were tried and are left as they are; what stands beneath them is looked at all the same.
    let mut left = HashSet::new();
    for _ in 0..MOST_PASSES {
        if draft.is_valid(cx) || points::are_mixed(cx, &draft) || !pass(cx, &mut draft, &mut left) {
            break;
        }
    }
    draft.into_output()
}

/// Returns whether a value that does not fit has one reading that does.
pub(crate) fn is_fixable(cx: Cx<'_>, source: &Source<'_>, at: &str, value: &Value, expected: &Expected<'_>) -> bool {
    let structure = &cx.ladder.contract.structure;
    let written = |number: &Number| source.written(number);
    let field = field(cx, at);
    let rules = Rules { fixes: &structure.fixes, wrappers: &structure.wrappers, written: &written, field: &field };
    cx.mode(Rung::L0c) == LadderMode::Block && readings(value, expected, rules).len() == 1
}

/// Fixes every place that can be fixed; false if there is nothing more to do.
fn pass(cx: Cx<'_>, draft: &mut Draft<'_>, left: &mut HashSet<String>) -> bool {
    let before = violations(cx, draft);
    let payload = draft.payload();
    let mut places: Vec<&str> = before.iter().filter_map(|violation| place(payload, violation)).collect();
    places.sort_unstable();
    places.dedup();
    let mut made: Vec<Vec<LadderChange>> = Vec::new();
    let mut above: Option<&str> = None;
    for at in places {
        // What stands beneath a place that was fixed is looked at in the next pass.
        if above.is_some_and(|above| is_within(at, above)) || left.contains(at) || !draft.is_free(at) {
            continue;
        }
        match fix_at(cx, draft, at) {
            Fixed::Made(changes) => {
                made.push(changes);
                above = Some(at);
            }
            Fixed::Several => {
                left.insert(at.to_owned());
            }
            Fixed::Nothing => {}
        }
    }
    let fixed = !made.is_empty();
    keep_what_helped(cx, draft, made, &before, left);
    fixed
}

/// The violations of the schema. One that cannot judge the payload gives none: conformance reports that.
fn violations(cx: Cx<'_>, draft: &Draft<'_>) -> Vec<Violation> {
    cx.ladder.imprint.schema().violations_up_to(draft.payload(), MOST_FAULTS).unwrap_or_default()
}

/// The place whose shape a violation may come from; none if it comes from the content.
fn place<'p>(payload: &Value, violation: &'p Violation) -> Option<&'p str> {
    match violation.kind {
        ViolationKind::WrongType | ViolationKind::NoVariant | ViolationKind::Missing | ViolationKind::NotAllowed => {
            Some(&violation.pointer)
        }
        // An unknown key that stands alone may be a needless wrapper, whether or not anything is missing.
        ViolationKind::UnknownKey => {
            let (object, _) = violation.pointer.rsplit_once('/')?;
            let alone = |object: &Value| object.as_object().is_some_and(|map| map.len() == 1);
            payload.pointer(object).is_some_and(alone).then_some(object)
        }
        ViolationKind::OutOfRange | ViolationKind::BadForm | ViolationKind::Other => None,
    }
}

/// What became of a place.
enum Fixed {
    /// These changes, each on top of the one before.
    Made(Vec<LadderChange>),
    /// It could be read in several ways, which was said.
    Several,
    Nothing,
}

/// The one reading of a place, made.
fn fix_at(cx: Cx<'_>, draft: &mut Draft<'_>, at: &str) -> Fixed {
    let structure = &cx.ladder.contract.structure;
    let source = draft.inputs.source;
    let written = |number: &Number| source.written(number);
    let field = field(cx, at);
    let rules = Rules { fixes: &structure.fixes, wrappers: &structure.wrappers, written: &written, field: &field };
    let payload = draft.payload();
    let Some(value) = payload.pointer(at) else { return Fixed::Nothing };
    if value.is_null() && structure.fixes.contains(&StructuralFix::ReadScalar) && may_be_left_out(cx, payload, at) {
        let why = "null says that the key has no value, and it may be left out";
        let cause = Cause { rung: Rung::L0c, rule: "null_removed", confidence: 1000, why };
        let change = draft.attempt_removal(at, cause);
        return change.map_or(Fixed::Nothing, |change| Fixed::Made(vec![change]));
    }
    let expected = cx.expected(payload, at);
    if let Some((fix, read)) = decided::read(cx, at, value, &expected).filter(|(fix, _)| structure.fixes.contains(fix))
    {
        return Fixed::Made(make(draft, at, vec![(fix, read)]));
    }
    let mut found = readings(value, &expected, rules);
    match (found.pop(), found.is_empty()) {
        (None, _) => Fixed::Nothing,
        (Some(chain), true) => Fixed::Made(make(draft, at, chain)),
        (Some(last), false) => {
            found.push(last);
            let name = |chain: &Chain| chain.iter().map(|(fix, _)| described(*fix).0).collect::<Vec<_>>().join(" and ");
            let names: Vec<String> = found.iter().map(name).collect();
            let message = format!("it could be read in several ways ({})", names.join(", "));
            draft.find(Finding::remark(Rung::L0c, codes::SEVERAL_READINGS, at, message));
            Fixed::Several
        }
    }
}

/// The words for the field at a place.
fn field(cx: Cx<'_>, at: &str) -> Field {
    let is_index = |name: &String| name.bytes().all(|byte| byte.is_ascii_digit());
    let name = Pointer::tokens(at).filter(|name| !is_index(name)).last().unwrap_or_default();
    let lower = |text: &str| words(text).iter().map(|word| word.to_lowercase()).collect();
    let described = about(cx.ladder.imprint.schema().value(), at).description;
    let is_item = Pointer::tokens(at).last().is_some_and(|name| is_index(&name));
    Field { name: lower(&name), description: lower(&described), is_item }
}

/// Whether the key at a place is declared, not required, and has no default.
fn may_be_left_out(cx: Cx<'_>, payload: &Value, at: &str) -> bool {
    let Some((above, name)) = parent(at) else { return false };
    let object = payload.pointer(above).unwrap_or(&Value::Null);
    let keys = cx.expected(payload, above).keys(object);
    let optional = keys.iter().any(|key| key.name == name && !key.required);
    let defaulted = about(cx.ladder.imprint.schema().value(), at).has_default()
        || cx.ladder.defaults.iter().any(|default| default.key == name && default.object.is_at(above));
    optional && !defaulted && object.is_object()
}

fn make(draft: &mut Draft<'_>, at: &str, chain: Chain) -> Vec<LadderChange> {
    let mut made = Vec::new();
    for (fix, read) in chain {
        let (rule, why) = described(fix);
        let cause = Cause { rung: Rung::L0c, rule, confidence: 1000, why };
        made.extend(draft.attempt(at, read, cause));
    }
    made
}

fn described(fix: StructuralFix) -> (&'static str, &'static str) {
    match fix {
        StructuralFix::ParseText => ("parse_text", "the text is the object or list that is asked for"),
        StructuralFix::Unwrap => ("unwrap", "what is asked for stands in a needless object or list"),
        StructuralFix::WrapItem => ("wrap_item", "one item stands where a list of such items is asked for"),
        StructuralFix::ReadScalar => ("read_scalar", "it is what is asked for, written as another kind of value"),
    }
}

/// Takes back what did not make its place right; the rest is written down.
fn keep_what_helped(
    cx: Cx<'_>,
    draft: &mut Draft<'_>,
    made: Vec<Vec<LadderChange>>,
    before: &[Violation],
    left: &mut HashSet<String>,
) {
    if made.is_empty() {
        return;
    }
    let after = violations(cx, draft);
    let known: BTreeSet<(&str, &str)> = before.iter().map(|v| (v.pointer.as_str(), v.message.as_str())).collect();
    let mut by_place: HashMap<&str, Vec<&Violation>> = HashMap::new();
    for violation in &after {
        by_place.entry(violation.pointer.as_str()).or_default().push(violation);
    }
    let mut taken_back = Vec::new();
    for changes in made {
        let last = changes.last().and_then(|change| change.patch.first());
        let at = last.invariant("a fix makes a change").path().to_owned();
        let here = by_place.get(at.as_str()).map(Vec::as_slice).unwrap_or_default();
        // Faults that lie beneath are the next pass's, unless they are of the very place.
        let unwrapped = changes.iter().any(|change| change.rule == described(StructuralFix::Unwrap).0);
        let still = !unwrapped && here.iter().any(|fault| known.contains(&(at.as_str(), fault.message.as_str())));
        let same_shape =
            here.iter().any(|fault| matches!(fault.kind, ViolationKind::WrongType | ViolationKind::NoVariant));
        if still || same_shape {
            left.insert(at);
            taken_back.extend(changes);
        } else {
            changes.into_iter().for_each(|change| draft.keep(change));
        }
    }
    draft.take_back(&taken_back);
}
