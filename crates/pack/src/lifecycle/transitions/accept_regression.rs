//! Accepting a regression of a candidate, on the record.

use super::super::history::{AcceptedRegression, PackHistory};
use super::super::publication::{not_revoked, refusal};
use super::super::transition::Transition;
use super::reason;
use deed_diag::{Diagnostic, codes};
use deed_model::RegistryEvent;

/// Accepts one finding about one document that was linted. Another finding, or another document, is not covered.
/// Accepting the same in the same role again changes nothing.
pub fn may_accept_regression(
    history: &PackHistory,
    accepted: &AcceptedRegression,
) -> Result<Transition, Vec<Diagnostic>> {
    reason::given(&accepted.reason, "accepting a regression", history.place())?;
    not_revoked(history)?;
    if history.candidate(&accepted.content_hash).is_none() {
        let message = format!("`{}` was not linted as `{}`", history.pack_ref, accepted.content_hash);
        return Err(vec![refusal(history, codes::NOT_LINTED, message).help("lint it first: `deed pack lint`")]);
    }
    let same = |known: &&AcceptedRegression| {
        known.content_hash == accepted.content_hash && known.finding == accepted.finding && known.role == accepted.role
    };
    if history.accepted.iter().any(|known| same(&known)) {
        return Ok(Transition::AlreadyDone);
    }
    Ok(Transition::append(RegistryEvent::PackRegressionAccepted {
        pack_ref: history.pack_ref.clone(),
        content_hash: accepted.content_hash,
        metric: accepted.metric,
        finding: accepted.finding,
        what: accepted.what.clone(),
        role: accepted.role,
        reason: accepted.reason.clone(),
    }))
}
