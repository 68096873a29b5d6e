//! A text with a name, its lines, and the parts of it that must never be shown.

use deed_canon::Span;
use std::fmt;

/// A source text.
#[derive(Clone)]
pub struct Source {
    name: String,
    text: String,
    line_starts: Vec<usize>,
    concealed: Vec<Span>,
    concealed_texts: Vec<String>,
}

// The name alone: a debugger's output is no place for what is concealed.
impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Source({})", self.name)
    }
}

/// A place as people count: both from 1, columns in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LineColumn {
    /// Line from 1.
    pub line: usize,
    /// Column from 1, in characters.
    pub column: usize,
}

impl Source {
    /// A source of this name and text.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        let text = text.into();
        let line_starts = std::iter::once(0).chain(text.match_indices('\n').map(|(i, _)| i + 1)).collect();
        Self { name: name.into(), text, line_starts, concealed: Vec::new(), concealed_texts: Vec::new() }
    }

    /// The name, usually a path.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The text as it was read, secrets included. For parsers: renderers show what is not concealed.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Keeps these bytes out of everything that is rendered.
    pub fn conceal(&mut self, span: Span) {
        self.concealed.push(span);
    }

    /// Keeps a text out of every message, however it is written in the source.
    pub fn conceal_text(&mut self, text: String) {
        self.concealed_texts.push(text);
    }

    /// The texts that must not be shown.
    pub(crate) fn secrets(&self) -> impl Iterator<Item = &str> {
        let spans = self.concealed.iter().filter_map(|s| self.text.get(s.start..s.end));
        spans.chain(self.concealed_texts.iter().map(String::as_str)).filter(|s| !s.is_empty())
    }

    /// The lines from `first` to `last` (from 0) as they may be shown, and the byte where they begin.
    pub(crate) fn shown(&self, first: usize, last: usize) -> (String, usize) {
        let start = self.line_starts.get(first).copied().unwrap_or(self.text.len());
        let end = self.line_starts.get(last + 1).copied().unwrap_or(self.text.len());
        let plain = self.text.get(start..end).unwrap_or_default();
        let hidden = |at: usize| self.concealed.iter().any(|s| s.start <= at && at < s.end);
        if self.concealed.iter().all(|s| s.end <= start || s.start >= end) {
            return (plain.to_owned(), start);
        }
        // One star for each byte keeps every later span where it is.
        let shown = plain.char_indices().fold(String::new(), |mut out, (i, c)| {
            if hidden(start + i) && c != '\n' {
                out.push_str(&"*".repeat(c.len_utf8()))
            } else {
                out.push(c)
            }
            out
        });
        (shown, start)
    }

    /// The line (from 0) that holds a byte.
    pub(crate) fn line_of(&self, byte: usize) -> usize {
        self.line_starts.partition_point(|&start| start <= byte).saturating_sub(1)
    }

    /// Line and column of a byte.
    pub fn line_column(&self, byte: usize) -> LineColumn {
        let line = self.line_of(byte);
        let start = self.line_starts.get(line).copied().unwrap_or(0);
        let column = self.text.get(start..byte).map_or(0, |t| t.chars().count());
        LineColumn { line: line + 1, column: column + 1 }
    }

    /// A span cut to its first line, since underlining forty lines shows nothing.
    pub(crate) fn first_line(&self, span: Span) -> Span {
        let text = self.text.get(span.start..span.end).unwrap_or_default();
        let first = text.split('\n').next().unwrap_or_default().trim_end();
        Span::new(span.start, span.start + first.len().max(usize::from(!first.is_empty())))
    }
}
