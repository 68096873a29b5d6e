//! Finds a text in bytes where any of its characters may be escaped: as in JSON, JavaScript, Python or C, in a URL, or in
//! HTML and XML, mixed, and escaped again.
//!
//! One byte is read as itself and as everything that an escape at its place stands for. An escape is read from characters
//! that may be escaped themselves, up to [`DEPTH`] times: `\u0026amp;` is `&`.

use std::collections::BTreeSet;

/// The number of times that a character may be escaped.
const DEPTH: usize = 3;

/// The length of a run of backslashes that is read without looking at each of them: more than one character can take up.
const RUN: usize = 2 << DEPTH;

/// The largest number of digits of a reference to a character; a number may have zeros before it.
const DIGITS: usize = 40;

/// The length within which an escape is taken to end, where more bytes may follow.
const LONGEST_ESCAPE: usize = 64;

/// The number of line breaks and zero bytes that may stand between two characters: text in base64 is broken into lines, and
/// a text in UTF-16 has a zero byte beside each ASCII character, one in UTF-32 three.
const BETWEEN: usize = 4;

/// The names of ASCII characters in HTML.
const NAMED: &[(&str, u8)] = &[
    ("Tab", b'\t'),
    ("NewLine", b'\n'),
    ("excl", b'!'),
    ("quot", b'"'),
    ("QUOT", b'"'),
    ("num", b'#'),
    ("dollar", b'$'),
    ("percnt", b'%'),
    ("amp", b'&'),
    ("AMP", b'&'),
    ("apos", b'\''),
    ("lpar", b'('),
    ("rpar", b')'),
    ("ast", b'*'),
    ("midast", b'*'),
    ("plus", b'+'),
    ("comma", b','),
    ("period", b'.'),
    ("sol", b'/'),
    ("colon", b':'),
    ("semi", b';'),
    ("lt", b'<'),
    ("LT", b'<'),
    ("equals", b'='),
    ("gt", b'>'),
    ("GT", b'>'),
    ("quest", b'?'),
    ("commat", b'@'),
    ("lsqb", b'['),
    ("lbrack", b'['),
    ("bsol", b'\\'),
    ("rsqb", b']'),
    ("rbrack", b']'),
    ("Hat", b'^'),
    ("lowbar", b'_'),
    ("UnderBar", b'_'),
    ("grave", b'`'),
    ("DiacriticalGrave", b'`'),
    ("lcub", b'{'),
    ("lbrace", b'{'),
    ("verbar", b'|'),
    ("vert", b'|'),
    ("VerticalLine", b'|'),
    ("rcub", b'}'),
    ("rbrace", b'}'),
];

/// The length of the longest of them.
const LONGEST_NAME: usize = 16;

/// A character that was read: its bytes, and the place behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Reading {
    bytes: [u8; 4],
    len: usize,
    next: usize,
}

impl Reading {
    fn byte(byte: u8, next: usize) -> Self {
        Self { bytes: [byte, 0, 0, 0], len: 1, next }
    }

    fn letter(letter: char, next: usize) -> Self {
        let mut bytes = [0; 4];
        let len = letter.encode_utf8(&mut bytes).len();
        Self { bytes, len, next }
    }

    /// Its bytes.
    fn bytes(&self) -> &[u8] {
        self.bytes.get(..self.len).unwrap_or_default()
    }

    /// The byte, if it is an ASCII character.
    fn ascii(&self) -> Option<u8> {
        let [first, ..] = self.bytes;
        (self.len == 1 && first.is_ascii()).then_some(first)
    }
}

/// A text that is searched for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Sought {
    text: Vec<u8>,
    /// True if it is found in capitals and in small letters, as hexadecimal digits are.
    any_case: bool,
}

impl Sought {
    pub(super) fn new(text: impl Into<Vec<u8>>) -> Self {
        Self { text: text.into(), any_case: false }
    }

    pub(super) fn in_any_case(text: impl Into<Vec<u8>>) -> Self {
        Self { text: text.into(), any_case: true }
    }

    pub(super) fn len(&self) -> usize {
        self.text.len()
    }

    fn has(&self, at: usize, bytes: &[u8]) -> bool {
        let part = self.text.get(at..at + bytes.len());
        part.is_some_and(|part| if self.any_case { part.eq_ignore_ascii_case(bytes) } else { part == bytes })
    }

    /// Marks each byte at which an occurrence may begin.
    pub(super) fn mark_begins(&self, begins: &mut [bool; 256]) {
        let first = self.text.first().copied();
        let cased = first.filter(|_| self.any_case);
        let cases = [first, cased.map(|byte| byte.to_ascii_uppercase()), cased.map(|byte| byte.to_ascii_lowercase())];
        // A blank may be written as a plus sign.
        let plus = first.filter(|first| *first == b' ').map(|_| b'+');
        for byte in cases.into_iter().flatten().chain(plus).chain(*b"\\%&") {
            if let Some(flag) = begins.get_mut(usize::from(byte)) {
                *flag = true;
            }
        }
    }

    /// Returns whether an occurrence may begin with one of these characters.
    pub(super) fn begins_with(&self, first: &[Reading]) -> bool {
        first.iter().any(|reading| self.has(0, reading.bytes()))
    }

    /// The place behind the text, if it begins at `at`; of several, the last.
    pub(super) fn end(&self, bytes: &[u8], at: usize) -> Option<usize> {
        let mut open = vec![(0, at, 0)];
        let mut seen = BTreeSet::new();
        let mut end = None;
        while let Some((matched, place, skipped)) = open.pop() {
            if matched == self.text.len() {
                end = end.max(Some(place));
                continue;
            }
            let Some(byte) = bytes.get(place) else { continue };
            if is_plain(*byte) {
                // The usual case, without anything to choose from.
                if self.has(matched, &[*byte]) {
                    open.push((matched + 1, place + 1, 0));
                }
                continue;
            }
            if !seen.insert((matched, place, skipped)) {
                continue;
            }
            for reading in readings(bytes, place, DEPTH) {
                if self.has(matched, reading.bytes()) {
                    open.push((matched + reading.len, reading.next, 0));
                } else if matched > 0 && skipped < BETWEEN && matches!(reading.ascii(), Some(b'\0' | b'\r' | b'\n')) {
                    open.push((matched, reading.next, skipped + 1));
                }
            }
        }
        end
    }
}

impl Sought {
    /// Returns true if the bytes may be the beginning of the text, and end before it does. An escape at their end may stand
    /// for anything.
    pub(super) fn may_begin(&self, bytes: &[u8]) -> bool {
        let mut open = vec![(0, 0, 0)];
        let mut seen = BTreeSet::new();
        while let Some((matched, place, skipped)) = open.pop() {
            if matched == self.text.len() || !seen.insert((matched, place, skipped)) {
                continue;
            }
            let Some(byte) = bytes.get(place) else { return place > 0 };
            if matches!(byte, b'\\' | b'%' | b'&') && bytes.len() - place < LONGEST_ESCAPE {
                return true;
            }
            for reading in readings(bytes, place, DEPTH) {
                if self.has(matched, reading.bytes()) {
                    open.push((matched + reading.len, reading.next, 0));
                } else if matched > 0 && skipped < BETWEEN && matches!(reading.ascii(), Some(b'\0' | b'\r' | b'\n')) {
                    open.push((matched, reading.next, skipped + 1));
                }
            }
        }
        false
    }
}

/// Everything that the bytes at a place may stand for.
pub(super) fn first(bytes: &[u8], at: usize) -> Vec<Reading> {
    readings(bytes, at, DEPTH)
}

/// Returns whether a byte stands for itself alone, and never between two characters.
fn is_plain(byte: u8) -> bool {
    !matches!(byte, b'\\' | b'%' | b'&' | b'+' | b'\0' | b'\r' | b'\n')
}

/// Everything that the bytes at a place may stand for, escaped so many times at most.
fn readings(bytes: &[u8], at: usize, depth: usize) -> Vec<Reading> {
    let Some(byte) = bytes.get(at) else { return Vec::new() };
    let itself = Reading::byte(*byte, at + 1);
    if *byte == b'+' {
        return vec![itself, Reading::byte(b' ', at + 1)];
    }
    if depth == 0 || !matches!(byte, b'\\' | b'%' | b'&') {
        return vec![itself];
    }
    if bytes.get(at..at + RUN).is_some_and(|run| run.iter().all(|byte| *byte == b'\\')) {
        // Whatever escapes which, it is a backslash.
        return (1..=1 << depth).map(|length| Reading::byte(b'\\', at + length)).collect();
    }
    let mut all = readings(bytes, at, depth - 1);
    for reading in all.clone() {
        let unescaped = match reading.ascii() {
            Some(b'\\') => backslash(bytes, reading.next, depth - 1),
            Some(b'%') => percent(bytes, reading.next, depth - 1),
            Some(b'&') => reference(bytes, reading.next, depth - 1),
            _ => continue,
        };
        for one in unescaped {
            if !all.contains(&one) {
                all.push(one);
            }
        }
    }
    all
}

/// The place behind the zero bytes that UTF-16 and UTF-32 put between ASCII characters.
fn behind_zeros(bytes: &[u8], at: usize) -> usize {
    let rest = bytes.get(at..).unwrap_or_default();
    at + rest.iter().take(BETWEEN).take_while(|byte| **byte == 0).count()
}

/// The next character of an escape, which may be escaped itself.
fn syntax(bytes: &[u8], at: usize, depth: usize) -> Option<(u8, usize)> {
    let all = readings(bytes, behind_zeros(bytes, at), depth);
    let last = all.into_iter().rfind(|reading| reading.ascii() != Some(b' '))?;
    Some((last.ascii()?, last.next))
}

/// The value of digits: at least `least`, and `most` at most.
fn number(bytes: &[u8], at: usize, depth: usize, radix: u32, (least, most): (usize, usize)) -> Option<(u32, usize)> {
    let (mut value, mut place, mut count) = (0_u32, at, 0);
    while count < most {
        let Some((digit, next)) = syntax(bytes, place, depth) else { break };
        let Some(digit) = char::from(digit).to_digit(radix) else { break };
        value = value.saturating_mul(radix).saturating_add(digit);
        (place, count) = (next, count + 1);
    }
    (count >= least).then_some((value, place))
}

/// What a value stands for: a character, and up to 255 also a byte.
fn valued(value: u32, next: usize) -> Vec<Reading> {
    let letter = char::from_u32(value).map(|letter| Reading::letter(letter, next));
    let byte = u8::try_from(value).ok().filter(|byte| !byte.is_ascii()).map(|byte| Reading::byte(byte, next));
    letter.into_iter().chain(byte).collect()
}

/// What stands behind a backslash: `n`, `xHH`, `uHHHH`, `u{H…}`, `UHHHHHHHH`, octal digits, or any other character.
fn backslash(bytes: &[u8], at: usize, depth: usize) -> Vec<Reading> {
    let mut all = Vec::new();
    for reading in readings(bytes, behind_zeros(bytes, at), depth) {
        let Some(letter) = reading.ascii() else { continue };
        let next = reading.next;
        let control = match letter {
            b'n' => Some(b'\n'),
            b'r' => Some(b'\r'),
            b't' => Some(b'\t'),
            b'b' => Some(8),
            b'f' => Some(12),
            _ => None,
        };
        let found = match letter {
            b'x' => number(bytes, next, depth, 16, (2, 2)).map(|(value, next)| valued(value, next)),
            b'u' => unit(bytes, next, depth),
            b'U' => number(bytes, next, depth, 16, (8, 8)).map(|(value, next)| valued(value, next)),
            b'0'..=b'7' => number(bytes, reading.next - 1, 0, 8, (1, 3)).map(|(value, next)| valued(value, next)),
            _ => control.map(|control| vec![Reading::byte(control, next)]),
        };
        all.extend(found.unwrap_or_default());
        all.push(reading);
    }
    all
}

/// A code unit behind `\u`, and the one that belongs to it.
fn unit(bytes: &[u8], at: usize, depth: usize) -> Option<Vec<Reading>> {
    if let Some((b'{', inside)) = syntax(bytes, at, depth) {
        let (value, behind) = number(bytes, inside, depth, 16, (1, DIGITS))?;
        return match syntax(bytes, behind, depth)? {
            (b'}', next) => Some(valued(value, next)),
            _ => None,
        };
    }
    let (high, next) = number(bytes, at, depth, 16, (4, 4))?;
    if !(0xd800..0xdc00).contains(&high) {
        return Some(valued(high, next));
    }
    let (b'\\', next) = syntax_plain(bytes, next, depth)? else { return None };
    let (b'u', next) = syntax(bytes, next, depth)? else { return None };
    let (low, next) = number(bytes, next, depth, 16, (4, 4))?;
    let low = low.checked_sub(0xdc00).filter(|low| *low < 0x400)?;
    Some(valued(0x1_0000 + ((high - 0xd800) << 10) + low, next))
}

/// The next character where it begins an escape: as few escapes as possible are read.
fn syntax_plain(bytes: &[u8], at: usize, depth: usize) -> Option<(u8, usize)> {
    let all = readings(bytes, behind_zeros(bytes, at), depth);
    let found = all.into_iter().rfind(|reading| reading.ascii() == Some(b'\\'))?;
    Some((found.ascii()?, found.next))
}

/// What stands behind a percent sign: `HH`, or `uHHHH`.
fn percent(bytes: &[u8], at: usize, depth: usize) -> Vec<Reading> {
    if let Some((value, next)) = number(bytes, at, depth, 16, (2, 2)) {
        return u8::try_from(value).map(|byte| vec![Reading::byte(byte, next)]).unwrap_or_default();
    }
    let Some((b'u', next)) = syntax(bytes, at, depth) else { return Vec::new() };
    number(bytes, next, depth, 16, (4, 4)).map(|(value, next)| valued(value, next)).unwrap_or_default()
}

/// What stands behind an ampersand: a name, or `#` and digits. The semicolon may be missing, as browsers and Python have it.
fn reference(bytes: &[u8], at: usize, depth: usize) -> Vec<Reading> {
    let closed = |next: usize| match syntax(bytes, next, depth) {
        Some((b';', behind)) => behind,
        _ => next,
    };
    let Some((first, next)) = syntax(bytes, at, depth) else { return Vec::new() };
    if first == b'#' {
        let found = match syntax(bytes, next, depth) {
            Some((b'x' | b'X', next)) => number(bytes, next, depth, 16, (1, DIGITS)),
            _ => number(bytes, next, depth, 10, (1, DIGITS)),
        };
        return found.map(|(value, next)| valued(value, closed(next))).unwrap_or_default();
    }
    let (mut name, mut place, mut all) = (Vec::new(), at, Vec::new());
    while name.len() < LONGEST_NAME {
        let Some((letter, next)) = syntax(bytes, place, depth).filter(|(letter, _)| letter.is_ascii_alphabetic())
        else {
            break;
        };
        name.push(letter);
        place = next;
        let known = NAMED.iter().filter(|(known, _)| known.as_bytes() == name);
        all.extend(known.map(|(_, byte)| Reading::byte(*byte, closed(place))));
    }
    all
}
