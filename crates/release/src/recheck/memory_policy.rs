//! The memory policy: recall, write-back and consent of the pack with it.

use super::document::{hashed, read};
use super::replaced::Replaced;
use super::{Checked, Found};
use deed_diag::{Diagnostic, Document, Invariant as _, Report, codes};
use deed_model::MemoryLayer;
use deed_pack::{ChangeClass, diff};

pub(super) fn check(checked: &Checked<'_>, document: &Document) -> Result<Found, Report> {
    let _: MemoryLayer = read(document)?;
    let part = "/memory_layer";
    let replaced = Replaced::new(checked.bundle, part, document.value().clone(), Some(document))?;
    let (mut findings, what_if) = replaced.regressions(checked.bundle, None, checked.cache)?;
    let changes = diff(checked.bundle, &replaced.bundle, &[])?.changes;
    for change in changes.iter().filter(|c| c.layer == "memory_layer" && c.class >= ChangeClass::Major) {
        let pointer = change.pointer.strip_prefix(part).invariant("a change of the memory layer is within it");
        let message = format!("{} {}: {}", change.subject, change.what.as_str(), change.why);
        findings.push(
            Diagnostic::error(codes::MEMORY_POLICY_LOOSER, message)
                .at(document.place(pointer))
                .related(checked.bundle.document.place(&change.pointer), "as the pack was reviewed")
                .help("publish a version of the pack with the new policy, so that it is reviewed"),
        );
    }
    for compared in what_if.changed.iter().filter(|c| !c.items_lost.is_empty()) {
        let message = format!("{} no longer recalls `{}`", compared.packet_id, compared.items_lost.join("`, `"));
        findings.push(Diagnostic::warning(codes::CASE_ENDS_OTHERWISE, message).at(document.place("")));
    }
    let name = "memory_policy".to_owned();
    Ok(Found { name, hash: hashed(document.value())?, findings, replaced: Some(replaced) })
}
