//! Sets of files: their members, their manifest, and the names that members may not have.

use crate::attempt::Attempt;
use crate::fault::{FailureExt, fault};
use deed_canon::{CanonError, ContentHash, to_canonical_of};
use deed_diag::{Invariant as _, codes};
use deed_model::{
    ArtifactRecord, ArtifactSet, FailureClass, SetManifest, StepFailure, WriteSet, folder_of_set, in_set, is_set,
};
use deed_plan::folded_path;
use std::collections::BTreeMap;
use std::fs;

/// The number of characters of a name that are shown.
const LONGEST_SHOWN: usize = 300;

/// The sets among some paths, with the files that belong to each, and the canonical bytes of their manifests.
pub(crate) fn of<'p>(
    paths: impl IntoIterator<Item = &'p String>,
    files: &[ArtifactRecord],
) -> Result<Vec<(ArtifactSet, Vec<u8>)>, CanonError> {
    let sets = paths.into_iter().filter(|path| is_set(path));
    sets.map(|set| {
        let mut members: Vec<ArtifactRecord> = files.iter().filter(|file| in_set(set, &file.path)).cloned().collect();
        members.sort();
        let (count, bytes) = (members.len() as u64, members.iter().map(|file| file.bytes).sum());
        let manifest = to_canonical_of(&SetManifest { set: set.clone(), files: members })?;
        let hash = ContentHash::of_bytes(&manifest);
        Ok((ArtifactSet { path: set.clone(), files: count, bytes, manifest: hash }, manifest))
    })
    .collect()
}

/// The sets among some paths, without the bytes of their manifests.
pub(crate) fn records<'p>(
    paths: impl IntoIterator<Item = &'p String>,
    files: &[ArtifactRecord],
) -> Result<Vec<ArtifactSet>, CanonError> {
    Ok(of(paths, files)?.into_iter().map(|(set, _)| set).collect())
}

/// The paths of the files that code wrote into a set, sorted. They are in the folder of the set, which was found to be a
/// folder.
pub(crate) fn written(attempt: &Attempt, set: &str) -> Vec<String> {
    let folder = folder_of_set(set);
    let entries = fs::read_dir(attempt.stage.output(folder)).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let mut paths: Vec<String> =
        names.map(|name| format!("{folder}/{name}")).filter(|path| in_set(set, path)).collect();
    paths.sort();
    paths
}

/// Returns the failure of a set before any of its files is read: it has too many, or one has a name that no contract could
/// have.
pub(crate) fn misnamed(attempt: &Attempt, set: &WriteSet) -> Option<StepFailure> {
    let paths = written(attempt, &set.path);
    if paths.len() as u64 > set.at_most {
        return Some(count(set, paths.len() as u64));
    }
    let mut seen: BTreeMap<String, &String> = BTreeMap::new();
    for path in &paths {
        let shown: String = path.escape_debug().take(LONGEST_SHOWN).collect();
        let bad = |why: String| {
            let help = "name files as paths of plans are: composed letters (Unicode NFC), no control characters, none of \
                        `: ? \" < > | * \\`, no space or dot at an end; no two that differ only in case";
            Some(fault(FailureClass::OutputShape, codes::SET_FILE_NAME, why).about(shown.clone()).help(help))
        };
        let Some(folded) = folded_path(path) else { return bad(format!("`{shown}` cannot be the name of an output")) };
        if let Some(other) = seen.insert(folded, path) {
            return bad(format!("`{shown}` and `{other}` are one name on some systems"));
        }
    }
    None
}

/// A set that has too few or too many files.
pub(crate) fn count(set: &WriteSet, found: u64) -> StepFailure {
    let message = format!(
        "the set `{}` {}",
        set.path,
        counted(set, found).invariant("a set is reported over its number of files")
    );
    let help = "raise `at_most` or lower `at_least` of the output, or change the code so that it writes as many files";
    fault(FailureClass::OutputShape, codes::SET_SIZE, message).about(set.path.clone()).help(help)
}

/// Returns the reason why a set may not have this number of files, if it may not.
pub(crate) fn counted(set: &WriteSet, found: u64) -> Option<String> {
    let files = if found == 1 { "file" } else { "files" };
    if found < set.at_least {
        return Some(format!("has {found} {files}, and `at_least` is {}", set.at_least));
    }
    (found > set.at_most).then(|| format!("has {found} {files}, and `at_most` is {}", set.at_most))
}
