//! References to versions of files: `people/hours.csv`, `people/hours.csv@3`, `people/hours.csv@latest`, or with the hash of
//! the content, `people/hours.csv@sha256:…`.

use crate::fold::{FileRecord, WorkspaceState};
use crate::names::refused;
use crate::path::FilePath;
use deed_canon::ContentHash;
use deed_diag::{Diagnostic, codes, did_you_mean, quote};
use deed_model::{FileVersion, StoredContent};

/// A version that a reference names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VersionRef {
    /// The newest.
    Latest,
    /// The one with this number.
    Number(u64),
    /// The newest with this content.
    Content(ContentHash),
}

/// A reference to a version of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileRef {
    /// The file.
    pub path: FilePath,
    /// The version.
    pub version: VersionRef,
}

impl FileRef {
    /// Reads a reference. What follows the last `@` is a version if it has the form of one; otherwise it belongs to the name.
    ///
    /// # Errors
    /// The path cannot name a file of a workspace.
    pub fn read(text: &str) -> Result<Self, Vec<Diagnostic>> {
        let (path, version) = match text.rsplit_once('@').and_then(|(path, version)| Some((path, parsed(version)?))) {
            Some((path, version)) => (path, version),
            None => (text, VersionRef::Latest),
        };
        Ok(Self { path: FilePath::read(path)?, version })
    }
}

fn parsed(version: &str) -> Option<VersionRef> {
    match version {
        "latest" => Some(VersionRef::Latest),
        hash if hash.starts_with("sha256:") => hash.parse().ok().map(VersionRef::Content),
        number if !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()) => {
            // A number that is too large names a version that no file has.
            Some(VersionRef::Number(number.parse().unwrap_or(u64::MAX)))
        }
        _ => None,
    }
}

/// Finds the version that a reference names, with its content.
///
/// # Errors
/// There is no such file or version, or the version is a removal.
pub fn resolve<'s>(
    state: &'s WorkspaceState,
    wanted: &FileRef,
) -> Result<(&'s FileRecord, &'s FileVersion, StoredContent), Vec<Diagnostic>> {
    let path = wanted.path.text();
    let Some(record) = state.file(path) else { return Err(unknown(state, path)) };
    let version = match wanted.version {
        VersionRef::Latest => record.latest(),
        VersionRef::Number(number) => record.version(number),
        VersionRef::Content(hash) => {
            let mut newest = record.versions.iter().rev();
            newest.find(|version| version.content.is_some_and(|content| content.sha256 == hash))
        }
    };
    let Some(version) = version else {
        let message = match wanted.version {
            VersionRef::Content(hash) => format!("no version of `{path}` has the content `{hash}`"),
            VersionRef::Latest => match record.last().and_then(|last| last.superseded_by.as_ref()) {
                Some(by) => format!(
                    "every version of `{path}` was written behind `{}@{}` of run `{}`",
                    by.path, by.version, by.run_id
                ),
                None => format!("`{path}` has no version"),
            },
            VersionRef::Number(_) => {
                format!("`{path}` has {} and not the one that is named", versions(record))
            }
        };
        let help = format!("`deed files history {path}` lists them");
        return Err(refused(codes::WORKSPACE_VERSION_NOT_FOUND, message, help));
    };
    match version.content {
        Some(content) => Ok((record, version, content)),
        None => {
            let reason = version.reason.as_deref().unwrap_or_default();
            let message = format!("`{path}` was removed by {} in version {}: {reason}", version.actor, version.version);
            let help = match record.versions.iter().rev().find(|earlier| earlier.content.is_some()) {
                Some(earlier) => format!("the version before it is `{path}@{}`", earlier.version),
                None => format!("`deed files history {path}` lists its versions"),
            };
            Err(refused(codes::WORKSPACE_FILE_REMOVED, message, help))
        }
    }
}

fn versions(record: &FileRecord) -> String {
    match record.versions.len() {
        1 => "1 version,".to_owned(),
        several => format!("{several} versions,"),
    }
}

pub(crate) fn unknown(state: &WorkspaceState, path: &str) -> Vec<Diagnostic> {
    let like = did_you_mean(path, state.files().map(|file| file.path.as_str()));
    let message = format!("the workspace has no file {}", quote(path));
    let help = like.unwrap_or_else(|| "`deed files list` shows its files; `deed files put` adds one".to_owned());
    refused(codes::WORKSPACE_FILE_NOT_FOUND, message, help)
}
