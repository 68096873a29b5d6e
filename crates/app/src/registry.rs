//! Checks references, times and texts for the registry, and converts its errors.

use crate::error::{AppError, ErrorKind};
use crate::session::Session;
use deed_detect::SecretScanner;
use deed_diag::{Diagnostic, Report, codes};
use deed_model::{PackRef, RefError};
use deed_pack::PackState;
use deed_store::RegistryError;

/// Turns a registry's refusal or fault into an error of the operation.
pub fn error(error: RegistryError) -> AppError {
    let kind = match &error {
        RegistryError::Refused(_) => ErrorKind::Refused,
        RegistryError::Environment(_) => ErrorKind::Environment,
    };
    AppError { kind, report: report_of(error.diagnostics().to_vec()) }
}

/// Diagnostics that need no source to be shown.
pub fn report_of(diagnostics: Vec<Diagnostic>) -> Report {
    let mut report = Report::default();
    diagnostics.into_iter().for_each(|d| report.push(d));
    report
}

/// Checks a time that the caller gave.
pub fn checked_time(option: &str, text: &str) -> Result<String, AppError> {
    match deed_canon::timestamp(text) {
        Some(_) => Ok(text.to_owned()),
        None => {
            let message = format!("`{option}` is not an RFC 3339 time: {}", deed_diag::quote(text));
            let diagnostic =
                Diagnostic::error(codes::BAD_TIME, message).stage("time").help("write `2026-05-09T00:00:00Z`");
            Err(AppError::refused(diagnostic))
        }
    }
}

/// Refuses a text with a secret: the log keeps the text forever.
pub fn without_secret<'a>(option: &str, text: &'a str) -> Result<&'a str, AppError> {
    if SecretScanner::standard().scan(text).is_empty() {
        return Ok(text);
    }
    Err(AppError::refused(
        Diagnostic::error(
            codes::SECRET_IN_ARGUMENT,
            format!("`{option}` holds a secret, and the log would keep it forever"),
        )
        .stage("registry")
        .help("remove the secret from it; if it is a real one, treat it as leaked"),
    ))
}

/// Parses a reference with an exact version; one without a version is refused with the newest that is published.
pub fn known_ref(session: &Session, text: &str) -> Result<PackRef, AppError> {
    pack_ref(text).map_err(|mut error| {
        let newest = || {
            let (_, registry) = session.registry().ok()?;
            let live = |state: PackState| state >= PackState::Published && state != PackState::Revoked;
            let listed = registry.list().ok()?.into_iter().filter(|entry| live(entry.state));
            listed.map(|entry| entry.pack_ref).filter(|known| known.pack_id == text).max()
        };
        let unpinned = error.report.diagnostics().iter().any(|found| found.code == codes::UNPINNED_REFERENCE);
        if let Some(newest) = Some(()).filter(|()| unpinned).and_then(|()| newest()) {
            let help = format!("write `{newest}`, the newest version here; `deed pack list` shows all");
            error.report = error.report.map(|found| found.help(help.clone()));
        }
        error
    })
}

/// Parses a reference with an exact version.
pub fn pack_ref(text: &str) -> Result<PackRef, AppError> {
    text.parse().map_err(|error: RefError| {
        let (code, help) = match &error {
            RefError::Unpinned(id) => (
                codes::UNPINNED_REFERENCE,
                format!("write a version such as `{id}@1.0.0`; `deed pack list` shows those that are published"),
            ),
            RefError::Version(_) => {
                (codes::BAD_REFERENCE, "write three numbers, such as `1.0.0`, without a prerelease".to_owned())
            }
            RefError::Id(_) => {
                (codes::BAD_REFERENCE, "write `<pack_id>@<version>`, such as `ctxpack.support@1.0.0`".to_owned())
            }
        };
        AppError::refused(Diagnostic::error(code, error.to_string()).stage("reference").help(help))
    })
}
