//! A folded view of a text: a copy without invisible characters, with digits and separators in ASCII, in which every
//! position can be mapped back to the original.
//!
//! Detectors read plain text. Without the view, a zero-width space inside a card number, or digits of another script,
//! would hide the number from the detectors but not from a reader.

use deed_diag::Invariant as _;
use std::ops::Range;

use deed_detect::CharClass as Class;

/// Replaces hidden characters that separate a letter from a digit: not a part of any word or number.
const APART: char = '\u{1}';

/// The places where hidden characters are dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Joint {
    /// Everywhere.
    Everywhere,
    /// Everywhere but between a letter and a digit, where they may end a word.
    ButBeforeNumbers,
}

/// A copy of a text to search, with a mapping to the original.
pub(super) struct Folded<'a> {
    original: &'a str,
    view: String,
    /// The positions from which copy and original run in step, by position in the copy.
    steps: Vec<Step>,
    /// True if hidden characters stand between a letter and a digit somewhere.
    apart: bool,
}

/// From here on, positions of copy and original have a constant distance.
#[derive(Clone, Copy)]
struct Step {
    view: usize,
    original: usize,
}

/// The folding of a character.
enum Fold {
    Stays,
    Becomes(char),
    Hidden,
}

/// Returns true if a view of the text would differ from it.
pub(super) fn differs(text: &str) -> bool {
    let suspect = |byte: &u8| !byte.is_ascii() | (byte.is_ascii_control() & !matches!(byte, b'\t' | b'\n' | b'\r'));
    // Without an early exit, so that it is vectorized; most texts are plain.
    text.as_bytes().iter().fold(false, |seen, byte| seen | suspect(byte))
        && text.chars().any(|c| !matches!(fold(c), Fold::Stays))
}

impl<'a> Folded<'a> {
    /// Builds the view.
    pub(super) fn of(original: &'a str, joint: Joint) -> Self {
        let mut folded =
            Self { original, view: String::with_capacity(original.len()), steps: Vec::new(), apart: false };
        // The start of the open run of hidden characters.
        let mut hidden: Option<usize> = None;
        for (at, c) in original.char_indices() {
            let shown = match fold(c) {
                Fold::Stays => c,
                Fold::Becomes(other) => other,
                Fold::Hidden => {
                    hidden = hidden.or(Some(at));
                    continue;
                }
            };
            if let Some(began) = hidden.take()
                && folded.view.chars().next_back().is_some_and(|before| are_apart(before, shown))
            {
                folded.apart = true;
                if joint == Joint::ButBeforeNumbers {
                    folded.push(APART, began);
                }
            }
            folded.push(shown, at);
        }
        folded
    }

    /// Returns true if the other joint gives another view.
    pub(super) fn has_joints(&self) -> bool {
        self.apart
    }

    /// Returns the text to search.
    pub(super) fn view(&self) -> &str {
        &self.view
    }

    /// Returns the bytes of the original from the first to the last character of a range of the view, with all hidden
    /// characters in between.
    pub(super) fn in_original(&self, range: &Range<usize>) -> Range<usize> {
        let last = self.view.floor_char_boundary(range.end.saturating_sub(1));
        let last_at = self.place(last);
        let rest = self.original.get(last_at..).invariant("a character begins there");
        self.place(range.start)..last_at + rest.chars().next().map_or(0, char::len_utf8)
    }

    fn place(&self, at: usize) -> usize {
        let after = self.steps.partition_point(|step| step.view <= at);
        let step = after.checked_sub(1).and_then(|last| self.steps.get(last));
        step.map_or(at, |step| step.original + (at - step.view))
    }

    fn push(&mut self, c: char, original: usize) {
        let view = self.view.len();
        let in_step = self.steps.last().map_or(view, |step| step.original + (view - step.view));
        if in_step != original {
            self.steps.push(Step { view, original });
        }
        self.view.push(c);
    }
}

fn are_apart(before: char, after: char) -> bool {
    let letter = |c: char| c.is_ascii_alphabetic() || c == '_';
    (letter(before) && after.is_ascii_digit()) || (before.is_ascii_digit() && letter(after))
}

fn fold(c: char) -> Fold {
    match (Class::of(c), c) {
        (_, ' '..='~' | '\r') => Fold::Stays,
        (_, '\u{2028}' | '\u{2029}') => Fold::Becomes('\n'),
        (Class::Plain, _) if c.is_ascii() => Fold::Stays,
        (Class::Plain, _) => in_ascii(c).map_or(Fold::Stays, Fold::Becomes),
        (Class::Bidi | Class::Control | Class::Invisible | Class::Joiner | Class::Selector, _) => Fold::Hidden,
    }
}

/// Returns the ASCII character for a digit, a blank, a hyphen or a fullwidth form.
fn in_ascii(c: char) -> Option<char> {
    match c {
        '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}' => Some(' '),
        // Hyphens, the figure and en dash of typeset numbers, and the minus.
        '\u{2010}'..='\u{2013}' | '\u{2212}' | '\u{fe63}' => Some('-'),
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(c) - 0xfee0),
        _ => decimal(c).and_then(|value| char::from_digit(value, 10)),
    }
}

/// Returns the value of a decimal digit of any script.
fn decimal(c: char) -> Option<u32> {
    let code = u32::from(c);
    let before = ZEROS.partition_point(|zero| *zero <= code).checked_sub(1)?;
    ZEROS.get(before).map(|zero| code - zero).filter(|value| *value < 10)
}

/// The zeros beyond ASCII; the other nine digits follow each (Unicode's category Nd).
const ZEROS: [u32; 75] = [
    0x0660, 0x06f0, 0x07c0, 0x0966, 0x09e6, 0x0a66, 0x0ae6, 0x0b66, 0x0be6, 0x0c66, 0x0ce6, 0x0d66, 0x0de6, 0x0e50,
    0x0ed0, 0x0f20, 0x1040, 0x1090, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90, 0x1b50, 0x1bb0, 0x1c40, 0x1c50,
    0xa620, 0xa8d0, 0xa900, 0xa9d0, 0xa9f0, 0xaa50, 0xabf0, 0xff10, 0x104a0, 0x10d30, 0x10d40, 0x11066, 0x110f0,
    0x11136, 0x111d0, 0x112f0, 0x11450, 0x114d0, 0x11650, 0x116c0, 0x116d0, 0x116da, 0x11730, 0x118e0, 0x11950,
    0x11bf0, 0x11c50, 0x11d50, 0x11da0, 0x11f50, 0x16130, 0x16a60, 0x16ac0, 0x16b50, 0x16d70, 0x1ccf0, 0x1d7ce,
    0x1d7d8, 0x1d7e2, 0x1d7ec, 0x1d7f6, 0x1e140, 0x1e2f0, 0x1e4f0, 0x1e5f1, 0x1e950, 0x1fbf0,
];

#[cfg(test)]
mod tests {
    use super::*;

    fn check(original: &str, joint: Joint, view: &str) {
        assert_eq!(Folded::of(original, joint).view(), view, "of {original:?}");
        assert!(differs(original));
    }

    #[test]
    fn zeros_are_sorted_and_numeric() {
        assert!(ZEROS.is_sorted());
        let digits = ZEROS.iter().filter(|zero| (0..10).all(|n| char::from_u32(*zero + n).unwrap().is_numeric()));
        assert_eq!(digits.count(), ZEROS.len());
    }

    #[test]
    fn plain_text_needs_no_view() {
        for text in ["", "plain\r\n\ttext 123", "naïve — 漢字"] {
            assert!(!differs(text), "{text:?}");
        }
    }

    #[test]
    fn what_is_hidden_goes_and_what_is_shown_is_ascii() {
        check("4\u{200b}1\u{202e}1\0\u{ad}1", Joint::Everywhere, "4111");
        check("４１１１ ٤١ ४१ 𝟒𝟏", Joint::Everywhere, "4111 41 41 41");
        check("41\u{a0}11\u{2011}１１＠ａ", Joint::Everywhere, "41 11-11@a");
        check("x\u{200b}\u{200b}41\u{200b}11\u{200b}y", Joint::Everywhere, "x4111y");
        check("x\u{200b}\u{200b}41\u{200b}11\u{200b}y", Joint::ButBeforeNumbers, "x\u{1}4111\u{1}y");
    }

    #[test]
    fn every_range_is_found_again() {
        let original = "é\u{200b}４\u{200b}１x漢\u{200b} y";
        let folded = Folded::of(original, Joint::Everywhere);
        assert_eq!(folded.view(), "é41x漢 y");
        let back = |part: &str| {
            let at = folded.view().find(part).unwrap();
            original.get(folded.in_original(&(at..at + part.len()))).unwrap()
        };
        assert_eq!(back("41"), "４\u{200b}１");
        assert_eq!(back("é4"), "é\u{200b}４");
        assert_eq!(back("x漢"), "x漢");
        assert_eq!(back("漢 "), "漢\u{200b} ");
        assert_eq!(back("y"), "y");
    }
}
