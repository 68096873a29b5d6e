//! What commands that touch the registry have in common.

use crate::args::Global;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::home::Home;
use crate::now::now;
use deed_detect::SecretScanner;
use deed_diag::{Code, Diagnostic, Report};
use deed_model::{PackRef, RefError};
use deed_store::{Outcome, Registry, RegistryError, Stamp};

const BAD_TIME: Code = Code::new("D0012");
const UNPINNED: Code = Code::new("D0013");
const BAD_REF: Code = Code::new("D0014");
const SECRET_SPOKEN: Code = Code::new("D0024");

/// Opens the registry of the home that is meant.
pub(crate) fn open(global: &Global) -> Result<(Home, Registry), Failure> {
    let home = Home::find(global.home.as_deref())?;
    let registry = Registry::open(&home.registry()).map_err(failure)?;
    Ok((home, registry))
}

/// A registry's refusal or complaint as a failure of the command.
pub(crate) fn failure(error: RegistryError) -> Failure {
    let exit = match &error {
        RegistryError::Refused(_) => Exit::Findings,
        RegistryError::Environment(_) => Exit::Environment,
    };
    Failure { exit, report: report_of(error.diagnostics().to_vec()) }
}

/// Diagnostics that need no source to be shown.
pub(crate) fn report_of(diagnostics: Vec<Diagnostic>) -> Report {
    let mut report = Report::default();
    diagnostics.into_iter().for_each(|d| report.push(d));
    report
}

/// Who acts, and when.
pub(crate) fn stamp(global: &Global) -> Result<Stamp, Failure> {
    let at = now(global.now.as_deref()).map_err(|why| {
        Failure::refused(Diagnostic::error(BAD_TIME, why).stage("time").help("write `2026-05-09T00:00:00Z`"))
    })?;
    let user = || std::env::var("USER").ok().filter(|u| !u.is_empty());
    let actor = global.actor.clone().or_else(user).unwrap_or_else(|| "unknown".to_owned());
    Ok(Stamp { at, actor: spoken("--actor", &actor)?.to_owned() })
}

/// A time from the command line, as it was written.
pub(crate) fn checked_time(option: &str, text: &str) -> Result<String, Failure> {
    match deed_pack::timestamp(text) {
        Some(_) => Ok(text.to_owned()),
        None => {
            let message = format!("`{option}` is not an RFC 3339 time: {}", deed_diag::quote(text));
            let diagnostic = Diagnostic::error(BAD_TIME, message).stage("time").help("write `2026-05-09T00:00:00Z`");
            Err(Failure::refused(diagnostic))
        }
    }
}

/// What is said on the command line and kept in the log for ever must hold no secret.
pub(crate) fn spoken<'a>(option: &str, text: &'a str) -> Result<&'a str, Failure> {
    if SecretScanner::standard().scan(text).is_empty() {
        return Ok(text);
    }
    Err(Failure::refused(
        Diagnostic::error(SECRET_SPOKEN, format!("`{option}` holds a secret, and the log would keep it for ever"))
            .stage("registry")
            .help("say it without the secret; if it was real, treat it as leaked"),
    ))
}

/// Reads a reference that must be pinned.
pub(crate) fn pack_ref(text: &str) -> Result<PackRef, Failure> {
    text.parse().map_err(|error: RefError| {
        let (code, help) = match &error {
            RefError::Unpinned(id) => {
                (UNPINNED, format!("write `{id}@1.0.0`: only a fixed version is the same tomorrow"))
            }
            RefError::Version(_) => (BAD_REF, "write three numbers, such as `1.0.0`, without a prerelease".to_owned()),
            RefError::Id(_) => (BAD_REF, "write `<pack_id>@<version>`, such as `ctxpack.support@1.0.0`".to_owned()),
        };
        Failure::refused(Diagnostic::error(code, error.to_string()).stage("reference").help(help))
    })
}

/// `recorded as event 7`, or that there was nothing to do.
pub(crate) fn recorded(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Recorded(head) => format!("recorded as event {}", head.seq),
        Outcome::AlreadyDone => "nothing to do: it was done before, in just this way".to_owned(),
    }
}

/// The event that an outcome appended, for `--json`.
pub(crate) fn event(outcome: &Outcome) -> serde_json::Value {
    match outcome {
        Outcome::Recorded(head) => serde_json::json!({ "seq": head.seq, "hash": head.hash }),
        Outcome::AlreadyDone => serde_json::Value::Null,
    }
}
