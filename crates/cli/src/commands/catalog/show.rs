//! `deed catalog show`: one thing, whole.

use super::types::TypeArgs;
use crate::args::Global;
use crate::output::Success;
use clap::Args;
use deed_app::AppError;
use deed_catalog::{Catalog, Entity, PackKind};
use deed_diag::{Diagnostic, codes, did_you_mean, quote};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;
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
    given: TypeArgs,
}

/// A type: its document under the name of its sort.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ShownType {
    /// The document, under `entity`, `profile`, `kind`, `slot`, `policy`, `adapter`, `capability`, `domain_pack`,
    /// `workflow_pack` or `generic_pack`.
    #[serde(flatten)]
    document: BTreeMap<String, Value>,
    /// The hash of an entity.
    #[serde(skip_serializing_if = "Option::is_none")]
    hash: Option<String>,
}

impl ShownType {
    fn of(sort: &str, document: Value, hash: Option<String>) -> Self {
        Self { document: BTreeMap::from([(sort.to_owned(), document)]), hash }
    }
}

impl Show {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let (catalog, remarks) = self.given.catalog(global)?;
        if let Some(entity) = catalog.entity(&self.name) {
            let data = ShownType::of("entity", entity.schema.clone(), Some(entity.hash.to_string()));
            return Ok(Success::new(data, told(entity)).report(remarks));
        }
        let Some((what, value)) = find(&catalog, &self.name) else { return Err(unknown(&catalog, &self.name)) };
        let value = value.map_err(AppError::internal)?;
        let mut text = format!("{what}\n");
        tell(&value, 1, &mut text);
        Ok(Success::new(ShownType::of(what, value, None), text).report(remarks))
    }
}

/// Finds the type that a name stands for.
fn find(catalog: &Catalog, name: &str) -> Option<(&'static str, serde_json::Result<Value>)> {
    let pack = |kind: PackKind, id: &str| catalog.pack(kind, id).map(|pack| serde_json::to_value(&pack.library));
    if let Some(id) = name.strip_prefix("workflow/") {
        return pack(PackKind::Workflow, id).map(|value| ("workflow_pack", value));
    }
    let id = name.strip_prefix("domain/").unwrap_or(name);
    pack(PackKind::Domain, id)
        .map(|value| ("domain_pack", value))
        .or_else(|| pack(PackKind::Workflow, name).map(|value| ("workflow_pack", value)))
        .or_else(|| pack(PackKind::Generic, name).map(|value| ("generic_pack", value)))
        .or_else(|| catalog.profile(name).map(|profile| ("profile", serde_json::to_value(profile))))
        .or_else(|| catalog.kind(name).map(|kind| ("kind", serde_json::to_value(kind))))
        .or_else(|| catalog.slot(name).map(|slot| ("slot", serde_json::to_value(slot))))
        .or_else(|| catalog.policy(name).map(|policy| ("policy", serde_json::to_value(policy))))
        .or_else(|| catalog.adapter(name).map(|adapter| ("adapter", serde_json::to_value(adapter))))
        .or_else(|| catalog.capability(name).map(|known| ("capability", serde_json::to_value(known))))
}

pub(super) fn unknown(catalog: &Catalog, name: &str) -> AppError {
    let all: Vec<String> = catalog
        .packs()
        .map(|pack| pack.library.id().to_owned())
        .chain(catalog.entities().map(|entity| entity.id.to_string()))
        .chain(catalog.profiles().map(|profile| profile.profile_id.to_string()))
        .chain(catalog.kinds().map(|kind| kind.kind_key.to_string()))
        .chain(catalog.slots().map(|slot| slot.slot.clone()))
        .chain(catalog.policies().map(|policy| policy.policy_profile_id.to_string()))
        .chain(catalog.adapters().map(|adapter| adapter.adapter_id.clone()))
        .chain(catalog.capabilities().map(|known| known.capability.clone()))
        .collect();
    let help = did_you_mean(name, all.iter().map(String::as_str));
    let help = help.unwrap_or_else(|| "`deed catalog list` shows what there is".to_owned());
    let message = format!("nothing in the catalogue is called {}", quote(name));
    AppError::refused(Diagnostic::error(codes::NOT_IN_CATALOG, message).stage("catalog").help(help))
}

/// An entity with its fields.
fn told(entity: &Entity) -> String {
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

/// A value as indented lines.
fn tell(value: &Value, depth: usize, text: &mut String) {
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
                        tell(inner, depth + 1, text);
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
                tell(item, depth, text);
            }
        }
        other => {
            let _ = writeln!(text, "{indent}{}", plain(other));
        }
    }
}
