//! Verification of a workspace: its chain, every event, and the content of every version.

use super::choice::WorkspaceChoice;
use super::open::unchecked;
use crate::error::AppError;
use crate::registry::{self, report_of};
use crate::runs::store;
use crate::session::Session;
use deed_canon::ContentHash;
use deed_diag::Report;
use deed_store::Verification;
use tracing::info_span;

/// Verifies a workspace. `head` is a head that was kept elsewhere, now or earlier.
///
/// # Errors
/// Something was damaged or altered: the error reports all of it.
pub fn verify(
    session: &Session,
    choice: &WorkspaceChoice,
    head: Option<ContentHash>,
) -> Result<(String, Verification, Report), AppError> {
    let _span = info_span!("verify workspace").entered();
    let opened = unchecked(session, choice)?;
    let contents = store(session)?.1;
    let mut verification = opened.store.verify(contents.as_ref(), head).map_err(registry::error)?;
    let report = report_of(std::mem::take(&mut verification.findings));
    if report.has_errors() { Err(report.into()) } else { Ok((opened.name, verification, report)) }
}
