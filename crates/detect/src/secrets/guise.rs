//! Guises: the surroundings that a lead or a keyword must have for its rule to match.
//!
//! A guise is necessary, never sufficient: where it is denied, the pattern matches nothing there. It holds
//! for a text, for `name="value"`, and for the same name and value in JSON, where the elements of an array
//! stand under the array's name however far away they are.

use std::cell::Cell;
use std::ops::Range;
use std::sync::LazyLock;

use super::compiled::expanded;
use super::rule::{Form, Rule};
use super::run::certain_run;
use crate::bytes::{ByteSet, part};
use crate::reading::Reading;

/// The surroundings that a rule's lead or keyword must have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Guise {
    /// Nothing that would be cheaper to look for than the pattern itself.
    Any,
    /// An assignment, then a value of at least so many bytes.
    Value(usize),
    /// A credential's word, then so many token characters in a row: a vendor's name in an assignment.
    Vendor(usize),
    /// So many token characters in a row, anywhere in the window.
    Near(usize),
    /// Token characters in three parts between dots anywhere in the window, the second and third of these
    /// lengths, the third or longer.
    Dotted(usize, usize),
    /// This word, in any case, behind an assignment.
    Word(&'static [u8]),
    /// An `@` within so many bytes.
    Mailbox(usize),
}

/// A text, and what it stands for.
pub(super) struct View<'t> {
    pub(super) bytes: &'t [u8],
    pub(super) reading: Reading,
    /// A range in which no token of three parts begins, as far as [`Guise::Dotted`] has looked.
    pub(super) undotted: Cell<Range<usize>>,
}

/// A place in a text.
pub(super) struct Surroundings<'t> {
    pub(super) view: &'t View<'t>,
    pub(super) place: Range<usize>,
}

/// The characters of keys, with what base64 and its like add.
static WIDE: LazyLock<ByteSet> = LazyLock::new(|| ByteSet::of(|b| is_token(b) || b"+/=.~%".contains(&b)));

/// The bytes before a keyword and after its reach that may belong to a match: the window, and a match's length.
const NEAR_BEFORE: usize = 192;
const NEAR_AFTER: usize = 1_024;
/// The most bytes between a vendor's name and the credential's word: the pattern's 48, with room for JSON.
const WORD_WITHIN: usize = 64;
/// The most bytes between a vendor's name and the value: 48, a word, 24, an assignment, quotes, with room.
const VALUE_WITHIN: usize = 256;
/// The most bytes of the rest of a name and the assignment: 32, quotes, blanks and `value`, with room.
const LONGEST_JOINT: usize = 192;
/// The most bytes of a key behind a word in it.
const LONGEST_KEY: usize = 320;

impl Guise {
    /// The guise of a rule: its own, or what its form asks for.
    pub(super) fn of(rule: &Rule) -> Self {
        match rule.form {
            Form::Assigned { value, .. } => Self::Vendor(certain_run(&expanded(value), &WIDE)),
            Form::Token(_) | Form::Within(_) => rule.guise,
        }
    }

    /// Returns true if the surroundings allow a match.
    pub(super) fn may_be(self, at: &Surroundings<'_>) -> bool {
        match self {
            Self::Any => true,
            Self::Value(least) => at.is_assigned(least),
            Self::Vendor(least) => (at.has_run(0, VALUE_WITHIN + least, least) && at.has_word()) || at.names_a_list(),
            Self::Near(least) => at.has_run(NEAR_BEFORE, NEAR_AFTER, least) || at.names_a_list(),
            Self::Dotted(second, third) => at.has_dots(second, third) || at.names_a_list(),
            Self::Word(word) => at.is_soon(word) || at.names_a_list(),
            Self::Mailbox(within) => memchr::memchr(b'@', at.after(within)).is_some(),
        }
    }
}

impl<'t> Surroundings<'t> {
    /// Up to so many bytes behind the place.
    fn after(&self, length: usize) -> &'t [u8] {
        let rest = part(self.view.bytes, self.place.end..);
        rest.get(..length).unwrap_or(rest)
    }

    /// Returns true if token characters stand in a row, from so far before the place to so far behind it.
    fn has_run(&self, before: usize, after: usize, least: usize) -> bool {
        let start = self.place.start.saturating_sub(before);
        let end = self.place.end.saturating_add(after).min(self.view.bytes.len());
        // One less, since a run may end with the `=` that joins a name and its value.
        WIDE.has_run(part(self.view.bytes, start..end), least.saturating_sub(1))
    }

    /// Returns true if two dots stand so far apart in the window, with so many token characters behind them.
    fn has_dots(&self, second: usize, third: usize) -> bool {
        let start = self.place.start.saturating_sub(NEAR_BEFORE);
        let end = self.place.end.saturating_add(NEAR_AFTER).min(self.view.bytes.len());
        let undotted = self.view.undotted.take();
        // Windows overlap: the part that an earlier window covered is skipped.
        let from = if undotted.contains(&start) { undotted.end } else { start };
        // Nothing is left where an earlier window reached beyond this one.
        let window = self.view.bytes.get(from..end).unwrap_or_default();
        let behind = |dot: usize| window.get(dot + second + 2..).and_then(|rest| rest.get(..third));
        let mut twice = memchr::memchr_iter(b'.', window).filter(|dot| window.get(dot + second + 1) == Some(&b'.'));
        let found = twice.any(|dot| behind(dot).is_some_and(|token| token.iter().copied().all(is_token)));
        if !found {
            // A dot too near the end of the window is not decided yet.
            let said = end.saturating_sub(second + third + 2).max(from);
            self.view.undotted.set(if from == start { start..said } else { undotted.start..said });
        }
        found
    }

    /// Returns true if a word follows behind quotes, blanks and a sign.
    fn is_soon(&self, word: &[u8]) -> bool {
        let mut places = self.after(WORD_WITHIN).windows(word.len());
        places.any(|place| place.eq_ignore_ascii_case(word))
    }

    /// Returns true if a credential's word follows, judged by its first three letters.
    fn has_word(&self) -> bool {
        let end = self.place.end.saturating_add(WORD_WITHIN).min(self.view.bytes.len());
        let behind = part(self.view.bytes, self.place.start..end);
        behind.array_windows::<3>().any(|start| begins_a_word(start.map(|byte| byte.to_ascii_lowercase())))
    }

    /// Returns true if the place is in a JSON key whose value is an array.
    fn names_a_list(&self) -> bool {
        if self.view.reading == Reading::Text {
            return false;
        }
        let key = self.after(LONGEST_KEY);
        let end = memchr::memchr(b'"', key).map_or(key.len(), |quote| quote + 1);
        let mut next = part(key, end..).iter().filter(|byte| !byte.is_ascii_whitespace());
        next.next() == Some(&b':') && next.next() == Some(&b'[')
    }

    /// Returns true if an assignment follows with a value of at least so many bytes, or with a list of values.
    fn is_assigned(&self, least: usize) -> bool {
        let rest = self.after(LONGEST_JOINT + least);
        let rest = past(rest, |byte| is_token(byte) || byte == b'.');
        // In JSON a key's quote stands behind the blanks that the key ends with.
        let rest = past(rest, |byte| is_blank(byte) || matches!(byte, b'\\' | b'"' | b'\'' | b'`' | b']' | b')'));
        let Some((sign, behind)) = rest.split_first() else {
            return false;
        };
        if !b"=:,>|?".contains(sign) {
            return begins_with_value(rest);
        }
        let value = past(behind, is_before_value);
        // The value itself may begin with what was passed over.
        let passed = behind.len() - value.len();
        let own = behind.iter().take(passed).rev().take_while(|byte| is_value(**byte)).count();
        let length = own + value.iter().take(least).take_while(|byte| is_value(**byte)).count();
        length >= least || value.first() == Some(&b'[') || (*sign == b',' && begins_with_value(value))
    }
}

/// The bytes behind those for which the predicate holds.
fn past(bytes: &[u8], holds: impl Fn(u8) -> bool) -> &[u8] {
    let length = bytes.iter().take_while(|byte| holds(**byte)).count();
    part(bytes, length..)
}

/// Returns true if the second name of a pair follows, as in `name: X, value: Y`.
fn begins_with_value(bytes: &[u8]) -> bool {
    let word = past(bytes, |byte| matches!(byte, b'\\' | b'"' | b'\''));
    word.get(..5).is_some_and(|word| word.eq_ignore_ascii_case(b"value"))
}

/// Returns true for the first letters, in lower case, of a word that makes a vendor's name that of a credential.
fn begins_a_word(start: [u8; 3]) -> bool {
    matches!(&start, b"key" | b"tok" | b"sec" | b"pas" | b"pwd" | b"aut" | b"cre")
        || matches!(&start, b"pat" | b"sid" | b"lic" | b"bea" | b"sas" | b"sig")
}

fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-'
}

/// Returns true for bytes that may stand between the first sign of an assignment and the value.
fn is_before_value(byte: u8) -> bool {
    is_blank(byte) || matches!(byte, b'=' | b':' | b'>' | b'|' | b'?' | b'\\' | b'"' | b'\'' | b'`')
}

fn is_value(byte: u8) -> bool {
    !is_blank(byte) && !matches!(byte, b'"' | b'\'' | b'`' | b'\\')
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b'\t'..=b'\r' | b' ')
}
