//! A place in a text of another notation, and the comments that were passed on the way to it.

use crate::excerpt::excerpt;
use std::ops::Range;

/// The marks of the comments of a notation.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Comments {
    /// Marks of a comment that ends with its line.
    pub(super) line: &'static [&'static str],
    /// Marks around a comment.
    pub(super) block: &'static [(&'static str, &'static str)],
}

/// What stood between two tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Gap {
    /// Nothing.
    None,
    /// Blanks or comments within a line.
    Blank,
    /// The end of a line.
    Line,
}

/// A reader's place in a text.
pub(super) struct Cursor<'t> {
    pub(super) text: &'t str,
    pub(super) pos: usize,
    comments: Comments,
    /// The comments that were passed, in the order of the text.
    pub(super) passed: Vec<Range<usize>>,
}

impl<'t> Cursor<'t> {
    pub(super) fn new(text: &'t str, pos: usize, comments: Comments) -> Self {
        Self { text, pos, comments, passed: Vec::new() }
    }

    pub(super) fn rest(&self) -> &'t str {
        excerpt(self.text, self.pos..)
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(super) fn bump(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.pos += c.len_utf8();
        Some(c)
    }

    pub(super) fn take(&mut self, mark: &str) -> bool {
        let found = self.rest().starts_with(mark);
        self.pos += if found { mark.len() } else { 0 };
        found
    }

    /// The characters up to the first that does not belong.
    pub(super) fn run(&mut self, belongs: impl Fn(char) -> bool) -> &'t str {
        let rest = self.rest();
        let end = rest.find(|c| !belongs(c)).unwrap_or(rest.len());
        self.pos += end;
        rest.get(..end).unwrap_or_default()
    }

    /// Goes back to an earlier place, before the comments behind it.
    pub(super) fn back(&mut self, pos: usize) {
        self.pos = pos;
        while self.passed.last().is_some_and(|last| last.start >= pos) {
            self.passed.pop();
        }
    }

    /// Passes blanks and comments. The comments are judged once a value was found.
    pub(super) fn gap(&mut self) -> Gap {
        let mut gap = Gap::None;
        loop {
            let blank = self.run(|c| c.is_whitespace() || c == '\u{feff}');
            if blank.contains('\n') {
                gap = Gap::Line;
            } else if !blank.is_empty() && gap == Gap::None {
                gap = Gap::Blank;
            }
            let Some(width) = self.comment() else { return gap };
            let comment = self.pos..self.pos + width;
            self.pos = comment.end;
            self.passed.push(comment);
            gap = if gap == Gap::None { Gap::Blank } else { gap };
        }
    }

    /// The width of a comment that begins here.
    fn comment(&self) -> Option<usize> {
        let rest = self.rest();
        let block = self.comments.block.iter().find(|(open, _)| rest.starts_with(open));
        if let Some((open, close)) = block {
            let end = rest.get(open.len()..)?.find(close)?;
            return Some(open.len() + end + close.len());
        }
        let is_line = self.comments.line.iter().any(|mark| rest.starts_with(mark));
        is_line.then(|| rest.find('\n').unwrap_or(rest.len()))
    }
}
