//! Neutralizes text from outside: nothing stays hidden in it, and nothing looks like one of our fences.
//!
//! - Bidi controls, invisible characters and controls become visible escapes such as `\u{202e}`. A text that already
//!   contains such an escape literally is unchanged: the escape informs a reader and is not meant to be reversed.
//! - A run of three or more `<` or `>` is broken by a backslash after every second one, so neither `<<<` nor `>>>` is
//!   in the result, wherever it is inserted.
//! - Joiners and variation selectors stay where a script or an emoji needs them.
//!
//! Neutral text is returned borrowed, and neutralizing twice changes nothing more.

use deed_diag::Invariant as _;
use std::borrow::Cow;
use std::fmt::Write;

use deed_detect::CharClass as Class;

/// The number of bytes that are tested together; a block with nothing notable is skipped at once.
const BLOCK: usize = 64;
/// The shortest run of `<` or `>` that is a fence.
const FENCE: usize = 3;

/// Counts of neutralizations, by kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub(crate) struct Neutralized {
    /// Characters that change the text direction.
    pub(crate) bidi: u64,
    /// Control characters, lone carriage returns and Unicode's line separators.
    pub(crate) control: u64,
    /// Runs of three or more `<` or `>`.
    pub(crate) fence: u64,
    /// Invisible characters.
    pub(crate) invisible: u64,
}

/// Returns true for the two selectors between text and picture presentation. The others choose between forms that few
/// fonts have, and could each carry four hidden bits.
fn is_presentation(c: char) -> bool {
    matches!(c, '\u{fe0e}' | '\u{fe0f}')
}

impl Neutralized {
    /// Returns true if anything was changed.
    #[cfg(test)]
    pub(crate) fn any(&self) -> bool {
        *self != Self::default()
    }

    /// Adds the counts of another text.
    pub(crate) fn add(&mut self, other: &Self) {
        self.bidi += other.bidi;
        self.control += other.control;
        self.fence += other.fence;
        self.invisible += other.invisible;
    }
}

/// Makes everything that hides or imitates visible; borrowed if nothing had to change.
pub(crate) fn neutralize<'a>(text: &'a str, counts: &mut Neutralized) -> Cow<'a, str> {
    let mut pass = Pass { text, at: 0, copied: 0, out: String::new(), counts };
    while let Some(rest) = text.as_bytes().get(pass.at..).filter(|rest| !rest.is_empty()) {
        let until = pass.at + rest.len().min(BLOCK);
        // A constant length makes the test of a whole block faster.
        let plain = rest.first_chunk::<BLOCK>().map_or_else(|| is_plain(rest), |block| is_plain(block));
        if plain {
            pass.at = until;
        } else {
            pass.step_through(until);
        }
    }
    pass.finish()
}

/// Returns true if a block has nothing notable; without an early exit, so that it is vectorized.
#[inline]
fn is_plain(block: &[u8]) -> bool {
    !block.iter().fold(false, |seen, byte| seen | is_notable(*byte))
}

/// Returns true for bytes that need a closer test: all but printable ASCII, tabs and newlines, and the angle brackets.
fn is_notable(byte: u8) -> bool {
    let shown = (b' '..=b'~').contains(&byte) | (byte == b'\n') | (byte == b'\t');
    !shown | (byte == b'<') | (byte == b'>')
}

/// The pass over a text, between two characters.
struct Pass<'a, 'c> {
    text: &'a str,
    /// The next byte.
    at: usize,
    /// The end of the text that was copied to `out`; 0 while nothing had to change.
    copied: usize,
    out: String,
    counts: &'c mut Neutralized,
}

impl<'a> Pass<'a, '_> {
    /// Processes bytes one by one, up to `until` or past it within a character or a run.
    fn step_through(&mut self, until: usize) {
        while self.at < until
            && let Some(byte) = self.text.as_bytes().get(self.at).copied()
        {
            match byte {
                b'<' | b'>' => self.angles(byte),
                _ if is_notable(byte) => self.character(),
                _ => self.at += 1,
            }
        }
    }

    /// Processes a run of `<` or `>`, broken if it is long enough for a fence.
    fn angles(&mut self, angle: u8) {
        let rest = self.text.as_bytes().get(self.at..).invariant("the pass is within the text");
        let length = rest.iter().take_while(|byte| **byte == angle).count();
        if length >= FENCE {
            self.counts.fence += 1;
            self.copy_to(self.at);
            for place in 0..length {
                if place > 0 && place.is_multiple_of(2) {
                    self.out.push('\\');
                }
                self.out.push(char::from(angle));
            }
            self.copied = self.at + length;
        }
        self.at += length;
    }

    /// Processes one character, escaped if it may not stay.
    fn character(&mut self) {
        let mut rest = self.text.get(self.at..).invariant("a character begins there").chars();
        let c = rest.next().invariant("the pass is before the end of the text");
        let count = match Class::of(c) {
            Class::Plain => None,
            Class::Control if c == '\r' && rest.next() == Some('\n') => None,
            Class::Joiner if self.joins(rest.next()) => None,
            Class::Selector if is_presentation(c) && self.selects() => None,
            Class::Bidi => Some(&mut self.counts.bidi),
            Class::Control => Some(&mut self.counts.control),
            Class::Invisible | Class::Joiner | Class::Selector => Some(&mut self.counts.invisible),
        };
        if let Some(count) = count {
            *count += 1;
            self.escape(c);
        }
        self.at += c.len_utf8();
    }

    /// Returns true if a joiner here has something to join: a visible character beyond ASCII on either side, the one
    /// before perhaps with its variation selector.
    fn joins(&self, next: Option<char>) -> bool {
        let mut before = self.before();
        let first = before.next();
        let joined = match first.map(Class::of) {
            Some(Class::Selector) => before.next().filter(|c| is_selectable(*c)),
            _ => first,
        };
        joined.is_some_and(is_joinable) && next.is_some_and(is_joinable)
    }

    /// Returns true if a variation selector here has a character to select a variant of.
    fn selects(&self) -> bool {
        self.before().next().is_some_and(is_selectable)
    }

    /// Iterates over the characters before this one, the nearest first.
    fn before(&self) -> impl Iterator<Item = char> {
        self.text.get(..self.at).invariant("a character begins there").chars().rev()
    }

    fn escape(&mut self, c: char) {
        self.copy_to(self.at);
        // Writing to a string cannot fail.
        let _ = write!(self.out, "\\u{{{:x}}}", u32::from(c));
        self.copied = self.at + c.len_utf8();
    }

    fn copy_to(&mut self, end: usize) {
        self.out.push_str(self.text.get(self.copied..end).invariant("copied text ends between characters"));
    }

    fn finish(mut self) -> Cow<'a, str> {
        if self.copied == 0 {
            return Cow::Borrowed(self.text);
        }
        self.copy_to(self.text.len());
        Cow::Owned(self.out)
    }
}

/// Returns true if a joiner may touch the character: visible, beyond ASCII, and not a blank.
fn is_joinable(c: char) -> bool {
    !c.is_ascii() && !c.is_whitespace() && Class::of(c) == Class::Plain
}

/// Returns true if the character has variants: as above, and the keycap characters.
fn is_selectable(c: char) -> bool {
    is_joinable(c) || matches!(c, '#' | '*' | '0'..='9')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(text: &str, expected: &str, counts: Neutralized) {
        let mut counted = Neutralized::default();
        let result = neutralize(text, &mut counted);
        assert_eq!((result.as_ref(), counted), (expected, counts), "from {text:?}");
        assert_eq!(matches!(result, Cow::Borrowed(_)), text == expected);
        assert_eq!(counted.any(), text != expected);
    }

    fn stays(text: &str) {
        check(text, text, Neutralized::default());
    }

    fn fences(fence: u64) -> Neutralized {
        Neutralized { fence, ..Neutralized::default() }
    }

    fn hidden(invisible: u64) -> Neutralized {
        Neutralized { invisible, ..Neutralized::default() }
    }

    fn controls(control: u64) -> Neutralized {
        Neutralized { control, ..Neutralized::default() }
    }

    #[test]
    fn neutral_text_stays() {
        stays("");
        stays("Order ord_881, a < b >> c << d\n\tnext\r\nlast");
        stays("naïve – “quoted” 漢字 עברית العربية");
        stays(r"a literal \u{202e} is plain text");
    }

    #[test]
    fn what_turns_or_hides_becomes_visible() {
        check("a\u{202e}b", r"a\u{202e}b", Neutralized { bidi: 1, ..Neutralized::default() });
        check("a\u{200b}\u{e0041}b", r"a\u{200b}\u{e0041}b", hidden(2));
        check("\u{feff}text", r"\u{feff}text", hidden(1));
        check("a\0b\u{1b}[0m\u{7f}\u{85}\u{2028}", r"a\u{0}b\u{1b}[0m\u{7f}\u{85}\u{2028}", controls(5));
    }

    #[test]
    fn carriage_returns_stay_before_newlines_only() {
        stays("a\r\nb\r\n");
        check("a\rb\r\r\n\r", "a\\u{d}b\\u{d}\r\n\\u{d}", controls(3));
    }

    #[test]
    fn runs_that_could_be_fences_are_broken() {
        stays("<< >>");
        check("<<<", r"<<\<", fences(1));
        check(">>>>", r">>\>>", fences(1));
        check("a<<<<<b>>>c", r"a<<\<<\<b>>\>c", fences(2));
        check("<<<>>>", r"<<\<>>\>", fences(2));
        check("<<\u{200b}<", r"<<\u{200b}<", hidden(1));
        let long = format!("{}<<<<", "x".repeat(62));
        check(&long, &format!("{}<<\\<<", "x".repeat(62)), fences(1));
    }

    #[test]
    fn joiners_stay_where_they_join() {
        stays("👩\u{200d}💻 می\u{200c}خواهم ❤\u{fe0f}\u{200d}🔥");
        check("a\u{200d}b", r"a\u{200d}b", hidden(1));
        check("é\u{200d}b", r"é\u{200d}b", hidden(1));
        check("é\u{200d}\u{200c}é", r"é\u{200d}\u{200c}é", hidden(2));
        check("é\u{200d}\u{202e}é", r"é\u{200d}\u{202e}é", Neutralized { bidi: 1, invisible: 1, ..Default::default() });
        check("\u{200d}é\u{200d}", r"\u{200d}é\u{200d}", hidden(2));
    }

    #[test]
    fn selectors_stay_where_they_select() {
        stays("❤\u{fe0f} 1\u{fe0f}\u{20e3}");
        check("a\u{fe0f}", r"a\u{fe0f}", hidden(1));
        check("❤\u{fe0f}\u{fe00}", "❤\u{fe0f}\\u{fe00}", hidden(1));
        check("é\u{200d}\u{fe0f}", r"é\u{200d}\u{fe0f}", hidden(2));
        check("a\u{fe0f}\u{200d}é", r"a\u{fe0f}\u{200d}é", hidden(2));
    }

    proptest! {
        #[test]
        fn nothing_hides_in_any_text(text in "[a<>\\r\\n\u{7f}é漢\u{200b}-\u{200f}\u{202e}\u{fe0f}\u{e0041}]{0,90}|\\PC{0,90}") {
            let mut counts = Neutralized::default();
            let result = neutralize(&text, &mut counts);
            prop_assert_eq!(matches!(result, Cow::Borrowed(_)), !counts.any());
            prop_assert_eq!(result == text, !counts.any());
            prop_assert!(!result.contains("<<<") && !result.contains(">>>"));
            for c in result.chars().filter(|c| *c != '\r') {
                prop_assert!(matches!(Class::of(c), Class::Plain | Class::Joiner | Class::Selector));
            }
            let mut again = Neutralized::default();
            prop_assert!(matches!(neutralize(&result, &mut again), Cow::Borrowed(_)));
            prop_assert!(!again.any());
        }

        #[test]
        fn every_escape_is_counted(text in "[ab\0é\u{200b}\u{202e}\u{e0041}]{0,40}") {
            let mut counts = Neutralized::default();
            let result = neutralize(&text, &mut counts);
            let escapes = result.matches("\\u{").count() as u64;
            prop_assert_eq!(escapes, counts.bidi + counts.control + counts.invisible);
        }
    }
}
