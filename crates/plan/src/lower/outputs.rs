//! C3, outputs: every file that a step writes has a contract, and every output by meaning has a file.

use super::grouped;
use super::snapshot::{PROFILE_HELP, columns, entity, grain, kind, names_pack, profile, slot};
use super::state::{Lowering, Output, Told};
use crate::codes::{
    BAD_GRAIN, COLUMN_MISSING, CONTRACT_FOR_NOTHING, KIND_UNCLEAR, NO_CONTRACT, NO_PATH, NO_PROVENANCE, NOT_CARRIED,
    OTHER_EXTENSION, OTHER_FORMAT, OTHER_TOP_LEVEL, PROFILE_CONTRADICTS, TWO_WRITERS, UNKNOWN_COLUMN,
};
use crate::path::WorkPath;
use deed_catalog::{Entity, grouped_id, kind_of_path, kinds_of_path};
use deed_diag::quote;
use deed_model::{
    AbstractOutput, ArtifactContract, ArtifactSpec, Kind, KindKey, KindShape, OutputRole, PlanStep, ProvenanceDemand,
    TopLevelType,
};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

pub(super) fn resolve(lowering: &mut Lowering<'_>) {
    lowering.stage = "outputs";
    for index in 0..lowering.steps.len() {
        let Some(step) = lowering.plan.steps.get(index) else { continue };
        for position in 0..step.abstract_outputs.len() {
            output(lowering, index, step, position);
        }
        files(lowering, index, step);
        stray(lowering, index, step);
    }
}

/// A path as it is in contracts, or as it was written if it is none.
pub(super) fn plain(path: &str) -> String {
    WorkPath::read_any(path).map_or_else(|_| path.to_owned(), |path| path.text)
}

fn spec_of<'s>(step: &'s PlanStep, path: &str) -> Option<(&'s String, &'s ArtifactSpec)> {
    // Most are spelled alike, and then nothing has to be compared.
    let exact = step.artifact_contracts.get_key_value(path);
    exact.or_else(|| step.artifact_contracts.iter().find(|(known, _)| !is_plain(known) && plain(known) == path))
}

/// Whether a path is surely spelled as in contracts.
fn is_plain(path: &str) -> bool {
    path.is_ascii() && !path.contains("//") && !path.contains("./") && !path.ends_with('/')
}

/// One output by meaning.
fn output(lowering: &mut Lowering<'_>, index: usize, step: &PlanStep, position: usize) {
    let Some(output) = step.abstract_outputs.get(position) else { return };
    let catalog = lowering.catalog;
    let at = format!("/abstract_outputs/{position}");
    let mut faults = Vec::new();
    if let Err(fault) = slot(catalog, &output.slot) {
        faults.push((format!("{at}/slot"), fault));
    }
    let known =
        entity(catalog, &output.entity_schema_id).map_err(|f| faults.push((format!("{at}/entity_schema_id"), f)));
    let mut preferred = Vec::new();
    for (number, text) in output.preferred_kind_keys.iter().enumerate() {
        match kind(catalog, text) {
            Ok(kind) => preferred.push(kind),
            Err(fault) => faults.push((format!("{at}/preferred_kind_keys/{number}"), fault)),
        }
    }
    let mut wanted = None;
    if let Some(text) = &output.profile_id {
        match profile(catalog, text) {
            Ok(profile) => wanted = Some(profile),
            Err(fault) => faults.push((format!("{at}/profile_id"), fault)),
        }
    }
    let refused = !faults.is_empty();
    for (at, fault) in faults {
        lowering.tell(Told::error(index, fault.code, at, fault.message).help_opt(fault.help));
    }
    if let Some(step) = lowering.steps.get_mut(index) {
        // Until it is known to be whole, nothing else is said of the files that it may be tied to.
        step.doubtful += 1;
    }
    let Ok(known) = known else { return };
    names_pack(lowering, index, known, &format!("{at}/entity_schema_id"));
    if refused {
        return;
    }
    let Some((path, role)) = path_of(step, output, &preferred, lowering) else {
        let files: Vec<String> = step.expected_outputs.iter().map(|expected| quote(&plain(&expected.path))).collect();
        let (message, help) = match files.as_slice() {
            [] => (
                format!("output {} is not tied to a file", quote(&output.slot)),
                "list a file under `expected_outputs`".to_owned(),
            ),
            [_] => (
                format!("output {} is not tied to a file", quote(&output.slot)),
                "name a file of `expected_outputs` under `path` of the output".to_owned(),
            ),
            several => (
                format!("output {} could be any of {}", quote(&output.slot), several.join(", ")),
                "name its file under `path` of the output, and give each other file a contract".to_owned(),
            ),
        };
        lowering.tell(Told::error(index, NO_PATH, at, message).help(help));
        return;
    };
    if let Some(profile) = wanted.filter(|profile| profile.entity_schema_id != known.id) {
        let message = format!(
            "profile {} is of {}, and the output is of {}",
            quote(profile.profile_id.as_str()),
            quote(profile.entity_schema_id.as_str()),
            quote(known.id.as_str())
        );
        let told = Told::error(index, PROFILE_CONTRADICTS, format!("{at}/profile_id"), message);
        lowering.tell(told.help(PROFILE_HELP));
        return;
    }
    if lowering.steps.get(index).is_some_and(|step| step.artifacts.contains_key(&path)) {
        let message = format!("output {} is tied to {}, as another output is", quote(&output.slot), quote(&path));
        let help = "give each output a file of its own, and name it under `path`";
        lowering.tell(Told::error(index, TWO_WRITERS, at, message).help(help));
        return;
    }
    let authored = spec_of(step, &path);
    let spec = authored.map(|(_, spec)| spec);
    let named = match spec.and_then(|spec| spec.kind_key.as_deref()).map(|text| kind(catalog, text)) {
        Some(Ok(kind)) => Some(kind),
        Some(Err(fault)) => {
            let key = authored.map_or("", |(key, _)| key.as_str());
            let at = format!("/artifact_contracts/{}/kind_key", escape(key));
            lowering.tell(Told::error(index, fault.code, at, fault.message).help_opt(fault.help));
            return;
        }
        None => None,
    };
    let possible = catalog.slot(&output.slot).map(|slot| slot.kinds.clone()).unwrap_or_default();
    let by_name: Vec<&KindKey> = kinds_of_path(catalog, &path).into_iter().map(|kind| &kind.kind_key).collect();
    let fitting = preferred.iter().find(|kind| by_name.contains(kind)).or(preferred.first()).cloned();
    let form = named
        .or(fitting)
        .or_else(|| wanted.map(|profile| profile.kind_key.clone()))
        .or_else(|| kind_of_path(catalog, &path, &possible));
    let Some(form) = form else {
        let message = format!("the kind of {} is not plain from its name", quote(&path));
        lowering.tell(Told::error(index, KIND_UNCLEAR, at, message).help("name it under `preferred_kind_keys`"));
        return;
    };
    if let Some(profile) = wanted.filter(|profile| profile.kind_key != form) {
        let message =
            format!("profile {} is another kind than {}", quote(profile.profile_id.as_str()), quote(form.as_str()));
        let told = Told::error(index, PROFILE_CONTRADICTS, format!("{at}/profile_id"), message);
        lowering.tell(told.help(PROFILE_HELP));
    }
    if !possible.contains(&form) {
        let kinds: Vec<String> = possible.iter().map(|kind| quote(kind.as_str())).collect();
        let message = format!("{} is not carried by slot {}", quote(form.as_str()), quote(&output.slot));
        lowering.tell(
            Told::error(index, NOT_CARRIED, format!("{at}/slot"), message)
                .help(format!("it carries {}", kinds.join(", "))),
        );
    }
    let before = lowering.count();
    let derived = grouped::of_output(catalog, step, output, known, &form);
    let known = derived.as_deref().unwrap_or(known);
    columns(lowering, index, known, &output.fields, &format!("{at}/fields"));
    complete(lowering, index, known, output, &at);
    let rows = grain(lowering, index, known, &output.grain, &output.fields, &format!("{at}/grain"));
    let flawed = lowering.count() > before;
    let provenance = provenance(lowering, index, known, output, &form, &at);
    let canonical = catalog.profile_for(known.id.as_str(), form.as_str());
    let made = Output {
        slot: output.slot.clone(),
        entity: known.id.clone(),
        profile: wanted.filter(|p| p.kind_key == form).or(canonical).map(|profile| profile.profile_id.clone()),
        kind: form.clone(),
        path: path.clone(),
        role,
        fields: Arc::new(output.fields.iter().cloned().collect()),
        grain: rows,
        provenance,
        derived: derived.clone(),
        at: format!("/steps/{index}{at}"),
        used: false,
        flawed,
    };
    columns(lowering, index, known, &output.provenance_fields, &format!("{at}/provenance_fields"));
    contract(lowering, index, &path, &form, authored, Some(known), &output.fields);
    if let Some(step) = lowering.steps.get_mut(index) {
        step.outputs.push(made);
        step.doubtful -= 1;
    }
}

/// The file of an output: named, by its slot, the only one, or the only one of its kind.
fn path_of(
    step: &PlanStep,
    output: &AbstractOutput,
    preferred: &[KindKey],
    lowering: &Lowering<'_>,
) -> Option<(String, OutputRole)> {
    let found = |wanted: &dyn Fn(&deed_model::ExpectedOutput) -> bool| {
        let mut fitting = step.expected_outputs.iter().filter(|expected| wanted(expected));
        match (fitting.next(), fitting.next()) {
            (Some(only), None) => Some((plain(&only.path), only.role)),
            _ => None,
        }
    };
    if let Some(path) = &output.path {
        let path = plain(path);
        return found(&|expected| plain(&expected.path) == path);
    }
    let is_kind = |expected: &deed_model::ExpectedOutput| {
        kinds_of_path(lowering.catalog, &expected.path).iter().any(|kind| preferred.contains(&kind.kind_key))
    };
    let carried = lowering.catalog.slot(&output.slot).map(|slot| slot.kinds.as_slice()).unwrap_or_default();
    let is_carried = |expected: &deed_model::ExpectedOutput| {
        kinds_of_path(lowering.catalog, &expected.path).iter().any(|kind| carried.contains(&kind.kind_key))
    };
    let alone = step.abstract_outputs.len() == 1;
    let contracted = |expected: &deed_model::ExpectedOutput| spec_of(step, &plain(&expected.path)).is_some();
    found(&|expected| expected.slot.as_ref() == Some(&output.slot))
        .or_else(|| found(&|expected| alone && expected.slot.is_none()))
        .or_else(|| found(&|expected| expected.slot.is_none() && is_kind(expected)))
        .or_else(|| found(&|expected| alone && expected.slot.is_none() && preferred.is_empty() && is_carried(expected)))
        // A file without a contract beside one that has it is the one that nothing is said of.
        .or_else(|| found(&|expected| alone && expected.slot.is_none() && contracted(expected)))
}

/// Columns that are declared have to be all that the entity requires.
fn complete(lowering: &mut Lowering<'_>, index: usize, entity: &Entity, output: &AbstractOutput, at: &str) {
    if output.fields.is_empty() {
        return;
    }
    let listed =
        [("grain", &output.grain, BAD_GRAIN), ("provenance_fields", &output.provenance_fields, UNKNOWN_COLUMN)];
    for (part, fields, code) in listed {
        for (number, field) in fields.iter().enumerate().filter(|(_, field)| !output.fields.contains(field)) {
            let message =
                format!("{} is not among the columns that output {} lists", quote(field), quote(&output.slot));
            lowering.tell(
                Told::error(index, code, format!("{at}/{part}/{number}"), message).help("list it under `fields`"),
            );
        }
    }
    let missing: Vec<String> =
        entity.required.iter().filter(|field| !output.fields.contains(field)).map(|f| quote(f)).collect();
    if !missing.is_empty() {
        let message = format!(
            "{} requires {}, which output {} does not list",
            quote(entity.id.as_str()),
            missing.join(", "),
            quote(&output.slot)
        );
        let grain: BTreeSet<String> = output.grain.iter().cloned().collect();
        let groups =
            (!grain.is_empty() && grain != *entity.grain).then(|| grouped_id(&entity.id, &output.grain)).flatten();
        let help = match groups {
            Some(groups) => format!("name `{groups}` for groups of such rows, or add the columns"),
            None => "add them, or name another entity".to_owned(),
        };
        lowering.tell(Told::error(index, COLUMN_MISSING, format!("{at}/fields"), message).help(help));
    }
}

/// Fields that say where rows came from, which the policy may ask for.
fn provenance(
    lowering: &mut Lowering<'_>,
    index: usize,
    entity: &Entity,
    output: &AbstractOutput,
    form: &KindKey,
    at: &str,
) -> Vec<String> {
    let fields = match output.provenance_fields.is_empty() {
        true => {
            let own = entity.provenance_fields().into_iter();
            own.filter(|field| output.fields.is_empty() || output.fields.contains(field)).collect()
        }
        false => output.provenance_fields.clone(),
    };
    let rows = lowering.catalog.kind(form.as_str()).is_some_and(|kind| kind.shape == KindShape::Rows);
    if rows && fields.is_empty() && lowering.rules(index).provenance == ProvenanceDemand::Required {
        let message = format!(
            "the policy asks where each row of {} came from, and {} has no field for it",
            quote(&output.slot),
            quote(entity.id.as_str())
        );
        let help = "name the fields under `provenance_fields`, or give an entity that has `source_ids`";
        lowering.tell(Told::error(index, NO_PROVENANCE, at.to_owned(), message).help(help));
    }
    fields
}

/// The contract of a written file.
fn contract(
    lowering: &mut Lowering<'_>,
    index: usize,
    path: &str,
    form: &KindKey,
    authored: Option<(&String, &ArtifactSpec)>,
    entity: Option<&Entity>,
    listed: &[String],
) {
    let catalog = lowering.catalog;
    let Some(kind) = catalog.kind(form.as_str()) else { return };
    let spec = authored.map(|(_, spec)| spec);
    let contracts = format!("/artifact_contracts/{}", escape(authored.map_or(path, |(key, _)| key)));
    let expected = lowering.plan.steps.get(index).map(|step| step.expected_outputs.as_slice()).unwrap_or_default();
    let number = expected.iter().position(|expected| expected.path == path || plain(&expected.path) == path);
    let number = number.unwrap_or_default();
    let written = format!("/expected_outputs/{number}/path");
    let by_name = kinds_of_path(catalog, path);
    if !by_name.is_empty() && by_name.iter().all(|known| known.format != kind.format) {
        let message = format!(
            "{} is named as {}, and is to be {}",
            quote(path),
            by_name.first().map_or("", |k| k.format.as_str()),
            quote(form.as_str())
        );
        let usual = kind.extensions.first().map(|extension| format!("name it `….{extension}`"));
        lowering.tell(Told::error(index, OTHER_EXTENSION, written.clone(), message).help_opt(usual));
    }
    if let Some(spec) = spec {
        if spec.format != kind.format {
            let message = format!(
                "{} is {}, and its contract says `{}`",
                quote(form.as_str()),
                quote(kind.format.as_str()),
                spec.format.as_str()
            );
            lowering.tell(
                Told::error(index, OTHER_FORMAT, format!("{contracts}/format"), message)
                    .help(format!("write `{}`", kind.format.as_str())),
            );
        }
        for (number, field) in spec.required_fields.iter().enumerate() {
            if !listed.is_empty() && !listed.contains(field) {
                let message = format!("{} is asked for, and the output does not list it", quote(field));
                let at = format!("{contracts}/required_fields/{number}");
                lowering
                    .tell(Told::error(index, UNKNOWN_COLUMN, at, message).help("list it under `fields` of the output"));
            }
        }
        if let Some(entity) = entity {
            columns(lowering, index, entity, &spec.required_fields, &format!("{contracts}/required_fields"));
        }
        if let Some(wanted) = spec.required_top_level_type.filter(|wanted| !top_levels(kind).contains(wanted)) {
            let message = format!("{} has no {} outermost", quote(form.as_str()), top_level(wanted));
            lowering.tell(Told::error(index, OTHER_TOP_LEVEL, format!("{contracts}/required_top_level_type"), message));
        }
    } else if lowering.rules(index).explicit_contracts {
        let message = format!("{} has no artifact contract, and the policy asks for one", quote(path));
        let help = format!("add `artifact_contracts: {{ \"{path}\": {{ format: {} }} }}`", kind.format.as_str());
        lowering.tell(Told::error(index, NO_CONTRACT, written, message).help(help));
    }
    let rows = kind.shape == KindShape::Rows || kind.shape == KindShape::Document;
    let contract = ArtifactContract {
        kind_key: form.clone(),
        format: kind.format,
        required_top_level_type: spec
            .and_then(|s| s.required_top_level_type)
            .or_else(|| top_levels(kind).first().copied()),
        required_fields: spec.map(|spec| spec.required_fields.clone()).unwrap_or_default(),
        entity_schema_id: entity.map(|entity| entity.id.clone()),
        entity_hash: entity.filter(|_| rows).map(|entity| entity.hash),
        derived_schema: entity.filter(|entity| entity.derived_from.is_some()).map(|entity| entity.schema.clone()),
        derived: spec.is_none(),
    };
    if let Some(step) = lowering.steps.get_mut(index) {
        step.artifacts.insert(path.to_owned(), contract);
    }
}

/// Files that no output by meaning is tied to have to have a contract that says what they are.
fn files(lowering: &mut Lowering<'_>, index: usize, step: &PlanStep) {
    for (position, expected) in step.expected_outputs.iter().enumerate() {
        let path = plain(&expected.path);
        if lowering.steps.get(index).is_some_and(|step| step.artifacts.contains_key(&path)) {
            continue;
        }
        let at = format!("/expected_outputs/{position}/path");
        let Some((key, spec)) = spec_of(step, &path) else {
            if lowering.steps.get(index).is_some_and(|step| step.doubtful > 0) {
                continue;
            }
            let message = format!("nothing says what {} must be", quote(&path));
            let help = "tie it to an abstract output, or write its contract under `artifact_contracts`";
            lowering.tell(Told::error(index, NO_CONTRACT, at, message).help(help));
            continue;
        };
        let named = match spec.kind_key.as_deref().map(|text| kind(lowering.catalog, text)) {
            Some(Ok(kind)) => Some(kind),
            Some(Err(fault)) => {
                let at = format!("/artifact_contracts/{}/kind_key", escape(key));
                lowering.tell(Told::error(index, fault.code, at, fault.message).help_opt(fault.help));
                continue;
            }
            None => {
                let of_format =
                    kinds_of_path(lowering.catalog, &path).into_iter().filter(|kind| kind.format == spec.format);
                // `.json` alone is one document; rows say so.
                of_format.min_by_key(|kind| kind.shape != wanted_shape(spec)).map(|kind| kind.kind_key.clone())
            }
        };
        match named {
            Some(form) => contract(lowering, index, &path, &form, Some((key, spec)), None, &[]),
            None => {
                let message = format!("the kind of {} is not plain from its name and format", quote(&path));
                lowering.tell(
                    Told::error(index, KIND_UNCLEAR, at, message).help("name it under `kind_key` of its contract"),
                );
            }
        }
    }
}

fn wanted_shape(spec: &ArtifactSpec) -> KindShape {
    match spec.required_top_level_type {
        Some(TopLevelType::Array | TopLevelType::Table) => KindShape::Rows,
        Some(TopLevelType::Object) | None => KindShape::Document,
    }
}

/// Contracts for files that the step does not write.
fn stray(lowering: &mut Lowering<'_>, index: usize, step: &PlanStep) {
    let mut seen: HashMap<String, &String> = HashMap::new();
    let written: HashSet<String> = step.expected_outputs.iter().map(|expected| plain(&expected.path)).collect();
    for path in step.artifact_contracts.keys() {
        if let Some(other) = seen.insert(plain(path), path) {
            let message = format!("{} and {} are contracts for one file", quote(other), quote(path));
            let at = format!("/artifact_contracts/{}", escape(path));
            lowering.tell(Told::error(index, CONTRACT_FOR_NOTHING, at, message).help("keep one of them"));
        }
        if !written.contains(&plain(path)) {
            let message = format!("it has a contract for {}, which it does not write", quote(path));
            let all = step.expected_outputs.iter().map(|expected| expected.path.as_str());
            let help =
                deed_diag::did_you_mean(path, all).unwrap_or_else(|| "list it under `expected_outputs`".to_owned());
            let at = format!("/artifact_contracts/{}", escape(path));
            lowering.tell(Told::error(index, CONTRACT_FOR_NOTHING, at, message).help(help));
        }
    }
}

/// What may be outermost in a kind, the usual first.
fn top_levels(kind: &Kind) -> &'static [TopLevelType] {
    match (kind.shape, kind.format) {
        (KindShape::Rows, deed_model::ArtifactFormat::Json) => &[TopLevelType::Array, TopLevelType::Table],
        (KindShape::Rows, _) => &[TopLevelType::Table],
        (KindShape::Document, _) => &[TopLevelType::Object, TopLevelType::Array],
        (KindShape::Manifest, _) => &[TopLevelType::Object, TopLevelType::Array],
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

pub(super) fn escape(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}
