//! Inspections: the hash, format, parse result and content summary of an artifact.
//!
//! They are the system's own findings about bytes, and parts of signed receipts. Every count is below 2^53, maps are
//! sorted, and no value is a float, so the same bytes give the same receipt.

use crate::catalog::ArtifactFormat;
use deed_canon::ContentHash;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The inspection of an artifact.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Inspection {
    /// Plain SHA-256 of the bytes.
    #[schemars(with = "String")]
    pub sha256: ContentHash,
    /// The size in bytes; `bytes` in older receipts.
    #[serde(rename = "size_bytes", alias = "bytes")]
    pub bytes: u64,
    /// The format of the bytes, by their content.
    pub detected: DetectedFormat,
    /// The format that the contract expects.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<ArtifactFormat>,
    /// The agreement of the two.
    pub agrees: Agreement,
    /// The parse result: in the expected format, or in the detected one if none is expected.
    #[serde(rename = "parse_validation", alias = "parse", with = "super::parse_validation")]
    #[schemars(with = "super::parse_validation::ParseValidation")]
    pub parse: ParseOutcome,
    /// A summary of the content.
    pub summary: ContentSummary,
    /// Placeholders that were left in it.
    pub sentinels: SentinelReport,
    /// Assumptions, truncations and omissions of the inspection.
    pub notes: Vec<String>,
}

/// The format of bytes, by their content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DetectedFormat {
    /// No bytes at all.
    Empty,
    /// One JSON value.
    Json,
    /// One JSON list of objects.
    JsonRows,
    /// A JSON value on each line.
    JsonLines,
    /// Comma-separated values.
    Csv,
    /// Tab-separated values.
    Tsv,
    /// Apache Parquet.
    Parquet,
    /// YAML.
    Yaml,
    /// HTML.
    Html,
    /// Markdown.
    Markdown,
    /// Plain text, as UTF-8.
    Text,
    /// Text as UTF-16, which Deed does not parse.
    Utf16,
    /// A zip archive.
    Zip,
    /// PDF.
    Pdf,
    /// Anything else.
    Binary,
}

impl DetectedFormat {
    /// Returns the format's name, for messages.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::Json => "JSON",
            Self::JsonRows => "JSON rows",
            Self::JsonLines => "JSON lines",
            Self::Csv => "CSV",
            Self::Tsv => "TSV",
            Self::Parquet => "Parquet",
            Self::Yaml => "YAML",
            Self::Html => "HTML",
            Self::Markdown => "Markdown",
            Self::Text => "text",
            Self::Utf16 => "UTF-16 text",
            Self::Zip => "a zip archive",
            Self::Pdf => "PDF",
            Self::Binary => "binary",
        }
    }
}

/// The agreement of an artifact with its contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Agreement {
    /// The bytes are of the expected format.
    Yes,
    /// No format was expected, or `other`, which any format satisfies.
    NotAsked,
    /// The bytes are of another format.
    No,
}

/// The result of parsing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum ParseOutcome {
    /// All of it parses.
    Parses,
    /// It does not parse.
    Fails {
        /// The place of the first error.
        place: FoundAt,
        /// The message, with at most 40 characters of the input.
        message: String,
    },
    /// It was not parsed to the end.
    NotChecked {
        /// The reason.
        reason: String,
    },
}

/// A place in an artifact, as far as it is known. All fields but the offset count from one.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FoundAt {
    /// The line of a text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
    /// The byte of that line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<u64>,
    /// The row of a table; the header is not counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub row: Option<u64>,
    /// The name of the field of that row, shortened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// The byte of the artifact, counted from zero.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offset: Option<u64>,
}

/// A summary of an artifact's content.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ContentSummary {
    /// Content that is not parsed.
    Opaque,
    /// Rows and columns.
    Table(TableSummary),
    /// One document with keys or items.
    Document(DocumentSummary),
    /// Lines of text.
    Text(TextSummary),
    /// A page.
    Html(HtmlSummary),
    /// An archive.
    Zip(ZipSummary),
    /// A PDF.
    Pdf(PdfSummary),
}

/// A summary of a table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TableSummary {
    /// How far the rows were read.
    pub coverage: Coverage,
    /// Rows, without the header.
    pub rows: u64,
    /// How many columns there are.
    pub column_count: u64,
    /// The columns in their order; columns beyond a limit are only counted.
    pub columns: Vec<ColumnSummary>,
    /// Columns, or pairs of columns if no single column will do, whose values identify every row.
    pub candidate_keys: Vec<CandidateKey>,
}

/// How far an artifact was read for its summary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Coverage {
    /// To its end.
    Complete,
    /// Up to the first error, or up to a limit.
    Partial,
    /// Not at all: the artifact's own statements about itself are repeated.
    Declared,
}

/// One column of a table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ColumnSummary {
    /// Its name, shortened to 128 characters.
    pub name: String,
    /// The one type that all its values have.
    pub inferred: ColumnType,
    /// The number of values of each type; null is an empty cell.
    pub types: BTreeMap<ValueType, u64>,
    /// The nullability.
    pub nullability: Nullability,
    /// The number of values that are null or absent.
    pub missing: u64,
    /// The number of distinct values, without null; `None` if they are not compared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub distinct: Option<DistinctCount>,
    /// The smallest value, if all are comparable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min: Option<Extreme>,
    /// The largest value, if all are comparable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max: Option<Extreme>,
    /// The uniqueness of its values.
    pub unique: Uniqueness,
}

/// The type of one value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ValueType {
    /// Null.
    Null,
    /// A boolean.
    Boolean,
    /// An integer.
    Integer,
    /// A number with a fraction or an exponent.
    Number,
    /// A date, `YYYY-MM-DD`.
    Date,
    /// A date and time as in RFC 3339, with or without an offset.
    Timestamp,
    /// Text.
    Text,
    /// A list.
    Array,
    /// An object.
    Object,
}

/// The type of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ColumnType {
    /// It holds only nulls.
    Null,
    /// Booleans.
    Boolean,
    /// Integers.
    Integer,
    /// Numbers, not all of them integers.
    Number,
    /// Dates.
    Date,
    /// Dates with times.
    Timestamp,
    /// Text.
    Text,
    /// Lists.
    Array,
    /// Objects.
    Object,
    /// Values of more than one type.
    Mixed,
}

/// The nullability of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Nullability {
    /// Every row that was read has a value.
    NeverNull,
    /// Some row has no value.
    Nullable,
    /// Unknown.
    Unknown,
}

/// A number of distinct values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DistinctCount {
    /// The number.
    pub count: u64,
    /// Its precision.
    pub precision: Precision,
}

/// The precision of a count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Precision {
    /// Exact.
    Exact,
    /// An estimate from a sample of hashes, a few percent off.
    Approximate,
}

/// The smallest or largest value of a column.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Extreme {
    /// An integer that every reader reads alike.
    Integer(i64),
    /// Any other number, as the artifact spells it.
    Number(String),
    /// A date, a time or a text, compared byte by byte and shortened to 64 characters.
    Text(String),
}

/// The uniqueness of a column's values; ordered, the best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Uniqueness {
    /// No value is repeated and none is missing: all were compared.
    Unique,
    /// Too many rows to compare all; among the compared ones no value is repeated.
    Unknown,
    /// A value is repeated or missing.
    NotUnique,
}

/// Columns whose values identify every row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CandidateKey {
    /// The names of the columns.
    pub columns: Vec<String>,
    /// `unique`, or `unknown` if not all rows could be compared.
    pub unique: Uniqueness,
}

/// A summary of one JSON or YAML document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DocumentSummary {
    /// How far it was read.
    pub coverage: Coverage,
    /// The type of the whole.
    pub top_level: ValueType,
    /// Keys of the object or items of the list.
    pub size: u64,
    /// The keys of the object and the types of their values; keys beyond a limit are only counted.
    pub keys: BTreeMap<String, ValueType>,
    /// The number of items of the list by type.
    pub items: BTreeMap<ValueType, u64>,
    /// The deepest nesting.
    pub depth: u64,
}

/// A summary of a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TextSummary {
    /// Lines; the last one need not be terminated.
    pub lines: u64,
    /// Blank lines.
    pub blank_lines: u64,
    /// Headings, for Markdown.
    pub headings: u64,
    /// The encoding.
    pub encoding: TextEncoding,
    /// The line ending.
    pub line_ending: LineEnding,
}

/// The encoding of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TextEncoding {
    /// UTF-8.
    Utf8,
    /// UTF-8 with a byte order mark before it.
    Utf8Mark,
    /// UTF-16, little-endian.
    Utf16LittleEndian,
    /// UTF-16, big-endian.
    Utf16BigEndian,
    /// Not UTF-8; no other encoding is guessed.
    NotUtf8,
}

/// The line ending of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LineEnding {
    /// The text has only one line.
    None,
    /// Line feed.
    Lf,
    /// Carriage return and line feed.
    Crlf,
    /// Carriage return alone.
    Cr,
    /// Mixed.
    Mixed,
}

/// A summary of an HTML page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HtmlSummary {
    /// Its title, shortened to 128 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The parts of a complete page that it has: `doctype`, `html`, `head`, `body`.
    pub parts: Vec<String>,
    /// Elements, counted by their start tags.
    pub elements: u64,
    /// Headings, `h1` to `h6`.
    pub headings: u64,
    /// Elements whose end tag is missing although HTML demands it.
    pub unclosed: u64,
    /// End tags without a start tag.
    pub stray_ends: u64,
}

/// A summary of an archive, by its directory; no entry is inflated.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ZipSummary {
    /// How far the directory was read.
    pub coverage: Coverage,
    /// Entries.
    pub entries: u64,
    /// Bytes of all entries packed, as the directory states them.
    pub packed_bytes: u64,
    /// Bytes of all entries unpacked, as the directory states them.
    pub unpacked_bytes: u64,
    /// Entries that are encrypted.
    pub encrypted: u64,
    /// Entries that are links.
    pub links: u64,
    /// Entries whose names could lead out of the target folder.
    pub unsafe_names: u64,
    /// The first of those names, shortened.
    pub unsafe_examples: Vec<String>,
    /// Entries with the name of an earlier one.
    pub duplicate_names: u64,
}

/// A summary of a PDF, without rendering it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PdfSummary {
    /// The version that it states, such as `1.7`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// How far the file was read.
    pub coverage: Coverage,
    /// Pages, if they can be counted without inflating anything.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pages: Option<u64>,
    /// The protection.
    pub protection: Protection,
}

/// The protection of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Protection {
    /// It is not encrypted.
    Open,
    /// It is encrypted.
    Encrypted,
}

/// Placeholders that were left in an artifact.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SentinelReport {
    /// The number of certain placeholders. One of them fails a step.
    pub certain: u64,
    /// The number of suspected placeholders.
    pub suspect: u64,
    /// The first of them, certain before suspected, at most twenty.
    pub findings: Vec<SentinelFinding>,
    /// Findings that are counted above and not listed.
    pub unlisted: u64,
}

/// A placeholder, with the place of its first occurrence and the number of occurrences in that column (or in the
/// artifact).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SentinelFinding {
    /// The rule that found it, such as `imprint_token`.
    pub sentinel: String,
    /// The strength of the finding.
    pub strength: SentinelStrength,
    /// The first occurrence.
    pub place: FoundAt,
    /// The text there, shortened to 40 characters.
    pub text: String,
    /// The number of occurrences.
    pub count: u64,
}

/// The strength of a placeholder finding; ordered, the strongest last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SentinelStrength {
    /// Suspected: it is only reported.
    Suspect,
    /// Certain: it fails a step.
    Certain,
}
