//! Gate 1, schema: the document is an execution profile, with a reference.

use crate::document::ProfileFile;
use deed_diag::{Diagnostic, codes};
use deed_model::{ExecutionProfile, ProfileRef, RefError, schema_for};
use deed_schema::Shape;
use std::sync::LazyLock;

static SHAPE: LazyLock<Shape> = LazyLock::new(|| Shape::new(schema_for::<ExecutionProfile>()));

pub(super) fn check(file: &ProfileFile) -> Vec<Diagnostic> {
    let mut findings = SHAPE.findings(&file.document);
    if let Some(profile) = file.profile() {
        findings.extend(bad_reference(file, profile));
    } else if findings.is_empty() {
        findings.push(file.not_a_profile());
    }
    findings
}

fn bad_reference(file: &ProfileFile, profile: &ExecutionProfile) -> Option<Diagnostic> {
    let error = ProfileRef::of(&profile.profile_id, &profile.version).err()?;
    let (code, pointer) = match &error {
        RefError::Version(_) => (codes::BAD_VERSION, "/version"),
        RefError::Unpinned(_) | RefError::Id(_) => (codes::BAD_FORM, "/profile_id"),
    };
    let help = "write `profile_id: team-default` and `version: 1.0.0`";
    Some(Diagnostic::error(code, error.to_string()).at(file.place(pointer)).help(help))
}
