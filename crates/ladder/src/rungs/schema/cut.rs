//! Text that was cut off: what was lost, and whether anything can have followed.

use super::Repaired;
use crate::climb::{Finding, Findings, Weight};
use crate::excerpt::excerpt;
use crate::repair::{Certainty, Repair, RepairKind, open_containers, repaired_text};
use deed_diag::{codes, quote};
use deed_model::Rung;

const ASK_AGAIN: &str = "what followed is not known; ask for it again, or for less at once";

/// Reports that a text was cut off, where, and what became of its end. Returns the containers that more may have
/// followed in.
pub(super) fn report_cut(repaired: Repaired<'_>, findings: &mut Findings<'_>) -> Vec<String> {
    let Repaired { text, repairs, .. } = repaired;
    let at_end = |repair: &&Repair| repair.certainty() == Certainty::Partial;
    let Some(at) = repairs.iter().filter(at_end).map(|repair| repair.at().start).min() else { return Vec::new() };
    let dropped = repairs.iter().find(|repair| repair.kind == RepairKind::CutMemberDropped);
    // A closing bracket alone may be all that is missing; a part of a member, or a comma, shows that more was written.
    let closers = repairs.iter().filter(|repair| repair.kind == RepairKind::CutClosed).count();
    let more = |repair: &Repair| {
        let part = [RepairKind::CutMemberDropped, RepairKind::CutStringClosed, RepairKind::CutLiteralCompleted];
        part.contains(&repair.kind)
            || closers > 1
            || (repair.kind == RepairKind::TrailingComma
                && text.get(repair.at().end..).is_some_and(|rest| rest.trim().is_empty()))
    };
    let broken = |repair: &Repair| {
        let part = [RepairKind::CutMemberDropped, RepairKind::CutStringClosed, RepairKind::CutLiteralCompleted];
        part.contains(&repair.kind)
    };
    let open = open_at_cut(text, repairs);
    let complete = !repairs.iter().any(broken) && has_no_room(repaired, &open);
    let open = if repairs.iter().any(more) { open } else { Vec::new() };
    let number = dropped.map(|repair| last_number(repair.removed(text))).filter(|number| !number.is_empty());
    let dropped = dropped.is_some();
    let closed: String = repairs.iter().filter(at_end).map(|repair| repair.inserted()).collect();
    let completed = repairs.iter().find(|repair| repair.kind == RepairKind::CutLiteralCompleted);
    let word =
        completed.map(|repair| format!("; the word that it broke off in is read as {}", quote(repair.inserted())));
    let word = word.unwrap_or_default();
    let lost = if dropped { "; the member or item that it broke off in is left out" } else { "" };
    let message = format!("the text was cut off at byte {at}, and closed there with {}{word}{lost}", quote(&closed));
    let weight = if complete { Weight::Remark } else { Weight::Blocks };
    findings.add(Finding::blocking(Rung::L0, codes::TEXT_CUT_OFF, "", message).help(ASK_AGAIN).weight(weight));
    if let Some(number) = number {
        let message = format!("the text ends in the number {}, of which digits may be missing", quote(number));
        let help = "ask for the whole answer again";
        findings.add(Finding::blocking(Rung::L0, codes::NUMBER_CUT_OFF, "", message).help(help));
    }
    open
}

/// Refuses a string that ends without a quote where brackets are missing too: it broke off, and a fence or prose follows.
pub(super) fn refuse_broken_off(repairs: &[Repair], findings: &mut Findings<'_>) {
    let ends =
        |kind: RepairKind| repairs.iter().filter(move |repair| repair.kind == kind).map(|repair| repair.at().start);
    let Some(at) =
        ends(RepairKind::MissingQuote).find(|at| ends(RepairKind::MissingCloser).any(|closer| closer == *at))
    else {
        return;
    };
    let message = format!("a string breaks off at byte {at}, before its quote and its brackets are closed");
    findings.add(Finding::blocking(Rung::L0, codes::TEXT_CUT_OFF, "", message).help(ASK_AGAIN));
}

/// Whether nothing can have followed where the text was cut off: every container that is open there is an object that
/// has all its declared keys, and that takes no others by a rule. A list may always go on.
fn has_no_room(repaired: Repaired<'_>, open: &[String]) -> bool {
    const UNDECLARED: &str = "\u{1}undeclared";
    let Repaired { ladder, payload, .. } = repaired;
    let expected = ladder.imprint.expected();
    let is_full = |at: &String| {
        let Some(object) = payload.pointer(at).filter(|object| object.is_object()) else { return false };
        let expected = expected.along(payload, at);
        let declared = expected.keys(object);
        !declared.is_empty()
            && declared.iter().all(|key| object.get(key.name).is_some())
            && !expected.has_key(object, UNDECLARED)
    };
    !open.is_empty() && open.iter().all(is_full)
}

/// The number that a text ends in.
fn last_number(text: &str) -> &str {
    let text = text.trim_end();
    let is_part = |c: char| c.is_ascii_digit() || matches!(c, '.' | '-' | '+' | 'e' | 'E');
    let start = text.trim_end_matches(is_part).len();
    let number = excerpt(text, start..);
    let valued = text.get(..start).is_some_and(|before| before.trim_end().ends_with([':', ',', '[', '=']));
    if valued && number.starts_with(|c: char| c.is_ascii_digit() || c == '-') { number } else { "" }
}

/// The objects and lists that are open where the text was cut off, outermost first.
fn open_at_cut(text: &str, repairs: &[Repair]) -> Vec<String> {
    let closers = repairs.iter().filter(|repair| repair.kind == RepairKind::CutClosed).count();
    let before = repaired_text(text, repairs);
    let end = before.trim_end().len().saturating_sub(closers);
    // Without a beginning nothing is open, and the text counts as incomplete.
    open_containers(before.get(..end).unwrap_or_default())
}
