//! Compares the journal with the heads that were noted outside of it.

use super::load::store_error;
use crate::error::AppError;
use crate::home::Home;
use deed_diag::{Diagnostic, Report, codes};
use deed_store::{AnchorReport, RunStore};

const NOTHING_NOTED: &str = "there are runs, and no head of the list of runs is noted in `.deed/anchor`, so that an older \
                             copy of the journal would not be noticed";

/// Warnings where the journal lacks heads that were noted outside of it, or where none is noted.
///
/// # Errors
/// The journal or a note cannot be read.
pub fn rolled_back(home: &Home) -> Result<Report, AppError> {
    let compared = RunStore::compare_in(&home.runs(), &home.anchor()).map_err(|error| store_error(&error))?;
    Ok(report(compared))
}

/// The same for heads that were compared.
pub(super) fn report(compared: AnchorReport) -> Report {
    let mut report = Report::default();
    for (run_id, head) in compared.lacking {
        let of = run_id.map_or_else(|| "the list of runs".to_owned(), |run| format!("the journal of run `{run}`"));
        let message = format!("{of} was rolled back: it lacks event {} ({}), which was there", head.seq, head.hash);
        let help = "restore the newest copy of the journal; `deed explain D2071` says what can be done";
        report.push(Diagnostic::warning(codes::ROLLED_BACK, message).stage("journal").help(help));
    }
    if compared.unnoted {
        let help = "check the journal with a head that was kept elsewhere: `deed journal verify --head HEAD`";
        report.push(Diagnostic::warning(codes::ANCHOR_MISSING, NOTHING_NOTED).stage("journal").help(help));
    }
    report
}
