//! What one look at an artifact found: its hash, what it is, whether it parses, and what is in it.
//!
//! These are statements of the system about bytes, and parts of signed receipts. Every count is below 2^53, maps are
//! sorted, and nothing is a float, so the same bytes give the same receipt.

use crate::catalog::ArtifactFormat;
use deed_canon::ContentHash;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What one look at an artifact found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Inspection {
    /// Plain SHA-256 of the bytes.
    #[schemars(with = "String")]
    pub sha256: ContentHash,
    /// How many bytes there are; `bytes` in receipts that were made before.
    #[serde(rename = "size_bytes", alias = "bytes")]
    pub bytes: u64,
    /// What the bytes are, by what is in them.
    pub detected: DetectedFormat,
    /// What the contract says they are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<ArtifactFormat>,
    /// Whether the two agree.
    pub agrees: Agreement,
    /// Whether the bytes parse: in the expected format, or in the detected one where nothing is expected.
    #[serde(rename = "parse_validation", alias = "parse", with = "super::parse_validation")]
    #[schemars(with = "super::parse_validation::ParseValidation")]
    pub parse: ParseOutcome,
    /// What is in it.
    pub summary: ContentSummary,
    /// Placeholders that were left in it.
    pub sentinels: SentinelReport,
    /// What was assumed, cut or left out on the way.
    pub notes: Vec<String>,
}

/// What bytes are, by what is in them.
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
    /// Text as UTF-16, which nothing here reads.
    Utf16,
    /// A zip archive.
    Zip,
    /// PDF.
    Pdf,
    /// Anything else.
    Binary,
}

impl DetectedFormat {
    /// The word for it, as in a sentence.
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

/// Whether an artifact is what its contract says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Agreement {
    /// The bytes are of the expected format.
    Yes,
    /// Nothing was expected, or `other`, which anything is.
    NotAsked,
    /// The bytes are of another format.
    No,
}

/// Whether bytes parse.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum ParseOutcome {
    /// All of it parses.
    Parses,
    /// It does not parse.
    Fails {
        /// Where it stops to make sense.
        place: FoundAt,
        /// What is wrong, with at most 40 characters of what was read.
        message: String,
    },
    /// It was not checked to the end.
    NotChecked {
        /// Why not.
        reason: String,
    },
}

/// A place in an artifact, as far as it is known. All but the offset count from one.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FoundAt {
    /// The line of a text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
    /// The byte of that line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<u64>,
    /// The row of a table; the header is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub row: Option<u64>,
    /// The name of the field of that row, shortened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// The byte of the artifact, counted from zero.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offset: Option<u64>,
}

/// What is in an artifact.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ContentSummary {
    /// Nothing that is looked into.
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

/// What is in a table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TableSummary {
    /// How far the rows were read.
    pub coverage: Coverage,
    /// Rows, without the header.
    pub rows: u64,
    /// How many columns there are.
    pub column_count: u64,
    /// The columns in their order; those beyond a limit are only counted.
    pub columns: Vec<ColumnSummary>,
    /// Columns, or pairs of columns where no column alone will do, that tell every row from every other.
    pub candidate_keys: Vec<CandidateKey>,
}

/// How far an artifact was read for its summary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Coverage {
    /// To its end.
    Complete,
    /// Up to where it stopped to make sense, or a limit was reached.
    Partial,
    /// Not at all: what the artifact states about itself is repeated.
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
    /// How many values have which type; null is an empty cell.
    pub types: BTreeMap<ValueType, u64>,
    /// Whether a value is missing anywhere.
    pub nullability: Nullability,
    /// Values that are null or not there.
    pub missing: u64,
    /// How many different values there are, without null; nothing where they are not compared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub distinct: Option<DistinctCount>,
    /// The smallest value, where all are comparable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min: Option<Extreme>,
    /// The largest value, where all are comparable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max: Option<Extreme>,
    /// Whether the column tells every row from every other.
    pub unique: Uniqueness,
}

/// The type of one value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ValueType {
    /// Nothing.
    Null,
    /// True or false.
    Boolean,
    /// A whole number.
    Integer,
    /// A number with a fraction or an exponent.
    Number,
    /// A day, `YYYY-MM-DD`.
    Date,
    /// A day and a time, as RFC 3339 has it, with or without an offset.
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
    /// It holds nothing but nulls.
    Null,
    /// True or false.
    Boolean,
    /// Whole numbers.
    Integer,
    /// Numbers, some of them not whole.
    Number,
    /// Days.
    Date,
    /// Days with times.
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

/// Whether values of a column are missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Nullability {
    /// Every row that was read has a value.
    NeverNull,
    /// Some row has none.
    Nullable,
    /// It is not known.
    Unknown,
}

/// How many different values there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DistinctCount {
    /// How many.
    pub count: u64,
    /// How sure that is.
    pub precision: Precision,
}

/// How sure a count is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Precision {
    /// It was counted.
    Exact,
    /// It is an estimate from a sample of hashes, a few percent off.
    Approximate,
}

/// The smallest or largest value of a column.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Extreme {
    /// A whole number that every reader reads alike.
    Integer(i64),
    /// Any other number, as it is written in the artifact.
    Number(String),
    /// A day, a time or a text, compared byte by byte and shortened to 64 characters.
    Text(String),
}

/// Whether values tell every row from every other; ordered, the best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Uniqueness {
    /// No value stands twice and none is missing: all were compared.
    Unique,
    /// More rows than could be compared, none of those that were stands twice.
    Unknown,
    /// A value stands twice, or is missing.
    NotUnique,
}

/// Columns that tell every row from every other.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CandidateKey {
    /// The names of the columns.
    pub columns: Vec<String>,
    /// `unique`, or `unknown` where not all rows could be compared.
    pub unique: Uniqueness,
}

/// What is in one JSON or YAML document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DocumentSummary {
    /// How far it was read.
    pub coverage: Coverage,
    /// The type of the whole.
    pub top_level: ValueType,
    /// Keys of the object or items of the list.
    pub size: u64,
    /// The keys of the object and the types of their values; those beyond a limit are only counted.
    pub keys: BTreeMap<String, ValueType>,
    /// How many items of the list have which type.
    pub items: BTreeMap<ValueType, u64>,
    /// The deepest nesting.
    pub depth: u64,
}

/// What is in a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TextSummary {
    /// Lines; the last need not end.
    pub lines: u64,
    /// Lines with nothing but spaces.
    pub blank_lines: u64,
    /// Headings, where it is Markdown.
    pub headings: u64,
    /// How it is encoded.
    pub encoding: TextEncoding,
    /// How its lines end.
    pub line_ending: LineEnding,
}

/// How a text is encoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TextEncoding {
    /// UTF-8.
    Utf8,
    /// UTF-8 with a byte order mark before it.
    Utf8Mark,
    /// UTF-16, little end first.
    Utf16LittleEndian,
    /// UTF-16, big end first.
    Utf16BigEndian,
    /// Not UTF-8, and nothing else is guessed.
    NotUtf8,
}

/// How lines end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LineEnding {
    /// There is no end of a line.
    None,
    /// Line feed.
    Lf,
    /// Carriage return and line feed.
    Crlf,
    /// Carriage return alone.
    Cr,
    /// Some one way and some another.
    Mixed,
}

/// What is in a page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HtmlSummary {
    /// Its title, shortened to 128 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The parts of a whole page that are there: `doctype`, `html`, `head`, `body`.
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

/// What is in an archive, by its directory; nothing is inflated.
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
    /// Entries whose names could lead out of a folder.
    pub unsafe_names: u64,
    /// The first of those names, shortened.
    pub unsafe_examples: Vec<String>,
    /// Entries with the name of an earlier one.
    pub duplicate_names: u64,
}

/// What is in a PDF, as far as it can be told without rendering it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PdfSummary {
    /// The version that it states, such as `1.7`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// How far it goes.
    pub coverage: Coverage,
    /// Pages, where they can be counted without inflating anything; otherwise nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pages: Option<u64>,
    /// Whether it is encrypted.
    pub protection: Protection,
}

/// Whether something is encrypted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Protection {
    /// It can be read by everyone.
    Open,
    /// It is encrypted.
    Encrypted,
}

/// Placeholders that were left in an artifact.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SentinelReport {
    /// How many are placeholders beyond doubt. One of them fails a step.
    pub certain: u64,
    /// How many may be.
    pub suspect: u64,
    /// The first of them, the certain before the suspect, at most twenty.
    pub findings: Vec<SentinelFinding>,
    /// Findings that are counted above and not listed.
    pub unlisted: u64,
}

/// A placeholder, where it stands first and how often it stands in that column (or in the artifact).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SentinelFinding {
    /// Which rule found it, such as `imprint_token`.
    pub sentinel: String,
    /// How sure that is.
    pub strength: SentinelStrength,
    /// Where it stands first.
    pub place: FoundAt,
    /// What stands there, shortened to 40 characters.
    pub text: String,
    /// How often.
    pub count: u64,
}

/// How sure it is that something is a placeholder; ordered, the surest last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SentinelStrength {
    /// It may be one. It is only reported.
    Suspect,
    /// It can be nothing else. It fails a step.
    Certain,
}
