//! A named text with its lines, and the parts of it that must never be shown.

use deed_canon::{Invariant as _, Span};
use std::collections::BTreeMap;
use std::fmt;

/// A source text.
#[derive(Clone)]
pub struct Source {
    name: String,
    text: String,
    line_starts: Vec<usize>,
    /// The number of characters before each block of bytes, so that a column in a very long line is found quickly.
    chars_before: Vec<usize>,
    /// Spans that no excerpt shows, start to end, disjoint.
    withheld: BTreeMap<usize, usize>,
    /// Secrets, which no message shows.
    secrets: Vec<String>,
}

const BLOCK: usize = 1024;
/// The size limit of an excerpt, in bytes; a longer one is cut to the surroundings of the place.
const LONGEST_EXCERPT: usize = 4000;
const AROUND: usize = 60;

/// The part of a source that is shown around a place.
pub(crate) struct Excerpt {
    /// The text, with stars for withheld parts.
    pub(crate) text: String,
    /// Its start in the source.
    pub(crate) start: usize,
    /// Its first line, from 1.
    pub(crate) line: usize,
    /// True if it does not start at the beginning of a line.
    pub(crate) cut: bool,
}

// Only the name: debug output must not show concealed parts.
impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Source({})", self.name)
    }
}

/// A line and a column, both from 1; columns count characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LineColumn {
    /// Line from 1.
    pub line: usize,
    /// Column from 1, in characters.
    pub column: usize,
}

impl Source {
    /// Creates a source with a name and a text.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        let text = text.into();
        let line_starts = std::iter::once(0).chain(text.match_indices('\n').map(|(i, _)| i + 1)).collect();
        let begins = |byte: &&u8| (**byte & 0xc0) != 0x80;
        let chars_before = text
            .as_bytes()
            .chunks(BLOCK)
            .scan(0, |total, block| {
                let before = *total;
                *total += block.iter().filter(begins).count();
                Some(before)
            })
            .collect();
        Self { name: name.into(), text, line_starts, chars_before, withheld: BTreeMap::new(), secrets: Vec::new() }
    }

    /// Returns the name, usually a path.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the raw text, secrets included. For parsers; renderers show only what is not concealed.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Keeps a span out of every excerpt. It is not a secret: a message may use the same words.
    pub fn withhold(&mut self, span: Span) {
        let (mut start, mut end) = self.whole(span);
        while let Some((&s, &e)) = self.withheld.range(..=end).next_back().filter(|(_, e)| **e >= start) {
            self.withheld.remove(&s);
            start = start.min(s);
            end = end.max(e);
        }
        self.withheld.insert(start, end);
    }

    /// Conceals a span that is a secret in everything that is rendered: in excerpts, and in messages that quote it.
    pub fn conceal(&mut self, span: Span) {
        self.withhold(span);
        let (start, end) = self.whole(span);
        let text = self.text.get(start..end).invariant("a concealed span begins and ends between characters");
        self.secrets.push(text.to_owned());
    }

    /// Conceals a text that is a secret in every message, however it is spelled in the source.
    pub fn conceal_text(&mut self, text: String) {
        self.secrets.push(text);
    }

    /// Returns the secrets, which must not be shown.
    pub(crate) fn secrets(&self) -> impl Iterator<Item = &str> {
        self.secrets.iter().map(String::as_str).filter(|s| !s.is_empty())
    }

    /// Returns the bounds of the whole characters of a span: one that ends inside of a character would otherwise not be
    /// found in messages.
    fn whole(&self, span: Span) -> (usize, usize) {
        let end = self.text.ceil_char_boundary(span.end);
        (self.text.floor_char_boundary(span.start).min(end), end)
    }

    /// Returns the lines around a place as they may be shown, or only its surroundings if the lines are very long.
    pub(crate) fn excerpt(&self, span: Span, context: usize) -> Excerpt {
        let first = self.line_of(span.start).saturating_sub(context);
        let last = self.line_of(span.end.saturating_sub(1).max(span.start)) + context;
        let start = self.line_starts.get(first).copied().unwrap_or(self.text.len());
        let end = self.line_starts.get(last + 1).copied().unwrap_or(self.text.len());
        if end - start <= LONGEST_EXCERPT {
            return Excerpt { text: self.shown(start, end), start, line: first + 1, cut: false };
        }
        let start = self.text.floor_char_boundary(span.start.saturating_sub(AROUND));
        let end = span.end.min(span.start + LONGEST_EXCERPT / 2) + AROUND;
        let text = self.shown(start, self.text.ceil_char_boundary(end.min(self.text.len()))).replace('\n', " ");
        Excerpt { text, start, line: self.line_of(span.start) + 1, cut: true }
    }

    /// Returns a part of the text as it may be shown: one star for each withheld byte, so that spans stay valid.
    fn shown(&self, start: usize, end: usize) -> String {
        let plain = self.text.get(start..end).unwrap_or_default();
        let hidden = |at: usize| self.withheld.range(..=at).next_back().is_some_and(|(_, end)| at < *end);
        let none = self.withheld.range(..end).next_back().is_none_or(|(_, e)| *e <= start);
        if none {
            return plain.to_owned();
        }
        plain.char_indices().fold(String::new(), |mut out, (i, c)| {
            if hidden(start + i) && c != '\n' {
                out.push_str(&"*".repeat(c.len_utf8()))
            } else {
                out.push(c)
            }
            out
        })
    }

    /// Returns the line (from 0) that contains a byte.
    pub(crate) fn line_of(&self, byte: usize) -> usize {
        self.line_starts.partition_point(|&start| start <= byte).saturating_sub(1)
    }

    /// Returns the line and column of a byte.
    pub fn line_column(&self, byte: usize) -> LineColumn {
        let line = self.line_of(byte);
        let start = self.line_starts.get(line).copied().unwrap_or(0);
        let column = self.chars_to(byte).saturating_sub(self.chars_to(start));
        LineColumn { line: line + 1, column: column + 1 }
    }

    /// Counts the characters before a byte.
    fn chars_to(&self, byte: usize) -> usize {
        let block = (byte / BLOCK).min(self.chars_before.len().saturating_sub(1));
        let before = self.chars_before.get(block).copied().unwrap_or(0);
        let rest = self.text.as_bytes().get(block * BLOCK..byte.min(self.text.len())).unwrap_or_default();
        before + rest.iter().filter(|b| (**b & 0xc0) != 0x80).count()
    }

    /// Shortens a span to its first line: underlining forty lines would not help.
    pub(crate) fn first_line(&self, span: Span) -> Span {
        let text = self.text.get(span.start..span.end).unwrap_or_default();
        let first = text.split('\n').next().unwrap_or_default().trim_end();
        Span::new(span.start, span.start + first.len().max(usize::from(!first.is_empty())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_concealed_span_covers_whole_characters() {
        let mut source = Source::new("file", "key: pässwörd-1");
        // From inside `ä` to inside `ö`.
        source.conceal(Span::new(7, 12));
        assert_eq!(source.secrets().collect::<Vec<_>>(), ["ässwö"]);
    }
}
