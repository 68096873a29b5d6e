//! Facts about a text, found in one pass, that rule most detectors out.
//!
//! Most texts hold nothing personal, and each detector would find that out by a search of its own.
//! A fact must be necessary: where a detector is ruled out, its search would have found nothing.

/// The bytes that are looked at together; a word without digits is passed over at once.
const WORD: usize = 16;

/// Facts about a text that determine which detectors can find anything in it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Outline {
    /// True if there is an `@`.
    pub(crate) at_sign: bool,
    /// True if there is a `+`.
    pub(crate) plus: bool,
    /// The most digits in a stretch of digits and the marks people put between them.
    pub(crate) most_digits: usize,
    /// True if exactly two capitals stand before some digit, as in an IBAN.
    pub(crate) after_two_capitals: bool,
    /// True if exactly five capitals stand before some digit, as in a permanent account number.
    pub(crate) after_five_capitals: bool,
}

impl Outline {
    /// Looks a text over once.
    pub fn of(text: &str) -> Self {
        let (words, rest) = text.as_bytes().as_chunks::<WORD>();
        let mut pass = Pass { outline: Self::default(), bytes: text.as_bytes(), at: 0, digits: 0 };
        for word in words {
            // A length that is known lets the compiler look at all bytes of a word at once.
            pass.word(word, Seen::of(word));
        }
        pass.word(rest, Seen::of(rest));
        pass.outline
    }
}

/// The pass over a text, between two words.
struct Pass<'t> {
    outline: Outline,
    bytes: &'t [u8],
    /// The start of the next word.
    at: usize,
    /// The number of digits in the open stretch.
    digits: usize,
}

impl Pass<'_> {
    fn word(&mut self, word: &[u8], seen: Seen) {
        self.outline.at_sign |= seen.at_sign;
        self.outline.plus |= seen.plus;
        if seen.digit {
            self.count(word);
        } else if self.digits > 0 && !word.iter().copied().all(is_mark) {
            self.digits = 0;
        }
        self.at += word.len();
    }

    /// Counts on through a word with digits.
    fn count(&mut self, word: &[u8]) {
        let mut last = self.at.checked_sub(1).and_then(|at| self.bytes.get(at)).copied().unwrap_or_default();
        let (mut digits, mut most) = (self.digits, self.outline.most_digits);
        for (at, byte) in word.iter().copied().enumerate() {
            if byte.is_ascii_digit() {
                digits += 1;
                most = most.max(digits);
                if last.is_ascii_uppercase() {
                    self.note_capitals(self.at + at);
                }
            } else if !is_mark(byte) {
                digits = 0;
            }
            last = byte;
        }
        (self.digits, self.outline.most_digits) = (digits, most);
    }

    /// Notes how many capitals end right before a digit; more than five are all the same.
    fn note_capitals(&mut self, digit: usize) {
        let before = self.bytes.iter().take(digit);
        let capitals = before.rev().take(6).take_while(|byte| byte.is_ascii_uppercase()).count();
        self.outline.after_two_capitals |= capitals == 2;
        self.outline.after_five_capitals |= capitals == 5;
    }
}

/// The relevant bytes that a word has.
struct Seen {
    at_sign: bool,
    digit: bool,
    plus: bool,
}

impl Seen {
    /// Without an early end, which would keep the bytes apart.
    #[inline]
    fn of(word: &[u8]) -> Self {
        let has = |telling: fn(u8) -> bool| word.iter().fold(false, |seen, byte| seen | telling(*byte));
        Self { at_sign: has(|b| b == b'@'), digit: has(|b| b.is_ascii_digit()), plus: has(|b| b == b'+') }
    }
}

/// Returns true if the byte is a mark that may stand between the digits of one number.
fn is_mark(byte: u8) -> bool {
    matches!(byte, b' ' | b'-' | b'.' | b'(' | b')')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn most(text: &str) -> usize {
        Outline::of(text).most_digits
    }

    #[test]
    fn counts_the_digits_of_the_longest_stretch() {
        assert_eq!(most(""), 0);
        assert_eq!(most("no digits at all, in some words"), 0);
        assert_eq!(most("placed 2026-05-01 for INR 4200"), 8);
        assert_eq!(most("4111 1111 1111 1111"), 16);
        assert_eq!(most("12345          67890"), 10);
        assert_eq!(most("12345 and then 67890"), 5);
        assert_eq!(most(&"7".repeat(1_000)), 1_000);
    }

    #[test]
    fn notes_capitals_before_digits_across_words() {
        let noted = |text: &str| {
            let outline = Outline::of(text);
            (outline.after_two_capitals, outline.after_five_capitals)
        };
        for lead in 0..20 {
            let lead = "-".repeat(lead);
            assert_eq!(noted(&format!("{lead}GB29")), (true, false));
            assert_eq!(noted(&format!("{lead}ABCPD1234E")), (false, true));
            assert_eq!(noted(&format!("{lead}XABCPD1234E Q3 2026T4")), (false, false));
        }
    }

    #[test]
    fn sees_signs() {
        assert_eq!(Outline::of("a@b"), Outline { at_sign: true, ..Outline::default() });
        assert_eq!(Outline::of("a+b"), Outline { plus: true, ..Outline::default() });
    }
}
