//! Diff: the changes between two versions of a profile, and the version number that they need.
//!
//! Must prove: a change that grants more power, or checks less, needs a new major version.

mod class;
mod leaves;

use crate::document::ProfileFile;
use deed_diag::{Diagnostic, Report, codes};
use deed_model::{ProfileRef, Version};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

pub use class::ProfileChangeClass;

/// A difference between two versions of a profile.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ProfileChange {
    /// JSON Pointer of the field.
    pub pointer: String,
    /// The version bump that it needs.
    pub class: ProfileChangeClass,
    /// The reason for the class.
    pub why: String,
    /// The value before; none if there was none.
    pub before: Option<Value>,
    /// The value after; none if there is none.
    pub after: Option<Value>,
}

/// Two versions compared.
#[derive(Debug, Clone)]
pub struct ProfileDiff {
    /// The older version.
    pub before: ProfileRef,
    /// The newer version.
    pub after: ProfileRef,
    /// Every difference, by field.
    pub changes: Vec<ProfileChange>,
    /// The class of all changes together; none without changes.
    pub required: Option<ProfileChangeClass>,
    /// Findings about the new version number, with the source to show them.
    pub report: Report,
}

/// Compares two versions of a profile.
///
/// # Errors
/// A report, if one of the documents is not a profile.
///
/// ```
/// use deed_profile::{ProfileFile, diff};
///
/// let old = ProfileFile::read("old.yaml", b"profile_id: team\nversion: 1.0.0\nbudgets: { max_steps: 10 }").unwrap();
/// let new = ProfileFile::read("new.yaml", b"profile_id: team\nversion: 1.0.1\nbudgets: { max_steps: 20 }").unwrap();
/// let diff = diff(&old, &new).unwrap();
/// assert_eq!(diff.required.unwrap().as_str(), "major");
/// assert!(diff.report.has_errors());
/// ```
pub fn diff(before: &ProfileFile, after: &ProfileFile) -> Result<ProfileDiff, Report> {
    let side = |file: &ProfileFile| match (file.profile(), file.profile_ref()) {
        (Some(profile), Some(reference)) => Ok((profile.clone(), reference)),
        _ => {
            let mut report = file.report();
            report.push(file.not_a_profile());
            Err(report)
        }
    };
    let ((old, old_ref), (new, new_ref)) = (side(before)?, side(after)?);
    let changes = leaves::changes(&old, &new);
    let required = changes.iter().map(|change| change.class).max();
    let mut report = after.report();
    judge(after, &old_ref, &new_ref, required).into_iter().for_each(|found| report.push(found));
    Ok(ProfileDiff { before: old_ref, after: new_ref, changes, required, report })
}

/// Judges the new version number.
fn judge(
    file: &ProfileFile,
    old: &ProfileRef,
    new: &ProfileRef,
    required: Option<ProfileChangeClass>,
) -> Option<Diagnostic> {
    let unfit = |message: String, pointer: &str, help: String| {
        let found = Diagnostic::error(codes::PROFILE_VERSION_UNFIT, message).stage("diff");
        Some(found.at(file.document.place(pointer)).help(help))
    };
    if old.profile_id() != new.profile_id() {
        let message = format!("`{}` and `{}` are two profiles, not two versions", old.profile_id(), new.profile_id());
        return unfit(message, "/profile_id", "compare versions of one profile".to_owned());
    }
    let (from, to) = (old.version(), new.version());
    if to < from {
        return unfit(format!("`{to}` is lower than `{from}`"), "/version", "versions only rise".to_owned());
    }
    let class = required?;
    let least = class.next(from);
    let enough = match class {
        ProfileChangeClass::Patch => to > from,
        ProfileChangeClass::Minor => (to.major, to.minor) > (from.major, from.minor),
        ProfileChangeClass::Major => to.major > from.major,
    };
    match enough {
        true => None,
        false => unfit(
            format!("the changes need a {class} version, and `{to}` is not one after `{from}`"),
            "/version",
            format!("write `version: {least}`, or take the changes back"),
        ),
    }
}

impl ProfileChangeClass {
    /// Returns the lowest version that is sufficient.
    fn next(self, from: Version) -> Version {
        let Version { major, minor, patch } = from;
        match self {
            Self::Patch => Version { major, minor, patch: patch.saturating_add(1) },
            Self::Minor => Version { major, minor: minor.saturating_add(1), patch: 0 },
            Self::Major => Version { major: major.saturating_add(1), minor: 0, patch: 0 },
        }
    }
}
