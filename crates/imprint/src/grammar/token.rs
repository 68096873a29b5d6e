//! One token: its word, its segments and the note behind it.

use super::escape::looks_like_token;
use deed_diag::Invariant;

/// The word of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Word {
    Fill,
    Optional,
    Auto,
    FillEnum,
    OptionalEnum,
    OneOf,
    AnyOf,
    When,
    Unless,
    With,
    Key,
    Serialized,
    Ref,
}

/// The words as they are written.
pub(super) const WORDS: [(&str, Word); 13] = [
    ("FILL", Word::Fill),
    ("OPTIONAL", Word::Optional),
    ("AUTO", Word::Auto),
    ("FILL_ENUM", Word::FillEnum),
    ("OPTIONAL_ENUM", Word::OptionalEnum),
    ("ONE_OF", Word::OneOf),
    ("ANY_OF", Word::AnyOf),
    ("WHEN", Word::When),
    ("UNLESS", Word::Unless),
    ("WITH", Word::With),
    ("KEY", Word::Key),
    ("SERIALIZED", Word::Serialized),
    ("REF", Word::Ref),
];

impl Word {
    pub(crate) fn as_str(self) -> &'static str {
        WORDS.iter().find(|(_, word)| *word == self).map_or("FILL", |(name, _)| name)
    }
}

/// A token as it is written, segments unescaped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) word: Word,
    pub(crate) segments: Vec<String>,
    pub(crate) note: String,
}

/// Returns true if a text is a token, whole and well written or not.
pub(crate) fn is_token(text: &str) -> bool {
    looks_like_token(text)
}

impl Token {
    pub(crate) fn new(word: Word) -> Self {
        Self { word, segments: Vec::new(), note: String::new() }
    }

    pub(crate) fn with(mut self, segment: impl Into<String>) -> Self {
        self.segments.push(segment.into());
        self
    }

    /// The token as text.
    pub(crate) fn write(&self) -> String {
        let mut out = String::from("{");
        out.push_str(self.word.as_str());
        for (index, segment) in self.segments.iter().enumerate() {
            out.push_str(if index == 0 && self.word == Word::Ref { ": " } else { "|" });
            if segment.starts_with("pattern:/") {
                out.push_str(segment);
                continue;
            }
            for c in segment.chars() {
                if matches!(c, '|' | '}' | '\\') {
                    out.push('\\');
                }
                out.push(c);
            }
        }
        out.push('}');
        if !self.note.is_empty() {
            out.push(' ');
            out.push_str(&self.note);
        }
        out
    }

    /// Reads a token, or returns what is malformed.
    pub(crate) fn read(text: &str) -> Result<Self, &'static str> {
        let rest = text.strip_prefix('{').ok_or("a token begins with `{`")?;
        let end = rest.find(['|', '}', ':']).ok_or("the token has no end")?;
        let (name, mut rest) = rest.split_at_checked(end).ok_or("the token has no end")?;
        let word = WORDS.iter().find(|(known, _)| *known == name).map(|(_, word)| *word).ok_or("no such token")?;
        let mut token = Self::new(word);
        if word == Word::Ref {
            rest = rest.strip_prefix(": ").ok_or("a reference is written `{REF: circular}`")?;
            let (segment, tail) = segment(rest)?;
            token.segments.push(segment);
            rest = tail;
        }
        loop {
            if let Some(tail) = rest.strip_prefix('}') {
                token.note = match tail.strip_prefix(' ') {
                    Some(note) => note.to_owned(),
                    None if tail.is_empty() => String::new(),
                    None => return Err("a note is set off by a space"),
                };
                return Ok(token);
            }
            let tail = rest.strip_prefix('|').ok_or("the token has no end")?;
            let (segment, tail) = segment(tail)?;
            token.segments.push(segment);
            rest = tail;
        }
    }
}

fn part<R: std::slice::SliceIndex<str, Output = str>>(text: &str, range: R) -> &str {
    text.get(range).invariant("a part lies within its text, between characters")
}

/// One segment and the text behind it.
fn segment(text: &str) -> Result<(String, &str), &'static str> {
    if let Some(regex) = text.strip_prefix("pattern:/") {
        let mut after_backslash = false;
        for (at, c) in regex.char_indices() {
            if c == '/' && !after_backslash {
                let (pattern, tail) = (part(regex, ..at), part(regex, at + 1..));
                if !tail.starts_with(['|', '}']) {
                    return Err("a pattern ends with its second slash");
                }
                return Ok((format!("pattern:/{pattern}/"), tail));
            }
            after_backslash = c == '\\' && !after_backslash;
        }
        return Err("the pattern has no end");
    }
    let mut out = String::new();
    let mut rest = text.char_indices();
    while let Some((at, c)) = rest.next() {
        match c {
            '\\' => out.push(rest.next().ok_or("nothing follows the `\\`")?.1),
            '|' | '}' => return Ok((out, part(text, at..))),
            c => out.push(c),
        }
    }
    Err("the token has no end")
}

#[cfg(test)]
mod tests {
    use super::{Token, Word};

    #[test]
    fn tokens_are_read_as_they_are_written() {
        for text in [
            "{FILL|string}",
            "{AUTO|string|format:uuid} made for you",
            "{FILL_ENUM|a\\|b|c\\}|\\\\}",
            "{FILL|string|pattern:/^a|b{2}\\/}$/|nullable} note",
            "{REF: circular|of:/a/b}",
            "{OPTIONAL}",
        ] {
            assert_eq!(Token::read(text).unwrap().write(), text);
        }
        assert_eq!(Token::read("{FILL|a\\|b}").unwrap().segments, ["a|b"]);
        assert_eq!(Token::read("{FILL}").unwrap().word, Word::Fill);
        for bad in ["{FILL", "{FILL|", "{FILL|a\\", "{NOPE}", "{FILL}x", "{REF}", "{FILL|pattern:/a}", "x"] {
            assert!(Token::read(bad).is_err(), "{bad}");
        }
    }
}
