//! Random histories of uploads, removals and runs, against an independent model: a list of what was done, searched from its
//! end.

use super::fixture::Log;
use deed_workspace::{FileRef, WorkspaceState, resolve};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// Paths that are in each other's way: other spellings, and files in place of folders.
const UPLOADS: [&str; 6] = ["a", "A", "a/b", "a/B", "c", "c.csv"];
const OUTPUTS: [&str; 5] = ["r", "R", "r/s", "t", "u/v"];
const TEXTS: [&str; 4] = ["", "one", "two", "three"];

#[derive(Debug, Clone)]
enum Op {
    Put(usize, usize),
    Remove(usize),
    Begin(usize),
    End(usize, Vec<(usize, usize)>),
}

fn ops() -> impl Strategy<Value = Vec<Op>> {
    let text = 0..TEXTS.len();
    let outputs = prop::collection::vec((0..OUTPUTS.len(), text.clone()), 0..3);
    let op = prop_oneof![
        4 => (0..UPLOADS.len(), text).prop_map(|(path, text)| Op::Put(path, text)),
        2 => (0..UPLOADS.len() + OUTPUTS.len()).prop_map(Op::Remove),
        1 => (0..4usize).prop_map(Op::Begin),
        2 => (0..4usize, outputs).prop_map(|(run, files)| Op::End(run, files)),
    ];
    prop::collection::vec(op, 0..40)
}

/// A path that was written, or removed.
struct Done {
    path: String,
    text: Option<&'static str>,
    /// The run that wrote it.
    by: Option<usize>,
    /// True if an output of a later run stayed the newest.
    is_behind: bool,
}

/// What was done to paths, in order, and the runs in the order of their submission.
#[derive(Default)]
struct Model {
    done: Vec<Done>,
    begun: Vec<usize>,
    ended: BTreeSet<usize>,
}

impl Model {
    fn now(&self, path: &str) -> Option<&'static str> {
        self.newest(path).and_then(|done| done.text)
    }

    fn newest(&self, path: &str) -> Option<&Done> {
        self.done.iter().rev().find(|done| done.path == path && !done.is_behind)
    }

    fn write(&mut self, path: String, text: Option<&'static str>) {
        self.done.push(Done { path, text, by: None, is_behind: false });
    }

    fn place(&self, run: usize) -> Option<usize> {
        self.begun.iter().position(|begun| *begun == run)
    }

    fn is_later(&self, done: &Done, than: usize) -> bool {
        done.by.is_some_and(|by| self.place(by) > self.place(than))
    }

    /// A run that was submitted later has written this path, or a live file that cannot be beside it.
    fn is_behind(&self, path: &str, run: usize) -> bool {
        let mut own = self.done.iter().filter(|done| done.path == path);
        let others = self.against(path);
        own.any(|done| self.is_later(done, run))
            || others.iter().any(|other| self.newest(other).is_some_and(|done| self.is_later(done, run)))
    }

    fn live(&self) -> BTreeSet<String> {
        let paths: BTreeSet<&String> = self.done.iter().map(|done| &done.path).collect();
        paths.into_iter().filter(|path| self.now(path).is_some()).cloned().collect()
    }

    /// Live paths that cannot be beside another.
    fn against(&self, path: &str) -> Vec<String> {
        let own = path.to_lowercase();
        let clash = |other: &String| {
            let other = other.to_lowercase();
            other == own || own.starts_with(&format!("{other}/")) || other.starts_with(&format!("{own}/"))
        };
        self.live().into_iter().filter(|other| other != path && clash(other)).collect()
    }

    fn apply(&mut self, op: &Op) -> bool {
        match op {
            Op::Put(path, text) => {
                let path = format!("people/{}", UPLOADS[*path]);
                let same = self.now(&path) == Some(TEXTS[*text]);
                if !same && !self.against(&path).is_empty() {
                    return false;
                }
                if !same {
                    self.write(path, Some(TEXTS[*text]));
                }
                true
            }
            Op::Remove(path) => {
                let path = removed(*path);
                if self.now(&path).is_none() {
                    return false;
                }
                self.write(path, None);
                true
            }
            Op::Begin(run) => {
                if self.place(*run).is_none() {
                    self.begun.push(*run);
                }
                true
            }
            Op::End(run, files) => {
                if !self.begun.contains(run) {
                    return false;
                }
                if self.ended.insert(*run) {
                    for (path, text) in files {
                        let path = format!("agents/monthly/{}", OUTPUTS[*path]);
                        let is_behind = self.is_behind(&path, *run);
                        let others = if is_behind { Vec::new() } else { self.against(&path) };
                        others.into_iter().for_each(|other| self.write(other, None));
                        self.done.push(Done { path, text: Some(TEXTS[*text]), by: Some(*run), is_behind });
                    }
                }
                true
            }
        }
    }

    fn versions(&self) -> BTreeMap<String, Vec<Option<&'static str>>> {
        let mut versions: BTreeMap<String, Vec<Option<&'static str>>> = BTreeMap::new();
        for done in &self.done {
            versions.entry(done.path.clone()).or_default().push(done.text);
        }
        versions
    }
}

fn removed(at: usize) -> String {
    match UPLOADS.get(at) {
        Some(path) => format!("people/{path}"),
        None => format!("agents/monthly/{}", OUTPUTS[at - UPLOADS.len()]),
    }
}

fn apply(log: &mut Log, op: &Op) -> bool {
    let done = match op {
        Op::Put(path, text) => log.put(UPLOADS[*path], TEXTS[*text]),
        Op::Remove(path) => log.remove(&removed(*path)),
        Op::Begin(run) => log.begin(&format!("run-{run}")),
        Op::End(run, files) => {
            let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (OUTPUTS[*path], TEXTS[*text])).collect();
            log.end(&format!("run-{run}"), &files)
        }
    };
    done.is_ok()
}

fn agrees(state: &WorkspaceState, model: &Model) {
    let expected = model.versions();
    let found: BTreeMap<String, Vec<_>> = state
        .files()
        .map(|file| (file.path.clone(), file.versions.iter().map(|version| version.content).collect()))
        .collect();
    let expected_contents: BTreeMap<String, Vec<_>> = expected
        .iter()
        .map(|(path, texts)| (path.clone(), texts.iter().map(|text| text.map(super::fixture::content)).collect()))
        .collect();
    assert_eq!(found, expected_contents);
    assert!(state.files().all(|file| file.versions.iter().zip(1..).all(|(version, number)| version.version == number)));
    let live: BTreeSet<String> = state.files().filter(|file| file.is_live()).map(|file| file.path.clone()).collect();
    assert_eq!(live, model.live());
    let kept: BTreeSet<&str> = model.done.iter().filter_map(|done| done.text).collect();
    assert_eq!(state.bytes(), kept.iter().map(|text| text.len() as u64).sum::<u64>());
    assert_eq!(state.versions(), model.done.len() as u64);
    let behind = |file: &deed_workspace::FileRecord| {
        file.versions.iter().filter(|version| version.superseded_by.is_some()).count()
    };
    assert_eq!(state.files().map(behind).sum::<usize>(), model.done.iter().filter(|done| done.is_behind).count());
    for path in expected.keys() {
        let latest = resolve(state, &FileRef::read(path).unwrap());
        assert_eq!(latest.ok().map(|(_, _, content)| content), model.now(path).map(super::fixture::content));
    }
}

proptest! {
    #[test]
    fn the_state_follows_an_independent_model(ops in ops()) {
        let (mut log, mut model) = (Log::new(), Model::default());
        for op in &ops {
            let before = log.state.clone();
            prop_assert_eq!(apply(&mut log, op), model.apply(op), "{:?}", op);
            agrees(&log.state, &model);
            // No version that was written ever changes.
            for file in before.files() {
                let now = log.state.file(&file.path).unwrap();
                prop_assert_eq!(&now.versions[..file.versions.len()], &file.versions[..]);
            }
        }
    }

    #[test]
    fn a_refused_operation_changes_nothing(ops in ops()) {
        let mut log = Log::new();
        for op in &ops {
            let before = (log.state.clone(), log.events.len());
            if !apply(&mut log, op) {
                prop_assert_eq!((log.state.clone(), log.events.len()), before);
            }
        }
    }
}
