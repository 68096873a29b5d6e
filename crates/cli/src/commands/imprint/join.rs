//! `deed imprint join`: filled parts become one filled template.

use crate::output::Success;
use clap::Args;
use deed_app::AppError;
use deed_app::imprints::{self, Section};
use deed_diag::{Diagnostic, codes, quote};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;
use serde_json::Value;
use std::path::PathBuf;

/// Join filled sections with the filled spine that they were split from.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed imprint join spine.json --section /lines=lines.json")]
pub(crate) struct Join {
    /// Filled spine.
    #[arg(value_name = "SPINE")]
    spine: PathBuf,
    /// Filled section, as `/its/name=FILE`; repeat for several.
    #[arg(long, value_name = "NAME=FILE")]
    section: Vec<String>,
}

/// A filled template, put together: of any type that a payload may have.
#[derive(Debug, Serialize)]
pub(crate) struct JoinedTemplate(Value);

impl JsonSchema for JoinedTemplate {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "JoinedTemplate".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": ["object", "array", "string", "number", "boolean"],
            "description": "Filled template, with each section in the place that the spine has for it.",
        })
    }
}

impl Join {
    pub(crate) fn run(&self) -> Result<Success, AppError> {
        let sections = self.section.iter().map(|text| section(text)).collect::<Result<Vec<_>, _>>()?;
        let whole = imprints::join(&self.spine, &sections)?;
        let text = serde_json::to_string_pretty(&whole).map_err(AppError::internal)?;
        Ok(Success::new(JoinedTemplate(whole), format!("{text}\n")).exact())
    }
}

/// Parses `/its/name=FILE`.
fn section(text: &str) -> Result<Section, AppError> {
    match text.split_once('=').filter(|(name, _)| name.starts_with('/')) {
        Some((name, file)) => Ok(Section { name: name.to_owned(), file: PathBuf::from(file) }),
        None => {
            let message = format!("{} is not of the form `/its/name=FILE`", quote(text));
            Err(AppError::usage(Diagnostic::error(codes::BAD_SECTION, message).stage("imprint")))
        }
    }
}
