//! A JSON or YAML document that keeps its source, its tree of spans and its value together.

use crate::code::Code;
use crate::code::codes;
use crate::diagnostic::{Diagnostic, Place};
use crate::report::Report;
use crate::source::Source;
use crate::yaml;
use deed_canon::{Node, NodeKind, ParseError, ParseErrorKind, Span, parse_tree};
use serde_json::Value;
use std::fmt;

/// The size limit of documents, in bytes.
pub const MAX_DOCUMENT_BYTES: u64 = 32 * 1024 * 1024;

const YAML_HELP: &str = "check the brackets, quotes and indentation just before this place";

/// The format of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// RFC 8259, parsed strictly.
    Json,
    /// The YAML 1.2 core schema without anchors, tags and several documents.
    Yaml,
}

impl Format {
    /// Returns the format that a file name implies; YAML for anything but `.json`.
    pub fn of_name(name: &str) -> Self {
        if name.to_ascii_lowercase().ends_with(".json") { Self::Json } else { Self::Yaml }
    }
}

/// A parsed document.
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

/// The reason why a reader stopped, before it becomes a diagnostic.
pub(crate) enum Fault {
    Parse(ParseError),
    Yaml { message: String, span: Span },
    Feature { what: &'static str, help: &'static str, span: Span },
}

impl Document {
    /// Parses a document.
    ///
    /// # Errors
    /// A report with the source and the reason, if the document cannot be parsed.
    pub fn read(name: &str, bytes: &[u8], format: Format) -> Result<Self, Report> {
        Self::read_with(name, bytes, format, |_| Vec::<Span>::new())
    }

    /// Parses a document whose `secrets` are concealed in everything that is shown of it, errors included.
    ///
    /// # Errors
    /// A report with the source and the reason, if the document cannot be parsed.
    pub fn read_with<S: Into<Span>>(
        name: &str,
        bytes: &[u8],
        format: Format,
        secrets: impl FnOnce(&str) -> Vec<S>,
    ) -> Result<Self, Report> {
        if bytes.len() as u64 > MAX_DOCUMENT_BYTES {
            return Err(Report::of(too_large(name, bytes.len() as u64)));
        }
        let mut source = Source::new(name, String::from_utf8_lossy(bytes));
        for span in secrets(source.text()) {
            source.conceal(span.into());
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

    /// Returns the diagnostic for a file that is too large to read.
    pub fn too_large(name: &str, bytes: u64) -> Diagnostic {
        too_large(name, bytes)
    }

    /// Keeps a part out of every excerpt, for instance a text that people wrote to each other. Messages are left as they
    /// are, so a text that repeats the words of a message cannot hide them.
    pub fn withhold(&mut self, span: Span) {
        self.source.withhold(span);
    }

    /// Conceals the secrets of a part: the part in every excerpt, and the secrets, as they read, in every message.
    pub fn conceal(&mut self, span: Span, secrets: &[String]) {
        self.source.withhold(span);
        secrets.iter().for_each(|secret| self.source.conceal_text(secret.clone()));
    }

    /// Returns the source.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// Returns the tree with spans.
    pub fn tree(&self) -> &Node {
        &self.tree
    }

    /// Returns the plain value.
    pub fn value(&self) -> &Value {
        &self.value
    }

    /// Returns the place of a JSON Pointer: a scalar's own span, or the key of a larger part.
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

    /// Returns the place of the operation at a JSON Pointer: its operator, or the name of a variable.
    ///
    /// A rule is an object with one member, and underlining only its brace would not help.
    pub fn operation_place(&self, pointer: &str) -> Place {
        let (node, _) = self.tree.nearest(pointer);
        let NodeKind::Object(members) = &node.kind else { return self.place(pointer) };
        let [member] = &**members else { return self.place(pointer) };
        let operand = match (&member.value.kind, member.key.as_str()) {
            (NodeKind::Array(items), "var") => items.first(),
            (_, "var") => Some(&member.value),
            _ => None,
        };
        let span = operand.map_or(member.key_span, |node| self.source.first_line(node.span));
        self.placed(pointer, span)
    }

    /// Returns the place of the key that a JSON Pointer ends with.
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
    Diagnostic::error(codes::DOCUMENT_TOO_LARGE, format!("the document has {bytes} bytes, the limit is {limit} MiB"))
        .stage("read")
        .at(Place::file(name))
        .help("keep records and evidence out of the document and refer to them")
}

fn fault_diagnostic(source: &Source, format: Format, fault: Fault) -> Diagnostic {
    let (code, message, help, span, first) = match fault {
        Fault::Yaml { message, span } => {
            (codes::MALFORMED, format!("malformed YAML: {message}"), Some(YAML_HELP), span, None)
        }
        Fault::Feature { what, help, span } => {
            (codes::UNSUPPORTED_YAML, format!("{what} not accepted"), Some(help), span, None)
        }
        Fault::Parse(error) => {
            let (code, help) = parse_code(&error.kind, format);
            let first = match &error.kind {
                ParseErrorKind::DuplicateKey { first, .. } => Some(*first),
                _ => None,
            };
            let prefix = if code == codes::MALFORMED { "malformed JSON: " } else { "" };
            (code, format!("{prefix}{}", error.kind), help, error.span, first)
        }
    };
    let span = source.first_line(span);
    let diagnostic = Diagnostic::error(code, message)
        .stage("read")
        .at(Place::span(source.name(), span))
        .help_opt(help.map(str::to_owned));
    match first {
        Some(first) => diagnostic.related(Place::span(source.name(), first), "first defined here"),
        None => diagnostic,
    }
}

fn parse_code(kind: &ParseErrorKind, format: Format) -> (Code, Option<&'static str>) {
    match kind {
        ParseErrorKind::InvalidUtf8 => (codes::DOCUMENT_NOT_UTF8, Some("save the file as UTF-8")),
        ParseErrorKind::ByteOrderMark => {
            (codes::DOCUMENT_NOT_UTF8, Some("save the file as UTF-8 without a byte order mark"))
        }
        ParseErrorKind::DuplicateKey { .. } => {
            (codes::DUPLICATE_KEY, Some("keep one of the two: parsers disagree on which one wins"))
        }
        ParseErrorKind::UnsafeInteger | ParseErrorKind::NumberRange => {
            (codes::UNSAFE_NUMBER, Some("write it as a string: other programs would round it and hash other bytes"))
        }
        ParseErrorKind::NotANumber => (codes::UNSAFE_NUMBER, Some("leave the field out or write null")),
        ParseErrorKind::LoneSurrogate => {
            (codes::LONE_SURROGATE, Some("write both halves of the pair, or the character itself"))
        }
        ParseErrorKind::TooDeep { .. } => (codes::TOO_DEEP, Some("flatten the document")),
        ParseErrorKind::Expected { .. }
        | ParseErrorKind::UnexpectedEnd { .. }
        | ParseErrorKind::TrailingText
        | ParseErrorKind::BadEscape
        | ParseErrorKind::ControlCharacter => (
            codes::MALFORMED,
            (format == Format::Json).then_some("JSON has no comments, trailing commas or single quotes"),
        ),
    }
}
