//! Gate 4, checks: every rule judges something, and everything in it fits its reading.

use crate::document::PackFile;
use deed_diag::{Diagnostic, codes, quote};
use deed_model::{SchemaSource, ValidationPack};

pub(super) fn check(file: &PackFile, pack: &ValidationPack) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    for (index, rule) in pack.rules.iter().enumerate() {
        let read_as = rule.read_as.as_str();
        let mut refuse = |pointer: String, message: String, help: &str| {
            let found = Diagnostic::error(codes::CHECK_UNFIT, message).at(file.place(&pointer));
            findings.push(found.help(help));
        };
        for (place, check) in rule.checks.iter().enumerate().filter(|(_, check)| !check.fits(rule.read_as)) {
            let message = format!("`{}` has no meaning for what is read as `{read_as}`", check.as_str());
            refuse(
                format!("/rules/{index}/checks/{place}"),
                message,
                "remove the check, or read the file as another form",
            );
        }
        if rule.contract.is_some() && !rule.read_as.has_payload() {
            let message = format!("what is read as `{read_as}` has no payload that climbs a ladder");
            let help = "a contract stands beside `json`, `yaml`, `csv_rows` and `tsv_rows`";
            refuse(format!("/rules/{index}/contract"), message, help);
        }
        if rule.contract.is_none() && rule.schema_from == SchemaSource::Artifact {
            let message = "`schema_from: artifact` needs a contract that the schema is put into".to_owned();
            refuse(format!("/rules/{index}/schema_from"), message, "add a `contract` with the schema of last resort");
        }
        if rule.contract.is_none() && rule.checks.is_empty() {
            let message = format!("the rule {} judges nothing", quote(&rule.id));
            refuse(format!("/rules/{index}"), message, "add a `contract` or `checks`");
        }
    }
    findings
}
