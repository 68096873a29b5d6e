//! `deed catalog show`: one type, with everything that the catalogue has about it.

use super::types::TypeArgs;
use crate::args::Global;
use crate::output::Success;
use crate::text::writeln;
use clap::Args;
use deed_app::AppError;
use deed_app::catalog::{CatalogType, find};
use deed_catalog::{Entity, PackKind};
use deed_diag::Invariant as _;
use deed_model::{AdapterDeclaration, Kind, Library, PolicyProfile, Profile, RegisteredCapability, Slot};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};
use std::fmt::Write as _;

/// Show a pack, entity, profile, kind, slot, policy, adapter or capability by its name.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed catalog show billing.time_entry
  deed catalog show csv_to_json_rows.v1")]
pub(crate) struct Show {
    /// Name, such as `billing.time_entry` or `table.csv`; `workflow/NAME` where a domain pack has the same name.
    name: String,
    #[command(flatten)]
    types: TypeArgs,
}

/// A type: its document, under the name of its sort.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ShownType {
    /// A domain pack.
    DomainPack(Box<Library>),
    /// A workflow pack.
    WorkflowPack(Box<Library>),
    /// A pack of generic types.
    GenericPack(Box<Library>),
    /// A profile.
    Profile(Profile),
    /// A kind.
    Kind(Box<Kind>),
    /// A slot.
    Slot(Slot),
    /// A policy.
    Policy(Box<PolicyProfile>),
    /// An adapter.
    Adapter(AdapterDeclaration),
    /// A capability.
    Capability(RegisteredCapability),
    /// An entity.
    #[serde(untagged)]
    Entity {
        /// Its JSON Schema.
        entity: Map<String, Value>,
        /// Its hash.
        hash: String,
    },
}

impl Show {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let (catalog, warnings) = self.types.catalog(global)?;
        let found = find(&catalog, &self.name)?;
        let data = shown(found);
        let text = match found {
            CatalogType::Entity(entity) => entity_text(entity),
            _ => document_text(&data)?,
        };
        Ok(Success::new(data, text).report(warnings))
    }
}

fn shown(found: CatalogType<'_>) -> ShownType {
    match found {
        CatalogType::Entity(entity) => {
            let schema = entity.schema.as_object().cloned().invariant("the schema of an entity is an object");
            ShownType::Entity { entity: schema, hash: entity.hash.to_string() }
        }
        CatalogType::Pack(pack) => {
            let library = Box::new(pack.library.clone());
            match pack.kind {
                PackKind::Domain => ShownType::DomainPack(library),
                PackKind::Workflow => ShownType::WorkflowPack(library),
                PackKind::Generic => ShownType::GenericPack(library),
            }
        }
        CatalogType::Profile(profile) => ShownType::Profile(profile.clone()),
        CatalogType::Kind(kind) => ShownType::Kind(Box::new(kind.clone())),
        CatalogType::Slot(slot) => ShownType::Slot(slot.clone()),
        CatalogType::Policy(policy) => ShownType::Policy(Box::new(policy.clone())),
        CatalogType::Adapter(adapter) => ShownType::Adapter(adapter.clone()),
        CatalogType::Capability(capability) => ShownType::Capability(capability.clone()),
    }
}

/// The name of the sort, then the document as indented lines.
fn document_text(data: &ShownType) -> Result<String, AppError> {
    let value = serde_json::to_value(data).map_err(AppError::internal)?;
    let mut text = String::new();
    for (sort, document) in value.as_object().into_iter().flatten() {
        let _ = writeln!(text, "{sort}");
        write_indented(document, 1, &mut text);
    }
    Ok(text)
}

/// An entity with its fields.
fn entity_text(entity: &Entity) -> String {
    let mut text = format!("{} ({})\n{}\n", entity.id, entity.title(), entity.description());
    let grain: Vec<&str> = entity.grain.iter().map(String::as_str).collect();
    if !grain.is_empty() {
        let _ = writeln!(text, "one row for each {}", grain.join(" and "));
    }
    for key in &entity.keys {
        let _ = writeln!(text, "key: {}", key.join(", "));
    }
    let none = serde_json::Map::new();
    let properties = entity.schema.get("properties").and_then(Value::as_object).unwrap_or(&none);
    let width = properties.keys().map(|name| name.chars().count()).max().unwrap_or(0);
    for (name, schema) in properties {
        let must = if entity.required.contains(name) { "*" } else { " " };
        let sort = match (schema.get("enum").and_then(Value::as_array), schema.get("type")) {
            (Some(values), _) => values.iter().map(plain).collect::<Vec<_>>().join("|"),
            (None, Some(sort)) => plain(sort),
            (None, None) => "any".to_owned(),
        };
        let sort = schema.get("format").and_then(Value::as_str).unwrap_or(&sort);
        let said = schema.get("description").and_then(Value::as_str).unwrap_or_default();
        let _ = writeln!(text, "{must} {name:<width$}  {sort}  {said}");
    }
    text.push_str("* must be there\n");
    text
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Writes a value as indented lines.
fn write_indented(value: &Value, depth: usize, text: &mut String) {
    let indent = "  ".repeat(depth);
    match value {
        Value::Object(map) => {
            for (key, inner) in map {
                match inner {
                    Value::Array(items) if items.iter().all(|item| !item.is_object()) => {
                        let items: Vec<String> = items.iter().map(plain).collect();
                        let _ = writeln!(text, "{indent}{key}: {}", items.join(", "));
                    }
                    Value::Object(_) | Value::Array(_) => {
                        let _ = writeln!(text, "{indent}{key}:");
                        write_indented(inner, depth + 1, text);
                    }
                    other => {
                        let _ = writeln!(text, "{indent}{key}: {}", plain(other));
                    }
                }
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    text.push('\n');
                }
                write_indented(item, depth, text);
            }
        }
        other => {
            let _ = writeln!(text, "{indent}{}", plain(other));
        }
    }
}
