//! The Context Pack that a profile pins: a version that may still be used for new work.

use crate::error::AppError;
use crate::registry::{error, pack_ref};
use crate::session::Session;
use deed_diag::{Diagnostic, Place};
use deed_pack::Purpose;

/// Checks that the pack which a profile pins is published, proven, and neither deprecated nor revoked.
///
/// # Errors
/// It is not, or there is no registry to ask.
pub(crate) fn usable(session: &Session, profile: &str, pinned: Option<&str>) -> Result<(), AppError> {
    let Some(pinned) = pinned else { return Ok(()) };
    let reference = pack_ref(pinned)?;
    let (_, registry) = session.registry()?;
    let place =
        || Place { source: format!("profile:{profile}"), pointer: Some("/context_pack_ref".to_owned()), span: None };
    let related = |found: Diagnostic| found.related(place(), "pinned by this profile");
    registry.load(&reference, Purpose::NewWork).map(drop).map_err(|refused| {
        let AppError { kind, report } = error(refused);
        AppError { kind, report: report.map(related) }
    })
}
