//! Sets of files: no other output can be one of theirs, their bounds make sense, and what works on one file gets none.

use super::outputs::plain;
use super::state::{Lowering, Source, Told};
use crate::codes::{SET_BOUNDS, SET_MISUSED, SETS_OVERLAP};
use crate::path::WorkPath;
use deed_diag::quote;
use deed_model::{DEFAULT_MOST_FILES, MOST_FILES, PlanStep, WriteSet, in_set, is_set};

pub(super) fn check(lowering: &mut Lowering<'_>) {
    lowering.stage = "sets";
    for index in 0..lowering.steps.len() {
        let Some(step) = lowering.plan.steps.get(index) else { continue };
        for position in 0..step.expected_outputs.len() {
            range(lowering, index, step, position);
            overlap(lowering, index, step, position);
        }
        single(lowering, index, step);
    }
}

/// How many files a set of a step has.
pub(super) fn bounds(step: &PlanStep, path: &str) -> Option<WriteSet> {
    let expected = step.expected_outputs.iter().find(|expected| is_set(path) && plain(&expected.path) == path)?;
    let at_least = expected.at_least.unwrap_or(1);
    let at_most = expected.at_most.unwrap_or(DEFAULT_MOST_FILES.max(at_least));
    Some(WriteSet { path: path.to_owned(), at_least, at_most })
}

fn range(lowering: &mut Lowering<'_>, index: usize, step: &PlanStep, position: usize) {
    let Some(expected) = step.expected_outputs.get(position) else { return };
    let at = |key: &str| format!("/expected_outputs/{position}/{key}");
    let given = [("at_least", expected.at_least), ("at_most", expected.at_most)];
    if !is_set(&expected.path) {
        if let Some((key, _)) = given.into_iter().find(|(_, given)| given.is_some()) {
            let message = format!("{} is one file, and `{key}` is for sets", quote(&expected.path));
            let help = "write a `*` into the last part of the path, such as `output/pages/*.html`, or remove it";
            lowering.tell(Told::error(index, SET_BOUNDS, at(key), message).help(help));
        }
        return;
    }
    if let Some((key, Some(most))) = given.into_iter().find(|(_, given)| given.is_some_and(|most| most > MOST_FILES)) {
        let message = format!("a set has at most {MOST_FILES} files, and `{key}` is {most}");
        lowering.tell(Told::error(index, SET_BOUNDS, at(key), message).help("write fewer, larger files"));
    }
    let (least, most) = (expected.at_least.unwrap_or(1), expected.at_most.unwrap_or(MOST_FILES));
    if most == 0 || least > most {
        let message = format!("no number of files is at least {least} and at most {most}");
        lowering.tell(Told::error(index, SET_BOUNDS, at("at_most"), message).help("raise `at_most`"));
    }
}

/// Another output, of any step, that could be a file of the set.
fn overlap(lowering: &mut Lowering<'_>, index: usize, step: &PlanStep, position: usize) {
    let Some(expected) = step.expected_outputs.get(position).filter(|expected| is_set(&expected.path)) else { return };
    let Ok(set) = WorkPath::read_any(&expected.path) else { return };
    let own = Source::Step(index, position);
    // Of two sets that overlap the later one is told about.
    let before = |source: Source| source < own;
    let clashes = lowering.writers.iter().filter(|(folded, (source, _))| match is_set(folded) {
        true => before(*source) && overlapping(&set.folded, folded),
        false => in_set(&set.folded, folded),
    });
    let first = clashes.map(|(_, (source, text))| (*source, text.clone())).min();
    let Some((source, other)) = first else { return };
    let who = lowering.who(source);
    let place = match source {
        Source::Step(step, position) => format!("/steps/{step}/expected_outputs/{position}/path"),
        Source::Mission(input) => format!("/inputs/{input}/path"),
    };
    let message = match is_set(&other) {
        true => format!("a file could be of {} and of {} of {who}", quote(&set.text), quote(&other)),
        false => format!("{} of {who} could be a file of {}", quote(&other), quote(&set.text)),
    };
    let told = Told::error(index, SETS_OVERLAP, format!("/expected_outputs/{position}/path"), message);
    lowering.tell(told.related(place, "declared here").help("give the set a folder of its own, or other names"));
}

/// Whether a file could be of both sets. Both have one star, so that is so if both beginnings and both ends agree.
fn overlapping(one: &str, other: &str) -> bool {
    let (Some((a, b)), Some((c, d))) = (one.split_once('*'), other.split_once('*')) else { return false };
    let folder = |text: &str| text.rsplit_once('/').map(|(folder, _)| folder.to_owned());
    folder(one) == folder(other) && (a.starts_with(c) || c.starts_with(a)) && (b.ends_with(d) || d.ends_with(b))
}

/// Adapters and loops work on one file.
fn single(lowering: &mut Lowering<'_>, index: usize, step: &PlanStep) {
    let mut told = Vec::new();
    if step.adapter.is_some() {
        let written = step.expected_outputs.iter().position(|expected| is_set(&expected.path));
        told.extend(written.map(|at| {
            (format!("/expected_outputs/{at}/path"), "an adapter writes one file, and this is a set".to_owned())
        }));
    }
    let bound = lowering.steps.get(index).map(|step| step.bound.clone()).unwrap_or_default();
    for (position, bound) in bound.iter().enumerate() {
        let Some(bound) = bound else { continue };
        let Some(output) = lowering.output(bound.source).filter(|output| is_set(&output.path)) else { continue };
        let at = format!("/abstract_inputs/{position}");
        let path = quote(&output.path);
        if step.adapter.is_some() || !bound.route.is_empty() {
            told.push((at.clone(), format!("{path} is a set of files, and adapters take one file")));
        }
        let slot = step.abstract_inputs.get(position).map(|input| input.slot.as_str());
        if step.for_each.as_ref().is_some_and(|each| Some(each.slot.as_str()) == slot) {
            told.push(("/for_each/slot".to_owned(), format!("{path} is a set of files, and a loop takes one list")));
        }
    }
    for (at, message) in told {
        let help = "read the set in code, where it is a folder of files";
        lowering.tell(Told::error(index, SET_MISUSED, at, message).help(help));
    }
}
