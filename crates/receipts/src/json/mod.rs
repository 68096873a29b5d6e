//! JSON: one value, or one on each line; rows where they are objects in a list.
//!
//! Input: a feed at its beginning. Output: the parse outcome, and a summary of its rows or of its document. The rules of
//! the canonical form apply: no byte order mark, no duplicate keys, no lone surrogates, a maximum depth.

mod rows;
mod tokens;

pub(crate) use rows::Rows;

use crate::context::{FormatReport, InspectContext, not_checked};
use crate::feed::Feed;
use crate::secret::named;
use crate::sentinel::{TextContext, Watch};
use crate::table::value::{self, Value};
use deed_diag::Invariant as _;
use deed_model::{ContentSummary, Coverage, DetectedFormat, DocumentSummary, FoundAt, ParseOutcome, ValueType};
use std::collections::BTreeMap;
use std::io;
use tokens::{Step, Stop, Tokens};

/// Keys of open objects that are compared.
const MOST_KEYS: usize = 500_000;

/// Characters of a key that are shown.
const KEY: usize = 128;

/// The layout of values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Layout {
    /// One value.
    Document,
    /// One on each line.
    Lines,
}

/// The reader of a JSON document.
struct Reader<'r, 't, 'f, 's, 'l> {
    tokens: Tokens<'t, 'f, 's>,
    context: &'r mut InspectContext<'l>,
    /// The hashes of the keys of all open objects.
    keys: Vec<u64>,
    keys_full: bool,
    row: Option<u64>,
    field: Option<String>,
    deepest: usize,
    rows: Rows,
    document: DocumentSummary,
}

/// Inspects JSON, and detects rows and lines.
pub(crate) fn inspect(
    feed: &mut Feed<'_, '_>,
    layout: Layout,
    context: &mut InspectContext<'_>,
) -> io::Result<(FormatReport, DetectedFormat)> {
    let watch = Watch::new(context.sentinels.needles());
    let rows = Rows::new(context.limits);
    let document = DocumentSummary {
        coverage: Coverage::Partial,
        top_level: ValueType::Null,
        size: 0,
        keys: BTreeMap::new(),
        items: BTreeMap::new(),
        depth: 0,
    };
    let tokens = Tokens::new(feed, watch);
    let mut reader = Reader {
        tokens,
        context,
        keys: Vec::new(),
        keys_full: false,
        row: None,
        field: None,
        deepest: 0,
        rows,
        document,
    };
    let parse = match reader.all(layout) {
        Ok(()) => ParseOutcome::Parses,
        Err(Stop::Fault(outcome)) => outcome,
        Err(Stop::Read(error)) => return Err(error),
    };
    Ok(reader.finish(parse, layout))
}

impl Reader<'_, '_, '_, '_, '_> {
    fn all(&mut self, layout: Layout) -> Step<()> {
        if self.tokens.peek()? == Some(0xef) {
            return self.tokens.fault("a byte order mark, or bytes that are not JSON");
        }
        match layout {
            Layout::Lines => self.lines(),
            Layout::Document => {
                self.top()?;
                match self.tokens.peek_part()? {
                    None => Ok(()),
                    Some(_) => self.tokens.fault("something follows the value"),
                }
            }
        }
    }

    fn top(&mut self) -> Step<()> {
        match self.tokens.peek_part()? {
            Some(b'{') => {
                self.document.top_level = ValueType::Object;
                self.members(1, Level::Document)
            }
            Some(b'[') => {
                self.document.top_level = ValueType::Array;
                self.deepest = 1;
                self.tokens.advance();
                if self.tokens.peek_part()? == Some(b']') {
                    self.tokens.advance();
                    return Ok(());
                }
                loop {
                    self.element(2)?;
                    if self.is_last(b']', "a comma or the end of the list was expected")? {
                        return Ok(());
                    }
                }
            }
            _ => {
                self.document.top_level = self.value(1)?.value_type();
                self.rows.refute();
                Ok(())
            }
        }
    }

    fn lines(&mut self) -> Step<()> {
        self.document.top_level = ValueType::Array;
        while self.tokens.peek_part()?.is_some() {
            let line = self.tokens.line;
            self.element(1)?;
            if self.tokens.peek_part()?.is_some() && self.tokens.line == line {
                return self.tokens.fault("two values on one line");
            }
        }
        Ok(())
    }

    /// Reads one item of the document: a row if it is an object.
    fn element(&mut self, depth: usize) -> Step<()> {
        self.document.size += 1;
        self.row = Some(self.document.size);
        self.field = None;
        let of = if self.tokens.peek_part()? == Some(b'{') {
            self.members(depth, Level::Row)?;
            self.rows.end_row();
            ValueType::Object
        } else {
            self.rows.refute();
            self.value(depth)?.value_type()
        };
        *self.document.items.entry(of).or_default() += 1;
        Ok(())
    }

    /// Reads the separator after a value in a list or an object; returns true if the value was the last.
    fn is_last(&mut self, end: u8, message: &str) -> Step<bool> {
        match self.tokens.peek_part()? {
            Some(b',') => {
                self.tokens.advance();
                Ok(false)
            }
            Some(byte) if byte == end => {
                self.tokens.advance();
                Ok(true)
            }
            _ => self.tokens.fault(message),
        }
    }

    fn deeper(&mut self, depth: usize) -> Step<()> {
        if depth > self.context.limits.depth {
            return self.tokens.fault(format!("more than {} levels of nesting", self.context.limits.depth));
        }
        self.deepest = self.deepest.max(depth);
        Ok(())
    }

    /// Reads any value. Its literal text stays in the tokens.
    fn value(&mut self, depth: usize) -> Step<Value> {
        match self.tokens.peek_part()? {
            Some(b'{') => self.members(depth, Level::Inner).map(|()| Value::Object),
            Some(b'[') => self.items(depth).map(|()| Value::Array),
            Some(b'"') => {
                self.tokens.string()?;
                self.placeholder();
                Ok(value::of_text(&self.tokens.text, value::byte_classes(&self.tokens.text)))
            }
            Some(b't') => self.tokens.word("true").map(|()| Value::Boolean),
            Some(b'f') => self.tokens.word("false").map(|()| Value::Boolean),
            Some(b'n') => self.tokens.word("null").map(|()| Value::Null),
            Some(b'-' | b'0'..=b'9') => self.tokens.number().map(|()| value::of_number(&self.tokens.text)),
            Some(_) => self.tokens.fault("a value was expected"),
            None => self.tokens.fault("a value is missing at the end"),
        }
    }

    fn placeholder(&mut self) {
        if !self.tokens.watched {
            return;
        }
        if self.tokens.is_cut {
            self.context.note("of strings beyond 65536 bytes only the beginning was searched for placeholders");
        }
        let (line, row) = (self.tokens.line, self.row);
        let place = || FoundAt { line: Some(line), row, ..FoundAt::default() };
        self.context.sentinels.check(&self.tokens.text, TextContext::Prose, self.field.as_deref(), place);
    }

    fn items(&mut self, depth: usize) -> Step<()> {
        self.deeper(depth)?;
        self.tokens.advance();
        if self.tokens.peek_part()? == Some(b']') {
            self.tokens.advance();
            return Ok(());
        }
        loop {
            self.value(depth + 1)?;
            if self.is_last(b']', "a comma or the end of the list was expected")? {
                return Ok(());
            }
        }
    }

    fn members(&mut self, depth: usize, level: Level) -> Step<()> {
        self.deeper(depth)?;
        self.tokens.advance();
        if self.tokens.peek_part()? == Some(b'}') {
            self.tokens.advance();
            return Ok(());
        }
        let first_key = self.keys.len();
        loop {
            if self.tokens.peek_part()? != Some(b'"') {
                return self.tokens.fault("a key in quotes was expected");
            }
            self.tokens.string()?;
            self.remember_key();
            self.member(depth, level)?;
            if self.is_last(b'}', "a comma or the end of the object was expected")? {
                return self.compare_keys(first_key);
            }
        }
    }

    /// Reads the colon and the value after a key.
    fn member(&mut self, depth: usize, level: Level) -> Step<()> {
        let colon = "a colon was expected after a key";
        match level {
            Level::Inner => {
                self.tokens.expect(b':', colon)?;
                self.value(depth + 1)?;
            }
            Level::Row => {
                let column = self.rows.column(&self.tokens.text, self.tokens.hash);
                let name = column.map_or("", |column| self.rows.name(column));
                self.field.get_or_insert_default().clear();
                self.field.get_or_insert_default().push_str(name);
                self.tokens.expect(b':', colon)?;
                let value = self.value(depth + 1)?;
                if let Some(column) = column {
                    self.rows.see(column, value, &self.tokens.text, self.tokens.hash);
                }
            }
            Level::Document => {
                let listed = self.document.keys.len() < self.context.limits.columns;
                let key = if listed { named(&self.tokens.text, KEY) } else { String::new() };
                self.field = listed.then(|| key.clone());
                self.tokens.expect(b':', colon)?;
                let of = self.value(depth + 1)?.value_type();
                self.document.size += 1;
                if self.document.keys.len() < self.context.limits.columns {
                    self.document.keys.insert(key, of);
                }
            }
        }
        Ok(())
    }

    fn remember_key(&mut self) {
        if self.keys.len() < MOST_KEYS {
            self.keys.push(self.tokens.hash);
        } else {
            self.keys_full = true;
        }
    }

    fn compare_keys(&mut self, first: usize) -> Step<()> {
        let own = self.keys.get_mut(first..).invariant("the keys of an object are kept until its end");
        own.sort_unstable();
        let twice = own.array_windows().any(|[one, next]| one == next);
        self.keys.truncate(first);
        if twice { self.tokens.fault("a key stands twice in the object that ends here") } else { Ok(()) }
    }

    fn finish(mut self, mut parse: ParseOutcome, layout: Layout) -> (FormatReport, DetectedFormat) {
        if self.keys_full {
            self.context.note(format!("an object has more than {MOST_KEYS} keys, which were not all compared"));
            if parse == ParseOutcome::Parses {
                parse = not_checked("an object has more keys than are compared");
            }
        }
        let coverage = match parse {
            ParseOutcome::Parses => Coverage::Complete,
            ParseOutcome::Fails { .. } | ParseOutcome::NotChecked { .. } => Coverage::Partial,
        };
        self.document.coverage = coverage;
        self.document.depth = self.deepest as u64;
        if self.document.keys.len() as u64 != self.document.size && self.document.top_level == ValueType::Object {
            self.context.note("keys beyond the limit, or alike where they are shortened, are only counted");
        }
        let is_rows = self.document.top_level == ValueType::Array && self.rows.holds();
        if is_rows {
            self.rows.note(self.context);
        }
        let detected = match layout {
            Layout::Lines => DetectedFormat::JsonLines,
            Layout::Document if is_rows => DetectedFormat::JsonRows,
            Layout::Document => DetectedFormat::Json,
        };
        let summary = if is_rows {
            ContentSummary::Table(self.rows.summary(coverage))
        } else {
            ContentSummary::Document(self.document)
        };
        (FormatReport { parse, summary }, detected)
    }
}

/// The place of an object in the document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Level {
    /// It is the whole document.
    Document,
    /// It is an item of the document.
    Row,
    Inner,
}
