//! The writer of every path: the mission, or one file of one step.

use super::paths;
use crate::lower::cx::{Cx, PerStep, Step, StepIndex};
use crate::lower::findings::{At, Finding, Findings};
use crate::path::WorkPath;
use deed_diag::{codes, quote};
use deed_model::{ExpectedOutput, OutputRole};
use std::collections::{BTreeSet, HashMap};

/// The writer of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::lower) enum Writer {
    /// The mission is given it: the position of its input.
    Mission(usize),
    /// A step: the position of the file among those that it writes.
    Step(StepIndex, usize),
}

impl Writer {
    pub(in crate::lower) fn step(self) -> Option<StepIndex> {
        match self {
            Self::Mission(_) => None,
            Self::Step(step, _) => Some(step),
        }
    }

    /// The place where the path is declared.
    pub(in crate::lower) fn at(self) -> At {
        match self {
            Self::Mission(input) => At::plan("/inputs").item(input).key("path"),
            Self::Step(step, file) => At::step(step).key("expected_outputs").item(file).key("path"),
        }
    }

    /// Names the writer in a message.
    pub(in crate::lower) fn name(self, cx: Cx<'_>) -> String {
        match self {
            Self::Mission(_) => "the mission".to_owned(),
            Self::Step(step, _) => format!("step {}", quote(cx.step(step).id())),
        }
    }
}

/// Writers by path.
#[derive(Default)]
pub(in crate::lower) struct Writers {
    /// By the folded form of the path, with its spelling.
    by_path: HashMap<String, (Writer, String)>,
}

impl Writers {
    /// The writer of a path, with the spelling that it uses.
    pub(in crate::lower) fn get(&self, path: &WorkPath) -> Option<(Writer, &str)> {
        self.by_path.get(&path.folded).map(|(writer, text)| (*writer, text.as_str()))
    }

    /// The step that writes a path.
    pub(in crate::lower) fn step_writing(&self, path: &str) -> Option<StepIndex> {
        self.get(&WorkPath::read_any(path).ok()?)?.0.step()
    }

    /// All writers, each with the folded form of its path and its spelling.
    pub(in crate::lower) fn iter(&self) -> impl Iterator<Item = (&str, Writer, &str)> {
        self.by_path.iter().map(|(folded, (writer, text))| (folded.as_str(), *writer, text.as_str()))
    }
}

/// Collects the writers of all paths, and the paths that each step writes.
pub(super) fn collect(cx: Cx<'_>, findings: &mut Findings<'_>) -> (Writers, PerStep<Vec<(String, OutputRole)>>) {
    let mut writers = Writers::default();
    of_mission(cx, &mut writers, findings);
    let writes = cx.per_step(|step| of_step(cx, step, &mut writers, findings));
    check_nested(&writers, findings);
    (writers, writes)
}

fn of_mission(cx: Cx<'_>, writers: &mut Writers, findings: &mut Findings<'_>) {
    for (index, input) in cx.plan.inputs.iter().enumerate() {
        let at = || Writer::Mission(index).at();
        let path = match WorkPath::read(&input.path) {
            Ok(path) => path,
            Err(fault) => {
                findings.add(paths::refuse(at(), &input.path, fault));
                continue;
            }
        };
        let text = quote(&path.text);
        if path.folder() != "input" {
            let message = format!("{text} is given to the mission, and does not lie beneath `input/`");
            let help = format!("move it to `input/{}`", path.text);
            findings.add(Finding::error(at(), codes::WRONG_FOLDER, message).help(help));
            continue;
        }
        let taken = writers.by_path.insert(path.folded, (Writer::Mission(index), path.text.clone()));
        if let Some((_, other)) = taken {
            let (code, message) = match other == path.text {
                true => (codes::TWO_WRITERS, format!("{text} is given twice")),
                false => (codes::SPELLING_DIFFERS, format!("{text} is {} in another spelling", quote(&other))),
            };
            findings.add(Finding::error(at(), code, message));
        }
    }
}

fn of_step(
    cx: Cx<'_>,
    step: Step<'_>,
    writers: &mut Writers,
    findings: &mut Findings<'_>,
) -> Vec<(String, OutputRole)> {
    let mut writes = Vec::with_capacity(step.authored.expected_outputs.len());
    for (position, expected) in step.authored.expected_outputs.iter().enumerate() {
        let own = Writer::Step(step.index, position);
        match written(own, expected, findings) {
            Some(path) => {
                match writers.get(&path) {
                    Some((writer, spelling)) => findings.add(two_writers(cx, own, &path, writer, spelling)),
                    None => {
                        writers.by_path.insert(path.folded, (own, path.text.clone()));
                    }
                }
                writes.push((path.text, expected.role));
            }
            None => continue,
        }
    }
    writes.sort();
    writes
}

/// The path of a written file, which has to lie where steps may write.
fn written(own: Writer, expected: &ExpectedOutput, findings: &mut Findings<'_>) -> Option<WorkPath> {
    let path = match WorkPath::read_any(&expected.path) {
        Ok(path) => path,
        Err(fault) => {
            findings.add(paths::refuse(own.at(), &expected.path, fault));
            return None;
        }
    };
    if !matches!(path.folder(), "output" | "work") || path.is_reserved() {
        let message = format!("{} may not be written", quote(&path.text));
        let help = "what the mission delivers lies beneath `output/`, what passes between steps beneath `work/`; \
                    `work/adapted/` is the compiler's";
        findings.add(Finding::error(own.at(), codes::WRONG_FOLDER, message).help(help));
    }
    Some(path)
}

fn two_writers(cx: Cx<'_>, own: Writer, path: &WorkPath, first: Writer, spelling: &str) -> Finding {
    let (text, who) = (quote(&path.text), first.name(cx));
    let (code, message) = match (spelling == path.text, first) {
        (true, Writer::Mission(_)) => (codes::TWO_WRITERS, format!("{text} is given to the mission")),
        (true, Writer::Step(..)) => (codes::TWO_WRITERS, format!("{text} is written by {who} already")),
        (false, _) => (codes::SPELLING_DIFFERS, format!("{text} is {} of {who} in another spelling", quote(spelling))),
    };
    Finding::error(own.at(), code, message)
        .related(&first.at(), "written here first")
        .help("give each file one writer and a name of its own")
}

/// A file cannot lie inside another file.
fn check_nested(writers: &Writers, findings: &mut Findings<'_>) {
    let all: BTreeSet<&str> = writers.by_path.keys().map(String::as_str).collect();
    for path in &all {
        let Some((inner @ Writer::Step(..), text)) = writers.by_path.get(*path) else { continue };
        let mut above = *path;
        while let Some((folder, _)) = above.rsplit_once('/') {
            if let Some((_, outer)) = writers.by_path.get(folder) {
                let message = format!("{} lies inside {}, which is a file", quote(text), quote(outer));
                findings.add(Finding::error(inner.at(), codes::TWO_WRITERS, message));
            }
            above = folder;
        }
    }
}
