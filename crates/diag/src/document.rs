//! A JSON or YAML document that keeps its source, its tree of spans and its value together.

use crate::code::Code;
use crate::diagnostic::{Diagnostic, Place};
use crate::report::Report;
use crate::source::Source;
use crate::yaml;
use deed_canon::{Node, NodeKind, ParseError, ParseErrorKind, Span, parse_tree};
use serde_json::Value;
use std::fmt;

/// Documents beyond this are refused before they are read.
pub const MAX_DOCUMENT_BYTES: u64 = 32 * 1024 * 1024;

const TOO_LARGE: Code = Code::new("D0101");
const NOT_TEXT: Code = Code::new("D0102");
const MALFORMED: Code = Code::new("D0103");
const DUPLICATE_KEY: Code = Code::new("D0104");
const UNSAFE_NUMBER: Code = Code::new("D0105");
const LONE_SURROGATE: Code = Code::new("D0106");
const TOO_DEEP: Code = Code::new("D0107");
const YAML_FEATURE: Code = Code::new("D0108");

const YAML_HELP: &str = "look at the brackets, quotes and indentation just before this place";

/// How a document is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// RFC 8259, read strictly.
    Json,
    /// The YAML 1.2 core schema without anchors, tags and several documents.
    Yaml,
}

impl Format {
    /// The format that a file name asks for; YAML for anything but `.json`.
    pub fn of_name(name: &str) -> Self {
        if name.to_ascii_lowercase().ends_with(".json") { Self::Json } else { Self::Yaml }
    }
}

/// A document that was read whole.
#[derive(Clone)]
pub struct Document {
    source: Source,
    tree: Node,
    value: Value,
}

// The name alone, as for its source.
impl fmt::Debug for Document {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Document({})", self.source.name())
    }
}

/// Why a reader stopped, before it becomes a diagnostic.
pub(crate) enum Fault {
    Parse(ParseError),
    Yaml { message: String, span: Span },
    Feature { what: &'static str, help: &'static str, span: Span },
}

impl Document {
    /// Reads a document, or says why not in a report that holds the source.
    pub fn read(name: &str, bytes: &[u8], format: Format) -> Result<Self, Report> {
        Self::read_with(name, bytes, format, |_| Vec::new())
    }

    /// Reads a document whose `secrets` are concealed in everything that is shown of it, faults included.
    pub fn read_with(
        name: &str,
        bytes: &[u8],
        format: Format,
        secrets: impl FnOnce(&str) -> Vec<Span>,
    ) -> Result<Self, Report> {
        if bytes.len() as u64 > MAX_DOCUMENT_BYTES {
            return Err(Report::of(too_large(name, bytes.len() as u64)));
        }
        let mut source = Source::new(name, String::from_utf8_lossy(bytes));
        for span in secrets(source.text()) {
            source.conceal(span);
        }
        let tree = match format {
            Format::Json => parse_tree(bytes).map_err(Fault::Parse),
            Format::Yaml => yaml::parse_tree(bytes),
        };
        match tree {
            Ok(tree) => Ok(Self { value: tree.to_value(), source, tree }),
            Err(fault) => {
                let diagnostic = fault_diagnostic(&source, format, fault);
                let mut report = Report::of(diagnostic);
                report.add_source(source);
                Err(report)
            }
        }
    }

    /// The diagnostic for a file that is too large to read.
    pub fn too_large(name: &str, bytes: u64) -> Diagnostic {
        too_large(name, bytes)
    }

    /// Keeps a part out of everything that is shown, both as it stands and as it reads.
    pub fn conceal(&mut self, span: Span, text: String) {
        self.source.conceal(span);
        self.source.conceal_text(text);
    }

    /// The source.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// The tree with spans.
    pub fn tree(&self) -> &Node {
        &self.tree
    }

    /// The plain value.
    pub fn value(&self) -> &Value {
        &self.value
    }

    /// Where a JSON Pointer leads: a scalar's own bytes, or the key of a larger part.
    pub fn place(&self, pointer: &str) -> Place {
        let (node, key) = self.tree.nearest(pointer);
        let span = match (&node.kind, key) {
            (NodeKind::Array(_) | NodeKind::Object(_), Some(key)) => key,
            (NodeKind::Array(_) | NodeKind::Object(_), None) => self.source.first_line(node.span),
            (NodeKind::Null | NodeKind::Bool(_) | NodeKind::Number(_) | NodeKind::String(_), _) => {
                self.source.first_line(node.span)
            }
        };
        self.placed(pointer, span)
    }

    /// Where the operation stands that a JSON Pointer leads to: its operator, or what a variable is called.
    ///
    /// A rule is an object with one member, and underlining its brace would show nothing.
    pub fn operation_place(&self, pointer: &str) -> Place {
        let (node, _) = self.tree.nearest(pointer);
        let NodeKind::Object(members) = &node.kind else { return self.place(pointer) };
        let [member] = members.as_slice() else { return self.place(pointer) };
        let operand = match (&member.value.kind, member.key.as_str()) {
            (NodeKind::Array(items), "var") => items.first(),
            (_, "var") => Some(&member.value),
            _ => None,
        };
        let span = operand.map_or(member.key_span, |node| self.source.first_line(node.span));
        self.placed(pointer, span)
    }

    /// Where the key that a JSON Pointer ends with stands.
    pub fn key_place(&self, pointer: &str) -> Place {
        let (node, key) = self.tree.nearest(pointer);
        self.placed(pointer, key.unwrap_or_else(|| self.source.first_line(node.span)))
    }

    fn placed(&self, pointer: &str, span: Span) -> Place {
        Place { source: self.source.name().to_owned(), pointer: Some(pointer.to_owned()), span: Some(span) }
    }
}

fn too_large(name: &str, bytes: u64) -> Diagnostic {
    let limit = MAX_DOCUMENT_BYTES / (1024 * 1024);
    Diagnostic::error(TOO_LARGE, format!("the document has {bytes} bytes; at most {limit} MiB are read"))
        .stage("read")
        .at(Place::file(name))
        .help("keep records and evidence out of the document and refer to them")
}

fn fault_diagnostic(source: &Source, format: Format, fault: Fault) -> Diagnostic {
    let (code, message, help, span, first) = match fault {
        Fault::Yaml { message, span } => (MALFORMED, format!("malformed YAML: {message}"), Some(YAML_HELP), span, None),
        Fault::Feature { what, help, span } => (YAML_FEATURE, format!("{what} not accepted"), Some(help), span, None),
        Fault::Parse(error) => {
            let (code, help) = parse_code(&error.kind, format);
            let first = match &error.kind {
                ParseErrorKind::DuplicateKey { first, .. } => Some(*first),
                _ => None,
            };
            let prefix = if code == MALFORMED { "malformed JSON: " } else { "" };
            (code, format!("{prefix}{}", error.kind), help, error.span, first)
        }
    };
    let span = source.first_line(span);
    let diagnostic = Diagnostic::error(code, message)
        .stage("read")
        .at(Place::span(source.name(), span))
        .help_opt(help.map(str::to_owned));
    match first {
        Some(first) => diagnostic.related(Place::span(source.name(), first), "it stood here first"),
        None => diagnostic,
    }
}

fn parse_code(kind: &ParseErrorKind, format: Format) -> (Code, Option<&'static str>) {
    match kind {
        ParseErrorKind::InvalidUtf8 => (NOT_TEXT, Some("save the file as UTF-8")),
        ParseErrorKind::ByteOrderMark => (NOT_TEXT, Some("save the file as UTF-8 without a byte order mark")),
        ParseErrorKind::DuplicateKey { .. } => {
            (DUPLICATE_KEY, Some("keep one of the two: readers disagree on which one counts"))
        }
        ParseErrorKind::UnsafeInteger | ParseErrorKind::NumberRange => {
            (UNSAFE_NUMBER, Some("write it as a string: other programs would round it and hash other bytes"))
        }
        ParseErrorKind::NotANumber => (UNSAFE_NUMBER, Some("leave the field out or write null")),
        ParseErrorKind::LoneSurrogate => {
            (LONE_SURROGATE, Some("write both halves of the pair, or the character itself"))
        }
        ParseErrorKind::TooDeep { .. } => (TOO_DEEP, Some("flatten the document")),
        ParseErrorKind::Expected { .. }
        | ParseErrorKind::UnexpectedEnd { .. }
        | ParseErrorKind::TrailingText
        | ParseErrorKind::BadEscape
        | ParseErrorKind::ControlCharacter => {
            (MALFORMED, (format == Format::Json).then_some("JSON has no comments, trailing commas or single quotes"))
        }
    }
}
