//! Files that no output by meaning is tied to, and contracts for files that the step does not write.

use super::contract::{Contracts, Subject, contract};
use super::{authored_contract, normalized};
use crate::lower::cx::{Cx, Step};
use crate::lower::findings::{At, Finding, Findings};
use crate::lower::snapshot::{NameFault, StepScope, kind};
use deed_catalog::kinds_of_path;
use deed_diag::{Invariant as _, codes, did_you_mean, quote};
use deed_model::{ArtifactSpec, ExpectedOutput, Kind, KindShape, TopLevelType};
use std::collections::{HashMap, HashSet};

/// Freezes the contracts of the files that no output is tied to. `in_doubt`: an output that was refused may be tied to
/// one of them.
pub(super) fn resolve(
    cx: Cx<'_>,
    step: Step<'_>,
    scope: &StepScope,
    in_doubt: bool,
    contracts: &mut Contracts,
    findings: &mut Findings<'_>,
) {
    for (position, expected) in step.authored.expected_outputs.iter().enumerate() {
        let path = normalized(&expected.path);
        if contracts.contains_key(&path) {
            continue;
        }
        let at = step.at().key("expected_outputs").item(position).key("path");
        match authored_contract(step.authored, &path) {
            Some((key, spec)) => match kind_of(cx, spec, &path) {
                Ok(Some(kind)) => {
                    let subject = Subject { path: &path, kind, entity: None, listed: &[] };
                    let made = contract(cx, step, scope, subject, findings);
                    contracts.insert(path, made);
                }
                Ok(None) => findings.add(unclear(at, &path)),
                Err(fault) => {
                    findings.add(fault.at(step.at().key("artifact_contracts").key(key).key("kind_key")));
                }
            },
            None if in_doubt => {}
            None => {
                let message = format!("nothing says what {} must be", quote(&path));
                let help = "tie it to an abstract output, or write its contract under `artifact_contracts`";
                findings.add(Finding::error(at, codes::OUTPUT_WITHOUT_CONTRACT, message).help(help));
            }
        }
    }
}

/// The kind of a file by its contract, or by its name and format.
fn kind_of<'l>(cx: Cx<'l>, spec: &ArtifactSpec, path: &str) -> Result<Option<&'l Kind>, NameFault> {
    if let Some(text) = &spec.kind_key {
        let key = kind(cx.catalog, text)?;
        return Ok(Some(cx.catalog.kind(key.as_str()).invariant("a kind that was looked up is in the catalogue")));
    }
    let of_format = kinds_of_path(cx.catalog, path).into_iter().filter(|kind| kind.format == spec.format);
    // `.json` alone is one document; rows say so.
    Ok(of_format.min_by_key(|kind| kind.shape != wanted_shape(spec)))
}

fn unclear(at: At, path: &str) -> Finding {
    let message = format!("the kind of {} is not clear from its name and format", quote(path));
    Finding::error(at, codes::KIND_UNCLEAR, message).help("name it under `kind_key` of its contract")
}

fn wanted_shape(spec: &ArtifactSpec) -> KindShape {
    match spec.required_top_level_type {
        Some(TopLevelType::Array | TopLevelType::Table) => KindShape::Rows,
        Some(TopLevelType::Object) | None => KindShape::Document,
    }
}

/// Refuses contracts for files that the step does not write, and two for one file.
pub(super) fn check_stray_contracts(step: Step<'_>, findings: &mut Findings<'_>) {
    let path_of = |expected: &ExpectedOutput| normalized(&expected.path);
    let written: HashSet<String> = step.authored.expected_outputs.iter().map(path_of).collect();
    let mut seen: HashMap<String, &String> = HashMap::new();
    for key in step.authored.artifact_contracts.keys() {
        let at = || step.at().key("artifact_contracts").key(key);
        let path = normalized(key);
        if !written.contains(&path) {
            let message = format!("it has a contract for {}, which it does not write", quote(key));
            let all = step.authored.expected_outputs.iter().map(|expected| expected.path.as_str());
            let help = did_you_mean(key, all).unwrap_or_else(|| "list it under `expected_outputs`".to_owned());
            findings.add(Finding::error(at(), codes::CONTRACT_WITHOUT_OUTPUT, message).help(help));
        }
        if let Some(other) = seen.insert(path, key) {
            let message = format!("{} and {} are contracts for one file", quote(other), quote(key));
            findings.add(Finding::error(at(), codes::CONTRACT_WITHOUT_OUTPUT, message).help("keep one of them"));
        }
    }
}
