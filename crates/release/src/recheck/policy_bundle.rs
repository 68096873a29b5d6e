//! A policy bundle: the pack is linted with it, and golden requests are compared.

use super::document::{hashed, not_used, read};
use super::replaced::Replaced;
use super::{Checked, Found};
use deed_diag::{Document, Report};
use deed_model::PolicyBundle;

pub(super) fn check(checked: &Checked<'_>, document: &Document) -> Result<Found, Report> {
    let bundle: PolicyBundle = read(document)?;
    let own = &checked.pack.policy_layer.policy_bundles;
    let Some(at) = own.iter().position(|known| known.bundle_id == bundle.bundle_id) else {
        let known: Vec<&str> = own.iter().map(|known| known.bundle_id.as_str()).collect();
        return Err(not_used(document, "/bundle_id", "a policy bundle", &known));
    };
    let part = format!("/policy_layer/policy_bundles/{at}");
    let replaced = Replaced::new(checked.bundle, &part, document.value().clone(), Some(document))?;
    let (findings, _) = replaced.regressions(checked.bundle, checked.cache)?;
    Ok(Found { name: bundle.bundle_id, hash: hashed(document.value())?, findings, replaced: Some(replaced) })
}
