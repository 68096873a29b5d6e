//! Gate 2, security: no secret and no personal data in any text, comments included. Findings never repeat them.

use crate::document::ProfileFile;
use deed_diag::{Diagnostic, codes};
use deed_pack::sensitive_parts;

pub(super) fn check(file: &ProfileFile) -> Vec<Diagnostic> {
    let help = "remove it, treat it as leaked, and name a credential as `secret://name`";
    sensitive_parts(&file.document, &[""], codes::SECRET_IN_PROFILE).into_iter().map(|found| found.help(help)).collect()
}
