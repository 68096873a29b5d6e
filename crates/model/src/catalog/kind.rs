//! Kinds of artifacts, slots between steps, and capabilities that steps may need.

use super::names::KindKey;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A kind: the form of an artifact.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Kind {
    /// The kind's key.
    pub kind_key: KindKey,
    /// A short description.
    pub purpose: String,
    /// The format of its bytes, as artifact contracts name it.
    pub format: ArtifactFormat,
    /// The structure of its content.
    pub shape: KindShape,
    /// File name extensions, without the dot; the first is the usual one.
    pub extensions: Vec<String>,
    /// Its media type.
    pub media_type: String,
    /// True if Deed can parse the content, and so check it.
    pub readable: bool,
}

impl Kind {
    /// Returns true if bytes can be recognised as this kind. PDF and zip archives can, though their content is not
    /// parsed.
    pub fn has_form(&self) -> bool {
        self.readable || self.format == ArtifactFormat::Pdf || self.is_archive()
    }

    /// Returns true for a table of scalar cells: no cell holds a list or an object.
    pub fn is_flat(&self) -> bool {
        let flat = [ArtifactFormat::Csv, ArtifactFormat::Tsv, ArtifactFormat::Parquet];
        self.shape == KindShape::Rows && flat.contains(&self.format)
    }

    /// Returns true if cells are text unless a schema types them.
    pub fn is_delimited(&self) -> bool {
        matches!(self.format, ArtifactFormat::Csv | ArtifactFormat::Tsv)
    }

    /// Returns true for a plain zip archive.
    pub fn is_archive(&self) -> bool {
        self.format == ArtifactFormat::Other && self.extensions == ["zip"]
    }
}

/// The structure of an artifact's content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum KindShape {
    /// Rows, each of one entity.
    Rows,
    /// One document of one entity.
    Document,
    /// Text for human readers.
    Text,
    /// A list of other files.
    Manifest,
    /// Opaque bytes.
    Bytes,
}

/// The format of an artifact's bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ArtifactFormat {
    /// JSON.
    Json,
    /// Comma-separated values.
    Csv,
    /// Apache Parquet.
    Parquet,
    /// HTML.
    Html,
    /// Markdown.
    Md,
    /// Plain text.
    Txt,
    /// PDF.
    Pdf,
    /// YAML.
    Yaml,
    /// Tab-separated values.
    Tsv,
    /// Any other format: artifacts of it are moved and hashed, never parsed.
    Other,
}

impl ArtifactFormat {
    /// Returns the format's name in contracts.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Csv => "csv",
            Self::Parquet => "parquet",
            Self::Html => "html",
            Self::Md => "md",
            Self::Txt => "txt",
            Self::Pdf => "pdf",
            Self::Yaml => "yaml",
            Self::Tsv => "tsv",
            Self::Other => "other",
        }
    }
}

/// A slot: the role that data plays between two steps.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Slot {
    /// The slot's name.
    pub slot: String,
    /// A short description.
    pub purpose: String,
    /// The kinds that may carry it.
    pub kinds: Vec<KindKey>,
}

/// A capability that a step may need.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RegisteredCapability {
    /// The capability's name, such as `sandbox.session`.
    pub capability: String,
    /// A short description.
    pub purpose: String,
    /// True if it reaches beyond the workspace, so that an approval may be required.
    #[serde(default)]
    pub external: bool,
    /// True if this runtime provides it; a run whose steps need any other capability is refused.
    #[serde(default)]
    pub implemented: bool,
}
