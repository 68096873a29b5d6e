//! `deed imprint join`: filled parts become one filled template.

use crate::output::Success;
use clap::Args;
use deed_app::AppError;
use deed_app::files;
use deed_diag::{Diagnostic, Place, codes, quote};
use deed_imprint::join;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

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

/// A filled template, put together.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct JoinedTemplate(Value);

impl Join {
    pub(crate) fn run(&self) -> Result<Success, AppError> {
        let mut parts: BTreeMap<String, Value> = BTreeMap::new();
        parts.insert(String::new(), files::document(&self.spine)?.value().clone());
        for section in &self.section {
            let Some((name, path)) = section.split_once('=').filter(|(name, _)| name.starts_with('/')) else {
                let message = format!("{} is not of the form `/its/name=FILE`", quote(section));
                return Err(AppError::usage(Diagnostic::error(codes::BAD_SECTION, message).stage("imprint")));
            };
            let part = files::document(Path::new(path))?.value().clone();
            if parts.insert(name.to_owned(), part).is_some() {
                let message = format!("the section {} is given twice", quote(name));
                return Err(AppError::usage(Diagnostic::error(codes::BAD_SECTION, message).stage("imprint")));
            }
        }
        let whole = join(&parts).map_err(|error| {
            AppError::refused(
                Diagnostic::error(codes::CANNOT_JOIN, error.to_string())
                    .stage("imprint")
                    .at(Place::file(self.spine.display().to_string()))
                    .help("leave the `{…|section|of:…}` token of the spine as it is, and name sections as they were named"),
            )
        })?;
        let text = serde_json::to_string_pretty(&whole).map_err(AppError::internal)?;
        Ok(Success::new(JoinedTemplate(whole), format!("{text}\n")))
    }
}
