//! `deed canon`: canonical bytes or a typed hash, so that other languages can check themselves against us.

use crate::output::Success;
use clap::Args;
use deed_app::AppError;
use deed_app::files;
use deed_canon::{ContentHash, TypeTag, canonical_string, hash};
use deed_diag::{Code, Diagnostic, Format};
use serde_json::json;
use std::path::PathBuf;

const NO_CANONICAL_FORM: Code = Code::new("D0109");

/// Print the canonical bytes of a document (RFC 8785), or its typed hash.
#[derive(Debug, Args)]
pub(crate) struct Canon {
    /// JSON file, YAML file, or `-` for standard input.
    file: PathBuf,
    /// Print the hash over this type tag, a newline and the canonical bytes instead, e.g. deed/context-pack/v2.
    #[arg(long = "type", value_name = "TAG")]
    tag: Option<TypeTag>,
    /// How the document is written; by default YAML for .yaml and .yml, JSON for all else.
    #[arg(long, value_name = "FORMAT", value_parser = ["json", "yaml"])]
    format: Option<String>,
}

impl Canon {
    pub(crate) fn run(&self) -> Result<Success, AppError> {
        let document = match self.format.as_deref() {
            Some("yaml") => files::document_as(&self.file, Format::Yaml)?,
            Some(_) => files::document_as(&self.file, Format::Json)?,
            None => files::document(&self.file)?,
        };
        let no_form = |e: deed_canon::CanonError| {
            AppError::refused(Diagnostic::error(NO_CANONICAL_FORM, e.to_string()).stage("canon").at(document.place("")))
        };
        let canonical = canonical_string(document.value()).map_err(no_form)?;
        let plain = ContentHash::of_bytes(canonical.as_bytes());
        match &self.tag {
            None => {
                let data = json!({ "canonical": canonical, "bytes": canonical.len(), "sha256": plain });
                Ok(Success::new(data, canonical))
            }
            Some(tag) => {
                let typed = hash(tag, document.value()).map_err(no_form)?;
                let data = json!({ "type": tag.as_str(), "hash": typed, "bytes": canonical.len(), "sha256": plain });
                Ok(Success::new(data, format!("{typed}\n")))
            }
        }
    }
}
