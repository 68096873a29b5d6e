//! A text without its disguises: invisible characters, full-width forms and percent-encoding.
//!
//! A key that is split by a zero-width space, a card in full-width digits and a percent-encoded token still work for
//! their user. Each byte of the plain text has its position in the original, so that findings are reported in the
//! original.

use std::ops::Range;

use deed_canon::Invariant;

use crate::class::CharClass;

/// A text without its disguises.
pub(crate) struct Unfolded {
    /// The plain text.
    pub(crate) text: String,
    /// Of each byte of it, where what it stood for begins.
    starts: Vec<u32>,
    /// Of each byte of it, how many bytes it stood for.
    lengths: Vec<u8>,
}

impl Unfolded {
    /// Removes the disguises; `None` if there are none.
    pub(crate) fn of(text: &str) -> Option<Self> {
        // Places are kept in four bytes; no document comes near that.
        if !is_disguised(text) || u32::try_from(text.len()).is_err() {
            return None;
        }
        let size = text.len();
        let mut plain = Self {
            text: String::with_capacity(size),
            starts: Vec::with_capacity(size),
            lengths: Vec::with_capacity(size),
        };
        let mut from = 0;
        while let Some(c) = text.get(from..).and_then(|rest| rest.chars().next()) {
            let (read, length) = match c {
                '%' => match percent(text, from) {
                    Some(read) => (Some(read), 3),
                    None => (Some(c), 1),
                },
                c => (unfolded(c), c.len_utf8()),
            };
            if let (Some(read), Ok(start), Ok(bytes)) = (read, u32::try_from(from), u8::try_from(length)) {
                plain.text.push(read);
                plain.starts.extend(std::iter::repeat_n(start, read.len_utf8()));
                plain.lengths.extend(std::iter::repeat_n(bytes, read.len_utf8()));
            }
            from += length;
        }
        Some(plain)
    }

    /// The position of a part of the plain text in the original.
    pub(crate) fn place(&self, range: &Range<usize>) -> Range<usize> {
        let place = || {
            let last = range.end.checked_sub(1)?;
            let end = *self.starts.get(last)? as usize + usize::from(*self.lengths.get(last)?);
            Some(*self.starts.get(range.start)? as usize..end)
        };
        place().invariant("a finding lies within the plain text")
    }
}

/// Returns true if the text has a disguise; most texts have none, and for them nothing is allocated.
fn is_disguised(text: &str) -> bool {
    let encoded = || memchr::memchr_iter(b'%', text.as_bytes()).any(|at| percent(text, at).is_some());
    let hidden = || text.chars().any(|c| unfolded(c) != Some(c));
    encoded() || (!text.is_ascii() && hidden())
}

/// The character of two hexadecimal digits behind a percent sign, if it is one that can be shown.
fn percent(text: &str, at: usize) -> Option<char> {
    let digits = text.get(at + 1..at + 3).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
    let byte = u8::from_str_radix(digits, 16).ok()?;
    (byte.is_ascii_graphic() || byte == b' ').then_some(char::from(byte))
}

/// The character that a reader sees; `None` for one that is not shown.
fn unfolded(c: char) -> Option<char> {
    match c {
        c if c.is_ascii() => Some(c),
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(c) - 0xfee0),
        '\u{3000}' => Some(' '),
        c => match CharClass::of(c) {
            CharClass::Invisible | CharClass::Joiner | CharClass::Bidi | CharClass::Selector => None,
            CharClass::Plain | CharClass::Control => Some(c),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::Unfolded;

    #[test]
    fn disguises_are_taken_off_and_places_are_kept() {
        let text = "a\u{200b}b４%5Fc%zz é";
        let plain = Unfolded::of(text).unwrap();
        assert_eq!(plain.text, "ab4_c%zz é");
        assert_eq!(text.get(plain.place(&(0..2))), Some("a\u{200b}b"));
        assert_eq!(text.get(plain.place(&(2..4))), Some("４%5F"));
        for text in ["", "plain", "ümlaut", "100 %", "50%off"] {
            assert!(Unfolded::of(text).is_none(), "{text}");
        }
    }
}
