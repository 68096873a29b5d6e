//! Collects what an approver reviews before a decision: the files behind it, their first rows, and what changed since the last
//! run of the same plan that was approved.

use super::load::{LoadedRun, plan_of, store_error};
use crate::error::AppError;
use deed_model::{ArtifactRecord, GateDecision, GateSubject, RunOutcome};
use deed_ports::{BlobRead as _, JournalRead as _};
use deed_runtime::{GateState, RunState};
use deed_store::RunStore;
use schemars::JsonSchema;
use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::Read as _;

/// Rows and lines of a file that an approver is shown first.
pub const FIRST_ROWS: usize = 5;
/// Files up to this size are read whole, counted and compared.
const LARGEST: u64 = 8 << 20;
/// Runs of the same plan that are searched for an approval.
const SEARCHED: usize = 200;

/// The files that an approver reviews.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct GateReview {
    /// The files that the decision rests on and those that the waiting steps read, by path.
    pub files: Vec<ReviewedFile>,
    /// The last run of the same plan that was approved at this gate and succeeded, which the files are compared with.
    pub compared_with: Option<String>,
    /// Files that the earlier run had at this gate, and this one has not.
    pub gone: Vec<String>,
}

/// A file behind a decision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ReviewedFile {
    /// Its path in the run.
    pub path: String,
    /// Its size.
    pub bytes: u64,
    /// Its hash.
    #[schemars(with = "String")]
    pub sha256: deed_canon::ContentHash,
    /// The waiting steps that read it; none where it is shown to decide with, and read by no step.
    pub read_by: Vec<String>,
    /// Its beginning.
    pub preview: Preview,
    /// The difference from the earlier run; none where there is no earlier run.
    pub change: Option<FileChange>,
}

/// The beginning of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case", tag = "form")]
pub enum Preview {
    /// A list of objects.
    Rows {
        /// The names in the first row, in the order of the file.
        columns: Vec<String>,
        /// The first rows, a cell for each column.
        rows: Vec<Vec<String>>,
        /// All rows.
        total: usize,
    },
    /// Lines of text.
    Text {
        /// The first lines.
        lines: Vec<String>,
        /// All lines; none where the file is too large to count them.
        total: Option<usize>,
    },
    /// Bytes that are not text.
    Binary,
}

/// The difference of a file from an earlier run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case", tag = "change")]
pub enum FileChange {
    /// The same bytes.
    Same,
    /// The earlier run had no such file.
    New,
    /// Other bytes.
    Changed {
        /// Rows (or lines) that the earlier file lacks; none where they cannot be compared.
        added: Option<usize>,
        /// Rows (or lines) that this file lacks; none where they cannot be compared.
        removed: Option<usize>,
    },
}

/// Collects what an approver of a gate looks at, with at most so many rows or lines of each file.
///
/// # Errors
/// A stored file was altered, or the store cannot be read.
pub fn review(store: &RunStore, loaded: &LoadedRun, gate: &GateState, most: usize) -> Result<GateReview, AppError> {
    let behind = files_behind(store, &loaded.state, &gate.subject);
    let earlier = last_approved(store, loaded, &gate.subject.gate_id)?;
    let before: BTreeMap<String, ArtifactRecord> = match &earlier {
        Some((_, state, subject)) => {
            files_behind(store, state, subject).into_values().map(|(file, _)| (file.path.clone(), file)).collect()
        }
        None => BTreeMap::new(),
    };
    let gone = before.keys().filter(|path| !behind.contains_key(*path)).cloned().collect();
    let mut files = Vec::new();
    for (record, read_by) in behind.into_values() {
        let bytes = beginning(store, &record)?;
        let change = match (&earlier, before.get(&record.path)) {
            (None, _) => None,
            (Some(_), None) => Some(FileChange::New),
            (Some(_), Some(old)) if old.sha256 == record.sha256 => Some(FileChange::Same),
            (Some(_), Some(old)) => Some(compare(&beginning(store, old)?, &bytes)),
        };
        files.push(ReviewedFile {
            path: record.path,
            bytes: record.bytes,
            sha256: record.sha256,
            read_by,
            preview: preview(&bytes, most),
            change,
        });
    }
    Ok(GateReview { files, compared_with: earlier.map(|(run_id, ..)| run_id), gone })
}

/// The files that a decision rests on, and those that the waiting steps read, with the steps.
fn files_behind(
    store: &RunStore,
    state: &RunState,
    subject: &GateSubject,
) -> BTreeMap<String, (ArtifactRecord, Vec<String>)> {
    let mut files: BTreeMap<String, (ArtifactRecord, Vec<String>)> =
        subject.evidence.iter().map(|file| (file.path.clone(), (file.clone(), Vec::new()))).collect();
    let plan = plan_of(store, state);
    let steps = plan.iter().flat_map(|plan| &plan.steps);
    for step in steps.filter(|step| subject.contracts.iter().any(|contract| contract.step == step.step_id)) {
        for (record, _) in step.io_contract.read_paths.iter().flat_map(|path| state.files_at(path)) {
            let (_, read_by) = files.entry(record.path.clone()).or_insert_with(|| (record.clone(), Vec::new()));
            if !read_by.contains(&step.step_id) {
                read_by.push(step.step_id.clone());
            }
        }
    }
    files
}

/// The newest other run of the same plan that succeeded and in which this gate was approved.
fn last_approved(
    store: &RunStore,
    loaded: &LoadedRun,
    gate_id: &str,
) -> Result<Option<(String, RunState, GateSubject)>, AppError> {
    let Some(plan) = loaded.state.request.as_ref().map(|request| &request.plan) else { return Ok(None) };
    for listing in store.newest(SEARCHED).map_err(|error| store_error(&error))? {
        if listing.run_id == loaded.run_id {
            continue;
        }
        let entries = store.events(&listing.run_id, 0).map_err(|error| store_error(&error))?;
        let state = RunState::of(entries.iter().map(|entry| &entry.record.event));
        if state.ended != Some(RunOutcome::Succeeded)
            || state.request.as_ref().is_none_or(|request| request.plan != *plan)
        {
            continue;
        }
        let gate = state.gates.get(gate_id);
        let decided = gate.and_then(|gate| gate.decided.as_ref());
        if decided.is_some_and(|signed| signed.approval.decision == GateDecision::Approved)
            && let Some(subject) = gate.map(|gate| gate.subject.clone())
        {
            return Ok(Some((listing.run_id, state, subject)));
        }
    }
    Ok(None)
}

/// The bytes of a file, whole where it is not too large.
struct Beginning {
    bytes: Vec<u8>,
    whole: bool,
}

fn beginning(store: &RunStore, record: &ArtifactRecord) -> Result<Beginning, AppError> {
    store.check_blob(&record.sha256).map_err(|error| store_error(&error))?;
    let blob = store.open(&record.sha256).map_err(|error| store_error(&error))?;
    let mut bytes = Vec::new();
    let read = blob.take(LARGEST).read_to_end(&mut bytes);
    read.map_err(|error| AppError::reading(std::path::Path::new(&record.path), &error))?;
    Ok(Beginning { whole: bytes.len() as u64 == record.bytes, bytes })
}

fn preview(file: &Beginning, most: usize) -> Preview {
    if let Some(rows) = rows(file) {
        let columns = columns(file);
        let cell = |row: &Value, column: &String| row.get(column).map_or_else(String::new, worded);
        let shown = rows.iter().take(most).map(|row| columns.iter().map(|column| cell(row, column)).collect());
        return Preview::Rows { rows: shown.collect(), total: rows.len(), columns };
    }
    match text(file) {
        Some(text) => Preview::Text {
            // A table has a line with the names of its columns besides its rows.
            lines: text.lines().take(most.saturating_add(1)).map(str::to_owned).collect(),
            total: file.whole.then(|| text.lines().count()),
        },
        None => Preview::Binary,
    }
}

/// The objects of a JSON list.
fn rows(file: &Beginning) -> Option<Vec<Value>> {
    let first = file.bytes.iter().find(|byte| !byte.is_ascii_whitespace());
    if !file.whole || first != Some(&b'[') {
        return None;
    }
    let rows: Vec<Value> = serde_json::from_slice(&file.bytes).ok()?;
    rows.iter().all(Value::is_object).then_some(rows)
}

/// The names of the first object of a JSON list, in the order of the file: a map of ours would sort them.
fn columns(file: &Beginning) -> Vec<String> {
    let rows: Vec<Names> = serde_json::from_slice(&file.bytes).unwrap_or_default();
    rows.into_iter().next().map(|names| names.0).unwrap_or_default()
}

/// The names of an object in their order.
struct Names(Vec<String>);

impl<'de> Deserialize<'de> for Names {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visit;

        impl<'de> Visitor<'de> for Visit {
            type Value = Names;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Names, A::Error> {
                let mut names: Vec<String> = Vec::new();
                while let Some((name, IgnoredAny)) = map.next_entry::<String, IgnoredAny>()? {
                    if !names.contains(&name) {
                        names.push(name);
                    }
                }
                Ok(Names(names))
            }
        }

        deserializer.deserialize_map(Visit)
    }
}

/// The text of a file; of one that is not read whole, up to its last complete character.
fn text(file: &Beginning) -> Option<&str> {
    if file.bytes.contains(&0) {
        return None;
    }
    match std::str::from_utf8(&file.bytes) {
        Ok(text) => Some(text),
        Err(error) if !file.whole => {
            file.bytes.get(..error.valid_up_to()).and_then(|bytes| std::str::from_utf8(bytes).ok())
        }
        Err(_) => None,
    }
}

fn worded(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Counts the rows, or lines, that only one of two files has. Order does not matter; repetitions do.
fn compare(before: &Beginning, after: &Beginning) -> FileChange {
    let parts = |file: &Beginning| -> Option<Vec<String>> {
        match rows(file) {
            Some(rows) => Some(rows.iter().map(Value::to_string).collect()),
            None if file.whole => text(file).map(|text| text.lines().map(str::to_owned).collect()),
            None => None,
        }
    };
    let (Some(before), Some(after)) = (parts(before), parts(after)) else {
        return FileChange::Changed { added: None, removed: None };
    };
    let mut balance: BTreeMap<String, i64> = BTreeMap::new();
    before.into_iter().for_each(|part| *balance.entry(part).or_default() -= 1);
    after.into_iter().for_each(|part| *balance.entry(part).or_default() += 1);
    let count = |sign: i64| balance.values().map(|count| (count * sign).max(0)).sum::<i64>();
    let counted = |sign: i64| usize::try_from(count(sign)).ok();
    FileChange::Changed { added: counted(1), removed: counted(-1) }
}
