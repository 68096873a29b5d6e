//! The context that every format inspects with, and the report that it returns.

use crate::bytes::head;
use crate::limits::InspectLimits;
use crate::sentinel::{SEARCHED_BYTES, Sentinels};
use deed_model::{ContentSummary, FoundAt, ParseOutcome};

/// The longest quote of an artifact in a message, in characters.
const LONGEST_QUOTE: usize = 40;

/// Notes that are kept; the number of the others is a note of its own.
const MOST_NOTES: usize = 50;

/// The context of an inspection: its limits, the search for placeholders, and the notes so far.
pub(crate) struct InspectContext<'l> {
    pub(crate) limits: &'l InspectLimits,
    pub(crate) sentinels: Sentinels,
    notes: Vec<String>,
    unkept: u64,
}

/// The report of a format.
pub(crate) struct FormatReport {
    pub(crate) parse: ParseOutcome,
    pub(crate) summary: ContentSummary,
}

impl<'l> InspectContext<'l> {
    pub(crate) fn new(limits: &'l InspectLimits, sentinels: Sentinels) -> Self {
        Self { limits, sentinels, notes: Vec::new(), unkept: 0 }
    }

    /// Adds a note, once.
    pub(crate) fn note(&mut self, note: impl Into<String>) {
        let note = note.into();
        if self.notes.contains(&note) {
            return;
        }
        if self.notes.len() < MOST_NOTES {
            self.notes.push(note);
        } else {
            self.unkept += 1;
        }
    }

    pub(crate) fn into_notes(mut self) -> (Vec<String>, Sentinels) {
        if self.sentinels.is_cut() {
            self.note(format!(
                "of values beyond {SEARCHED_BYTES} bytes only the beginning was searched for placeholders"
            ));
        }
        if self.unkept > 0 {
            self.notes.push(format!("{} more notes were not kept", self.unkept));
        }
        (self.notes, self.sentinels)
    }
}

impl FormatReport {
    pub(crate) fn opaque(parse: ParseOutcome) -> Self {
        Self { parse, summary: ContentSummary::Opaque }
    }
}

/// The outcome of bytes that do not parse, with the place.
pub(crate) fn fails(place: FoundAt, message: impl Into<String>) -> ParseOutcome {
    ParseOutcome::Fails { place, message: message.into() }
}

/// The outcome of bytes that were not checked, with the reason.
pub(crate) fn not_checked(reason: impl Into<String>) -> ParseOutcome {
    ParseOutcome::NotChecked { reason: reason.into() }
}

/// A byte of the artifact.
pub(crate) fn at_offset(offset: u64) -> FoundAt {
    FoundAt { offset: Some(offset), ..FoundAt::default() }
}

/// A line, and a byte of it, both counted from one.
pub(crate) fn at_line(line: u64, column: u64) -> FoundAt {
    FoundAt { line: Some(line), column: Some(column), ..FoundAt::default() }
}

/// Text on one line, cut to a number of characters.
pub(crate) fn cut(text: &str, most: usize) -> String {
    let mut flat: String = text.chars().map(deed_diag::visible).take(most).collect();
    if text.chars().nth(most).is_some() {
        // The mark takes the place of the last character, so that the limit holds with it.
        flat.pop();
        flat.push('…');
    }
    flat
}

/// Quotes text of an artifact, shortened and in backticks.
pub(crate) fn quote(text: &str) -> String {
    format!("`{}`", cut(text, LONGEST_QUOTE))
}

/// Bytes that may not be text, as text on one line, cut to a number of characters.
pub(crate) fn cut_bytes(bytes: &[u8], most: usize) -> String {
    // A character has at most four bytes, so more than that cannot be shown anyway.
    cut(&String::from_utf8_lossy(head(bytes, most * 4 + 4)), most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_that_turns_or_hides_is_marked() {
        assert_eq!(quote("a\u{202e}b\u{200b}c\nd"), "`a\u{fffd}b\u{fffd}c d`");
    }

    #[test]
    fn cut_keeps_its_limit() {
        assert_eq!(cut("abc", 3), "abc");
        assert_eq!(cut("abcd", 3), "ab…");
        assert_eq!(cut("a\nb", 9), "a b");
        assert_eq!(cut_bytes("äöüß".repeat(50).as_bytes(), 40).chars().count(), 40);
    }
}
