//! Faults of the log of a workspace: those that its database and files share with the registry, in its own words.

use crate::error::{DATABASE as REGISTRY, RegistryError};
use deed_diag::{Diagnostic, Place};
use std::path::Path;

/// Name of the database inside the folder.
pub(super) const DATABASE: &str = "workspace.sqlite";

/// Names the log of the workspace in findings, and its database as their place.
pub(super) fn within(error: RegistryError, dir: &Path) -> RegistryError {
    match error {
        RegistryError::Environment(finding) => {
            let mut finding = reworded(*finding);
            let database = || Place::file(dir.join(DATABASE).display().to_string());
            match &finding.place {
                Some(place) if place.source == REGISTRY || place.source == DATABASE => finding.place = Some(database()),
                Some(_) => {}
                None => finding.place = Some(database()),
            }
            RegistryError::Environment(Box::new(finding))
        }
        RegistryError::Refused(findings) => RegistryError::Refused(findings.into_iter().map(reworded).collect()),
    }
}

/// The same finding about the log of the workspace. The texts are this crate's own; what they quote is kept, since SQLite's words and
/// paths do not name a registry that way.
pub(super) fn reworded(mut finding: Diagnostic) -> Diagnostic {
    finding.message = own(&finding.message);
    finding.help = finding.help.as_deref().map(own);
    finding.stage("workspace")
}

fn own(text: &str) -> String {
    text.replace("the registry", "the log of the workspace").replace("the audit log", "the log of the workspace")
}
