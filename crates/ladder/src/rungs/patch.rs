//! L2, guarded patch: values that are nearly right enter; those with one right reading, and those that a sound
//! proposal mends, leave right. Structure is never touched.

mod dates;
mod gloss;
mod variants;

use crate::climb::{Cx, Draft, Finding, Findings, Inputs, Output, would_exceed};
use crate::edits::Cause;
use crate::flagged::CONCEALED;
use crate::naming::same_words;
use crate::place::{is_within, parent};
use crate::rungs::structure::is_nothing;
use crate::rungs::{domain, expert, guard};
use dates::{only_date, only_date_time, possible_dates};
use deed_canon::Pointer;
use deed_detect::Guard;
use deed_diag::{codes, quote};
use deed_imprint::ValueKind;
use deed_model::{LadderMode, PatchOp, Proposal, ProposalRecord, ProposalVerdict, Rung};
use deed_schema::{Violation, ViolationKind};
use gloss::glossed;
use serde_json::Value;
use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};

/// Faults that are looked at.
const MOST_FAULTS: usize = 100_000;
/// Thousandths that a proposal may be sure of itself.
const SURE: u16 = 1000;
/// How often proposals are gone through.
const MOST_ROUNDS: usize = 64;

/// Fixes values by rule, then by proposals.
pub(crate) fn fix(cx: Cx<'_>, inputs: Inputs<'_>) -> Output {
    let mut draft = Draft::new(inputs);
    by_rule(cx, &mut draft);
    judge_proposals(cx, Rung::L2, &mut draft);
    draft.into_output()
}

/// Fixes values by rule alone.
pub(crate) fn fix_by_rule(cx: Cx<'_>, inputs: Inputs<'_>) -> Output {
    let mut draft = Draft::new(inputs);
    by_rule(cx, &mut draft);
    draft.into_output()
}

/// Refuses proposals that no rung judged, so that none is dropped silently.
pub(crate) fn refuse_unjudged(
    cx: Cx<'_>,
    mut judged: BTreeMap<Rung, usize>,
    findings: &mut Findings<'_>,
) -> Vec<ProposalRecord> {
    let mut refused = Vec::new();
    for proposal in cx.proposer.given() {
        let count = judged.entry(proposal.rung).or_default();
        if *count > 0 {
            *count -= 1;
            continue;
        }
        let reason = match proposal.rung {
            Rung::L2 | Rung::L6 if cx.mode(proposal.rung) == LadderMode::Off => "the rung is off",
            Rung::L2 | Rung::L6 => "the climb ended before it",
            _ => "only L2 and L6 take proposals",
        };
        refused.push(refuse(cx, proposal.rung, proposal, reason.to_owned(), findings));
    }
    refused
}

fn refuse(cx: Cx<'_>, rung: Rung, proposal: Proposal, reason: String, findings: &mut Findings<'_>) -> ProposalRecord {
    let proposal = shown(cx, proposal);
    let message = format!("the proposal {} is refused: {reason}", quote(&proposal.id));
    let place = proposal.patch.first().map(PatchOp::path);
    let at = place.or(proposal.finding.as_ref().map(|finding| finding.at.as_str())).unwrap_or_default().to_owned();
    findings.add(Finding::remark(rung, codes::PROPOSAL_REFUSED, &at, message).rule(&proposal.id));
    ProposalRecord { proposal, verdict: ProposalVerdict::Refused, reason }
}

/// Whether the guard finds nothing in a proposal: every value is looked at under the name of its place.
fn is_clean(guard: &Guard, proposal: &Proposal) -> bool {
    let passes = |text: &str| guard.is_clean(text);
    let place = |pointer: &str| passes(pointer) && Pointer::tokens(pointer).all(|name| passes(&name));
    let operation = |operation: &PatchOp| {
        let names: Vec<String> = Pointer::tokens(operation.path()).collect();
        let is_index = |name: &&String| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit());
        let name = names.iter().rev().find(|name| !is_index(name)).map(String::as_str);
        let (from, value) = match operation {
            PatchOp::Add { value, .. } | PatchOp::Test { value, .. } => (None, Some(Cow::Borrowed(value))),
            PatchOp::Replace { value, .. } => (None, Some(value.value())),
            PatchOp::Move { from, .. } | PatchOp::Copy { from, .. } => (Some(from), None),
            PatchOp::Remove { .. } => (None, None),
        };
        place(operation.path())
            && from.is_none_or(|from| place(from))
            && value.is_none_or(|value| guard::is_clean(guard, name, &value) && guard::is_clean(guard, None, &value))
    };
    let found = proposal.finding.as_ref().is_none_or(|finding| passes(&finding.message) && place(&finding.at));
    found && passes(&proposal.id) && passes(&proposal.reason) && proposal.patch.iter().all(operation)
}

/// A proposal as the record may show it.
fn shown(cx: Cx<'_>, proposal: Proposal) -> Proposal {
    if cx.mode(Rung::L3) == LadderMode::Off || is_clean(&cx.ladder.guard, &proposal) {
        return proposal;
    }
    let id = if cx.ladder.guard.is_clean(&proposal.id) { proposal.id } else { CONCEALED.to_owned() };
    Proposal { id, patch: Vec::new(), finding: None, reason: String::new(), concealed: true, ..proposal }
}

/// Fixes that need no model: the case of an enum value, a date that can only be one.
fn by_rule(cx: Cx<'_>, draft: &mut Draft<'_>) {
    if draft.is_valid(cx) {
        return;
    }
    // A date is reported once.
    let reported: HashSet<String> = draft
        .findings
        .iter()
        .filter(|finding| finding.code == codes::AMBIGUOUS_DATE.as_str())
        .map(|finding| finding.pointer.clone())
        .collect();
    for violation in violations(cx, draft.payload()) {
        let at = violation.pointer.as_str();
        if !allowed(cx, at) || !draft.is_free(at) {
            continue;
        }
        if violation.kind == ViolationKind::NoVariant {
            choose_variant(cx, draft, at);
            continue;
        }
        let payload = draft.payload();
        let Some(text) = payload.pointer(at).and_then(Value::as_str) else { continue };
        let expected = cx.expected(payload, at);
        let made = match violation.kind {
            ViolationKind::NotAllowed => {
                let choices = expected.choices().unwrap_or_default();
                let case = || same_but_case(text, &choices).map(|choice| ("enum_case", choice));
                let gloss = || glossed(text, &choices).map(|choice| ("enum_gloss", choice));
                let date = || decided_date(cx, payload, at, text).map(|date| ("date_form", date));
                case().or_else(gloss).or_else(date)
            }
            _ if is_nothing(text) && expected.takes(ValueKind::Text) && expected.fits(&Value::Null) => {
                Some(("null_word", Value::Null))
            }
            ViolationKind::BadForm if expected.format() == Some("date-time") => {
                only_date_time(text).map(|time| ("date_time_form", Value::String(time)))
            }
            ViolationKind::BadForm if expected.format() == Some("date") => {
                match only_date(text, &cx.ladder.orders(at)) {
                    Ok(_) if cx.ladder.lists_dates(at) => None,
                    Ok(date) => date.map(|date| ("date_form", Value::String(date))),
                    Err(_) if !cx.ladder.lists_dates(at) && decided_date(cx, payload, at, text).is_some() => {
                        decided_date(cx, payload, at, text).map(|date| ("date_form", date))
                    }
                    Err(_) if reported.contains(at) => None,
                    Err(message) => {
                        let finding = Finding::remark(Rung::L2, codes::AMBIGUOUS_DATE, at, message);
                        draft.find(finding.help("write it as YYYY-MM-DD"));
                        None
                    }
                }
            }
            _ => None,
        };
        let Some((rule, value)) = made else { continue };
        let cause = Cause { rung: Rung::L2, rule, confidence: 1000, why: "it can only mean this" };
        draft.replace(at, value, cause);
    }
}

/// Puts the constants of an object right that say which of several shapes it has, where they differ in style alone.
fn choose_variant(cx: Cx<'_>, draft: &mut Draft<'_>, object: &str) {
    let payload = draft.payload();
    let Some(map) = payload.pointer(object).and_then(Value::as_object) else { return };
    let mut found = Vec::new();
    for (name, value) in map {
        let at = Pointer::push(object, name);
        let choices = cx.expected(payload, &at).choices().unwrap_or_default();
        let Some(text) = value.as_str().filter(|_| !choices.contains(&value)) else { continue };
        if let Some(choice) = same_but_case(text, &choices).filter(|_| allowed(cx, &at) && draft.is_free(&at)) {
            found.push((at, choice));
        }
    }
    for (at, choice) in found {
        let cause = Cause { rung: Rung::L2, rule: "enum_case", confidence: 1000, why: "it can only mean this" };
        draft.replace(&at, choice, cause);
    }
}

/// The only one of the dates that a text may be that the schema allows at a place.
fn decided_date(cx: Cx<'_>, payload: &Value, at: &str, text: &str) -> Option<Value> {
    const LONGEST: usize = 40;
    let dates = if text.len() <= LONGEST { possible_dates(text, &cx.ladder.orders(at)) } else { Vec::new() };
    let allows = |date: &String| {
        let mut after = payload.clone();
        let Some(here) = after.pointer_mut(at) else { return false };
        *here = Value::from(date.as_str());
        !violations(cx, &after).iter().any(|violation| violation.pointer == at)
    };
    let mut found = dates.into_iter().filter(allows);
    let first = found.next()?;
    found.next().is_none().then(|| Value::from(first))
}

/// The violations of the schema. One that cannot judge the payload gives none: conformance reports that.
fn violations(cx: Cx<'_>, payload: &Value) -> Vec<Violation> {
    cx.ladder.imprint.schema().violations_up_to(payload, MOST_FAULTS).unwrap_or_default()
}

/// The only choice that is the same text in another case, blanks at the ends apart; failing that, the only one that
/// differs in case and separators alone.
fn same_but_case(text: &str, choices: &[&Value]) -> Option<Value> {
    let wanted = text.trim();
    let only = |is: &dyn Fn(&str) -> bool| {
        let mut same = choices.iter().filter(|choice| choice.as_str().is_some_and(is));
        let first = same.next();
        (first, same.next().is_some())
    };
    match only(&|choice| choice.to_lowercase() == wanted.to_lowercase()) {
        (Some(choice), false) => Some((*choice).clone()),
        (Some(_), true) => None,
        (None, _) => match only(&|choice| same_words(choice, wanted)) {
            (Some(choice), false) => Some((*choice).clone()),
            (Some(_), true) | (None, _) => None,
        },
    }
}

/// Whether the guardrails let a place be changed.
fn allowed(cx: Cx<'_>, at: &str) -> bool {
    let ladder = cx.ladder;
    let inside = ladder.patch_allow.is_empty() || ladder.patch_allow.iter().any(|place| place.covers(at));
    inside && !ladder.patch_deny.iter().any(|place| place.covers(at))
}

/// Judges every proposal for a rung; those that hold are applied. One that does not hold is asked again once another
/// was applied, until nothing moves: which of them comes first says nothing of what they mean.
pub(crate) fn judge_proposals(cx: Cx<'_>, rung: Rung, draft: &mut Draft<'_>) {
    let given = cx.proposer.propose(rung, draft.payload(), &draft.findings.to_list());
    let mut answers: Vec<Option<Refusal>> = given.iter().map(|_| Some(Refusal::ForNow(String::new()))).collect();
    let mut moved = true;
    for _ in 0..MOST_ROUNDS {
        if !std::mem::take(&mut moved) {
            break;
        }
        for (proposal, answer) in given.iter().zip(&mut answers) {
            if !matches!(answer, Some(Refusal::ForNow(_))) {
                continue;
            }
            let judged = match &proposal.finding {
                Some(finding) => Err(expert::report(cx, draft, rung, proposal, finding)),
                None => judge(cx, draft, proposal).map_err(Some),
            };
            *answer = match judged {
                Ok(values) => {
                    apply(draft, rung, proposal, values);
                    moved = true;
                    None
                }
                Err(refusal) => refusal,
            };
        }
    }
    for (proposal, answer) in given.into_iter().zip(answers) {
        let verdict = match draft.inputs.mode {
            _ if proposal.finding.is_some() => ProposalVerdict::Reported,
            LadderMode::Block => ProposalVerdict::Applied,
            LadderMode::Report | LadderMode::Off => ProposalVerdict::Suggested,
        };
        let record = match answer {
            Some(Refusal::ForNow(reason) | Refusal::ForGood(reason)) => {
                refuse(cx, rung, proposal, reason, &mut draft.findings)
            }
            None => {
                let reason = match verdict {
                    ProposalVerdict::Reported => "it stands among the findings",
                    _ => "it changes values alone, and all is valid there",
                };
                ProposalRecord { proposal, verdict, reason: reason.to_owned() }
            }
        };
        draft.proposals.push(record);
    }
}

/// Why a proposal is refused.
pub(crate) enum Refusal {
    /// As the payload stands.
    ForNow(String),
    /// Whatever becomes of the payload.
    ForGood(String),
}

impl From<String> for Refusal {
    fn from(reason: String) -> Self {
        Self::ForNow(reason)
    }
}

/// Whether a text is a JSON Pointer: what begins with a tilde is an escape, and there are two of them.
pub(crate) fn is_pointer(text: &str) -> bool {
    let whole = text.split('~').skip(1).all(|rest| rest.starts_with(['0', '1']));
    whole && (text.is_empty() || text.starts_with('/'))
}

/// Refuses what no payload could make right.
pub(crate) fn sound(cx: Cx<'_>, proposal: &Proposal) -> Result<(), String> {
    let guarded = cx.mode(Rung::L3) != LadderMode::Off;
    if proposal.concealed || (guarded && !is_clean(&cx.ladder.guard, proposal)) {
        return Err("the guard found something in it".to_owned());
    }
    let guardrails = &cx.ladder.contract.patch;
    if proposal.confidence > SURE {
        return Err(format!("its confidence is {}, and there are {SURE} thousandths", proposal.confidence));
    }
    if proposal.confidence < guardrails.least_confidence {
        return Err(format!("its confidence is {}, below {}", proposal.confidence, guardrails.least_confidence));
    }
    if proposal.patch.len() > guardrails.most_operations {
        return Err(format!("it has {} operations, more than {}", proposal.patch.len(), guardrails.most_operations));
    }
    match proposal.patch.iter().map(PatchOp::path).find(|path| !is_pointer(path)) {
        Some(path) => Err(format!("{} is no JSON pointer", quote(path))),
        None => Ok(()),
    }
}

/// The values that a proposal puts where, if every part of it is allowed.
fn judge(cx: Cx<'_>, draft: &Draft<'_>, proposal: &Proposal) -> Result<Vec<(String, Value)>, Refusal> {
    sound(cx, proposal).map_err(Refusal::ForGood)?;
    let payload = draft.payload();
    let mut after = payload.clone();
    let mut values = Vec::new();
    for operation in &proposal.patch {
        let at = operation.path();
        let Some(here) = after.pointer_mut(at) else { return Err(format!("there is no {}", quote(at)).into()) };
        match operation {
            PatchOp::Test { value, .. } if here == value => {}
            PatchOp::Test { .. } => return Err(format!("{} is not what it was held to", quote(at)).into()),
            PatchOp::Replace { value, .. } => {
                let value = value.value().into_owned();
                if !allowed(cx, at) {
                    return Err(format!("{} is guarded", quote(at)).into());
                }
                if !draft.is_free(at) {
                    return Err(format!("the guard holds {}", quote(at)).into());
                }
                if is_structure(here) || is_structure(&value) {
                    return Err(format!("{} would change structure, and only values may be changed", quote(at)).into());
                }
                *here = value.clone();
                values.push((at.to_owned(), value));
            }
            other => return Err(format!("`{}` changes structure, and only values may be changed", other.name()).into()),
        }
    }
    if values.is_empty() {
        let reason = match proposal.patch.is_empty() {
            true => "it has neither a patch nor a finding",
            false => "it changes nothing; what is wrong without a value to replace it is given as `finding`",
        };
        return Err(Refusal::ForGood(reason.to_owned()));
    }
    within_schema(cx, payload, &after, &values)?;
    let budget = cx.ladder.contract.edit_budget.as_ref();
    if budget.is_some_and(|budget| would_exceed(budget, draft, proposal.rung, values.len())) {
        return Err(Refusal::ForNow("it would exceed the edit budget".to_owned()));
    }
    let broken = domain::broken(cx.ladder, payload);
    if let Some((rule, at)) = domain::broken(cx.ladder, &after).into_iter().find(|rule| !broken.contains(rule)) {
        let at = if at.is_empty() { "the payload as a whole".to_owned() } else { quote(&at) };
        return Err(format!("it breaks the rule {} at {at}", quote(&rule)).into());
    }
    Ok(values)
}

fn is_structure(value: &Value) -> bool {
    value.is_object() || value.is_array()
}

/// A proposal leaves no fault at the places it changes, and makes none anywhere else. Within a union that fits no
/// variant, what it changes must be allowed there by some variant.
fn within_schema(cx: Cx<'_>, payload: &Value, after: &Value, values: &[(String, Value)]) -> Result<(), String> {
    let schema = cx.ladder.imprint.schema();
    let faults = schema.violations_up_to(after, MOST_FAULTS).map_err(|refused| refused.to_string())?;
    let here = |violation: &&Violation| values.iter().any(|(at, _)| *at == violation.pointer);
    if let Some(fault) = faults.iter().find(here) {
        return Err(format!("the schema does not allow it: {}", fault.message));
    }
    for (at, _) in values {
        let hidden = faults.iter().any(|fault| is_within(at, &fault.pointer));
        if hidden && !variants::allow(schema, payload, after, at) {
            return Err(format!("the schema does not allow it: no shape is nearer with it at {}", quote(at)));
        }
    }
    let before = violations(cx, payload);
    let known: HashSet<(&str, &str)> = before.iter().map(told).collect();
    let new: Vec<&Violation> = faults.iter().filter(|fault| !known.contains(&told(fault))).collect();
    if new.is_empty() {
        return Ok(());
    }
    // A value that says of which kind its object is may bring to light what was wrong with the object all along.
    let kinds = values.iter().filter_map(|(at, _)| Some((at, parent(at)?.0)));
    let nearer: Vec<&str> =
        kinds.filter(|(at, _)| variants::nearer(schema, payload, after, at)).map(|(_, object)| object).collect();
    let hidden = |fault: &Violation| nearer.iter().any(|object| is_within(&fault.pointer, object));
    match new.into_iter().find(|fault| !hidden(fault)) {
        Some(fault) => Err(format!("it breaks something else: {}", fault.message)),
        None => Ok(()),
    }
}

fn told(violation: &Violation) -> (&str, &str) {
    (&violation.pointer, &violation.message)
}

fn apply(draft: &mut Draft<'_>, rung: Rung, proposal: &Proposal, values: Vec<(String, Value)>) {
    for (at, value) in values {
        if draft.payload().pointer(&at) == Some(&value) {
            continue;
        }
        let why = if proposal.reason.is_empty() { "a proposal" } else { &proposal.reason };
        let cause = Cause { rung, rule: &proposal.id, confidence: proposal.confidence.min(1000), why };
        draft.replace(&at, value, cause);
    }
}
