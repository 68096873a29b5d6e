//! One output by meaning: its names, its file, its kind, its columns and its contract.

use super::contract::{Contracts, Subject, contract};
use super::names::{ResolvedNames, look_up};
use super::{complete, file, form};
use crate::lower::cx::{Cx, DeclaredOutput};
use crate::lower::findings::{Finding, Findings};
use crate::lower::grouped;
use crate::lower::output::Output;
use crate::lower::snapshot::{PROFILE_HELP, StepScope, check_columns, grain};
use deed_diag::{codes, quote};
use deed_model::ArtifactContract;
use std::sync::Arc;

/// An output with the contract of its file.
pub(super) struct Resolved {
    pub(super) output: Output,
    pub(super) contract: ArtifactContract,
}

/// Resolves an output; none if it was refused. `taken` are the contracts of the step's outputs before it.
pub(super) fn resolve(
    cx: Cx<'_>,
    declared: DeclaredOutput<'_>,
    scope: &StepScope,
    taken: &Contracts,
    findings: &mut Findings<'_>,
) -> Option<Resolved> {
    let named = look_up(cx, declared, scope, findings)?;
    let (path, role) = file::tie(cx, declared, &named.preferred).map_err(|finding| findings.add(finding)).ok()?;
    if let Some(finding) = contradiction(declared, &named).or_else(|| taken_file(declared, &path, taken)) {
        findings.add(finding);
        return None;
    }
    let kind = form::choose(cx, declared, &named, &path, findings)?;
    let (output, at, rules) = (declared.authored, declared.at(), scope.policy.rules);
    let before = findings.count();
    let derived = grouped::of_output(cx.catalog, declared.step.authored, output, named.entity, &kind.kind_key);
    let entity = derived.as_deref().unwrap_or(named.entity);
    check_columns(rules, entity, &output.fields, &at.key("fields"), findings);
    complete::check_listed(declared, entity, findings);
    let grain = grain(entity, &output.grain, &output.fields, &at.key("grain"), findings);
    let flawed = findings.count() > before;
    let provenance = complete::provenance(declared, entity, kind, &grain, rules, findings);
    check_columns(rules, entity, &output.provenance_fields, &at.key("provenance_fields"), findings);
    let subject = Subject { path: &path, kind, entity: Some(entity), listed: &output.fields };
    let contract = contract(cx, declared.step, scope, subject, findings);
    let wanted = named.profile.filter(|profile| profile.kind_key == kind.kind_key);
    let profile = wanted.or_else(|| cx.catalog.profile_for(entity.id.as_str(), kind.kind_key.as_str()));
    let output = Output {
        position: declared.position,
        at,
        slot: output.slot.clone(),
        entity: entity.id.clone(),
        kind: kind.kind_key.clone(),
        profile: profile.map(|profile| profile.profile_id.clone()),
        path,
        role,
        fields: Arc::new(output.fields.iter().cloned().collect()),
        grain,
        provenance,
        derived: derived.clone(),
        flawed,
    };
    Some(Resolved { output, contract })
}

/// A profile of another entity.
fn contradiction(declared: DeclaredOutput<'_>, named: &ResolvedNames<'_>) -> Option<Finding> {
    let profile = named.profile.filter(|profile| profile.entity_schema_id != named.entity.id)?;
    let message = format!(
        "profile {} is of {}, and the output is of {}",
        quote(profile.profile_id.as_str()),
        quote(profile.entity_schema_id.as_str()),
        quote(named.entity.id.as_str())
    );
    let finding = Finding::error(declared.at().key("profile_id"), codes::PROFILE_CONTRADICTS, message);
    Some(finding.help(PROFILE_HELP))
}

/// A file that another output of the step is tied to.
fn taken_file(declared: DeclaredOutput<'_>, path: &str, taken: &Contracts) -> Option<Finding> {
    taken.get(path)?;
    let slot = quote(&declared.authored.slot);
    let message = format!("output {slot} is tied to {}, as another output is", quote(path));
    let finding = Finding::error(declared.at(), codes::TWO_WRITERS, message);
    Some(finding.help("give each output a file of its own, and name it under `path`"))
}
