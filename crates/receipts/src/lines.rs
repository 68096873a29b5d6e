//! Text and Markdown, line by line.
//!
//! Input: a feed at its beginning. Output: whether it is UTF-8, and counts. A text of any length passes in a window; a
//! very long line is searched for placeholders in pieces.

use crate::bytes::{after, before};
use crate::context::{FormatReport, InspectContext, at_line, fails};
use crate::feed::Feed;
use crate::sentinel::{SEARCHED_BYTES, TextContext, Watch};
use deed_model::{ContentSummary, FoundAt, LineEnding, ParseOutcome, TextEncoding, TextSummary};
use std::io;

/// The markup of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Markup {
    None,
    Markdown,
}

/// The reader of a text.
struct Reader {
    markup: Markup,
    line: u64,
    blank: u64,
    headings: u64,
    /// Lines by their ends: line feed, carriage return and line feed, carriage return alone.
    ends: [u64; 3],
    /// The mark that closes the open block of code.
    fence: Option<u8>,
    /// True if the line before can be the text of an underlined heading.
    text_before: bool,
    fault: Option<ParseOutcome>,
}

/// Inspects a text.
pub(crate) fn inspect(
    feed: &mut Feed<'_, '_>,
    markup: Markup,
    context: &mut InspectContext<'_>,
) -> io::Result<FormatReport> {
    let mark = feed.rest().starts_with(b"\xef\xbb\xbf");
    feed.consume(if mark { 3 } else { 0 });
    let mut watch = Watch::new(context.sentinels.needles());
    let mut reader =
        Reader { markup, line: 0, blank: 0, headings: 0, ends: [0; 3], fence: None, text_before: false, fault: None };
    loop {
        watch.see(feed.rest(), feed.offset());
        let used = reader.window(feed.rest(), feed.offset(), feed.ended(), &mut watch, context);
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
    Ok(FormatReport { parse: reader.fault.unwrap_or(ParseOutcome::Parses), summary })
}

impl Reader {
    /// Reads the whole lines of a window, and a line that fills the window in pieces.
    fn window(
        &mut self,
        window: &[u8],
        offset: u64,
        ended: bool,
        watch: &mut Watch,
        context: &mut InspectContext<'_>,
    ) -> usize {
        let mut used = 0;
        loop {
            let rest = after(window, used);
            let line = match memchr::memchr2(b'\n', b'\r', rest) {
                // The byte after a carriage return decides whether the two are one line end.
                Some(at) if rest.get(at) == Some(&b'\r') && at + 1 == rest.len() && !ended => None,
                Some(at) => rest.get(..at),
                None => None,
            };
            let start = offset + used as u64;
            let Some(line) = line else {
                // A line longer than the window is taken in pieces, so that it cannot grow without bound.
                if rest.is_empty() || !ended && rest.len() < SEARCHED_BYTES {
                    return used;
                }
                let line = if ended { rest } else { whole_characters(rest) };
                if !ended {
                    context.note("a very long line was searched for placeholders in pieces");
                }
                self.line(line, start, watch, context);
                self.line -= u64::from(!ended);
                return used + line.len();
            };
            self.line(line, start, watch, context);
            let [line_feeds, both, carriage_returns] = &mut self.ends;
            let (count, length) = match (rest.get(line.len()), rest.get(line.len() + 1)) {
                (Some(b'\r'), Some(b'\n')) => (both, 2),
                (Some(b'\r'), _) => (carriage_returns, 1),
                _ => (line_feeds, 1),
            };
            *count += 1;
            used += line.len() + length;
        }
    }

    fn line(&mut self, line: &[u8], start: u64, watch: &mut Watch, context: &mut InspectContext<'_>) {
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
            self.placeholders(inner, around, context);
        }
    }

    /// Tracks the marks of Markdown, and returns the context of the line.
    fn around(&mut self, line: &[u8], inner: &[u8]) -> TextContext {
        if self.markup == Markup::None {
            return TextContext::Prose;
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
                return if indent(line) >= 4 { TextContext::Code } else { TextContext::Prose };
            }
        }
        self.text_before = false;
        TextContext::Code
    }

    fn placeholders(&self, inner: &[u8], around: TextContext, context: &mut InspectContext<'_>) {
        let place = || FoundAt { line: Some(self.line), ..FoundAt::default() };
        if self.markup == Markup::Markdown && inner.starts_with(b"|") {
            for cell in inner.split(|byte| *byte == b'|') {
                context.sentinels.check(bare(cell), around, None, place);
            }
        } else {
            context.sentinels.check(bare(inner), around, None, place);
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

/// The text of a line without the marks of a list, a quote, a heading or emphasis around it.
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

/// The bytes up to the end of a whole character.
fn whole_characters(bytes: &[u8]) -> &[u8] {
    // A carriage return at the end waits for what follows it.
    let bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
    match std::str::from_utf8(bytes) {
        Err(error) if error.error_len().is_none() => before(bytes, error.valid_up_to()),
        _ => bytes,
    }
}
