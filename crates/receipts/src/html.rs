//! HTML: its title and parts, and whether every tag that needs a partner has one.
//!
//! Input: a feed at its beginning. Output: a summary. The page is held whole. The tokenizer is small: it knows tags,
//! attributes, comments and the elements whose content is not markup, and builds no tree.

mod elements;

use crate::bytes::{after, before, between};
use crate::context::{FormatReport, InspectContext, at_line, cut_bytes, fails, not_checked, quote};
use crate::feed::Feed;
use crate::sentinel::TextContext;
use deed_diag::Invariant as _;
use deed_model::{ContentSummary, FoundAt, HtmlSummary, ParseOutcome};
use elements::{closed_by, has_optional_end, is_raw, is_void};
use memchr::{memchr, memmem};
use std::borrow::Cow;
use std::io;

/// The maximum nesting of elements, as in browsers.
const DEEPEST: usize = 512;

/// Names that HTML does not have, and that placeholders in angle brackets begin with.
const STAND_INS: [&str; 6] = ["insert", "todo", "tbd", "placeholder", "enter", "your"];

/// Inspects a page.
pub(crate) fn inspect(feed: &mut Feed<'_, '_>, context: &mut InspectContext<'_>) -> io::Result<FormatReport> {
    let most = context.limits.document_bytes;
    let Some(page) = feed.whole(most)? else {
        context.note("placeholders were not searched for");
        return Ok(FormatReport::opaque(not_checked(format!("HTML of more than {most} bytes is not read"))));
    };
    let mut reader = Reader::new(page, context);
    if let Err(error) = std::str::from_utf8(page) {
        reader.line_of(error.valid_up_to());
        reader.fault(error.valid_up_to(), "the bytes are not UTF-8".to_owned());
        (reader.line, reader.counted) = (1, 0);
    }
    reader.read();
    Ok(reader.finish())
}

struct Reader<'r, 'l, 'p> {
    page: &'p [u8],
    at: usize,
    context: &'r mut InspectContext<'l>,
    /// The names of the open elements, in lower case.
    open: Vec<String>,
    summary: HtmlSummary,
    parse: ParseOutcome,
    line: u64,
    /// Up to where lines are counted.
    counted: usize,
}

impl<'r, 'l, 'p> Reader<'r, 'l, 'p> {
    fn new(page: &'p [u8], context: &'r mut InspectContext<'l>) -> Self {
        let summary =
            HtmlSummary { title: None, parts: Vec::new(), elements: 0, headings: 0, unclosed: 0, stray_ends: 0 };
        Self { page, at: 0, context, open: Vec::new(), summary, parse: ParseOutcome::Parses, line: 1, counted: 0 }
    }

    fn from(&self, at: usize) -> &'p [u8] {
        after(self.page, at)
    }

    fn between(&self, start: usize, end: usize) -> &'p [u8] {
        between(self.page, start, end)
    }

    /// The line of a byte. Called in ascending order.
    fn line_of(&mut self, at: usize) -> u64 {
        if at > self.counted {
            self.line += memchr::memchr_iter(b'\n', self.between(self.counted, at)).count() as u64;
            self.counted = at;
        }
        self.line
    }

    /// Keeps the first fault.
    fn fault(&mut self, at: usize, message: String) {
        if self.parse == ParseOutcome::Parses {
            let line = self.line_of(at);
            let start = memchr::memrchr(b'\n', self.between(0, at)).map_or(0, |end| end + 1);
            let place = FoundAt { offset: Some(at as u64), ..at_line(line, (at - start) as u64 + 1) };
            self.parse = fails(place, message);
        }
    }

    fn check(&mut self, text: &[u8], at: usize, around: TextContext) {
        let line = self.line_of(at);
        let place = || FoundAt { line: Some(line), ..FoundAt::default() };
        self.context.sentinels.check(&decoded(text.trim_ascii()), around, None, place);
    }

    fn part(&mut self, name: &str) {
        if matches!(name, "doctype" | "html" | "head" | "body") && !self.summary.parts.iter().any(|part| part == name) {
            self.summary.parts.push(name.to_owned());
        }
    }

    fn read(&mut self) {
        while self.at < self.page.len() {
            let start = self.at;
            let end = memchr(b'<', self.from(start)).map_or(self.page.len(), |more| start + more);
            if end > start {
                self.check(self.between(start, end), start, TextContext::Prose);
                self.at = end;
                continue;
            }
            // Fewer than two bytes at the end are text.
            match self.page.get(start + 1..start + 3).unwrap_or_default() {
                [b'!', ..] | [b'?', ..] => self.declaration(),
                [b'/', letter, ..] if letter.is_ascii_alphabetic() => self.end_tag(),
                [letter, ..] if letter.is_ascii_alphabetic() => self.start_tag(),
                // A bracket that does not begin a tag is text.
                _ => self.at += 1,
            }
        }
    }

    /// A comment, a doctype, or something that is skipped like a comment.
    fn declaration(&mut self) {
        let start = self.at;
        let rest = self.from(start);
        let (mark, skip): (&[u8], usize) = if rest.starts_with(b"<!--") { (b"-->", 4) } else { (b">", 2) };
        let Some(more) = memmem::find(self.from(start + skip), mark) else {
            self.fault(start, "a comment or declaration is opened and never closed".to_owned());
            self.at = self.page.len();
            return;
        };
        let inside = self.between(start + skip, start + skip + more);
        if skip == 4 {
            self.check(inside, start, TextContext::Code);
        } else if inside.get(..7).is_some_and(|word| word.eq_ignore_ascii_case(b"doctype")) {
            self.part("doctype");
        }
        self.at = start + skip + more + mark.len();
    }

    fn name(&self, at: usize) -> String {
        let rest = self.from(at);
        let end = rest.iter().position(|byte| byte.is_ascii_whitespace() || matches!(byte, b'/' | b'>'));
        String::from_utf8_lossy(before(rest, end.unwrap_or(rest.len()))).to_ascii_lowercase()
    }

    /// The position after a tag; quoted values may contain anything.
    fn tag_end(&mut self, start: usize) -> Option<usize> {
        let mut quote = None;
        let mut before = 0;
        for (i, byte) in self.from(start).iter().enumerate() {
            match (quote, byte) {
                (None, b'>') => return Some(start + i + 1),
                (None, b'"' | b'\'') if before == b'=' => quote = Some(*byte),
                (Some(open), byte) if open == *byte => quote = None,
                _ => {}
            }
            if !byte.is_ascii_whitespace() {
                before = *byte;
            }
        }
        self.fault(start, "a tag is opened and never closed".to_owned());
        self.at = self.page.len();
        None
    }

    fn start_tag(&mut self) {
        let start = self.at;
        let Some(end) = self.tag_end(start) else { return };
        let name = self.name(start + 1);
        self.summary.elements += 1;
        self.summary.headings += u64::from(matches!(name.as_str(), "h1" | "h2" | "h3" | "h4" | "h5" | "h6"));
        self.part(&name);
        let tag = self.between(start, end);
        if STAND_INS.contains(&name.as_str()) {
            self.check(tag, start, TextContext::Prose);
        }
        self.attributes(start, end);
        self.at = end;
        while self.open.last().is_some_and(|top| closed_by(top, &name)) {
            self.open.pop();
        }
        let foreign = name == "svg" || name == "math" || self.open.iter().any(|open| open == "svg" || open == "math");
        if is_void(&name) || foreign && tag.ends_with(b"/>") {
            return;
        }
        if is_raw(&name) && !foreign {
            self.raw(start, &name);
            return;
        }
        if self.open.len() >= DEEPEST {
            self.fault(start, format!("more than {DEEPEST} elements within each other"));
            self.at = self.page.len();
            return;
        }
        self.open.push(name);
    }

    /// Checks the values of attributes, except of those in which such words are legitimate.
    fn attributes(&mut self, start: usize, end: usize) {
        let tag = self.between(start, end);
        if memchr(b'=', tag).is_none() {
            return;
        }
        let mut rest = tag;
        while let Some(equals) = memchr(b'=', rest) {
            let name = before(rest, equals).trim_ascii_end();
            let name = name.rsplit(|byte| byte.is_ascii_whitespace()).next().invariant("a split has at least one part");
            let value = after(rest, equals + 1).trim_ascii_start();
            let (value, after) = match value.split_first() {
                Some((quote @ (b'"' | b'\''), inside)) => {
                    inside.split_at(memchr(*quote, inside).unwrap_or(inside.len()))
                }
                _ => {
                    let length = value.iter().position(|byte| byte.is_ascii_whitespace() || *byte == b'>');
                    value.split_at(length.unwrap_or(value.len()))
                }
            };
            if !["placeholder", "class", "id", "style", "name", "for"]
                .iter()
                .any(|known| name.eq_ignore_ascii_case(known.as_bytes()))
            {
                self.check(value, start, TextContext::Prose);
            }
            rest = after;
        }
    }

    /// Reads content that is not markup, up to its own end tag.
    fn raw(&mut self, start: usize, name: &str) {
        let begin = self.at;
        let mut from = begin;
        let close = loop {
            let Some(more) = memmem::find(self.from(from), b"</") else { break None };
            let at = from + more;
            if self.name(at + 2) == name {
                break Some(at);
            }
            from = at + 2;
        };
        let Some(close) = close else {
            self.fault(start, format!("{} is opened and never closed", quote(&format!("<{name}>"))));
            self.summary.unclosed += 1;
            self.at = self.page.len();
            return;
        };
        let inside = self.between(begin, close);
        if name == "title" && self.summary.title.is_none() {
            self.summary.title = Some(cut_bytes(&decoded(inside.trim_ascii()), 128));
        }
        let around = if name == "title" { TextContext::Prose } else { TextContext::Code };
        self.check(inside, begin, around);
        self.at = close;
        if let Some(end) = self.tag_end(close) {
            self.at = end;
        }
    }

    fn end_tag(&mut self) {
        let start = self.at;
        let Some(end) = self.tag_end(start) else { return };
        let name = self.name(start + 2);
        self.at = end;
        let Some(depth) = self.open.iter().rposition(|open| *open == name) else {
            self.summary.stray_ends += 1;
            self.fault(start, format!("{} has no start tag", quote(&format!("</{name}>"))));
            return;
        };
        while self.open.len() > depth + 1 {
            let Some(inner) = self.open.pop() else { break };
            if !has_optional_end(&inner) {
                self.unclosed(start, &inner);
            }
        }
        self.open.pop();
    }

    fn unclosed(&mut self, at: usize, name: &str) {
        self.summary.unclosed += 1;
        self.fault(at, format!("{} is not closed before this", quote(&format!("<{name}>"))));
    }

    fn finish(mut self) -> FormatReport {
        while let Some(name) = self.open.pop() {
            if !has_optional_end(&name) {
                self.unclosed(self.page.len(), &name);
            }
        }
        FormatReport { parse: self.parse, summary: ContentSummary::Html(self.summary) }
    }
}

/// Decodes the character references of markup characters.
fn decoded(text: &[u8]) -> Cow<'_, [u8]> {
    if memchr(b'&', text).is_none() {
        return Cow::Borrowed(text);
    }
    let text = String::from_utf8_lossy(text);
    let plain = text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&");
    Cow::Owned(plain.into_bytes())
}
