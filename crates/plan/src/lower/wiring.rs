//! C4, wiring: paths in one spelling, inside the workspace, each written once and read only after it was written.

use super::state::{Lowering, Output, Source, Told};
use crate::codes::{
    BAD_PATH, BARE_PATH, ESCAPES, GENERIC, NOBODY_WRITES, SPELLED_OTHERWISE, TWO_WRITERS, WRONG_FOLDER,
};
use crate::path::{PathFault, WorkPath};
use deed_diag::{Code, Severity, did_you_mean, quote};
use deed_model::{PolicyRules, in_set};
use std::collections::BTreeSet;

pub(super) fn normalize(lowering: &mut Lowering<'_>) {
    lowering.stage = "wiring";
    given(lowering);
    for index in 0..lowering.steps.len() {
        writes(lowering, index);
    }
    // Their order in the file means nothing.
    lowering.steps.iter_mut().for_each(|step| step.writes.sort());
    nested(lowering);
    for index in 0..lowering.steps.len() {
        reads(lowering, index);
    }
}

fn fault(text: &str, fault: PathFault) -> (Code, String) {
    match fault {
        PathFault::Escapes => (ESCAPES, format!("{} leads out of the workspace", quote(text))),
        PathFault::Form(why) => (BAD_PATH, format!("{} is no path of the workspace: {why}", quote(text))),
    }
}

const PATH_HELP: &str = "paths are relative to the workspace, such as `output/report.html`";

fn given(lowering: &mut Lowering<'_>) {
    let plan = lowering.plan;
    for (index, input) in plan.inputs.iter().enumerate() {
        let at = format!("/inputs/{index}/path");
        match WorkPath::read(&input.path) {
            Err(found) => {
                let (code, message) = fault(&input.path, found);
                lowering.say(Severity::Error, code, &at, message, Some(PATH_HELP.to_owned()));
            }
            Ok(path) if path.folder() != "input" => {
                let message =
                    format!("{} is given to the mission, and does not lie beneath `input/`", quote(&path.text));
                let help = Some(format!("move it to `input/{}`", path.text));
                lowering.say(Severity::Error, WRONG_FOLDER, &at, message, help);
            }
            Ok(path) => {
                let taken = lowering.writers.insert(path.folded, (Source::Mission(index), path.text.clone()));
                if let Some((_, other)) = taken {
                    let code = if other == path.text { TWO_WRITERS } else { SPELLED_OTHERWISE };
                    let message = match other == path.text {
                        true => format!("{} is given twice", quote(&path.text)),
                        false => format!("{} is {} in another spelling", quote(&path.text), quote(&other)),
                    };
                    lowering.say(Severity::Error, code, &at, message, None);
                }
            }
        }
    }
}

fn writes(lowering: &mut Lowering<'_>, index: usize) {
    let Some(step) = lowering.plan.steps.get(index) else { return };
    for (position, expected) in step.expected_outputs.iter().enumerate() {
        let at = format!("/expected_outputs/{position}/path");
        let path = match WorkPath::read_any(&expected.path) {
            Ok(path) => path,
            Err(found) => {
                let (code, message) = fault(&expected.path, found);
                lowering.tell(Told::error(index, code, at, message).help(PATH_HELP));
                continue;
            }
        };
        if !matches!(path.folder(), "output" | "work") || path.is_reserved() {
            let message = format!("{} may not be written", quote(&path.text));
            let help = "what the mission delivers lies beneath `output/`, what passes between steps beneath `work/`; \
                        `work/adapted/` is the compiler's";
            lowering.tell(Told::error(index, WRONG_FOLDER, at.clone(), message).help(help));
        }
        let written = lowering.writers.get(&path.folded).cloned();
        match written {
            Some((source, other)) => {
                let who = lowering.who(source);
                let place = match source {
                    Source::Step(step, position) => format!("/steps/{step}/expected_outputs/{position}/path"),
                    Source::Mission(index) => format!("/inputs/{index}/path"),
                };
                let same = other == path.text;
                let message = match same {
                    true if matches!(source, Source::Mission(_)) => {
                        format!("{} is given to the mission", quote(&path.text))
                    }
                    true => format!("{} is written by {who} already", quote(&path.text)),
                    false => format!("{} is {} of {who} in another spelling", quote(&path.text), quote(&other)),
                };
                let code = if same { TWO_WRITERS } else { SPELLED_OTHERWISE };
                let told = Told::error(index, code, at, message).related(place, "written here first");
                lowering.tell(told.help("give each file one writer and a name of its own"));
            }
            None => {
                lowering.writers.insert(path.folded, (Source::Step(index, position), path.text.clone()));
            }
        }
        if let Some(step) = lowering.steps.get_mut(index) {
            step.writes.push((path.text, expected.role));
        }
    }
}

/// A file cannot lie inside another file.
fn nested(lowering: &mut Lowering<'_>) {
    let all: BTreeSet<String> = lowering.writers.keys().cloned().collect();
    let mut found = Vec::new();
    for path in &all {
        let mut above = path.as_str();
        while let Some((folder, _)) = above.rsplit_once('/') {
            if all.contains(folder) {
                found.push((path.clone(), folder.to_owned()));
            }
            above = folder;
        }
    }
    for (inner, outer) in found {
        let (Some((source, inner)), Some((_, outer))) = (lowering.writers.get(&inner), lowering.writers.get(&outer))
        else {
            continue;
        };
        let message = format!("{} lies inside {}, which is a file", quote(inner), quote(outer));
        if let Source::Step(step, position) = *source {
            let at = format!("/expected_outputs/{position}/path");
            lowering.tell(Told::error(step, TWO_WRITERS, at, message));
        }
    }
}

/// A file that is read by its path is what its producer says it is. A strict policy refuses a file of which no producer
/// says its entity and kind, and one that is generic.
fn declared(lowering: &mut Lowering<'_>, index: usize, at: &str, writer: Source, path: &str) {
    let at_path = |outputs: &[Output]| outputs.iter().position(|output| output.path == path);
    let found = match writer {
        Source::Mission(_) => at_path(&lowering.given).map(Source::Mission),
        Source::Step(step, _) => {
            let outputs = lowering.steps.get(step).map(|step| step.outputs.as_slice()).unwrap_or_default();
            at_path(outputs).map(|output| Source::Step(step, output))
        }
    };
    let rules = lowering.rules(index);
    let Some(source) = found else {
        let doubtful = match writer {
            Source::Mission(_) => true,
            Source::Step(step, _) => lowering.steps.get(step).is_some_and(|step| step.doubtful > 0),
        };
        if !rules.bare_paths && !doubtful {
            let message = format!("it reads {} by its path, and nothing says its entity and kind", quote(path));
            let help = "bind it by slot under `abstract_inputs`, or let its producer give it as an abstract output";
            lowering.tell(Told::error(index, BARE_PATH, at, message).help(help));
        }
        return;
    };
    let generic =
        lowering.output(source).filter(|output| output.entity.is_generic()).map(|output| output.entity.clone());
    if let Some(entity) = generic.filter(|_| !rules.bare_paths && !rules.allows_generic()) {
        let message = format!(
            "it reads {} by its path, which is {}, and the policy does not let generic data be bound",
            quote(path),
            quote(entity.as_str())
        );
        let under = lowering.put_under(index, PolicyRules::allows_generic);
        let help = format!("name the entity of the file where it is given, or {under} `generic.inference-allowed.v1`");
        lowering.tell(Told::error(index, GENERIC, at, message).help(help));
        return;
    }
    if let Some(step) = lowering.steps.get_mut(index) {
        step.by_path.push(source);
    }
}

/// Files that a step reads by path have to be written by then.
fn reads(lowering: &mut Lowering<'_>, index: usize) {
    let Some(step) = lowering.plan.steps.get(index) else { return };
    for (position, text) in step.input_file_paths.iter().enumerate() {
        let at = format!("/input_file_paths/{position}");
        let path = match WorkPath::read_any(text) {
            Ok(path) => path,
            Err(found) => {
                let (code, message) = fault(text, found);
                lowering.tell(Told::error(index, code, at, message).help(PATH_HELP));
                continue;
            }
        };
        match lowering.writers.get(&path.folded).cloned() {
            Some((_, other)) if other != path.text => {
                let message = format!("{} is written as {}", quote(&path.text), quote(&other));
                lowering.tell(Told::error(index, SPELLED_OTHERWISE, at, message).help(format!("write `{other}`")));
            }
            Some((Source::Step(writer, _), _)) if writer == index => {
                let message = format!("{} is its own output", quote(&path.text));
                lowering.tell(Told::error(index, NOBODY_WRITES, at, message));
            }
            Some((Source::Step(writer, _), _)) if !lowering.comes_before(writer, index) => {
                let name = lowering.steps.get(writer).map_or("", |step| step.authored.id.as_str()).to_owned();
                let message = format!(
                    "{} is written by step {}, which need not have run by then",
                    quote(&path.text),
                    quote(&name)
                );
                lowering
                    .tell(Told::error(index, NOBODY_WRITES, at, message).help(format!("add `{name}` to `depends_on`")));
            }
            Some((source, _)) => {
                declared(lowering, index, &at, source, &path.text);
                if let Some(step) = lowering.steps.get_mut(index) {
                    step.reads.push(path.text);
                }
            }
            None => {
                let message = format!("nobody writes {}, and the mission is not given it", quote(&path.text));
                let set = lowering.writers.values().find(|(_, text)| in_set(text, &path.text));
                let set = set.map(|(_, text)| {
                    format!("read all of the set `{text}`: its names are known only once it is written")
                });
                let help = match lowering.may_search() {
                    _ if set.is_some() => set,
                    true => did_you_mean(&path.text, lowering.writers.values().map(|(_, text)| text.as_str())),
                    false => None,
                };
                let help = help.unwrap_or_else(|| "list it under `inputs` of the plan if it is given".to_owned());
                lowering.tell(Told::error(index, NOBODY_WRITES, at, message).help(help));
            }
        }
    }
}
