//! Entities inferred from files of data.

use crate::error::AppError;
use crate::files::{self, Access, Existing};
use deed_catalog::{Cells, InferredEntity, infer_entity};
use deed_diag::{Diagnostic, Document, Format, Place, codes, quote};
use deed_model::{
    Agreement, ArtifactFormat, ContentSummary, DetectedFormat, EntitySchemaId, ParseOutcome, TableSummary,
};
use deed_receipts::{InspectLimits, inspect};
use std::fs::File;
use std::path::{Path, PathBuf};

/// The domain of entities that are not given one.
const DEFAULT_DOMAIN: &str = "local";

/// An entity inferred from a file, and how much of the file it rests on.
#[derive(Debug, Clone)]
pub struct InferredFile {
    /// The entity.
    pub entity: InferredEntity,
    /// The format of the file.
    pub format: DetectedFormat,
    /// The rows that were read.
    pub rows: u64,
    /// The columns.
    pub columns: u64,
}

/// Infers an entity from a CSV, TSV, JSON-rows or JSON-lines file. Without a name it is called after the file, in the
/// domain `local`.
///
/// # Errors
/// The name is not one of an entity, or the file is not a table that can be read.
pub fn infer(path: &Path, name: Option<&str>) -> Result<InferredFile, AppError> {
    let id = entity_id(path, name)?;
    let (format, table) = table(path)?;
    let cells = match format {
        DetectedFormat::Csv | DetectedFormat::Tsv => Cells::Text,
        _ => Cells::Typed,
    };
    let entity = infer_entity(id, &table, cells).map_err(|error| {
        let finding = refused(path, error.to_string());
        AppError::refused(finding.help("infer from a file with a header and a few complete rows"))
    })?;
    Ok(InferredFile { entity, format, rows: table.rows, columns: table.column_count })
}

fn refused(path: &Path, message: String) -> Diagnostic {
    let place = Place::file(path.display().to_string());
    Diagnostic::error(codes::CANNOT_INFER_ENTITY, message).stage("catalog").at(place)
}

fn entity_id(path: &Path, name: Option<&str>) -> Result<EntitySchemaId, AppError> {
    let text = match name {
        Some(name) => name.to_owned(),
        None => format!("{DEFAULT_DOMAIN}.{}", snake_case(path)),
    };
    let id =
        text.parse::<EntitySchemaId>().map_err(|error| format!("{} does not name an entity: {error}", quote(&text)));
    let id = id.and_then(|id| match id.is_generic() {
        true => Err(format!("{} is in the domain of generic data, which is the catalogue's own", quote(&text))),
        false => Ok(id),
    });
    id.map_err(|message| {
        let finding = Diagnostic::error(codes::NAME_NOT_CANONICAL, message).stage("catalog");
        AppError::usage(finding.help("name the entity with `--name`, such as `--name sales.order`"))
    })
}

/// The name of a file without its extensions, as part of an entity's name.
fn snake_case(path: &Path) -> String {
    let name = path.file_name().map(|name| name.to_string_lossy().to_lowercase()).unwrap_or_default();
    let stem = name.split('.').next().unwrap_or_default();
    let words = stem.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("_")
}

/// The format that the extension of a file promises. For JSON it is read from the content: rows, lines or a document.
fn expected(path: &Path) -> Option<ArtifactFormat> {
    match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
        "csv" => Some(ArtifactFormat::Csv),
        "tsv" => Some(ArtifactFormat::Tsv),
        _ => None,
    }
}

/// Reads a file as a table.
fn table(path: &Path) -> Result<(DetectedFormat, TableSummary), AppError> {
    let reading = |error: std::io::Error| AppError::reading(path, &error);
    let mut file = File::open(path).map_err(reading)?;
    if !file.metadata().map_err(reading)?.is_file() {
        return Err(AppError::refused(refused(path, "it is not a file".to_owned())));
    }
    let found = inspect(&mut file, expected(path), &InspectLimits::default()).map_err(reading)?;
    let tables = "CSV, TSV, JSON rows (a list of objects) and JSON lines can be read";
    if found.agrees == Agreement::No {
        let message = format!("its name promises another format than it has: it is {}", found.detected.as_str());
        return Err(AppError::refused(refused(path, message).help(tables)));
    }
    match found.parse {
        ParseOutcome::Fails { place, message } => {
            let line = place.line.map(|line| format!("line {line}: ")).unwrap_or_default();
            let message = format!("it does not parse as {}: {line}{message}", found.detected.as_str());
            return Err(AppError::refused(refused(path, message).help("fix the file at this place")));
        }
        ParseOutcome::NotChecked { reason } => {
            let message = format!("it was not read to its end: {reason}");
            return Err(AppError::refused(refused(path, message).help(tables)));
        }
        ParseOutcome::Parses => {}
    }
    let readable = matches!(
        found.detected,
        DetectedFormat::Csv | DetectedFormat::Tsv | DetectedFormat::JsonRows | DetectedFormat::JsonLines
    );
    match found.summary {
        ContentSummary::Table(table) if readable => Ok((found.detected, table)),
        _ => {
            let message = format!("it is not a table: it is {}", found.detected.as_str());
            Err(AppError::refused(refused(path, message).help(tables)))
        }
    }
}

/// Writes an entity into a folder of types, and lists it in the pack of that folder. A folder without a pack gets one.
/// Returns the files that were written.
///
/// # Errors
/// The entity exists, or the pack does not list entities in a way that can be extended.
pub fn write_entity(folder: &Path, entity: &InferredEntity) -> Result<Vec<PathBuf>, AppError> {
    let file = folder.join("entities").join(format!("{}.json", entity.id));
    let names = ["pack.yaml", "pack.yml", "pack.json"].into_iter().map(|name| folder.join(name));
    let (pack, text) = match names.into_iter().find(|path| path.is_file()) {
        Some(pack) => {
            let text = listed(&pack, entity)?;
            (pack, text)
        }
        None => (folder.join("pack.yaml"), new_pack(folder, entity)),
    };
    files::write(&file, entity.to_file().as_bytes(), Existing::Keep, Access::Shared)?;
    files::write(&pack, text.as_bytes(), Existing::Replace, Access::Shared).inspect_err(|_| {
        // Both are written or none: an entity that no pack lists would be refused.
        drop(std::fs::remove_file(&file));
    })?;
    Ok(vec![pack, file])
}

/// The smallest pack that defines an entity.
fn new_pack(folder: &Path, entity: &InferredEntity) -> String {
    let name = folder.file_name().map(|name| name.to_string_lossy().to_lowercase()).unwrap_or_default();
    let words = name.split(|c: char| !c.is_ascii_alphanumeric());
    let words: Vec<&str> = words.filter(|word| word.starts_with(|c: char| c.is_ascii_lowercase())).collect();
    let id = if words.is_empty() { entity.id.domain().replace('_', "-") } else { words.join("-") };
    format!(
        "# A domain pack: `deed catalog lint --publish` says what is missing before others can use it.\n\
         domain_pack_id: {id}\nversion: 1.0.0\npurpose: \"TODO: say which work it is for\"\nentity_schemas:\n  - {}\n",
        entity.id
    )
}

/// The text of a pack with one more entity in its list.
fn listed(pack: &Path, entity: &InferredEntity) -> Result<String, AppError> {
    let name = pack.display().to_string();
    let bytes = files::read(pack)?.bytes;
    let document = Document::read(&name, &bytes, Format::of_name(&name)).map_err(AppError::from)?;
    let known = |document: &Document| {
        let list = document.value().get("entity_schemas").and_then(serde_json::Value::as_array).cloned();
        list.map(|list| (list.len(), list.iter().any(|id| id == entity.id.as_str())))
    };
    let by_hand = || {
        let message = format!("{} cannot be added to `entity_schemas` of this pack", quote(entity.id.as_str()));
        AppError::refused(refused(pack, message).help("list it there by hand, one entity on each line"))
    };
    let text = document.source().text();
    match known(&document) {
        Some((_, true)) => return Ok(text.to_owned()),
        Some((0, false)) | None => return Err(by_hand()),
        Some(_) => {}
    }
    let count = known(&document).map_or(0, |(count, _)| count);
    let (last, _) = document.tree().nearest(&format!("/entity_schemas/{}", count - 1));
    let (list, _) = document.tree().nearest("/entity_schemas");
    let flow = text.get(list.span.start..).is_some_and(|rest| rest.starts_with('['));
    let line = text.get(..last.span.start).and_then(|before| before.rsplit('\n').next()).unwrap_or_default();
    let quoted = text.get(last.span.start..).is_some_and(|rest| rest.starts_with('"'));
    let item = if quoted { format!("\"{}\"", entity.id) } else { entity.id.to_string() };
    let item = if flow { format!(", {item}") } else { format!("\n{line}{item}") };
    let (before, after) = text.split_at_checked(last.span.end).ok_or_else(by_hand)?;
    let extended = format!("{before}{item}{after}");
    // Read again: an unexpected layout must not break the pack.
    let checked = Document::read(&name, extended.as_bytes(), Format::of_name(&name)).map_err(|_| by_hand())?;
    match known(&checked) {
        Some((more, true)) if more == count + 1 => Ok(extended),
        _ => Err(by_hand()),
    }
}
