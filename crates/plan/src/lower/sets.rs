//! Sets of files. Enters: the writers and the bindings. Must prove: no other output can be one of a set's files, its
//! bounds make sense, and what works on one file is not given a set.

use super::bind::Bindings;
use super::cx::{Cx, Step};
use super::findings::{Finding, Findings};
use super::outputs::normalized;
use super::wiring::{Writer, Writers};
use crate::path::WorkPath;
use deed_diag::{codes, quote};
use deed_model::{DEFAULT_MOST_FILES, ExpectedOutput, MOST_FILES, PlanStep, WriteSet, in_set, is_set};

pub(super) fn check(cx: Cx<'_>, writers: &Writers, bindings: &Bindings<'_>, findings: &mut Findings<'_>) {
    for step in cx.steps() {
        for (position, expected) in step.authored.expected_outputs.iter().enumerate() {
            check_bounds(step, position, expected, findings);
            if is_set(&expected.path) {
                check_overlap(cx, writers, Writer::Step(step.index, position), &expected.path, findings);
            }
        }
        check_single(step, bindings, findings);
    }
}

/// The number of files that a set of a step has.
pub(super) fn bounds(step: &PlanStep, path: &str) -> Option<WriteSet> {
    let expected = step.expected_outputs.iter().find(|expected| is_set(path) && normalized(&expected.path) == path)?;
    let at_least = expected.at_least.unwrap_or(1);
    let at_most = expected.at_most.unwrap_or(DEFAULT_MOST_FILES.max(at_least));
    Some(WriteSet { path: path.to_owned(), at_least, at_most })
}

fn check_bounds(step: Step<'_>, position: usize, expected: &ExpectedOutput, findings: &mut Findings<'_>) {
    let mut refuse = |key: &str, message: String, help: &str| {
        let at = step.at().key("expected_outputs").item(position).key(key);
        findings.add(Finding::error(at, codes::BAD_SET_BOUNDS, message).help(help));
    };
    let given = [("at_least", expected.at_least), ("at_most", expected.at_most)];
    if !is_set(&expected.path) {
        if let Some((key, _)) = given.into_iter().find(|(_, given)| given.is_some()) {
            let message = format!("{} is one file, and `{key}` is for sets", quote(&expected.path));
            let help = "write a `*` into the last part of the path, such as `output/pages/*.html`, or remove it";
            refuse(key, message, help);
        }
        return;
    }
    if let Some((key, Some(most))) = given.into_iter().find(|(_, given)| given.is_some_and(|most| most > MOST_FILES)) {
        let message = format!("a set has at most {MOST_FILES} files, and `{key}` is {most}");
        refuse(key, message, "write fewer, larger files");
    }
    let (least, most) = (expected.at_least.unwrap_or(1), expected.at_most.unwrap_or(MOST_FILES));
    if most == 0 || least > most {
        let message = format!("no number of files is at least {least} and at most {most}");
        refuse("at_most", message, "raise `at_most`");
    }
}

/// Refuses another output, of any step, that could be a file of the set.
fn check_overlap(cx: Cx<'_>, writers: &Writers, own: Writer, path: &str, findings: &mut Findings<'_>) {
    // A path that cannot be read is reported where it is written.
    let Ok(set) = WorkPath::read_any(path) else { return };
    let clashes = writers.iter().filter(|(folded, writer, _)| match is_set(folded) {
        // Of two sets that overlap the later one is reported.
        true => *writer < own && overlapping(&set.folded, folded),
        false => in_set(&set.folded, folded),
    });
    let Some((first, other)) = clashes.map(|(_, writer, text)| (writer, text)).min() else { return };
    let (text, other_text, who) = (quote(&set.text), quote(other), first.name(cx));
    let message = match is_set(other) {
        true => format!("a file could be of {text} and of {other_text} of {who}"),
        false => format!("{other_text} of {who} could be a file of {text}"),
    };
    let finding = Finding::error(own.at(), codes::SETS_OVERLAP, message).related(&first.at(), "declared here");
    findings.add(finding.help("give the set a folder of its own, or other names"));
}

/// Returns whether a file could be of both sets. Both have one star, so that is so if both beginnings and both ends agree.
fn overlapping(one: &str, other: &str) -> bool {
    let (Some((a, b)), Some((c, d))) = (one.split_once('*'), other.split_once('*')) else { return false };
    let folder = |text: &str| text.rsplit_once('/').map(|(folder, _)| folder.to_owned());
    folder(one) == folder(other) && (a.starts_with(c) || c.starts_with(a)) && (b.ends_with(d) || d.ends_with(b))
}

/// Adapters and loops work on one file.
fn check_single(step: Step<'_>, bindings: &Bindings<'_>, findings: &mut Findings<'_>) {
    let mut faults = Vec::new();
    let adapted = step.authored.adapter.is_some();
    let written = step.authored.expected_outputs.iter().position(|expected| is_set(&expected.path));
    if let Some(position) = written.filter(|_| adapted) {
        let at = step.at().key("expected_outputs").item(position).key("path");
        faults.push((at, "an adapter writes one file, and this is a set".to_owned()));
    }
    for known in bindings.of_step(step.index) {
        let Some(bound) = &known.bound else { continue };
        let output = bindings.offers.get(bound.source);
        if !is_set(&output.path) {
            continue;
        }
        let path = quote(&output.path);
        if adapted || !bound.route.is_empty() {
            faults.push((known.input.at(), format!("{path} is a set of files, and adapters take one file")));
        }
        if step.authored.for_each.as_ref().is_some_and(|each| each.slot == known.input.authored.slot) {
            let at = step.at().key("for_each").key("slot");
            faults.push((at, format!("{path} is a set of files, and a loop takes one list")));
        }
    }
    for (at, message) in faults {
        let finding = Finding::error(at, codes::SET_MISUSED, message);
        findings.add(finding.help("read the set in code, where it is a folder of files"));
    }
}
