//! `deed catalog infer`: an entity from a file of data.

use crate::output::Success;
use clap::Args;
use deed_app::AppError;
use deed_app::infer::{infer, write_entity};
use deed_diag::Invariant as _;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};
use std::path::PathBuf;

/// Infer an entity from a CSV, TSV, JSON or JSON-lines file: types, keys and grain.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed catalog infer orders.csv --name sales.order
  deed catalog infer orders.csv --name sales.order --plan
  deed catalog infer orders.csv --name sales.order --pack sales")]
pub(crate) struct Infer {
    /// File with rows.
    file: PathBuf,
    /// Name of the entity, such as sales.order [default: local.FILE].
    #[arg(long, value_name = "DOMAIN.NAME")]
    name: Option<String>,
    /// Print it as an `entities` section to paste into a plan.
    #[arg(long, conflicts_with = "pack")]
    plan: bool,
    /// Write it into the type pack in this folder, which is made if there is none.
    #[arg(long, value_name = "DIR")]
    pack: Option<PathBuf>,
}

/// An entity that was inferred from a file.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct InferredData {
    /// Its name.
    entity_schema_id: String,
    /// Its JSON Schema.
    schema: Map<String, Value>,
    /// The format of the file.
    #[schemars(with = "String")]
    format: Value,
    /// The rows that were read.
    rows: u64,
    /// The columns.
    columns: u64,
    /// Remarks on what was inferred.
    notes: Vec<String>,
    /// The section to paste into a plan, with `--plan`.
    plan_section: Option<String>,
    /// The files that were written, with `--pack`.
    written: Vec<String>,
}

impl Infer {
    pub(crate) fn run(&self) -> Result<Success, AppError> {
        let inferred = infer(&self.file, self.name.as_deref())?;
        let entity = &inferred.entity;
        let written = match &self.pack {
            Some(folder) => write_entity(folder, entity)?,
            None => Vec::new(),
        };
        let written: Vec<String> = written.iter().map(|path| path.display().to_string()).collect();
        let text = match (&self.pack, self.plan) {
            (Some(_), _) => written.iter().map(|name| format!("{name}\n")).collect(),
            (None, true) => entity.to_plan_section(),
            (None, false) => entity.to_file(),
        };
        let data = InferredData {
            entity_schema_id: entity.id.to_string(),
            schema: entity.schema.as_object().cloned().invariant("the schema of an entity is an object"),
            format: serde_json::to_value(inferred.format).map_err(AppError::internal)?,
            rows: inferred.rows,
            columns: inferred.columns,
            notes: entity.notes.clone(),
            plan_section: self.plan.then(|| entity.to_plan_section()),
            written,
        };
        let count = |number: u64, one: &str| format!("{number} {one}{}", if number == 1 { "" } else { "s" });
        let read =
            format!("{} from {} and {}", entity.id, count(inferred.rows, "row"), count(inferred.columns, "column"));
        let remark = [vec![read], entity.notes.clone()].concat().join("\n");
        Ok(Success::new(data, text).document().remark(remark))
    }
}
