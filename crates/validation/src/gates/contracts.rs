//! Gate 5, contracts: every ladder contract can be made ready.

use crate::document::PackFile;
use deed_diag::{Diagnostic, Severity, codes};
use deed_ladder::{ContractFault, Ladder};
use deed_model::ValidationPack;

pub(super) fn check(file: &PackFile, pack: &ValidationPack) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    for (index, rule) in pack.rules.iter().enumerate() {
        let Some(contract) = &rule.contract else { continue };
        let base = format!("/rules/{index}/contract");
        if contract.schema.get("openapi").is_some() {
            let message = "a validation pack holds its schemas itself, and this one names an operation of a file";
            let found =
                Diagnostic::error(codes::BAD_LADDER_CONTRACT, message).at(file.place(&format!("{base}/schema")));
            findings.push(found.help("write the JSON Schema of the operation; `deed imprint` prints it"));
            continue;
        }
        let diagnostic = |severity: Severity, fault: &ContractFault| {
            Diagnostic::new(severity, fault.code, fault.message.clone())
                .at(file.place(&format!("{base}{}", fault.pointer)))
                .help_opt(fault.help.clone())
        };
        match Ladder::new(contract.clone()) {
            Ok(ladder) => {
                findings.extend(ladder.remarks().iter().map(|remark| diagnostic(Severity::Warning, remark)));
            }
            Err(faults) => findings.extend(faults.iter().map(|fault| diagnostic(Severity::Error, fault))),
        }
    }
    findings
}
