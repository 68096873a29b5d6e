//! Kinds of artifacts, slots between steps, and capabilities that steps may ask for.

use super::names::KindKey;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How an artifact is represented.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Kind {
    /// Its name.
    pub kind_key: KindKey,
    /// What it is.
    pub purpose: String,
    /// The format of its bytes, as artifact contracts name it.
    pub format: ArtifactFormat,
    /// What is inside.
    pub shape: KindShape,
    /// File name extensions, without the dot; the first is the usual one.
    pub extensions: Vec<String>,
    /// Its media type.
    pub media_type: String,
    /// Whether Deed reads what is inside, so that contents can be checked.
    pub readable: bool,
}

impl Kind {
    /// Whether bytes can be told to be of it. PDF and zip archives can, though nothing inside them is read.
    pub fn has_form(&self) -> bool {
        self.readable || self.format == ArtifactFormat::Pdf || self.is_archive()
    }

    /// Whether it is a table of plain cells: none of them holds a list or an object.
    pub fn is_flat(&self) -> bool {
        let flat = [ArtifactFormat::Csv, ArtifactFormat::Tsv, ArtifactFormat::Parquet];
        self.shape == KindShape::Rows && flat.contains(&self.format)
    }

    /// Whether its cells are text unless a schema gives them types.
    pub fn is_delimited(&self) -> bool {
        matches!(self.format, ArtifactFormat::Csv | ArtifactFormat::Tsv)
    }

    /// Whether it is a zip archive and nothing else.
    pub fn is_archive(&self) -> bool {
        self.format == ArtifactFormat::Other && self.extensions == ["zip"]
    }
}

/// What is inside an artifact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum KindShape {
    /// Rows, each of one entity.
    Rows,
    /// One document of one entity.
    Document,
    /// Text for people.
    Text,
    /// A list of other files.
    Manifest,
    /// Bytes.
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
    /// Anything else: it is moved and hashed, and not looked into.
    Other,
}

impl ArtifactFormat {
    /// The word for it in a contract.
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

/// The part that data plays between two steps.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Slot {
    /// Its name.
    pub slot: String,
    /// What it is for.
    pub purpose: String,
    /// The kinds that may carry it.
    pub kinds: Vec<KindKey>,
}

/// Something that a step may ask for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RegisteredCapability {
    /// Its name, such as `sandbox.session`.
    pub capability: String,
    /// What it does.
    pub purpose: String,
    /// Whether it reaches beyond the workspace, so that a person may have to approve.
    #[serde(default)]
    pub external: bool,
    /// Whether this runtime provides it; a run of a step that needs another is refused.
    #[serde(default)]
    pub implemented: bool,
}
