//! Publishes validation packs.

use super::source::linted;
use crate::error::AppError;
use crate::objects::{self, PublishedObject};
use crate::session::Session;
use deed_diag::{Diagnostic, codes};
use deed_pack::ObjectCandidate;
use deed_validation::shipped_packs;
use std::path::Path;

/// Signs a validation pack and publishes it. The version never changes again.
///
/// # Errors
/// The pack does not pass lint, its name is that of one that ships, its version was published with other bytes, or the key
/// may not sign for the issuer.
pub fn publish(session: &Session, path: &Path, key: &str, issuer: Option<&str>) -> Result<PublishedObject, AppError> {
    let linted = linted(path)?;
    let passed = linted.file.pack().filter(|_| linted.lint.passed());
    let pack = passed.ok_or_else(|| linted.lint.report.clone())?;
    let name = |reference: &str| reference.split_once('@').map_or(reference, |(name, _)| name).to_owned();
    let shipped = shipped_packs().iter().filter_map(|file| file.pack());
    if shipped.map(|shipped| name(&shipped.pack_ref)).any(|shipped| shipped == name(&pack.pack_ref)) {
        let message = format!("`{}` ships with Deed", name(&pack.pack_ref));
        let found = Diagnostic::error(codes::PROFILE_VERSION_EXISTS, message).stage("valpack");
        let mut report = linted.file.report();
        let place = linted.file.document.place("/pack_ref");
        report.push(found.at(place).help("publish it under a name of your own, such as `valpack.acme.orders@v1`"));
        return Err(report.into());
    }
    objects::publish(session, |issuer| ObjectCandidate::of_pack(pack, issuer), (key, issuer), linted.lint.report)
}
