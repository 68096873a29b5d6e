//! Translates a pattern from JavaScript's syntax without the `u` flag to the syntax with it.

use deed_diag::Invariant;
use std::iter::Peekable;
use std::str::Chars;

/// Counts up to this are left in the pattern.
const SMALL: u64 = 1_000;
/// The half of UTF-16's surrogates that comes first, and the other.
const HIGH: std::ops::RangeInclusive<u32> = 0xd800..=0xdbff;
const LOW: std::ops::RangeInclusive<u32> = 0xdc00..=0xdfff;
/// A class that every character is in, and one that none is in.
const ANY: &str = r"[\s\S]";
const NONE: &str = r"[^\s\S]";
/// The meaning of `.`: any character that does not end a line.
const DOT: &str = r"[^\n\r\u{2028}\u{2029}]";
/// The characters that JavaScript takes for space, as members of a class.
const SPACE: &str = r"\t\n\x0B\f\r \u{A0}\u{1680}\u{2000}-\u{200A}\u{2028}\u{2029}\u{202F}\u{205F}\u{3000}\u{FEFF}";
/// All other characters. Classes do not nest, so they are written out.
const NO_SPACE: &str = r"\x00-\x08\x0E-\x1F\x21-\u{9F}\u{A1}-\u{167F}\u{1681}-\u{1FFF}\u{200B}-\u{2027}\u{202A}-\u{202E}\u{2030}-\u{205E}\u{2060}-\u{2FFF}\u{3001}-\u{FEFE}\u{FF00}-\u{10FFFF}";
/// A boundary between a letter and anything else, and the lack of one. Letters are those of ASCII.
const BOUNDARY: &str = r"(?:(?<=[A-Za-z0-9_])(?![A-Za-z0-9_])|(?<![A-Za-z0-9_])(?=[A-Za-z0-9_]))";
const NO_BOUNDARY: &str = r"(?:(?<=[A-Za-z0-9_])(?=[A-Za-z0-9_])|(?<![A-Za-z0-9_])(?![A-Za-z0-9_]))";
/// Patterns that match a character beyond the first 65,536 by its surrogates, and as a whole.
const HALVES: [(&str, &str); 2] = [
    (r"[\uD800-\uDBFF][\uDC00-\uDFFF]", r"[\u{10000}-\u{10FFFF}]"),
    (r"[\ud800-\udbff][\udc00-\udfff]", r"[\u{10000}-\u{10FFFF}]"),
];

/// Translates a pattern; one that cannot be translated is returned as it is, for the engine to refuse.
pub(super) fn translated(pattern: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '^' | '$' | '*' | '+' | '?' | '-' | ' ' | '/');
    if pattern.chars().all(plain) {
        return pattern.to_owned();
    }
    let whole = HALVES.iter().fold(pattern.to_owned(), |text, (halves, whole)| text.replace(halves, whole));
    let mut reader = Reader { rest: whole.chars().peekable(), out: String::new(), groups: groups(&whole) };
    match reader.pattern() {
        Some(()) => reader.out,
        None => pattern.to_owned(),
    }
}

/// Returns true if an escaped character means the same with and without the `u` flag, and in the engine.
fn is_kept(c: char) -> bool {
    c.is_ascii_punctuation() && !matches!(c, '<' | '>') || matches!(c, 't' | 'n' | 'v' | 'f' | 'r')
}

/// Escapes a character so that it stands for itself everywhere; `None` for a surrogate.
fn written(code: u32) -> Option<String> {
    Some(match char::from_u32(code)? {
        c if c.is_ascii_punctuation()
            && !matches!(c, '<' | '>' | '_' | '"' | '\'' | '%' | '=' | '@' | ',' | ':' | ';') =>
        {
            format!("\\{c}")
        }
        c if c.is_control() || c.is_whitespace() && c != ' ' => format!("\\u{{{code:X}}}"),
        c => c.to_string(),
    })
}

/// The names of the groups that capture, in their order; most have none.
fn groups(pattern: &str) -> Vec<Option<String>> {
    let (mut groups, mut in_class) = (Vec::new(), false);
    let mut rest = pattern.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '\\' => _ = rest.next(),
            '[' => in_class = true,
            ']' => in_class = false,
            '(' if !in_class => {
                let tail: String = rest.clone().take(3).collect();
                let named = tail.starts_with("?<") && !tail.starts_with("?<=") && !tail.starts_with("?<!");
                if named {
                    groups.push(Some(rest.clone().skip(2).take_while(|c| *c != '>').collect()));
                } else if !tail.starts_with('?') {
                    groups.push(None);
                }
            }
            _ => {}
        }
    }
    groups
}

struct Reader<'p> {
    rest: Peekable<Chars<'p>>,
    out: String,
    groups: Vec<Option<String>>,
}

/// One member of a class.
enum Atom {
    /// A character, and how it is written; half of one is not written at all.
    One(u32, String),
    /// A class of its own, such as `\d`, as it is written.
    Many(String),
}

impl Reader<'_> {
    fn pattern(&mut self) -> Option<()> {
        while let Some(c) = self.rest.next() {
            match c {
                '\\' => self.escape()?,
                '[' => self.class()?,
                ']' | '}' => self.literal(u32::from(c)),
                '{' if self.is_quantifier() => self.quantifier(),
                '{' => self.out.push_str(r"\{"),
                '.' => self.out.push_str(DOT),
                c => self.out.push(c),
            }
        }
        Some(())
    }

    /// Returns true before digits, and perhaps a comma and more digits, that a brace closes.
    fn is_quantifier(&self) -> bool {
        let mut ahead = self.rest.clone();
        let mut digits = 0;
        while ahead.next_if(char::is_ascii_digit).is_some() {
            digits += 1;
        }
        if digits > 0 && ahead.next_if_eq(&',').is_some() {
            while ahead.next_if(char::is_ascii_digit).is_some() {}
        }
        digits > 0 && ahead.next() == Some('}')
    }

    fn quantifier(&mut self) {
        self.out.push('{');
        for c in self.rest.by_ref() {
            self.out.push(c);
            if c == '}' {
                return;
            }
        }
    }

    /// Writes a character that stands for itself; half of one never stands alone in a text.
    fn literal(&mut self, code: u32) {
        self.out.push_str(written(code).as_deref().unwrap_or(NONE));
    }

    fn escape(&mut self) -> Option<()> {
        let c = *self.rest.peek()?;
        match c {
            'b' | 'B' => {
                self.rest.next();
                self.out.push_str(if c == 'b' { BOUNDARY } else { NO_BOUNDARY });
            }
            's' | 'S' => {
                self.rest.next();
                self.out.push_str(if c == 's' { "[" } else { "[^" });
                self.out.push_str(SPACE);
                self.out.push(']');
            }
            'd' | 'D' | 'w' | 'W' => {
                self.rest.next();
                self.out.extend(['\\', c]);
            }
            '1'..='9' if self.refers_back() => self.out.push('\\'),
            'k' if self.groups.iter().any(Option::is_some) => self.named_reference()?,
            'p' | 'P' if self.is_property() => {
                let property = self.property();
                self.out.push_str(&property);
            }
            c if is_kept(c) => {
                self.rest.next();
                self.out.extend(['\\', c]);
            }
            _ => {
                let code = self.character()?;
                self.literal(code);
            }
        }
        Some(())
    }

    /// Returns true if the digits ahead are the number of a group.
    fn refers_back(&self) -> bool {
        let digits: String = self.rest.clone().take_while(char::is_ascii_digit).collect();
        digits.parse::<u32>().is_ok_and(|number| number as usize <= self.groups.len())
    }

    /// Writes `k<name>` as the number of its group.
    fn named_reference(&mut self) -> Option<()> {
        self.rest.next();
        self.rest.next_if_eq(&'<')?;
        let name: String = self.rest.by_ref().take_while(|c| *c != '>').collect();
        let number = self.groups.iter().position(|group| group.as_ref() == Some(&name))? + 1;
        // In a group of its own, so that digits behind it are not read as a part of the number.
        self.out.push_str(&format!(r"(?:\{number})"));
        Some(())
    }

    fn is_property(&self) -> bool {
        let mut ahead = self.rest.clone().skip(1);
        ahead.next() == Some('{') && ahead.any(|c| c == '}')
    }

    /// Takes `p{…}` and gives it with its backslash.
    fn property(&mut self) -> String {
        let mut out = String::from("\\");
        for c in self.rest.by_ref() {
            out.push(c);
            if c == '}' {
                break;
            }
        }
        out
    }

    /// The character that an escape stands for, behind its backslash.
    fn character(&mut self) -> Option<u32> {
        let c = self.rest.next()?;
        Some(match c {
            't' => 0x9,
            'n' => 0xa,
            'v' => 0xb,
            'f' => 0xc,
            'r' => 0xd,
            '0'..='7' => self.octal(c),
            'c' => match self.rest.next_if(char::is_ascii_alphabetic) {
                Some(letter) => u32::from(letter) % 32,
                None => {
                    // A backslash, with the letter behind it.
                    self.out.push_str(r"\\");
                    u32::from('c')
                }
            },
            'x' => self.hex(2).unwrap_or(u32::from('x')),
            'u' => self.unit().unwrap_or(u32::from('u')),
            other => u32::from(other),
        })
    }

    fn octal(&mut self, first: char) -> u32 {
        let mut value = first.to_digit(8).invariant("an octal escape begins with an octal digit");
        for _ in 0..2 {
            let Some(digit) = self.rest.peek().and_then(|c| c.to_digit(8)).filter(|digit| value * 8 + digit <= 0o377)
            else {
                break;
            };
            value = value * 8 + digit;
            self.rest.next();
        }
        value
    }

    /// Reads so many hexadecimal digits; reads nothing if there are fewer.
    fn hex(&mut self, length: usize) -> Option<u32> {
        let digits: String = self.rest.clone().take(length).filter(char::is_ascii_hexdigit).collect();
        let value = u32::from_str_radix(&digits, 16).ok().filter(|_| digits.len() == length)?;
        for _ in 0..length {
            self.rest.next();
        }
        Some(value)
    }

    /// Reads behind `\u`: four digits, two surrogates, or a number in braces.
    fn unit(&mut self) -> Option<u32> {
        if self.rest.peek() == Some(&'{') {
            let digits: String = self.rest.clone().skip(1).take_while(|c| *c != '}').collect();
            let code = u32::from_str_radix(&digits, 16).ok().filter(|code| *code <= 0x0010_ffff)?;
            for _ in 0..digits.len() + 2 {
                self.rest.next();
            }
            return Some(code);
        }
        let first = self.hex(4)?;
        if !HIGH.contains(&first) {
            return Some(first);
        }
        let before = self.rest.clone();
        if self.rest.next() == Some('\\')
            && self.rest.next() == Some('u')
            && let Some(second) = self.hex(4).filter(|second| LOW.contains(second))
        {
            return Some(0x1_0000 + ((first - 0xd800) << 10) + (second - 0xdc00));
        }
        self.rest = before;
        Some(first)
    }

    fn class(&mut self) -> Option<()> {
        let negated = self.rest.next_if_eq(&'^').is_some();
        if self.rest.next_if_eq(&']').is_some() {
            self.out.push_str(if negated { ANY } else { NONE });
            return Some(());
        }
        let start = self.out.len();
        self.out.push_str(if negated { "[^" } else { "[" });
        let inner = self.out.len();
        while self.rest.next_if_eq(&']').is_none() {
            let low = self.atom()?;
            let mut ahead = self.rest.clone();
            let ranges = ahead.next() == Some('-') && ahead.next().is_some_and(|c| c != ']');
            if !ranges {
                self.member(&low);
                continue;
            }
            self.rest.next();
            match (low, self.atom()?) {
                (Atom::One(low, from), Atom::One(high, to)) => self.range(low, high, &from, &to)?,
                // A class at either end makes the hyphen a character like any other.
                (low, high) => {
                    self.member(&low);
                    self.out.push_str(r"\-");
                    self.member(&high);
                }
            }
        }
        if self.out.len() == inner {
            // Nothing but halves of characters, which no text has.
            self.out.truncate(start);
            self.out.push_str(if negated { ANY } else { NONE });
        } else {
            self.out.push(']');
        }
        Some(())
    }

    fn atom(&mut self) -> Option<Atom> {
        let c = self.rest.next()?;
        if c != '\\' {
            return Some(Atom::One(u32::from(c), if c == '[' { r"\[".to_owned() } else { c.to_string() }));
        }
        let escaped = *self.rest.peek()?;
        Some(match escaped {
            's' => {
                self.rest.next();
                Atom::Many(SPACE.to_owned())
            }
            'S' => {
                self.rest.next();
                Atom::Many(NO_SPACE.to_owned())
            }
            'd' | 'D' | 'w' | 'W' => {
                self.rest.next();
                Atom::Many(format!("\\{escaped}"))
            }
            'p' | 'P' if self.is_property() => Atom::Many(self.property()),
            'b' => {
                self.rest.next();
                Atom::One(0x8, r"\x08".to_owned())
            }
            c if is_kept(c) => {
                self.rest.next();
                Atom::One(u32::from(c), format!("\\{c}"))
            }
            _ => {
                let code = self.character()?;
                Atom::One(code, written(code).unwrap_or_default())
            }
        })
    }

    fn member(&mut self, atom: &Atom) {
        let (Atom::One(_, written) | Atom::Many(written)) = atom;
        // The engine gives two of these side by side a meaning within classes.
        if matches!(written.as_str(), "&" | "~" | "-") && self.out.ends_with(written.as_str()) {
            self.out.push('\\');
        }
        self.out.push_str(written);
    }

    /// A range without the halves of characters in it; `None` if it runs backwards.
    fn range(&mut self, low: u32, high: u32, from: &str, to: &str) -> Option<()> {
        if low > high {
            return None;
        }
        let (low, from) = if char::from_u32(low).is_none() { (0xe000, r"\u{E000}") } else { (low, from) };
        let (high, to) = if char::from_u32(high).is_none() { (0xd7ff, r"\u{D7FF}") } else { (high, to) };
        if low <= high {
            let end = |text: &str| if text == "-" { r"\-".to_owned() } else { text.to_owned() };
            self.out.push_str(&end(from));
            self.out.push('-');
            self.out.push_str(&end(to));
        }
        Some(())
    }
}

/// A pattern that only counts characters of one kind.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Counted {
    /// The pattern without the count.
    pub(super) pattern: String,
    pub(super) least: u64,
    pub(super) most: Option<u64>,
}

/// Takes a large count out of `^C{m,n}$`, where C is one character, an escape or a class.
pub(super) fn counted(pattern: &str) -> Option<Counted> {
    let mut inner = pattern.strip_prefix('^')?.strip_suffix('$')?;
    for open in ["(?:", "("] {
        if let Some(group) = inner.strip_prefix(open).and_then(|rest| rest.strip_suffix(')'))
            && !group.contains(['(', ')', '|'])
        {
            inner = group;
            break;
        }
    }
    let (atom, count) = inner.strip_suffix('}')?.rsplit_once('{')?;
    if !is_one(atom) {
        return None;
    }
    let (least, most) = match count.split_once(',') {
        None => (count, Some(count)),
        Some((least, "")) => (least, None),
        Some((least, most)) => (least, Some(most)),
    };
    let least: u64 = least.parse().ok()?;
    let most = most.map(str::parse::<u64>).transpose().ok()?;
    if most.is_some_and(|most| most < least) || least.max(most.unwrap_or(0)) <= SMALL {
        return None;
    }
    Some(Counted { pattern: translated(&format!("^{atom}*$")), least, most })
}

/// Returns true if a pattern stands for exactly one character.
fn is_one(atom: &str) -> bool {
    let mut rest = atom.chars();
    match (rest.next(), rest.as_str()) {
        (Some('\\'), tail) => {
            tail.chars().count() == 1 && !tail.starts_with(|c: char| c.is_ascii_digit() || "bBcukxpP".contains(c))
        }
        (Some('['), tail) => ends_class(tail),
        (Some(c), "") => !"^$*+?()]{}|".contains(c),
        _ => false,
    }
}

/// Returns true if a class ends with the text, and not before.
fn ends_class(tail: &str) -> bool {
    let mut rest = tail.chars();
    while let Some(c) = rest.next() {
        match c {
            '\\' => _ = rest.next(),
            ']' => return rest.as_str().is_empty(),
            _ => {}
        }
    }
    false
}

/// The same pattern with every large count made small, to tell a large pattern from a wrong one.
pub(super) fn shrunk(pattern: &str) -> String {
    let mut out = String::new();
    let mut rest = pattern.chars().peekable();
    while let Some(c) = rest.next() {
        out.push(c);
        match c {
            '\\' => out.extend(rest.next()),
            '{' if rest.peek().is_some_and(char::is_ascii_digit) => {
                let count: String = rest.clone().take_while(|c| *c != '}').collect();
                let numbers = count.chars().all(|c| c.is_ascii_digit() || c == ',');
                if numbers {
                    let small = |number: &str| if number.len() > 1 { "2".to_owned() } else { number.to_owned() };
                    out.push_str(&count.split(',').map(small).collect::<Vec<_>>().join(","));
                    for _ in 0..count.chars().count() {
                        rest.next();
                    }
                }
            }
            _ => {}
        }
    }
    out
}
