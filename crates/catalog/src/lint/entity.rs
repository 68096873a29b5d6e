//! Entities: a usable schema of an object, with keys and a grain that identify rows.

use super::{Lint, STAGE};
use crate::entity::Entity;
use crate::read::ReadEntity;
use deed_canon::Pointer;
use deed_diag::{Code, Diagnostic, Document, codes, did_you_mean, quote};
use deed_model::EntitySchemaId;
use deed_schema::Schema;
use serde_json::Value;

/// The treatment of fields without a description.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Prose {
    /// They are: people and models choose fields by their descriptions.
    Checked,
    /// They are not: the entity is for one plan.
    Ignored,
}

pub(super) fn lint(lint: &mut Lint<'_>, entity: &ReadEntity, listed: bool) {
    if !listed {
        let message = format!("no pack lists {}", quote(entity.id.as_str()));
        let help = Some("list it under `entity_schemas` of its pack".to_owned());
        lint.error(codes::UNLISTED_ENTITY, "", message, help);
    }
    let known = lint.catalog.entity(entity.id.as_str());
    for finding in check_entity(lint.document, "", &entity.id, known, Prose::Checked) {
        lint.report.push(finding.stage(STAGE));
    }
}

/// Checks the schema of an entity, which stands at `at` of a document. `known` is the entity that was read from it.
pub(crate) fn check_entity(
    document: &Document,
    at: &str,
    id: &EntitySchemaId,
    known: Option<&Entity>,
    prose: Prose,
) -> Vec<Diagnostic> {
    let mut check = Check { document, at, findings: Vec::new() };
    if let Some(schema) = document.value().pointer(at) {
        check.schema(id, schema);
        if let Some(known) = known {
            check.keys(known);
            check.required(known);
            check.grain(known);
        }
        if prose == Prose::Checked {
            check.descriptions(schema);
        }
    }
    check.findings
}

struct Check<'l> {
    document: &'l Document,
    at: &'l str,
    findings: Vec<Diagnostic>,
}

impl Check<'_> {
    fn error(&mut self, code: Code, part: &str, message: String, help: Option<String>) {
        let place = self.document.place(&format!("{}{part}", self.at));
        self.findings.push(Diagnostic::error(code, message).at(place).help_opt(help));
    }

    fn warn(&mut self, code: Code, part: &str, message: String, help: &str) {
        let place = self.document.place(&format!("{}{part}", self.at));
        self.findings.push(Diagnostic::warning(code, message).at(place).help(help));
    }

    fn schema(&mut self, id: &EntitySchemaId, schema: &Value) {
        let wanted = format!("urn:deed:entity:{id}");
        if schema.get("$id").and_then(Value::as_str).is_some_and(|id| id != wanted) {
            let message = "its `$id` is not that of the entity it is named after".to_owned();
            self.error(codes::ENTITY_ID_MISMATCH, "/$id", message, Some(format!("write `{wanted}`")));
        }
        if schema.get("type").and_then(Value::as_str) != Some("object") && !id.is_generic() {
            let help = "write `\"type\": \"object\"` and `properties`".to_owned();
            self.error(codes::NOT_AN_ENTITY, "", "an entity is an object with fields".to_owned(), Some(help));
        }
        if let Err(refused) = Schema::new(schema.clone()).and_then(|schema| schema.sound()) {
            self.error(codes::NOT_AN_ENTITY, "", format!("it is not a usable schema: {refused}"), None);
        }
    }

    /// Keys and grain are made of fields that every row has.
    fn keys(&mut self, known: &Entity) {
        let keys = known.keys.iter().enumerate();
        let keys = keys.flat_map(|(index, key)| key.iter().map(move |field| (format!("/x-deed-keys/{index}"), field)));
        let grain = known.grain.iter().map(|field| ("/x-deed-grain".to_owned(), field));
        for (at, field) in keys.chain(grain) {
            if !known.fields.contains(field) {
                let help = did_you_mean(field, known.fields.iter().map(String::as_str));
                self.error(codes::KEY_NOT_REQUIRED, &at, format!("{} is not a field of it", quote(field)), help);
            } else if !known.required.contains(field) {
                let message = format!("{} may be missing, so it identifies nothing", quote(field));
                self.error(codes::KEY_NOT_REQUIRED, &at, message, Some("list it under `required`".to_owned()));
            }
        }
    }

    /// Required fields may be there.
    fn required(&mut self, known: &Entity) {
        for field in known.required.iter().filter(|field| !known.open && !known.fields.contains(*field)) {
            let message = format!("{} is required, and no field of that name may be there", quote(field));
            let help = did_you_mean(field, known.fields.iter().map(String::as_str));
            self.error(codes::KEY_NOT_REQUIRED, "/required", message, help);
        }
    }

    fn grain(&mut self, known: &Entity) {
        if known.grain.is_empty() && !known.id.is_generic() {
            let message = "it does not say what one row is".to_owned();
            self.warn(codes::GRAIN_MISSING, "", message, "list the fields that identify a row under `x-deed-grain`");
        }
    }

    fn descriptions(&mut self, schema: &Value) {
        let properties = schema.get("properties").and_then(Value::as_object);
        for (name, field) in properties.into_iter().flatten() {
            let text = field.get("description").and_then(Value::as_str);
            if text.is_none_or(|text| text.trim().is_empty() || text.contains("TODO")) {
                let message = format!("{} does not say what it means", quote(name));
                self.warn(codes::DESCRIPTION_MISSING, &Pointer::push("/properties", name), message, "describe it");
            }
        }
    }
}
