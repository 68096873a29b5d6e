//! A policy bundle: the pack is linted with it, golden requests are compared, and every change that is not proven to tighten is
//! named.

use super::document::{hashed, not_used, read, without_golden};
use super::replaced::Replaced;
use super::{Checked, Found};
use deed_diag::{Document, Report};
use deed_model::PolicyBundle;
use deed_pack::diff;

pub(super) fn check(checked: &Checked<'_>, document: &Document) -> Result<Found, Report> {
    let bundle: PolicyBundle = read(document)?;
    let own = &checked.pack.policy_layer.policy_bundles;
    let Some(at) = own.iter().position(|known| known.bundle_id == bundle.bundle_id) else {
        let known: Vec<&str> = own.iter().map(|known| known.bundle_id.as_str()).collect();
        return Err(not_used(document, "/bundle_id", "a policy bundle", &known));
    };
    let part = format!("/policy_layer/policy_bundles/{at}");
    let replaced = Replaced::new(checked.bundle, &part, document.value().clone(), Some(document))?;
    let compared = diff(checked.bundle, &replaced.bundle, &[])?;
    let (mut findings, _) = replaced.regressions(checked.bundle, Some(&compared), checked.cache)?;
    findings.extend(without_golden(checked, "no request shows what the bundle changes"));
    Ok(Found { name: bundle.bundle_id, hash: hashed(document.value())?, findings, replaced: Some(replaced) })
}
