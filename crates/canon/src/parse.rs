//! The strict reader: refuses every document that two programs could read differently, with the place.

use crate::error::{ParseError, ParseErrorKind};
use crate::invariant::Invariant as _;
use crate::number::number_from_literal;
use crate::tree::{Member, Node, NodeKind, Span};
use serde_json::Value;

/// The maximum nesting of arrays and objects.
pub const MAX_DEPTH: usize = 128;

/// Parses a document into a plain value.
///
/// # Errors
/// If the document is malformed or ambiguous, with the place and the reason.
pub fn parse(input: &[u8]) -> Result<Value, ParseError> {
    Reader::open(input)?.document(&ToValue)
}

/// Parses a document into a tree with the span of every part.
///
/// # Errors
/// If the document is malformed or ambiguous, with the place and the reason.
pub fn parse_tree(input: &[u8]) -> Result<Node, ParseError> {
    Reader::open(input)?.document(&ToNode)
}

/// The output that the reader builds from checked parts.
trait Build {
    type Out;
    fn scalar(&self, scalar: Scalar, span: Span) -> Self::Out;
    fn array(&self, items: Vec<Self::Out>, span: Span) -> Self::Out;
    fn object(&self, members: Vec<(String, Span, Self::Out)>, span: Span) -> Self::Out;
}

enum Scalar {
    Null,
    Bool(bool),
    Number(serde_json::Number),
    String(String),
}

struct ToValue;

impl Build for ToValue {
    type Out = Value;
    fn scalar(&self, scalar: Scalar, _: Span) -> Value {
        match scalar {
            Scalar::Null => Value::Null,
            Scalar::Bool(b) => Value::Bool(b),
            Scalar::Number(n) => Value::Number(n),
            Scalar::String(s) => Value::String(s),
        }
    }
    fn array(&self, items: Vec<Value>, _: Span) -> Value {
        Value::Array(items)
    }
    fn object(&self, members: Vec<(String, Span, Value)>, _: Span) -> Value {
        Value::Object(members.into_iter().map(|(key, _, value)| (key, value)).collect())
    }
}

struct ToNode;

impl Build for ToNode {
    type Out = Node;
    fn scalar(&self, scalar: Scalar, span: Span) -> Node {
        let kind = match scalar {
            Scalar::Null => NodeKind::Null,
            Scalar::Bool(b) => NodeKind::Bool(b),
            Scalar::Number(n) => NodeKind::Number(n),
            Scalar::String(s) => NodeKind::String(s),
        };
        Node { span, kind }
    }
    fn array(&self, items: Vec<Node>, span: Span) -> Node {
        Node { span, kind: NodeKind::Array(items) }
    }
    fn object(&self, members: Vec<(String, Span, Node)>, span: Span) -> Node {
        let members = members.into_iter().map(|(key, key_span, value)| Member { key, key_span, value }).collect();
        Node { span, kind: NodeKind::Object(members) }
    }
}

struct Reader<'a> {
    text: &'a str,
    pos: usize,
    depth: usize,
}

impl<'a> Reader<'a> {
    fn open(input: &'a [u8]) -> Result<Self, ParseError> {
        let text = std::str::from_utf8(input).map_err(|e| {
            let at = e.valid_up_to();
            ParseError { kind: ParseErrorKind::InvalidUtf8, span: Span::new(at, at + e.error_len().unwrap_or(1)) }
        })?;
        if text.starts_with('\u{feff}') {
            return Err(ParseError { kind: ParseErrorKind::ByteOrderMark, span: Span::new(0, 3) });
        }
        Ok(Self { text, pos: 0, depth: 0 })
    }

    fn document<B: Build>(mut self, build: &B) -> Result<B::Out, ParseError> {
        self.skip_space();
        let value = self.value(build)?;
        self.skip_space();
        match self.peek() {
            None => Ok(value),
            Some(_) => Err(self.fault(ParseErrorKind::TrailingText)),
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.pos).copied()
    }

    fn skip_space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.pos += 1;
        }
    }

    /// A fault at the character under the cursor.
    fn fault(&self, kind: ParseErrorKind) -> ParseError {
        let width = self.text.get(self.pos..).and_then(|t| t.chars().next()).map_or(0, char::len_utf8);
        ParseError { kind, span: Span::new(self.pos, self.pos + width) }
    }

    fn fault_from(&self, start: usize, kind: ParseErrorKind) -> ParseError {
        ParseError { kind, span: Span::new(start, self.pos) }
    }

    fn expected(&self, expected: &'static str) -> ParseError {
        match self.peek() {
            Some(_) => self.fault(ParseErrorKind::Expected { expected }),
            None => self.fault(ParseErrorKind::UnexpectedEnd { expected }),
        }
    }

    fn eat(&mut self, byte: u8, expected: &'static str) -> Result<(), ParseError> {
        if self.peek() == Some(byte) {
            self.pos += 1;
            Ok(())
        } else {
            Err(self.expected(expected))
        }
    }

    fn value<B: Build>(&mut self, build: &B) -> Result<B::Out, ParseError> {
        let start = self.pos;
        let scalar = match self.peek() {
            Some(b'{') => return self.nested(|r| r.object(build)),
            Some(b'[') => return self.nested(|r| r.array(build)),
            Some(b'"') => Scalar::String(self.string()?),
            Some(b'-' | b'0'..=b'9') => self.number()?,
            Some(b'a'..=b'z' | b'A'..=b'Z') => self.word()?,
            Some(_) | None => return Err(self.expected("a value")),
        };
        Ok(build.scalar(scalar, Span::new(start, self.pos)))
    }

    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T, ParseError>) -> Result<T, ParseError> {
        if self.depth == MAX_DEPTH {
            return Err(self.fault(ParseErrorKind::TooDeep { limit: MAX_DEPTH }));
        }
        self.depth += 1;
        let out = read(self);
        self.depth -= 1;
        out
    }

    fn array<B: Build>(&mut self, build: &B) -> Result<B::Out, ParseError> {
        let start = self.pos;
        self.pos += 1;
        let mut items = Vec::new();
        self.skip_space();
        if self.peek() != Some(b']') {
            loop {
                items.push(self.value(build)?);
                self.skip_space();
                if self.peek() != Some(b',') {
                    break;
                }
                self.pos += 1;
                self.skip_space();
            }
        }
        self.eat(b']', "`,` or `]`")?;
        Ok(build.array(items, Span::new(start, self.pos)))
    }

    fn object<B: Build>(&mut self, build: &B) -> Result<B::Out, ParseError> {
        let start = self.pos;
        self.pos += 1;
        let mut members: Vec<(String, Span, B::Out)> = Vec::new();
        self.skip_space();
        if self.peek() != Some(b'}') {
            loop {
                if self.peek() != Some(b'"') {
                    return Err(self.expected("a key in double quotes"));
                }
                let key_start = self.pos;
                let key = self.string()?;
                let key_span = Span::new(key_start, self.pos);
                self.skip_space();
                self.eat(b':', "`:`")?;
                self.skip_space();
                members.push((key, key_span, self.value(build)?));
                self.skip_space();
                if self.peek() != Some(b',') {
                    break;
                }
                self.pos += 1;
                self.skip_space();
            }
        }
        self.eat(b'}', "`,` or `}`")?;
        if let Some((key, first, span)) = first_duplicate(&members) {
            return Err(ParseError { kind: ParseErrorKind::DuplicateKey { key, first }, span });
        }
        Ok(build.object(members, Span::new(start, self.pos)))
    }

    fn word(&mut self) -> Result<Scalar, ParseError> {
        let start = self.pos;
        while matches!(self.peek(), Some(b'a'..=b'z' | b'A'..=b'Z')) {
            self.pos += 1;
        }
        match self.text.get(start..self.pos) {
            Some("null") => Ok(Scalar::Null),
            Some("true") => Ok(Scalar::Bool(true)),
            Some("false") => Ok(Scalar::Bool(false)),
            Some("NaN" | "Infinity") => Err(self.fault_from(start, ParseErrorKind::NotANumber)),
            Some(_) | None => Err(self.fault_from(start, ParseErrorKind::Expected { expected: "a value" })),
        }
    }

    fn digits(&mut self) -> Result<(), ParseError> {
        if !matches!(self.peek(), Some(b'0'..=b'9')) {
            return Err(self.expected("a digit"));
        }
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.pos += 1;
        }
        Ok(())
    }

    fn number(&mut self) -> Result<Scalar, ParseError> {
        let start = self.pos;
        if self.peek() == Some(b'-') {
            self.pos += 1;
            if self.peek() == Some(b'I') {
                self.word()?;
            }
        }
        if self.peek() == Some(b'0') {
            self.pos += 1;
            if matches!(self.peek(), Some(b'0'..=b'9')) {
                return Err(self.expected("a number without leading zeros"));
            }
        } else {
            self.digits()?;
        }
        if self.peek() == Some(b'.') {
            self.pos += 1;
            self.digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.pos += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.pos += 1;
            }
            self.digits()?;
        }
        let literal = self.text.get(start..self.pos).invariant("a number is ASCII");
        number_from_literal(literal).map(Scalar::Number).map_err(|kind| self.fault_from(start, kind))
    }

    fn string(&mut self) -> Result<String, ParseError> {
        let start = self.pos;
        self.pos += 1;
        let mut out = String::new();
        loop {
            let run = self.pos;
            while !matches!(self.peek(), None | Some(b'"' | b'\\' | 0x00..=0x1f)) {
                self.pos += 1;
            }
            out.push_str(self.text.get(run..self.pos).invariant("a run ends between characters"));
            match self.peek() {
                Some(b'"') => {
                    self.pos += 1;
                    return Ok(out);
                }
                Some(b'\\') => out.push(self.escape()?),
                Some(_) => return Err(self.fault(ParseErrorKind::ControlCharacter)),
                None => {
                    return Err(self.fault_from(start, ParseErrorKind::UnexpectedEnd { expected: "a closing quote" }));
                }
            }
        }
    }

    fn escape(&mut self) -> Result<char, ParseError> {
        let start = self.pos;
        self.pos += 1;
        let c = match self.peek() {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                self.pos += 1;
                return self.unicode_escape(start);
            }
            Some(_) | None => return Err(self.fault_from(start, ParseErrorKind::BadEscape)),
        };
        self.pos += 1;
        Ok(c)
    }

    fn unicode_escape(&mut self, start: usize) -> Result<char, ParseError> {
        let first = self.hex4(start)?;
        let code = match first {
            0xd800..=0xdbff => {
                if self.text.get(self.pos..self.pos + 2) != Some("\\u") {
                    return Err(self.fault_from(start, ParseErrorKind::LoneSurrogate));
                }
                self.pos += 2;
                let second = self.hex4(start)?;
                if !(0xdc00..=0xdfff).contains(&second) {
                    return Err(self.fault_from(start, ParseErrorKind::LoneSurrogate));
                }
                0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00)
            }
            other => other,
        };
        // The rest is a low surrogate without its high half.
        char::from_u32(code).ok_or_else(|| self.fault_from(start, ParseErrorKind::LoneSurrogate))
    }

    fn hex4(&mut self, start: usize) -> Result<u32, ParseError> {
        let digits = self.text.get(self.pos..self.pos + 4).filter(|d| d.bytes().all(|b| b.is_ascii_hexdigit()));
        match digits.and_then(|d| u32::from_str_radix(d, 16).ok()) {
            Some(code) => {
                self.pos += 4;
                Ok(code)
            }
            None => Err(self.fault_from(start, ParseErrorKind::BadEscape)),
        }
    }
}

/// The first duplicate key in source order: its name, its first place, its second.
fn first_duplicate<T>(members: &[(String, Span, T)]) -> Option<(String, Span, Span)> {
    let mut order: Vec<&(String, Span, T)> = members.iter().collect();
    order.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.cmp(&b.1)));
    order
        .windows(2)
        .filter_map(|pair| match pair {
            [a, b] if a.0 == b.0 => Some((a.0.clone(), a.1, b.1)),
            _ => None,
        })
        .min_by_key(|(_, _, second)| *second)
}
