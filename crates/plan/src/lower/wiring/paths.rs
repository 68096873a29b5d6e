//! Paths that are not paths of the workspace.

use crate::lower::findings::{At, Finding};
use crate::path::PathFault;
use deed_diag::{codes, quote};

const PATH_HELP: &str = "paths are relative to the workspace, such as `output/report.html`";

/// The finding for a text that is not a path of the workspace.
pub(super) fn refuse(at: At, text: &str, fault: PathFault) -> Finding {
    let (code, message) = match fault {
        PathFault::Escapes => (codes::PATH_ESCAPES_WORKSPACE, format!("{} leads out of the workspace", quote(text))),
        PathFault::Form(why) => (codes::BAD_PATH, format!("{} is not a path of the workspace: {why}", quote(text))),
    };
    Finding::error(at, code, message).help(PATH_HELP)
}
