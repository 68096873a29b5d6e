//! `deed canon`: canonical bytes or a typed hash, for implementations in other languages to compare with.

use crate::output::Success;
use clap::Args;
use deed_app::AppError;
use deed_app::files;
use deed_canon::{ContentHash, TypeTag, canonical_string, hash};
use deed_diag::{Diagnostic, Format, codes};
use schemars::JsonSchema;
use serde::Serialize;
use std::path::PathBuf;

/// Print the canonical form of a document (RFC 8785), or its typed hash.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed canon pack.yaml
  deed canon pack.yaml --type deed/context-pack/v2")]
pub(crate) struct Canon {
    /// JSON file, YAML file, or `-` for standard input.
    file: PathBuf,
    /// Print the hash over this type tag and the canonical bytes instead, such as deed/context-pack/v2.
    #[arg(long = "type", value_name = "TAG")]
    tag: Option<TypeTag>,
    /// Format of the document [default: YAML for .yaml and .yml, JSON otherwise].
    #[arg(long, value_name = "FORMAT", value_parser = ["json", "yaml"])]
    format: Option<String>,
}

/// The canonical form of a document.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Canonical {
    /// The canonical text; absent with `--type`.
    #[serde(skip_serializing_if = "Option::is_none")]
    canonical: Option<String>,
    /// Its length.
    bytes: usize,
    /// The SHA-256 of the canonical bytes.
    sha256: String,
    /// The type tag of `--type`.
    #[serde(skip_serializing_if = "Option::is_none")]
    r#type: Option<String>,
    /// The hash over tag and canonical bytes, with `--type`.
    #[serde(skip_serializing_if = "Option::is_none")]
    hash: Option<String>,
}

impl Canon {
    pub(crate) fn run(&self) -> Result<Success, AppError> {
        let document = match self.format.as_deref() {
            Some("yaml") => files::document_as(&self.file, Format::Yaml)?,
            Some(_) => files::document_as(&self.file, Format::Json)?,
            None => files::document(&self.file)?,
        };
        let no_form = |e: deed_canon::CanonError| {
            AppError::refused(
                Diagnostic::error(codes::NO_CANONICAL_FORM, e.to_string()).stage("canon").at(document.place("")),
            )
        };
        let canonical = canonical_string(document.value()).map_err(no_form)?;
        let plain = ContentHash::of_bytes(canonical.as_bytes());
        match &self.tag {
            None => {
                let data = Canonical {
                    canonical: Some(canonical.clone()),
                    bytes: canonical.len(),
                    sha256: plain.to_string(),
                    r#type: None,
                    hash: None,
                };
                Ok(Success::new(data, canonical).exact())
            }
            Some(tag) => {
                let typed = hash(tag, document.value()).map_err(no_form)?;
                let data = Canonical {
                    canonical: None,
                    bytes: canonical.len(),
                    sha256: plain.to_string(),
                    r#type: Some(tag.as_str().to_owned()),
                    hash: Some(typed.to_string()),
                };
                Ok(Success::new(data, format!("{typed}\n")))
            }
        }
    }
}
