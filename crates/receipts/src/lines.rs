//! Text and Markdown, line by line.
//!
//! What enters is a feed at its beginning; what leaves is whether it is UTF-8, and counts. A text of any length
//! passes in a window; of a very long line only the beginning is searched for placeholders.

use crate::feed::Feed;
use crate::look::{Look, Looked, at_line, fails};
use crate::sentinel::{Around, LOOKED_AT, Watch};
use deed_model::{ContentSummary, FoundAt, LineEnding, ParseOutcome, TextEncoding, TextSummary};
use std::io;

/// Which marks mean something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Markup {
    None,
    Markdown,
}

/// A look at a text under way.
struct Reader {
    markup: Markup,
    line: u64,
    blank: u64,
    headings: u64,
    /// Lines by their ends: line feed, carriage return and line feed, carriage return alone.
    ends: [u64; 3],
    /// The mark that closes the block of code, where one is open.
    fence: Option<u8>,
    /// Whether the line before could be the text of an underlined heading.
    text_before: bool,
    fault: Option<ParseOutcome>,
}

/// Looks at a text.
pub(crate) fn look(feed: &mut Feed<'_, '_>, markup: Markup, look: &mut Look<'_>) -> io::Result<Looked> {
    let mark = feed.rest().starts_with(b"\xef\xbb\xbf");
    feed.consume(if mark { 3 } else { 0 });
    let mut watch = Watch::new(look.sentinels.needles());
    let mut reader =
        Reader { markup, line: 0, blank: 0, headings: 0, ends: [0; 3], fence: None, text_before: false, fault: None };
    loop {
        watch.see(feed.rest(), feed.offset());
        let used = reader.window(feed.rest(), feed.offset(), feed.ended(), &mut watch, look);
        feed.consume(used);
        if feed.ended() {
            break;
        }
        feed.more()?;
    }
    let utf8 = if mark { TextEncoding::Utf8Mark } else { TextEncoding::Utf8 };
    let encoding = if reader.fault.is_some() { TextEncoding::NotUtf8 } else { utf8 };
    let summary = ContentSummary::Text(TextSummary {
        lines: reader.line,
        blank_lines: reader.blank,
        headings: reader.headings,
        encoding,
        line_ending: reader.ending(),
    });
    Ok(Looked { parse: reader.fault.unwrap_or(ParseOutcome::Parses), summary })
}

impl Reader {
    /// Takes the whole lines of a window, and of one that fills it all there is of it.
    fn window(&mut self, window: &[u8], offset: u64, ended: bool, watch: &mut Watch, look: &mut Look<'_>) -> usize {
        let mut used = 0;
        loop {
            let rest = window.get(used..).unwrap_or_default();
            let line = match memchr::memchr2(b'\n', b'\r', rest) {
                // The byte after a carriage return decides what it is.
                Some(at) if rest.get(at) == Some(&b'\r') && at + 1 == rest.len() && !ended => None,
                Some(at) => rest.get(..at),
                None => None,
            };
            let start = offset + used as u64;
            let Some(line) = line else {
                // A line longer than the window is taken in pieces, so that it cannot grow without bound.
                if rest.is_empty() || !ended && rest.len() < LOOKED_AT {
                    return used;
                }
                let line = if ended { rest } else { whole_characters(rest) };
                if !ended {
                    look.note("a very long line was searched for placeholders in pieces");
                }
                self.line(line, start, watch, look);
                self.line -= u64::from(!ended);
                return used + line.len();
            };
            self.line(line, start, watch, look);
            let (sort, length) = match (rest.get(line.len()), rest.get(line.len() + 1)) {
                (Some(b'\r'), Some(b'\n')) => (1, 2),
                (Some(b'\r'), _) => (2, 1),
                _ => (0, 1),
            };
            if let Some(count) = self.ends.get_mut(sort) {
                *count += 1;
            }
            used += line.len() + length;
        }
    }

    fn line(&mut self, line: &[u8], start: u64, watch: &mut Watch, look: &mut Look<'_>) {
        self.line += 1;
        if self.fault.is_none()
            && let Err(error) = std::str::from_utf8(line)
        {
            let column = error.valid_up_to() as u64;
            let place = FoundAt { offset: Some(start + column), ..at_line(self.line, column + 1) };
            self.fault = Some(fails(place, "the bytes are not UTF-8"));
        } else if self.fault.is_none()
            && let Some(nul) = memchr::memchr(0, line)
        {
            let place = FoundAt { offset: Some(start + nul as u64), ..at_line(self.line, nul as u64 + 1) };
            self.fault = Some(fails(place, "a NUL byte within a text"));
        }
        let inner = line.trim_ascii();
        self.blank += u64::from(inner.is_empty());
        let around = self.around(line, inner);
        if watch.touches(start, start + line.len() as u64) {
            self.placeholders(inner, around, look);
        }
    }

    /// Follows the marks of Markdown.
    fn around(&mut self, line: &[u8], inner: &[u8]) -> Around {
        if self.markup == Markup::None {
            return Around::Nothing;
        }
        let fence = match inner {
            [b'`', b'`', b'`', ..] => Some(b'`'),
            [b'~', b'~', b'~', ..] => Some(b'~'),
            _ => None,
        };
        match (self.fence, fence) {
            (None, Some(mark)) => self.fence = Some(mark),
            (Some(open), Some(mark)) if open == mark => self.fence = None,
            (Some(_), _) => {}
            (None, None) => {
                let hashes = inner.iter().take_while(|byte| **byte == b'#').count();
                let title = (1..=6).contains(&hashes) && matches!(inner.get(hashes), None | Some(b' ' | b'\t'));
                let ruled = |mark: u8| inner.len() > 1 && inner.iter().all(|byte| *byte == mark);
                let underline = self.text_before && (ruled(b'=') || ruled(b'-'));
                self.headings += u64::from(title && indent(line) < 4 || underline);
                self.text_before =
                    !inner.is_empty() && !title && !underline && !matches!(inner, [b'|' | b'>' | b'-', ..]);
                return if indent(line) >= 4 { Around::Code } else { Around::Nothing };
            }
        }
        self.text_before = false;
        Around::Code
    }

    fn placeholders(&self, inner: &[u8], around: Around, look: &mut Look<'_>) {
        let place = || FoundAt { line: Some(self.line), ..FoundAt::default() };
        if self.markup == Markup::Markdown && inner.starts_with(b"|") {
            for cell in inner.split(|byte| *byte == b'|') {
                look.sentinels.check(bare(cell), around, None, place);
            }
        } else {
            look.sentinels.check(bare(inner), around, None, place);
        }
    }

    fn ending(&self) -> LineEnding {
        match self.ends {
            [0, 0, 0] => LineEnding::None,
            [_, 0, 0] => LineEnding::Lf,
            [0, _, 0] => LineEnding::Crlf,
            [0, 0, _] => LineEnding::Cr,
            _ => LineEnding::Mixed,
        }
    }
}

fn indent(line: &[u8]) -> usize {
    line.iter().take_while(|byte| **byte == b' ').count() + 4 * usize::from(line.first() == Some(&b'\t'))
}

/// What a line says, without the marks of a list, a quote, a heading or emphasis around it.
fn bare(line: &[u8]) -> &[u8] {
    let mut line = line.trim_ascii();
    while let Some((b'#' | b'>' | b'-' | b'*' | b'+' | b'_' | b'~', rest)) = line.split_first() {
        line = rest.trim_ascii_start();
    }
    while let Some((b'*' | b'_' | b'~', rest)) = line.split_last() {
        line = rest.trim_ascii_end();
    }
    line
}

/// As much as ends with a whole character.
fn whole_characters(bytes: &[u8]) -> &[u8] {
    // A carriage return at the end waits for what follows it.
    let bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
    match std::str::from_utf8(bytes) {
        Err(error) if error.error_len().is_none() => bytes.get(..error.valid_up_to()).unwrap_or(bytes),
        _ => bytes,
    }
}
