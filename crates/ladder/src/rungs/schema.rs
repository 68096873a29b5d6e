//! L0, schema: raw text enters, one JSON value leaves, with every repair of the text written down.
//!
//! Correct JSON is never altered. Text that can be read in two ways is refused.

mod bare_words;
mod cut;
mod name_pairs;
mod outside;
mod places;
mod references;
mod struck;
mod units;
mod written;

use super::conformance::without_canonical_form;
use crate::climb::{Cx, Finding, Findings, Input, Output, Source, Weight, habits};
use crate::edits::hash_of;
use crate::flagged::Flagged;
use crate::ladder::Ladder;
use crate::reading::{Entry, EntryText};
use crate::repair::{Certainty, Repair, RepairKind, Unreadable, UnreadableKind, repaired_text, rounded};
use deed_diag::{Invariant as _, codes, quote};
use deed_model::{LadderChange, LadderMode, PatchOp, PatchValue, ProseRule, RepairName, Rung, TextRepairs};
use serde_json::Value;
use std::borrow::Cow;

/// The output of the rung, with the payload and its source.
pub(crate) struct Read<'c> {
    /// The payload; none if the text cannot be read.
    pub(crate) payload: Option<Cow<'c, Value>>,
    /// Whether the payload satisfies the schema, if reading it took that.
    pub(crate) valid: Option<bool>,
    /// The source of the payload, for the rungs above.
    pub(crate) source: Source<'c>,
    pub(crate) output: Output,
}

/// A text that was repaired, and the value that it was read as.
#[derive(Clone, Copy)]
struct Repaired<'r> {
    ladder: &'r Ladder,
    text: &'r str,
    repairs: &'r [Repair],
    payload: &'r Value,
}

/// Reads the input.
pub(crate) fn read<'c>(cx: Cx<'_>, mode: LadderMode, entry: Entry<'c>, flagged: &Flagged) -> Read<'c> {
    let mut findings = Findings::new(flagged, &[]);
    match entry {
        Entry::Value(value) => {
            without_canonical_form(value).into_iter().for_each(|finding| findings.add(finding));
            let source = Source::new(Input::Value(value));
            Read { payload: Some(Cow::Borrowed(value)), valid: None, source, output: Output::of_findings(findings) }
        }
        Entry::Unreadable { text, unreadable, bound } => {
            report_bound(bound, &mut findings);
            report_unreadable(&unreadable, flagged, &mut findings);
            let source = Source::new(Input::Text(text));
            Read { payload: None, valid: None, source, output: Output::of_findings(findings) }
        }
        Entry::Text(read) if read.repairs.is_empty() => {
            digits_lost(read.text, &mut findings);
            let (source, output) = (Source::new(Input::Text(read.text)), Output::of_findings(findings));
            Read { payload: Some(Cow::Owned(read.value)), valid: read.valid, source, output }
        }
        Entry::Text(read) if mode != LadderMode::Block => {
            let kinds = habits(read.repairs.iter().map(|repair| repair.kind.as_str()));
            let message = format!("the text is no JSON, and would have to be repaired ({})", kinds.join(", "));
            findings.add(Finding::blocking(Rung::L0, codes::TEXT_UNREADABLE, "", message));
            let source = Source::new(Input::Text(read.text));
            Read { payload: None, valid: None, source, output: Output::of_findings(findings) }
        }
        Entry::Text(read) => repaired(cx, read, findings),
    }
}

fn report_unreadable(unreadable: &Unreadable, flagged: &Flagged, findings: &mut Findings<'_>) {
    let why = if flagged.unquoted { unreadable.reason.message() } else { &unreadable.message };
    let code = match unreadable.reason {
        UnreadableKind::SeveralReadings => codes::SEVERAL_TEXT_READINGS,
        _ => codes::TEXT_UNREADABLE,
    };
    let message = format!("the text cannot be read at byte {}: {why}", unreadable.at);
    let finding = Finding::blocking(Rung::L0, code, "", message);
    findings.add(finding.help(unreadable.help.clone()).rule(unreadable.reason.as_str()));
}

/// Reports numbers with more digits than a double holds. One that became another kind of number refuses the payload.
fn digits_lost(text: &str, findings: &mut Findings<'_>) {
    for number in rounded(text) {
        let whole = !number.read.contains(['.', 'e', 'E']);
        let weight = if whole { Weight::Blocks } else { Weight::Remark };
        let (literal, read) = (quote(&number.literal), quote(&number.read));
        let message =
            format!("number {literal} at byte {} has more digits than are kept, and reads as {read}", number.at);
        let help = "write it as text, or with at most 15 digits";
        findings.add(Finding::blocking(Rung::L0, codes::NUMBER_ROUNDED, "", message).help(help).weight(weight));
    }
}

/// Reports that other readings of the text were not tried.
fn report_bound(bound: Option<String>, findings: &mut Findings<'_>) {
    if let Some(bound) = bound {
        let message = format!("readings under the schema were not tried: {bound}");
        findings.add(Finding::remark(Rung::L0, codes::SEARCH_LIMIT_REACHED, "", message));
    }
}

fn repaired<'c>(cx: Cx<'_>, read: EntryText<'c>, mut findings: Findings<'_>) -> Read<'c> {
    let EntryText { text, value, repairs, valid, bound } = read;
    if !rounded(text).is_empty() {
        digits_lost(&repaired_text(text, &repairs), &mut findings);
    }
    report_bound(bound, &mut findings);
    let least_sure = repairs.iter().map(|repair| repair.certainty()).max().unwrap_or(Certainty::Exact);
    let confidence = match least_sure {
        Certainty::Exact => 1000,
        Certainty::Likely => 900,
        Certainty::Partial => 600,
    };
    let repaired = Repaired { ladder: cx.ladder, text, repairs: &repairs, payload: &value };
    let mut source = Source::new(Input::Text(text));
    source.cut = cut::report_cut(repaired, &mut findings);
    cut::refuse_broken_off(&repairs, &mut findings);
    refuse_encoded_body(text, &repairs, &mut findings);
    if cx.ladder.contract.prose == ProseRule::Refuse {
        outside::refuse_prose(repaired, &mut findings);
    }
    outside::refuse_disowned(repaired, &mut findings);
    outside::refuse_written(repaired, &mut findings);
    outside::refuse_miscounted(repaired, &mut findings);
    struck::refuse_struck(repaired, &mut findings);
    name_pairs::refuse_name_pairs(repaired, &mut findings);
    bare_words::refuse_bare_words(repaired, &mut findings);
    references::refuse_references(repaired, &mut findings);
    units::refuse_other_units(repaired, &mut findings);
    // Only defaults ask for it, and there may be as many parts as lines.
    if !cx.ladder.defaults.is_empty() {
        source.removed = removed(text, &repairs);
    }
    let rule = habits(repairs.iter().map(|repair| repair.kind.as_str())).join("+");
    source.repairs = recorded(repairs);
    // Hashing takes room of its own, so it comes before what is kept.
    let raw = Value::String(text.to_owned());
    let before = hash_of(&raw);
    let change = LadderChange {
        rung: Rung::L0,
        rule,
        confidence,
        before,
        after: hash_of(&value),
        patch: vec![PatchOp::Replace { path: String::new(), value: PatchValue::compact(&value, text.len()) }],
        inverse: vec![PatchOp::Replace { path: String::new(), value: raw.into() }],
        why: "the text was read as JSON once these slips were repaired".to_owned(),
    };
    let output = Output { changes: vec![change], ..Output::of_findings(findings) };
    Read { payload: Some(Cow::Owned(value)), valid, source, output }
}

/// The repairs as the record has them.
fn recorded(repairs: Vec<Repair>) -> TextRepairs {
    let names: Vec<Option<RepairName>> = RepairKind::ALL.iter().map(|kind| RepairName::new(kind.as_str())).collect();
    let name = |kind: RepairKind| names.get(kind as usize).copied().flatten();
    let mut recorded = TextRepairs::default();
    for repair in &repairs {
        let kind = name(repair.kind).invariant("every kind of repair has a name in reports");
        recorded.push(kind, repair.at(), repair.inserted());
    }
    recorded.shrink_to_fit();
    recorded
}

/// The parts of a text that were removed and may say something of the value.
fn removed<'t>(text: &'t str, repairs: &[Repair]) -> Vec<&'t str> {
    let speaks = |repair: &&Repair| {
        matches!(
            repair.kind,
            RepairKind::ProseBefore | RepairKind::ProseAfter | RepairKind::OtherValue | RepairKind::Comment
        )
    };
    repairs.iter().filter(speaks).map(|repair| repair.removed(text)).collect()
}

/// Refuses the body of a mail that its headers call encoded: its texts are not what they look like.
fn refuse_encoded_body(text: &str, repairs: &[Repair], findings: &mut Findings<'_>) {
    let headers = repairs.iter().filter(|repair| repair.kind == RepairKind::ProseBefore);
    let headers: String = headers.map(|repair| repair.removed(text).to_ascii_lowercase()).collect();
    let encodings = ["quoted-printable", "base64"];
    let encoding = headers
        .lines()
        .filter_map(|line| line.trim().strip_prefix("content-transfer-encoding:"))
        .find_map(|value| encodings.into_iter().find(|encoding| value.trim() == *encoding));
    if let Some(encoding) = encoding {
        let message = format!("the text is encoded as `{encoding}`, which is not decoded");
        let help = "decode the body of the message first";
        findings.add(Finding::blocking(Rung::L0, codes::TEXT_UNREADABLE, "", message).help(help));
    }
}
