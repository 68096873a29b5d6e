//! The version of the runtime.

use super::document::hashed;
use super::{Checked, Found};
use deed_diag::{Diagnostic, Report, codes, quote};
use serde_json::Value;

pub(super) fn check(checked: &Checked<'_>, version: &str) -> Result<Found, Report> {
    let Ok(parsed) = semver::Version::parse(version) else {
        let message = format!("{} is not a version of the runtime", quote(version));
        let found = Diagnostic::error(codes::DEPENDENCY_NOT_READABLE, message).stage("recheck");
        return Err(Report::of(found.help("write three numbers, such as `1.2.0`")));
    };
    let document = &checked.bundle.document;
    let range = checked.pack.contract_meta.compatibility.requires.get("runtime");
    // A range that cannot be read accepts nothing.
    let accepts = |range: &String| semver::VersionReq::parse(range).is_ok_and(|range| range.matches(&parsed));
    let mut findings = Vec::new();
    if let Some(range) = range.filter(|range| !accepts(range)) {
        let message = format!("the pack accepts a runtime {}, and this one is {parsed}", quote(range));
        findings.push(
            Diagnostic::error(codes::DEPENDENCY_VERSION_UNFIT, message)
                .at(document.place("/contract_meta/compatibility/requires/runtime"))
                .help("the runtime refuses the pack: publish a version that accepts it"),
        );
    }
    let hash = hashed(&Value::String(version.to_owned()))?;
    Ok(Found { name: "runtime".to_owned(), hash, findings, replaced: None })
}
