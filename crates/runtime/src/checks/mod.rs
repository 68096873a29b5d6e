//! Checks of a file: that it is there, parses, has its columns, fits its entity, has unique keys and names the source of
//! its rows. The runtime inspects the file; nothing a step reports about itself is trusted.

mod criteria;
mod items;
mod judged;
mod placeholders;
mod rows;
mod table;

pub(crate) use criteria::{Facts, asked, mission};
pub(crate) use judged::judged;

use crate::content::Content;
use crate::types::Types;
use deed_adapters::Input;
use deed_canon::ContentHash;
use deed_model::{
    ArtifactContract, ArtifactFormat, CheckName, CheckReceipt, ContentSummary, DetectedFormat, EntitySchemaId,
    InputContract, Inspection, KindKey, KindShape, LadderMode, MissionInputContract, ParseOutcome, Phase, StepContract,
    TopLevelType, ValidatorCheck, ValueType, covers, is_set,
};
use deed_schema::Schema;
use std::io::SeekFrom;

/// Files of up to this size are held whole where they have to be.
const LARGEST_DOCUMENT: u64 = 256 << 20;

/// A file that was looked at.
#[derive(Debug)]
pub(crate) struct InspectedFile {
    pub(crate) path: String,
    pub(crate) content: Content,
    pub(crate) from_step: Option<String>,
    pub(crate) found: Inspection,
}

/// Returns the number of rows that an inspection counted.
pub(crate) fn rows_of(found: &Inspection) -> Option<u64> {
    match &found.summary {
        ContentSummary::Table(table) => Some(table.rows),
        // An empty list has no row that would show it to be a table.
        ContentSummary::Document(document) if document.top_level == ValueType::Array && document.size == 0 => Some(0),
        _ => None,
    }
}

/// The columns an inspection found.
pub(crate) fn columns_of(found: &Inspection) -> Vec<String> {
    match &found.summary {
        ContentSummary::Table(table) => table.columns.iter().map(|column| column.name.clone()).collect(),
        _ => Vec::new(),
    }
}

/// The demands on a file, of a step's input, its output or the mission.
struct Demand<'d> {
    kind: Option<&'d KindKey>,
    format: Option<ArtifactFormat>,
    entity: Option<&'d EntitySchemaId>,
    entity_hash: Option<ContentHash>,
    /// The schema of an entity that the plan derives.
    derived: Option<&'d serde_json::Value>,
    /// The columns that are asked for.
    fields: Vec<String>,
    /// Those of them that every row has to have: an optional field of the entity may be absent from a row.
    rows_have: Vec<String>,
    grain: &'d [String],
    provenance: Vec<String>,
}

/// Checks everything that entered a step.
pub(crate) fn of_inputs(types: &Types, contract: &StepContract, inputs: &[InspectedFile]) -> Vec<CheckReceipt> {
    let checked = inputs.iter().flat_map(|file| check(types, contract, &[Phase::StepInput], file));
    checked.chain(inputs.iter().filter_map(|file| items::items(contract, file))).collect()
}

/// Checks everything that left a step, and whether the step has succeeded.
pub(crate) fn of_outputs(
    types: &Types,
    contract: &StepContract,
    inputs: &[InspectedFile],
    outputs: &[InspectedFile],
) -> Vec<CheckReceipt> {
    let phases = [Phase::StepOutput, Phase::FinalOutput];
    let mut all = Vec::new();
    for path in &contract.io_contract.write_paths {
        let files: Vec<&InspectedFile> = outputs.iter().filter(|looked| covers(path, &looked.path)).collect();
        all.extend(number(contract, path, files.len() as u64));
        for looked in &files {
            all.extend(check(types, contract, &phases, looked));
            all.push(placeholders::placeholders(looked, inputs));
        }
        if files.is_empty() && !is_set(path) {
            all.push(CheckReceipt {
                check: ValidatorCheck::Exists.into(),
                path: Some(path.clone()),
                holds: false,
                blocks: true,
                found: Some("it was not written".to_owned()),
            });
        }
    }
    all.extend(criteria::criteria(contract, inputs, outputs, &all));
    all
}

fn number(contract: &StepContract, path: &str, found: u64) -> Option<CheckReceipt> {
    let set = contract.io_contract.write_sets.iter().find(|set| set.path == path)?;
    let found = crate::sets::counted(set, found);
    let holds = found.is_none();
    Some(CheckReceipt { check: CheckName::Files, path: Some(path.to_owned()), holds, blocks: true, found })
}

/// The input that a file is, by meaning.
fn input_at<'c>(contract: &'c StepContract, path: &str) -> Option<&'c InputContract> {
    contract.io_contract.inputs.iter().find(|input| input.path.as_deref().is_some_and(|known| covers(known, path)))
}

/// The format that an input is read in, by the kind that its contract names.
pub(crate) fn format_of_input(types: &Types, contract: &StepContract, path: &str) -> Option<ArtifactFormat> {
    let input = input_at(contract, path)?;
    let kind = types.kind(input.kind_key.as_ref()?.as_str())?;
    (kind.has_form() && !kind.is_archive()).then_some(kind.format)
}

/// The format that an output is read in, by its contract.
pub(crate) fn format_of_output(contract: &StepContract, path: &str) -> Option<ArtifactFormat> {
    let format = contract.artifact(path)?.format;
    (format != ArtifactFormat::Other).then_some(format)
}

/// Checks a file as the validators of a phase say; `phases` are those of inputs or those of outputs.
fn check(types: &Types, contract: &StepContract, phases: &[Phase], looked: &InspectedFile) -> Vec<CheckReceipt> {
    let validators: Vec<_> = contract
        .validators
        .iter()
        .filter(|validator| phases.contains(&validator.phase) && covers(&validator.path, &looked.path))
        .filter(|validator| validator.mode != LadderMode::Off)
        .collect();
    let input = phases.contains(&Phase::StepInput);
    let mut demand = if input { wanted(contract, looked) } else { owed(contract, looked) };
    demand.rows_have = required(types, &demand);
    let held_to = input_at(contract, &looked.path).filter(|_| input).and_then(|input| input.held_to.as_ref());
    if let Some(held) = held_to {
        // It is read as generic data, and held to what the mission declares it to be.
        (demand.entity, demand.entity_hash, demand.derived) =
            (Some(&held.entity_schema_id), Some(held.entity_hash), None);
        demand.grain = &held.grain;
    }
    if input && !validators.iter().any(|validator| validator.check == ValidatorCheck::EntitySchema) {
        // What another step wrote was held to its entity there; here its columns are read as they are.
        (demand.entity, demand.derived) = (None, None);
    }
    let by_row = [ValidatorCheck::EntitySchema, ValidatorCheck::UniqueGrain, ValidatorCheck::Provenance];
    let needs_rows = |check: ValidatorCheck| by_row.contains(&check) || check == ValidatorCheck::Fields;
    let parses = matches!(looked.found.parse, ParseOutcome::Parses);
    let asked: Vec<ValidatorCheck> =
        validators.iter().map(|validator| validator.check).filter(|check| needs_rows(*check)).collect();
    let within = if asked.is_empty() || !parses { Vec::new() } else { inside(types, &demand, &asked, looked) };
    validators
        .into_iter()
        .map(|validator| {
            let found = match validator.check {
                ValidatorCheck::Exists => (looked.found.bytes == 0).then(|| "it is empty".to_owned()),
                ValidatorCheck::Parses => unparsed(&looked.found)
                    .or_else(|| other_outermost(contract, looked))
                    .or_else(|| other_form(types, &demand, looked)),
                check if !parses => Some(format!("it cannot be read, so {} was not checked", check.as_str())),
                check => within.iter().find(|(of, _)| *of == check).map(|(_, found)| found.clone()),
            };
            CheckReceipt {
                check: validator.check.into(),
                path: Some(looked.path.clone()),
                holds: found.is_none(),
                blocks: validator.mode == LadderMode::Block,
                found,
            }
        })
        .collect()
}

/// Returns the reason why the outermost value is not what the contract asks for: a number parses as well, and so does a
/// list where an object is asked for.
fn other_outermost(contract: &StepContract, looked: &InspectedFile) -> Option<String> {
    let wanted = contract.artifact(&looked.path)?.required_top_level_type?;
    let (is_list, is_object) = match &looked.found.summary {
        ContentSummary::Document(found) => (found.top_level == ValueType::Array, found.top_level == ValueType::Object),
        ContentSummary::Table(_) => (true, false),
        // What has no outermost value is held to its format alone.
        ContentSummary::Opaque
        | ContentSummary::Text(_)
        | ContentSummary::Html(_)
        | ContentSummary::Zip(_)
        | ContentSummary::Pdf(_) => return None,
    };
    match wanted {
        TopLevelType::Array | TopLevelType::Table => (!is_list).then(|| "its outermost value is not a list".to_owned()),
        TopLevelType::Object => (!is_object).then(|| "its outermost value is not an object".to_owned()),
    }
}

/// Returns the reason why a file that parses is not of its kind: a list of numbers has no rows, and text is not an archive.
fn other_form(types: &Types, demand: &Demand<'_>, looked: &InspectedFile) -> Option<String> {
    let kind = demand.kind.and_then(|kind| types.kind(kind.as_str()))?;
    let detected = looked.found.detected;
    if kind.is_archive() {
        return (detected != DetectedFormat::Zip)
            .then(|| format!("it is {}, and not a zip archive", detected.as_str()));
    }
    let rows = kind.shape == KindShape::Rows && kind.format == ArtifactFormat::Json;
    (rows && rows_of(&looked.found).is_none()).then(|| "its rows are not objects".to_owned())
}

/// Returns the reason why a file does not parse or was not read to its end.
pub(crate) fn unparsed(found: &Inspection) -> Option<String> {
    match &found.parse {
        ParseOutcome::Parses => None,
        ParseOutcome::Fails { place, message } => {
            let line = place.line.map_or_else(String::new, |line| format!("line {line}: "));
            Some(format!("{line}{message}"))
        }
        ParseOutcome::NotChecked { reason } => Some(format!("it was not read to its end: {reason}")),
    }
}

/// Holds a file that the mission is given to its kind, columns, entity and grain, before any step runs.
pub(crate) fn of_mission(types: &Types, given: &MissionInputContract, looked: &InspectedFile) -> Vec<String> {
    let kind = types.kind(given.kind_key.as_str());
    let mut demand = Demand {
        kind: Some(&given.kind_key),
        format: looked.found.expected,
        entity: Some(&given.entity_schema_id),
        entity_hash: given.entity_hash,
        derived: None,
        fields: given.fields.clone(),
        rows_have: Vec::new(),
        grain: &given.grain,
        provenance: Vec::new(),
    };
    demand.rows_have = required(types, &demand);
    if looked.found.bytes == 0 {
        return vec!["it is empty".to_owned()];
    }
    let Some(kind) = kind else { return vec![format!("the kind `{}` is not in the catalogue", given.kind_key)] };
    if !kind.has_form() {
        return Vec::new();
    }
    if let Some(why) = unparsed(&looked.found).or_else(|| other_form(types, &demand, looked)) {
        return vec![why];
    }
    let structured = kind.readable && matches!(kind.shape, KindShape::Rows | KindShape::Document);
    let mut asked = Vec::new();
    if structured && !given.fields.is_empty() {
        asked.push(ValidatorCheck::Fields);
    }
    if structured && !given.entity_schema_id.is_generic() {
        asked.push(ValidatorCheck::EntitySchema);
    }
    if structured && kind.shape == KindShape::Rows && !given.grain.is_empty() {
        asked.push(ValidatorCheck::UniqueGrain);
    }
    if asked.is_empty() {
        return Vec::new();
    }
    inside(types, &demand, &asked, looked).into_iter().map(|(_, why)| why).collect()
}

fn wanted<'d>(contract: &'d StepContract, looked: &InspectedFile) -> Demand<'d> {
    let input = input_at(contract, &looked.path);
    Demand {
        kind: input.and_then(|input| input.kind_key.as_ref()),
        format: looked.found.expected,
        entity: input.map(|input| &input.entity_schema_id),
        entity_hash: input.and_then(|input| input.entity_hash),
        derived: input.and_then(|input| input.derived_schema.as_ref()),
        fields: input.map(|input| input.fields.clone()).unwrap_or_default(),
        rows_have: Vec::new(),
        grain: input.map(|input| input.grain.as_slice()).unwrap_or_default(),
        provenance: input.map(|input| provenance(&input.fields)).unwrap_or_default(),
    }
}

/// Columns that say where a row came from.
fn provenance(fields: &[String]) -> Vec<String> {
    fields.iter().filter(|field| deed_catalog::Entity::says_provenance(field)).cloned().collect()
}

fn owed<'d>(contract: &'d StepContract, looked: &InspectedFile) -> Demand<'d> {
    let artifact: Option<&ArtifactContract> = contract.artifact(&looked.path);
    let output = contract.io_contract.outputs.iter().find(|output| covers(&output.path, &looked.path));
    Demand {
        kind: artifact.map(|artifact| &artifact.kind_key),
        format: artifact.map(|artifact| artifact.format),
        entity: artifact.and_then(|artifact| artifact.entity_schema_id.as_ref()),
        entity_hash: artifact.and_then(|artifact| artifact.entity_hash),
        derived: artifact.and_then(|artifact| artifact.derived_schema.as_ref()),
        fields: artifact.map(|artifact| artifact.required_fields.clone()).unwrap_or_default(),
        rows_have: Vec::new(),
        grain: output.map(|output| output.grain.as_slice()).unwrap_or_default(),
        provenance: output.map(|output| output.provenance_fields.clone()).unwrap_or_default(),
    }
}

/// The columns that every row has to have: all that are asked for, without those that the entity leaves optional.
fn required(types: &Types, demand: &Demand<'_>) -> Vec<String> {
    let entity = demand.entity.filter(|id| !id.is_generic() && demand.derived.is_none());
    let Some(entity) = entity.and_then(|id| types.entity(id.as_str())) else { return demand.fields.clone() };
    let optional = |field: &String| entity.fields.contains(field) && !entity.required.contains(field);
    demand.fields.iter().filter(|field| !optional(field)).cloned().collect()
}

/// A column that is asked for and that the header of a table lacks.
fn lacks_column(demand: &Demand<'_>, looked: &InspectedFile) -> Option<String> {
    let headed = [ArtifactFormat::Csv, ArtifactFormat::Tsv, ArtifactFormat::Parquet];
    demand.format.filter(|format| headed.contains(format))?;
    let ContentSummary::Table(table) = &looked.found.summary else { return None };
    if table.column_count != table.columns.len() as u64 {
        return None;
    }
    let has = |name: &String| table.columns.iter().any(|column| column.name == *name);
    let missing = demand.fields.iter().find(|name| !has(name))?;
    Some(format!("it has no column `{missing}`"))
}

/// Returns what does not hold of the contents, by check.
fn inside(
    types: &Types,
    demand: &Demand<'_>,
    asked: &[ValidatorCheck],
    looked: &InspectedFile,
) -> Vec<(ValidatorCheck, String)> {
    let all = |why: String| asked.iter().map(|check| (*check, why.clone())).collect();
    let mut file = match looked.content.open() {
        Ok(file) => file,
        Err(error) => return all(format!("it cannot be opened: {error}")),
    };
    let entity = match entity(types, demand) {
        Ok(entity) => entity,
        Err(why) => return all(why),
    };
    let shape = demand.kind.and_then(|kind| types.kind(kind.as_str())).map(|kind| kind.shape);
    if shape == Some(KindShape::Rows) {
        let lacking = asked.contains(&ValidatorCheck::Fields).then(|| lacks_column(demand, looked)).flatten();
        let mut found = table::check(demand, asked, entity.as_ref(), &mut file);
        if let Some(why) = lacking {
            found.retain(|(check, _)| *check != ValidatorCheck::Fields);
            found.push((ValidatorCheck::Fields, why));
        }
        return found;
    }
    match document(demand, &mut file, looked.found.bytes) {
        Ok(value) => of_document(demand, asked, entity.as_ref().map(|(schema, _)| schema), &value),
        Err(why) => all(why),
    }
}

/// The schema of the entity, which has to be the one that the contract was compiled with.
fn entity(types: &Types, demand: &Demand<'_>) -> Result<Option<(Schema, serde_json::Value)>, String> {
    let Some(id) = demand.entity.filter(|id| !id.is_generic()) else { return Ok(None) };
    if let Some(schema) = demand.derived {
        let usable = Schema::new(schema.clone()).map_err(|refused| refused.to_string())?;
        return Ok(Some((usable, schema.clone())));
    }
    let known = types.entity(id.as_str()).ok_or_else(|| format!("the entity `{id}` is not known here"))?;
    if demand.entity_hash.is_some_and(|hash| hash != known.hash) {
        return Err(format!("the entity `{id}` is not the one that the plan was compiled with"));
    }
    let schema = Schema::new(known.schema.clone()).map_err(|refused| refused.to_string())?;
    Ok(Some((schema, known.schema.clone())))
}

fn document(demand: &Demand<'_>, file: &mut dyn Input, bytes: u64) -> Result<serde_json::Value, String> {
    if bytes > LARGEST_DOCUMENT {
        return Err(format!("it has {bytes} bytes, and documents of up to {LARGEST_DOCUMENT} are looked into"));
    }
    file.seek(SeekFrom::Start(0)).map_err(|error| error.to_string())?;
    let mut text = Vec::new();
    file.read_to_end(&mut text).map_err(|error| error.to_string())?;
    if demand.format == Some(ArtifactFormat::Yaml) {
        let read = deed_diag::Document::read("artifact.yaml", &text, deed_diag::Format::Yaml);
        return read.map(|document| document.value().clone()).map_err(|_| "it is not valid YAML".to_owned());
    }
    deed_canon::parse(&text).map_err(|error| error.to_string())
}

fn of_document(
    demand: &Demand<'_>,
    asked: &[ValidatorCheck],
    schema: Option<&Schema>,
    value: &serde_json::Value,
) -> Vec<(ValidatorCheck, String)> {
    let mut found = Vec::new();
    if asked.contains(&ValidatorCheck::Fields) {
        let missing: Vec<&str> =
            demand.fields.iter().filter(|field| value.get(field.as_str()).is_none()).map(String::as_str).collect();
        if !missing.is_empty() {
            found.push((ValidatorCheck::Fields, format!("it lacks {}", missing.join(", "))));
        }
    }
    if asked.contains(&ValidatorCheck::EntitySchema)
        && let Some(schema) = schema
        && let Some(why) = table::violation(schema, value)
    {
        found.push((ValidatorCheck::EntitySchema, why));
    }
    found
}
