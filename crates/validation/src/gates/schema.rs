//! Gate 1, schema: the document is a validation pack, with a reference and rules of different names.

use crate::document::{PackFile, is_pack_ref};
use deed_diag::{Diagnostic, codes, quote};
use deed_model::{ValidationPack, schema_for};
use deed_schema::Shape;
use std::collections::BTreeSet;
use std::sync::LazyLock;

static SHAPE: LazyLock<Shape> = LazyLock::new(|| Shape::new(schema_for::<ValidationPack>()));

pub(super) fn check(file: &PackFile) -> Vec<Diagnostic> {
    let mut findings = SHAPE.findings(&file.document);
    let Some(pack) = file.pack() else {
        if findings.is_empty() {
            findings.push(file.not_a_pack());
        }
        return findings;
    };
    if !is_pack_ref(&pack.pack_ref) {
        let message = format!("{} is not a reference to a validation pack", quote(&pack.pack_ref));
        let found = Diagnostic::error(codes::BAD_VALIDATION_PACK, message).at(file.place("/pack_ref"));
        findings.push(found.help("write `valpack.<namespace>.<name>@v1`"));
    }
    let mut names = BTreeSet::new();
    for (index, rule) in pack.rules.iter().enumerate().filter(|(_, rule)| !names.insert(rule.id.as_str())) {
        let message = format!("two rules are named {}", quote(&rule.id));
        let found = Diagnostic::error(codes::NOT_A_VALIDATION_PACK, message);
        findings.push(found.at(file.place(&format!("/rules/{index}/id"))).help("records name a rule by its id"));
    }
    findings
}
