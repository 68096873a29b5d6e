//! The contract of a file that a step writes.

use super::{authored_contract, normalized};
use crate::lower::cx::{Cx, Step};
use crate::lower::findings::{At, Finding, Findings};
use crate::lower::snapshot::{StepScope, check_columns};
use deed_catalog::{Entity, kinds_of_path};
use deed_diag::{Invariant as _, codes, quote};
use deed_model::{ArtifactContract, ArtifactFormat, ArtifactSpec, Kind, KindShape, TopLevelType};
use std::collections::BTreeMap;

/// Contracts by path.
pub(in crate::lower) type Contracts = BTreeMap<String, ArtifactContract>;

/// The file that a contract is for.
#[derive(Clone, Copy)]
pub(super) struct Subject<'s> {
    pub(super) path: &'s str,
    pub(super) kind: &'s Kind,
    /// Its entity, if it has a meaning.
    pub(super) entity: Option<&'s Entity>,
    /// The columns that its output lists.
    pub(super) listed: &'s [String],
}

/// Freezes the contract of a file, and checks what the plan says of it.
pub(super) fn contract(
    cx: Cx<'_>,
    step: Step<'_>,
    scope: &StepScope,
    subject: Subject<'_>,
    findings: &mut Findings<'_>,
) -> ArtifactContract {
    let Subject { path, kind, entity, .. } = subject;
    let authored = authored_contract(step.authored, path);
    let spec = authored.map(|(_, spec)| spec);
    check_name(cx, step, subject, findings);
    match authored {
        Some((key, spec)) => {
            let at = step.at().key("artifact_contracts").key(key);
            check_spec(scope, subject, spec, &at, findings);
        }
        None if scope.policy.rules.explicit_contracts => {
            let message = format!("{} has no artifact contract, and the policy asks for one", quote(path));
            let help = format!("add `artifact_contracts: {{ \"{path}\": {{ format: {} }} }}`", kind.format.as_str());
            findings.add(Finding::error(written_at(step, path), codes::OUTPUT_WITHOUT_CONTRACT, message).help(help));
        }
        None => {}
    }
    let structured = matches!(kind.shape, KindShape::Rows | KindShape::Document);
    let top_level = spec.and_then(|spec| spec.required_top_level_type);
    ArtifactContract {
        kind_key: kind.kind_key.clone(),
        format: kind.format,
        required_top_level_type: top_level.or_else(|| top_levels(kind).first().copied()),
        required_fields: spec.map(|spec| spec.required_fields.clone()).unwrap_or_default(),
        entity_schema_id: entity.map(|entity| entity.id.clone()),
        entity_hash: entity.filter(|_| structured).map(|entity| entity.hash),
        derived_schema: entity.filter(|entity| entity.derived_from.is_some()).map(|entity| entity.schema.clone()),
        derived: spec.is_none(),
    }
}

/// The place where a step lists a file.
fn written_at(step: Step<'_>, path: &str) -> At {
    let mut expected = step.authored.expected_outputs.iter();
    let position = expected.position(|expected| expected.path == path || normalized(&expected.path) == path);
    step.at().key("expected_outputs").item(position.invariant("a contract is for a file of the step")).key("path")
}

/// The extension has to be that of the kind's format.
fn check_name(cx: Cx<'_>, step: Step<'_>, subject: Subject<'_>, findings: &mut Findings<'_>) {
    let Subject { path, kind, .. } = subject;
    let by_name = kinds_of_path(cx.catalog, path);
    if let Some(first) = by_name.first().filter(|_| by_name.iter().all(|known| known.format != kind.format)) {
        let (format, form) = (first.format.as_str(), quote(kind.kind_key.as_str()));
        let message = format!("{} is named as {format}, and is to be {form}", quote(path));
        let usual = kind.extensions.first().map(|extension| format!("name it `….{extension}`"));
        findings.add(Finding::error(written_at(step, path), codes::OTHER_EXTENSION, message).help_opt(usual));
    }
}

/// The contract that the plan writes must not contradict the kind, the entity or the output.
fn check_spec(scope: &StepScope, subject: Subject<'_>, spec: &ArtifactSpec, at: &At, findings: &mut Findings<'_>) {
    let Subject { kind, entity, listed, .. } = subject;
    let form = quote(kind.kind_key.as_str());
    if spec.format != kind.format {
        let is = kind.format.as_str();
        let message = format!("{form} is {}, and its contract says `{}`", quote(is), spec.format.as_str());
        findings.add(Finding::error(at.key("format"), codes::OTHER_FORMAT, message).help(format!("write `{is}`")));
    }
    let fields = at.key("required_fields");
    for (number, field) in spec.required_fields.iter().enumerate() {
        if !listed.is_empty() && !listed.contains(field) {
            let message = format!("{} is asked for, and the output does not list it", quote(field));
            let finding = Finding::error(fields.item(number), codes::UNKNOWN_COLUMN, message);
            findings.add(finding.help("list it under `fields` of the output"));
        }
    }
    if let Some(entity) = entity {
        check_columns(scope.policy.rules, entity, &spec.required_fields, &fields, findings);
    }
    if let Some(wanted) = spec.required_top_level_type.filter(|wanted| !top_levels(kind).contains(wanted)) {
        let message = format!("{form} has no {} outermost", top_level(wanted));
        findings.add(Finding::error(at.key("required_top_level_type"), codes::OTHER_TOP_LEVEL, message));
    }
}

/// The types that may be outermost in a kind, the usual one first.
fn top_levels(kind: &Kind) -> &'static [TopLevelType] {
    match (kind.shape, kind.format) {
        (KindShape::Rows, ArtifactFormat::Json) => &[TopLevelType::Array, TopLevelType::Table],
        (KindShape::Rows, _) => &[TopLevelType::Table],
        (KindShape::Document | KindShape::Manifest, _) => &[TopLevelType::Object, TopLevelType::Array],
        (KindShape::Text | KindShape::Bytes, _) => &[],
    }
}

fn top_level(wanted: TopLevelType) -> &'static str {
    match wanted {
        TopLevelType::Array => "list",
        TopLevelType::Object => "object",
        TopLevelType::Table => "table",
    }
}
