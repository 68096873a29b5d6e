//! Validation packs as they are authored: ladder contracts and checks of artifacts, by path.

use crate::ladder::{LadderContract, Phase};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The size limit of a pack that states none, in bytes.
const USUAL_LIMIT: u64 = 4 << 20;

/// A validation pack: the rules that artifacts are judged by in phases of a run. A version never changes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct ValidationPack {
    /// Its reference: `valpack.<namespace>.<name>@v<number>`.
    #[schemars(length(min = 1, max = 220))]
    pub pack_ref: String,
    /// Its purpose, for people.
    #[serde(default)]
    pub summary: String,
    /// The phases that it may be used in.
    #[schemars(length(min = 1))]
    pub phases: Vec<Phase>,
    /// The size in bytes of the largest artifact whose content is validated.
    #[serde(default = "usual_limit")]
    #[schemars(range(min = 1, max = 67_108_864))]
    pub largest_bytes: u64,
    /// The verdict on a larger artifact.
    #[serde(default)]
    pub beyond_limit: BeyondLimit,
    /// The rules. The first whose path matches judges an artifact.
    #[schemars(length(min = 1, max = 200))]
    pub rules: Vec<ValidationRule>,
}

fn usual_limit() -> u64 {
    USUAL_LIMIT
}

/// The verdict on an artifact beyond the size limit. It is a finding in both cases.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum BeyondLimit {
    /// It is not validated, and does not fail.
    #[default]
    Report,
    /// It fails.
    Refuse,
}

/// A rule of a validation pack.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct ValidationRule {
    /// Its name in records.
    #[schemars(length(min = 1, max = 100))]
    pub id: String,
    /// The paths that it judges, with `*` for any characters: `*.json`.
    #[schemars(length(min = 1, max = 500))]
    pub artifact_path: String,
    /// The reading of the bytes.
    pub read_as: ReadAs,
    /// The source of the schema that the contract holds the payload to.
    #[serde(default)]
    pub schema_from: SchemaSource,
    /// The ladder that the payload climbs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contract: Option<LadderContract>,
    /// The checks of the artifact as a file.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub checks: Vec<ArtifactCheck>,
}

/// The reading of an artifact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReadAs {
    /// One JSON value, as a model wrote it. The only reading that can be corrected.
    Json,
    /// One YAML document, which is checked and never rewritten.
    Yaml,
    /// A table of comma-separated values: every row is a payload of its own, and none is rewritten.
    CsvRows,
    /// The same with tabs.
    TsvRows,
    /// A page of HTML.
    Html,
    /// UTF-8 text.
    Text,
    /// Bytes whose content is not read.
    Bytes,
}

impl ReadAs {
    /// Returns the name in documents.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Yaml => "yaml",
            Self::CsvRows => "csv_rows",
            Self::TsvRows => "tsv_rows",
            Self::Html => "html",
            Self::Text => "text",
            Self::Bytes => "bytes",
        }
    }

    /// Returns true if its payloads climb a ladder.
    pub fn has_payload(self) -> bool {
        matches!(self, Self::Json | Self::Yaml | Self::CsvRows | Self::TsvRows)
    }
}

/// The source of the schema of a ladder contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SchemaSource {
    /// The contract's own schema.
    #[default]
    Contract,
    /// The schema of the entity that the step's contract names for the artifact; where it names none, the contract's own.
    Artifact,
}

/// A check of an artifact as a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ArtifactCheck {
    /// It has at least one byte that is no blank.
    NotEmpty,
    /// It can be parsed in its format.
    Parses,
    /// No credential stands in it.
    NoCredentials,
    /// No certain placeholder is left in it.
    NoPlaceholders,
    /// A table has at least one row, and a list at least one item.
    HasRows,
    /// A page has a doctype, `html`, `head` and `body`.
    HtmlParts,
    /// A page has a title.
    HtmlTitle,
    /// A page has a heading.
    HtmlHeadings,
    /// Every element of a page that needs an end has one, and no end stands alone.
    HtmlBalanced,
}

impl ArtifactCheck {
    /// Returns the name in documents.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::NotEmpty => "not_empty",
            Self::Parses => "parses",
            Self::NoCredentials => "no_credentials",
            Self::NoPlaceholders => "no_placeholders",
            Self::HasRows => "has_rows",
            Self::HtmlParts => "html_parts",
            Self::HtmlTitle => "html_title",
            Self::HtmlHeadings => "html_headings",
            Self::HtmlBalanced => "html_balanced",
        }
    }

    /// Returns true if the check has a meaning for a reading.
    pub fn fits(self, read_as: ReadAs) -> bool {
        match self {
            Self::NotEmpty => true,
            Self::NoCredentials => read_as != ReadAs::Bytes,
            Self::Parses | Self::NoPlaceholders => !matches!(read_as, ReadAs::Bytes),
            Self::HasRows => matches!(read_as, ReadAs::CsvRows | ReadAs::TsvRows | ReadAs::Json),
            Self::HtmlParts | Self::HtmlTitle | Self::HtmlHeadings | Self::HtmlBalanced => read_as == ReadAs::Html,
        }
    }
}
