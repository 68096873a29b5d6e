//! YAML: one document, held whole, event by event; nothing is expanded.
//!
//! Input: a feed at its beginning. Output: the parse outcome and the keys. The rules of the readers that come after apply:
//! no anchors or aliases, no tags, no second document, no duplicate keys.

use crate::bytes::before;
use crate::context::{FormatReport, InspectContext, at_line, cut, fails, not_checked, quote};
use crate::feed::Feed;
use crate::secret::named;
use crate::sentinel::TextContext;
use crate::table::value::{self, Value};
use deed_model::{ContentSummary, Coverage, DocumentSummary, FoundAt, ParseOutcome, ValueType};
use saphyr_parser::{Event, Parser, ScalarStyle, Span, StrInput};
use std::collections::{BTreeMap, HashSet};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Characters of a key that are shown.
const KEY: usize = 128;

/// Inspects YAML.
pub(crate) fn inspect(feed: &mut Feed<'_, '_>, context: &mut InspectContext<'_>) -> io::Result<FormatReport> {
    let most = context.limits.document_bytes;
    let Some(bytes) = feed.whole(most)? else {
        context.note("placeholders were not searched for");
        return Ok(FormatReport::opaque(not_checked(format!("YAML of more than {most} bytes is not read"))));
    };
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            let line = memchr::memchr_iter(b'\n', before(bytes, error.valid_up_to())).count() as u64;
            let place =
                FoundAt { line: Some(line + 1), offset: Some(error.valid_up_to() as u64), ..FoundAt::default() };
            return Ok(FormatReport::opaque(fails(place, "the bytes are not UTF-8")));
        }
    };
    if text.starts_with('\u{feff}') {
        return Ok(FormatReport::opaque(fails(at_line(1, 1), "a byte order mark")));
    }
    // The scanner is a dependency. A panic in it means a document that cannot be read, and nothing worse.
    let report = catch_unwind(AssertUnwindSafe(|| Reader::new(text, context).read()));
    Ok(report.unwrap_or_else(|_| FormatReport::opaque(not_checked("the YAML stopped its reader"))))
}

/// A value that is being read.
struct OpenValue {
    sort: ValueType,
    /// Hashes of the keys that were read, if it is a mapping.
    keys: HashSet<u64>,
    /// The key whose value comes next.
    key: Option<String>,
}

struct Reader<'r, 'l, 'a> {
    parser: Parser<'a, StrInput<'a>>,
    context: &'r mut InspectContext<'l>,
    open: Vec<OpenValue>,
    /// The top-level key whose value is being read.
    field: Option<String>,
    summary: DocumentSummary,
}

type Step = Result<(), ParseOutcome>;

impl<'r, 'l, 'a> Reader<'r, 'l, 'a> {
    fn new(text: &'a str, context: &'r mut InspectContext<'l>) -> Self {
        let summary = DocumentSummary {
            coverage: Coverage::Partial,
            top_level: ValueType::Null,
            size: 0,
            keys: BTreeMap::new(),
            items: BTreeMap::new(),
            depth: 0,
        };
        Self { parser: Parser::new_from_str(text), context, open: Vec::new(), field: None, summary }
    }

    fn read(mut self) -> FormatReport {
        let parse = match self.events() {
            Ok(()) => ParseOutcome::Parses,
            Err(outcome) => outcome,
        };
        if parse == ParseOutcome::Parses {
            self.summary.coverage = Coverage::Complete;
        }
        FormatReport { parse, summary: ContentSummary::Document(self.summary) }
    }

    fn events(&mut self) -> Step {
        let mut documents = 0;
        loop {
            let (event, span) = match self.parser.next_event() {
                Some(Ok(next)) => next,
                Some(Err(error)) => {
                    let at = *error.marker();
                    let message = cut(&error.info().to_lowercase(), 80);
                    return Err(fails(at_line(at.line() as u64, at.col() as u64 + 1), message));
                }
                None => break,
            };
            match event {
                Event::StreamEnd => break,
                Event::DocumentStart(_) => {
                    documents += 1;
                    if documents > 1 {
                        return refused(span, "a second document in one file");
                    }
                }
                Event::Nothing | Event::StreamStart | Event::DocumentEnd => {}
                Event::Alias(_) => return refused(span, "an alias, which is not read"),
                Event::SequenceEnd | Event::MappingEnd => {
                    self.open.pop();
                }
                Event::Scalar(text, style, anchor, tag) => {
                    plain_only(span, anchor, tag.is_some())?;
                    self.scalar(&text, style, span)?;
                }
                Event::SequenceStart(anchor, tag) => {
                    plain_only(span, anchor, tag.is_some())?;
                    self.begin(ValueType::Array, span)?;
                }
                Event::MappingStart(anchor, tag) => {
                    plain_only(span, anchor, tag.is_some())?;
                    self.begin(ValueType::Object, span)?;
                }
            }
        }
        if documents == 0 { Err(fails(at_line(1, 1), "the document is empty")) } else { Ok(()) }
    }

    fn begin(&mut self, sort: ValueType, span: Span) -> Step {
        if self.open.len() >= self.context.limits.depth {
            return refused(span, &format!("more than {} levels of nesting", self.context.limits.depth));
        }
        if self.open.last().is_some_and(|open| open.sort == ValueType::Object && open.key.is_none()) {
            return refused(span, "a key that is not text");
        }
        self.value(sort);
        self.open.push(OpenValue { sort, keys: HashSet::new(), key: None });
        self.summary.depth = self.summary.depth.max(self.open.len() as u64);
        Ok(())
    }

    fn scalar(&mut self, text: &str, style: ScalarStyle, span: Span) -> Step {
        let outermost = self.open.len() == 1;
        if let Some(open) = self.open.last_mut()
            && open.sort == ValueType::Object
            && open.key.is_none()
        {
            if !open.keys.insert(crate::table::hash::hash(text.as_bytes())) {
                return refused(span, &format!("the key {} stands twice in one mapping", quote(text)));
            }
            open.key = Some(if outermost { named(text.as_bytes(), KEY) } else { String::new() });
            if outermost {
                self.field.clone_from(&open.key);
            }
            return Ok(());
        }
        let of = if style == ScalarStyle::Plain { plain(text) } else { of_string(text) };
        let place = || FoundAt { line: Some(span.start.line() as u64), ..FoundAt::default() };
        self.context.sentinels.check(text.as_bytes(), TextContext::Prose, self.field.as_deref(), place);
        self.value(of.value_type());
        Ok(())
    }

    /// Counts a value at the top level.
    fn value(&mut self, of: ValueType) {
        let most = self.context.limits.columns;
        let depth = self.open.len();
        let Some(open) = self.open.last_mut() else {
            self.summary.top_level = of;
            return;
        };
        let key = open.key.take();
        if depth > 1 {
            return;
        }
        self.summary.size += 1;
        match key {
            Some(key) if self.summary.keys.len() < most => {
                self.summary.keys.insert(key, of);
            }
            Some(_) => self.context.note("keys beyond the limit are only counted"),
            None => *self.summary.items.entry(of).or_default() += 1,
        }
    }
}

fn refused(span: Span, message: &str) -> Step {
    Err(fails(at_line(span.start.line() as u64, span.start.col() as u64 + 1), message))
}

fn plain_only(span: Span, anchor: usize, tagged: bool) -> Step {
    match (anchor, tagged) {
        (0, false) => Ok(()),
        (0, true) => refused(span, "a tag, which is not read"),
        _ => refused(span, "an anchor, which is not read"),
    }
}

/// The type of a plain scalar, in the core schema of YAML 1.2.
fn plain(text: &str) -> Value {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Value::Null,
        "true" | "True" | "TRUE" | "false" | "False" | "FALSE" => Value::Boolean,
        _ => value::of_cell(text.as_bytes(), value::byte_classes(text.as_bytes())),
    }
}

fn of_string(text: &str) -> Value {
    value::of_text(text.as_bytes(), value::byte_classes(text.as_bytes()))
}
