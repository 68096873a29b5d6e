//! The schema of a template: a file, an operation of an API description, one of our contracts, or a template that was
//! written by hand.

use super::serialized;
use crate::error::AppError;
use crate::files;
use deed_diag::{Diagnostic, Document, Format, Place, Report, codes, did_you_mean, quote};
use deed_imprint::{FromTextError, Imprint};
use deed_schema::{Api, Operation, Part, Reason, Refused, Schema, read_foreign};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The source of a template.
#[derive(Debug, Clone, Default)]
pub struct SchemaSource {
    /// A JSON Schema or an API description (JSON or YAML), `contract:NAME` for one of our contracts, or `-`.
    pub schema: PathBuf,
    /// The operation of an API description: its `operationId`, or `METHOD /path`.
    pub operation: Option<String>,
    /// The part of the request; otherwise all of it.
    pub part: Option<Part>,
    /// The form of the file.
    pub form: SourceForm,
    /// Places, as JSON pointers, that are sent as JSON text inside the payload.
    pub serialize: Vec<String>,
}

/// The form of a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SourceForm {
    /// A schema, or an API description.
    #[default]
    Schema,
    /// A template that was written by hand.
    Template,
}

impl SchemaSource {
    /// Reads the schema and makes its template.
    ///
    /// # Errors
    /// A file cannot be read, the schema is refused, or it has no such operation or place.
    pub fn load(&self) -> Result<Imprint, AppError> {
        let name = self.schema.display().to_string();
        let (imprint, mut serialized) = if self.form == SourceForm::Template {
            (hand_written(&self.schema)?, Vec::new())
        } else if let Some(contract) = name.strip_prefix("contract:") {
            self.only_for_apis(&name)?;
            (refusing(contract_schema(contract).map(Schema::new), &name)?, Vec::new())
        } else {
            let document = foreign(&self.schema)?;
            match (Api::looks_like(&document), &self.operation) {
                (false, _) => {
                    self.only_for_apis(&name)?;
                    (refusing(Ok(Schema::new(document)), &name)?, Vec::new())
                }
                (true, wanted) => self.operation(document, wanted.as_deref(), &name)?,
            }
        };
        serialized::check(imprint.schema(), &self.serialize)?;
        serialized.extend(self.serialize.iter().cloned());
        Ok(imprint.serializing(serialized))
    }

    /// Refuses options that have no effect on a schema.
    fn only_for_apis(&self, name: &str) -> Result<(), AppError> {
        if self.operation.is_none() && self.part.is_none() {
            return Ok(());
        }
        let message = "`--operation` and `--part` are for API descriptions, and this is a schema";
        Err(AppError::usage(
            Diagnostic::error(codes::UNKNOWN_OPERATION, message).stage("imprint").at(Place::file(name)),
        ))
    }

    fn operation(&self, document: Value, wanted: Option<&str>, name: &str) -> Result<(Imprint, Vec<String>), AppError> {
        let api = Api::new(document).map_err(|refused| refusal(&refused, name))?;
        let operations = api.operations();
        let operation = find(&operations, wanted, name)?;
        let part = self.part.unwrap_or(Part::Request);
        let schema = api.schema(operation, part).ok_or_else(|| takes_nothing(operation, part, name))?;
        let serialized = operation.serialized.iter().map(|pointer| match part {
            Part::Request => pointer.clone(),
            Part::Body => pointer.strip_prefix("/body").unwrap_or(pointer).to_owned(),
        });
        Ok((refusing(Ok(schema), name)?, serialized.collect()))
    }
}

/// Reads the schema of an operation of an API description as JSON Schema that needs no description beside it.
///
/// # Errors
/// The file cannot be read, is not an API description, or does not have the operation.
pub(crate) fn standalone(path: &Path, operation: &str, part: Part) -> Result<Value, AppError> {
    let name = path.display().to_string();
    let api = Api::new(foreign(path)?).map_err(|refused| refusal(&refused, &name))?;
    let operations = api.operations();
    let operation = find(&operations, Some(operation), &name)?;
    let schema = api.standalone(operation, part).ok_or_else(|| takes_nothing(operation, part, &name))?;
    schema.map_err(|refused| refusal(&refused, &name))
}

fn takes_nothing(operation: &Operation, part: Part, name: &str) -> AppError {
    let what = if part == Part::Body { "body" } else { "parameters and no body" };
    let message = format!("{} takes no {what}", quote(&operation.id));
    let diagnostic = Diagnostic::error(codes::OPERATION_TAKES_NOTHING, message).stage("imprint");
    AppError::refused(diagnostic.at(Place::file(name)))
}

/// Finds an operation by its id, or by method and path.
fn find<'o>(operations: &'o [Operation], wanted: Option<&str>, name: &str) -> Result<&'o Operation, AppError> {
    let fail = |message: String, help: Option<String>| {
        Err(AppError::refused(
            Diagnostic::error(codes::UNKNOWN_OPERATION, message).stage("imprint").at(Place::file(name)).help_opt(help),
        ))
    };
    let Some(wanted) = wanted else {
        let help = Some("choose one with `--operation`; `deed imprint operations` lists them".to_owned());
        return fail(format!("it describes {} operations", operations.len()), help);
    };
    let is = |o: &&Operation| {
        o.id == wanted || wanted.split_once(' ').is_some_and(|(m, p)| m.eq_ignore_ascii_case(&o.method) && p == o.path)
    };
    match operations.iter().find(is) {
        Some(operation) => Ok(operation),
        None => fail(
            format!("there is no operation {}", quote(wanted)),
            did_you_mean(wanted, operations.iter().map(|o| o.id.as_str())),
        ),
    }
}

/// Reads a schema or an API description, more leniently than documents of our own.
pub(crate) fn foreign(path: &Path) -> Result<Value, AppError> {
    let (name, text) = read_text(path)?;
    read_foreign(&text).map_err(|error| unreadable(&name, format!("line {}: {}", error.line, error.message)))
}

/// Reads a file that must be UTF-8.
fn read_text(path: &Path) -> Result<(String, String), AppError> {
    let file = files::read(path)?;
    let text = String::from_utf8(file.bytes);
    let text = text.map_err(|_| unreadable(&file.name, "it is not UTF-8 text".to_owned()))?;
    Ok((file.name, text))
}

fn unreadable(name: &str, message: String) -> AppError {
    let diagnostic = Diagnostic::error(codes::IMPRINT_DOCUMENT_UNREADABLE, message);
    AppError::refused(diagnostic.stage("imprint").at(Place::file(name)))
}

fn hand_written(path: &Path) -> Result<Imprint, AppError> {
    let (name, text) = read_text(path)?;
    let place = Place::file(name.clone());
    Imprint::from_text(&text).map_err(|error| match error {
        FromTextError::Template(error) => {
            let at = if error.pointer.is_empty() { String::new() } else { format!(" at `{}`", error.pointer) };
            let message = format!("it is not a template{at}: {}", error.message);
            AppError::refused(Diagnostic::error(codes::NOT_A_TEMPLATE, message).stage("imprint").at(place))
        }
        FromTextError::Refused(refused) => refusal(&refused, &name),
    })
}

fn contract_schema(name: &str) -> Result<Value, AppError> {
    let schemas = deed_contracts::documents();
    let short = |file: &str| file.split('.').next().unwrap_or_default().to_owned();
    let names: BTreeSet<String> = schemas.keys().map(|file| short(file)).collect();
    let found = schemas.into_iter().find(|(file, _)| short(file) == name || file == name);
    found.map(|(_, schema)| schema).ok_or_else(|| {
        let near = did_you_mean(name, names.iter().map(String::as_str));
        AppError::refused(
            Diagnostic::error(codes::UNKNOWN_CONTRACT, format!("there is no contract {}", quote(name)))
                .stage("imprint")
                .help(near.unwrap_or_else(|| format!("the contracts are {}", Vec::from_iter(names).join(", ")))),
        )
    })
}

fn refusing(schema: Result<Result<Schema, Refused>, AppError>, name: &str) -> Result<Imprint, AppError> {
    schema?.and_then(Imprint::new).map_err(|refused| refusal(&refused, name))
}

/// The error for a schema that is refused. Each reason has its own code.
pub(super) fn refusal(refused: &Refused, name: &str) -> AppError {
    let (code, help) = match refused.reason {
        Reason::InvalidSchema => (codes::INVALID_SCHEMA, "fix the schema; its dialect is given by `$schema`"),
        Reason::UnknownDialect => (codes::UNKNOWN_DIALECT, "drafts 4 to 2020-12 and OpenAPI 2.0, 3.0 and 3.1 are read"),
        Reason::RemoteReference => (codes::REMOTE_REFERENCE, "put what it refers to into the same document"),
        Reason::MissingReference => (codes::REFERENCE_TARGET_MISSING, "fix the reference, or add what it refers to"),
        Reason::BadPattern => (codes::BAD_PATTERN, "patterns are regular expressions as JavaScript has them"),
        Reason::NothingIsValid => {
            (codes::UNSATISFIABLE_SCHEMA, "look at `allOf`, `enum` beside `type`, and `additionalProperties`")
        }
        Reason::TooLarge => (codes::SCHEMA_TOO_LARGE, "split the schema"),
    };
    let diagnostic = Diagnostic::error(code, refused.message.clone()).stage("imprint").help(help);
    // A contradiction has a place in the payload, every other refusal one in the file.
    let in_file = refused.reason != Reason::NothingIsValid && !refused.pointer.is_empty();
    if let Some(document) = in_file.then(|| schema_document(name)).flatten() {
        let mut report = Report::of(diagnostic.at(document.place(&refused.pointer)));
        report.add_source(document.source().clone());
        return report.into();
    }
    let mut place = Place::file(name);
    place.pointer = Some(refused.pointer.clone()).filter(|pointer| !pointer.is_empty());
    AppError::refused(diagnostic.at(place))
}

/// Reads the file of a schema with its places; none if it is not a file, or our own stricter reader refuses it.
fn schema_document(name: &str) -> Option<Document> {
    if name == "-" || name.starts_with("contract:") {
        return None;
    }
    let file = files::read(Path::new(name)).ok()?;
    Document::read(&file.name, &file.bytes, Format::of_name(name)).ok()
}
