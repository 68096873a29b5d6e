//! The order of runs: an output never takes the place of one whose run was submitted later.

use crate::fold::{FileRecord, WorkspaceState};
use crate::path::FilePath;
use deed_model::{FileOrigin, FileSuccessor, FileVersion};

/// Returns the version that stays the newest when a run writes a path: one of this path, or of a live file in its way, by a run
/// that was submitted later. A file that a person removed after such a run wrote it stays removed.
pub(crate) fn successor(state: &WorkspaceState, run_id: &str, path: &FilePath) -> Option<FileSuccessor> {
    let own = state.run(run_id)?.order;
    let later = |version: &FileVersion| match &version.origin {
        Some(FileOrigin::Run { run_id: by, .. }) => state.run(by).filter(|run| run.order > own).map(|_| by.clone()),
        Some(FileOrigin::Person { .. }) | None => None,
    };
    let named = |record: &FileRecord, version: &FileVersion| {
        let run_id = later(version).filter(|_| version.superseded_by.is_none())?;
        Some(FileSuccessor { path: record.path.clone(), version: version.version, run_id })
    };
    let of_path = state.file(path.text()).and_then(|record| {
        let mut newest = record.versions.iter().rev();
        newest.find_map(|version| named(record, version))
    });
    of_path.or_else(|| {
        let others = state.in_the_way(path.text(), path.folded());
        let mut records = others.into_iter().filter_map(|other| state.file(other));
        records.find_map(|record| named(record, record.latest()?))
    })
}
