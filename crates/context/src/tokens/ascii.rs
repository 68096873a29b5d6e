//! Splits ASCII text into pieces as the pattern of `o200k_base` does.
//!
//! The pattern's alternatives, in order: a word (one other character, capitals, small letters, a contraction), up to
//! three digits, a run of signs with a blank before and line ends or slashes after, blanks up to the last line end,
//! blanks but for the last before something else, and blanks. In ASCII they need no search: the first bytes decide. A
//! property test compares this with the pattern itself.

/// An iterator over the pieces of a text.
pub(super) struct Pieces<'t> {
    rest: &'t [u8],
}

impl<'t> Pieces<'t> {
    /// Returns `None` if the text is not ASCII.
    pub(super) fn of(text: &'t str) -> Option<Self> {
        text.is_ascii().then_some(Self { rest: text.as_bytes() })
    }
}

impl<'t> Iterator for Pieces<'t> {
    type Item = &'t [u8];

    fn next(&mut self) -> Option<&'t [u8]> {
        if self.rest.is_empty() {
            return None;
        }
        let (piece, rest) = self.rest.split_at_checked(length(self.rest))?;
        self.rest = rest;
        Some(piece)
    }
}

fn length(text: &[u8]) -> usize {
    let first = at(text, 0);
    let word =
        word(text, 0).or_else(|| (!is_alphanumeric(first) && !is_line_end(first)).then(|| word(text, 1)).flatten());
    if let Some(end) = word {
        return end;
    }
    if first.is_ascii_digit() {
        let three = text.get(..3).unwrap_or(text);
        return run(three, 0, |b| b.is_ascii_digit());
    }
    let blank = usize::from(first == b' ');
    let signs = run(text, blank, is_sign);
    if signs > blank {
        return run(text, signs, |b| is_line_end(b) || b == b'/');
    }
    let blanks = run(text, 0, is_blank);
    match text.get(..blanks).unwrap_or_default().iter().rposition(|b| is_line_end(*b)) {
        Some(last) => last + 1,
        None if blanks == text.len() => blanks,
        None => blanks.saturating_sub(1).max(1),
    }
}

/// Returns the end of a word that starts here: capitals, small letters, at least one of them, and a contraction.
fn word(text: &[u8], start: usize) -> Option<usize> {
    let capitals = run(text, start, |b| b.is_ascii_uppercase());
    let end = run(text, capitals, |b| b.is_ascii_lowercase());
    (end > start).then(|| end + contraction(text, end))
}

/// Returns the length of `'s`, `'t`, `'re`, `'ve`, `'m`, `'ll` or `'d`, in any case.
fn contraction(text: &[u8], start: usize) -> usize {
    if at(text, start) != b'\'' {
        return 0;
    }
    let (one, two) = (at(text, start + 1).to_ascii_lowercase(), at(text, start + 2).to_ascii_lowercase());
    match (one, two) {
        (b's' | b't' | b'm' | b'd', _) => 2,
        (b'r' | b'v', b'e') | (b'l', b'l') => 3,
        _ => 0,
    }
}

/// Returns the end of a run of bytes.
fn run(text: &[u8], start: usize, belongs: impl Fn(u8) -> bool) -> usize {
    let rest = text.get(start..).unwrap_or_default();
    start + rest.iter().position(|b| !belongs(*b)).unwrap_or(rest.len())
}

/// Returns a byte, or one that belongs to no class.
fn at(text: &[u8], index: usize) -> u8 {
    text.get(index).copied().unwrap_or(b'\n')
}

fn is_alphanumeric(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
}

fn is_line_end(byte: u8) -> bool {
    matches!(byte, b'\r' | b'\n')
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | 0x0b | 0x0c | b'\r')
}

fn is_sign(byte: u8) -> bool {
    !is_blank(byte) && !is_alphanumeric(byte)
}

#[cfg(test)]
mod tests {
    use super::Pieces;
    use proptest::prelude::*;

    fn same(text: &str) {
        let own: Vec<&str> = Pieces::of(text).unwrap().map(|piece| std::str::from_utf8(piece).unwrap()).collect();
        let pattern: Vec<&str> = deed_vocabulary::o200k_base().split(text).collect();
        assert_eq!(own, pattern, "{text:?}");
    }

    #[test]
    fn the_corners() {
        for text in [
            "",
            " ",
            "  ",
            " a",
            "  a",
            "\n",
            " \n",
            " \n a",
            "a \n\n b",
            "ABCdef",
            "ABC",
            "aBC",
            "it's",
            "IT'S",
            "we'LL go",
            "'s",
            "x'",
            "don't'",
            "1234567",
            "a1b2",
            " 12",
            "  12",
            "...",
            " ...",
            "a/b//c\n",
            "<<<ev_0 kg:order\n",
            "\r\n\r\n",
            "\t\tx",
            "\u{b}\u{c} y",
            "\0a",
            "\u{1b}[2J",
            " \t",
            "a  ",
            "--\r\n\n/x",
            "'re's",
            "I'mX",
            "_x",
            "__x",
            "(foo)",
        ] {
            same(text);
        }
        assert!(Pieces::of("é").is_none());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4_000))]
        #[test]
        fn it_splits_as_the_pattern_does(text in "[ -~\\t\\r\\n\u{b}\u{c}\u{0}]{0,40}|([A-Z]{0,3}[a-z]{0,4}|'[a-zA-Z]{0,3}|[0-9]{1,5}|[ \\n\\t]{0,3}|[/._<>]{0,3}){0,20}") {
            same(&text);
        }
    }
}
