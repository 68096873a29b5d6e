//! YAML documents, parsed into the same tree as JSON under the same rules.
//!
//! Only unambiguous documents pass: the core schema of YAML 1.2, no anchors (they can expand without
//! bound), no tags, no second document, no keys that are not text.

use crate::document::Fault;
use deed_canon::Invariant as _;
use deed_canon::{MAX_DEPTH, Member, Members, Node, NodeKind, ParseError, ParseErrorKind, Span, number_from_f64};
use saphyr_parser::{Event, Marker, Parser, ScalarStyle, StrInput, Tag};
use serde_json::Number;
use std::borrow::Cow;
use std::collections::BTreeMap;

pub(crate) fn parse_tree(bytes: &[u8]) -> Result<Node, Fault> {
    let text = std::str::from_utf8(bytes).map_err(|e| {
        let at = e.valid_up_to();
        parse_fault(ParseErrorKind::InvalidUtf8, Span::new(at, at + e.error_len().unwrap_or(1)))
    })?;
    if text.starts_with('\u{feff}') {
        return Err(parse_fault(ParseErrorKind::ByteOrderMark, Span::new(0, 3)));
    }
    let mut reader = Reader { parser: Parser::new_from_str(text), cursor: Cursor { text, chars: 0, bytes: 0 } };
    reader.document()
}

fn parse_fault(kind: ParseErrorKind, span: Span) -> Fault {
    Fault::Parse(ParseError { kind, span })
}

struct Reader<'a> {
    parser: Parser<'a, StrInput<'a>>,
    cursor: Cursor<'a>,
}

/// Converts character positions of the parser to byte positions. Events come nearly in order, so a cursor that walks
/// from the last place is cheap.
struct Cursor<'a> {
    text: &'a str,
    chars: usize,
    bytes: usize,
}

impl Cursor<'_> {
    fn byte(&mut self, marker: Marker) -> usize {
        let wanted = marker.index();
        if wanted < self.chars {
            let back = self.text.get(..self.bytes).invariant("the cursor is between characters");
            let step = self.chars - wanted;
            self.bytes = back.char_indices().rev().nth(step - 1).map_or(0, |(i, _)| i);
        } else if wanted > self.chars {
            let ahead = self.text.get(self.bytes..).invariant("the cursor is between characters");
            let step = wanted - self.chars;
            self.bytes += ahead.char_indices().nth(step).map_or(ahead.len(), |(i, _)| i);
        }
        self.chars = wanted;
        self.bytes
    }
}

impl<'a> Reader<'a> {
    fn next(&mut self) -> Result<(Event<'a>, Span), Fault> {
        match self.parser.next_event() {
            Some(Ok((event, span))) => {
                let start = self.cursor.byte(span.start);
                let end = self.cursor.byte(span.end);
                Ok((event, Span::new(start, end.max(start))))
            }
            Some(Err(error)) => {
                let at = self.cursor.byte(*error.marker());
                // The scanner has its own limit, above ours, for brackets that it must look past.
                if error.info().contains("recursion limit") {
                    return Err(parse_fault(ParseErrorKind::TooDeep { limit: MAX_DEPTH }, Span::new(at, at + 1)));
                }
                Err(Fault::Yaml { message: error.info().to_lowercase(), span: Span::new(at, at + 1) })
            }
            None => Err(Fault::Yaml { message: "the document ends too early".to_owned(), span: Span::default() }),
        }
    }

    fn document(&mut self) -> Result<Node, Fault> {
        let node = loop {
            let (event, span) = self.next()?;
            match event {
                Event::StreamStart | Event::DocumentStart(_) | Event::Nothing => {}
                Event::StreamEnd | Event::DocumentEnd => {
                    return Err(Fault::Yaml { message: "the document is empty".to_owned(), span });
                }
                other => break self.node(other, span, MAX_DEPTH)?,
            }
        };
        loop {
            let (event, span) = self.next()?;
            match event {
                Event::StreamEnd => return Ok(node),
                Event::DocumentStart(_) => {
                    return Err(Fault::Feature {
                        what: "a second document in one file is",
                        help: "put it into a file of its own",
                        span,
                    });
                }
                _ => {}
            }
        }
    }

    fn node(&mut self, event: Event<'a>, span: Span, levels: usize) -> Result<Node, Fault> {
        match event {
            Event::Scalar(text, style, anchor, tag) => {
                plain_only(anchor, tag.as_ref(), span)?;
                let kind = scalar(text, style, span)?;
                Ok(Node { span: quoted_span(self.cursor.text, style, span), kind })
            }
            Event::SequenceStart(anchor, tag) => {
                plain_only(anchor, tag.as_ref(), span)?;
                let levels = deeper(levels, span)?;
                self.sequence(span, levels)
            }
            Event::MappingStart(anchor, tag) => {
                plain_only(anchor, tag.as_ref(), span)?;
                let levels = deeper(levels, span)?;
                self.mapping(span, levels)
            }
            Event::Alias(_) => Err(Fault::Feature {
                what: "an alias is",
                help: "write the value out: aliases can expand without bound",
                span,
            }),
            Event::Nothing
            | Event::StreamStart
            | Event::StreamEnd
            | Event::DocumentStart(_)
            | Event::DocumentEnd
            | Event::SequenceEnd
            | Event::MappingEnd => Err(Fault::Yaml { message: "a value was expected".to_owned(), span }),
        }
    }

    fn sequence(&mut self, start: Span, levels: usize) -> Result<Node, Fault> {
        let mut items = Vec::new();
        loop {
            let (event, span) = self.next()?;
            if event == Event::SequenceEnd {
                let span = Span::new(start.start, span.end.max(start.end));
                return Ok(Node { span, kind: NodeKind::Array(items) });
            }
            items.push(self.node(event, span, levels)?);
        }
    }

    fn mapping(&mut self, start: Span, levels: usize) -> Result<Node, Fault> {
        let mut members: Vec<Member> = Vec::new();
        let mut seen: BTreeMap<String, Span> = BTreeMap::new();
        loop {
            let (event, key_span) = self.next()?;
            if event == Event::MappingEnd {
                let span = Span::new(start.start, key_span.end.max(start.end));
                return Ok(Node { span, kind: NodeKind::Object(Members::new(members)) });
            }
            let NodeKind::String(key) = self.node(event, key_span, levels)?.kind else {
                return Err(Fault::Feature {
                    what: "a key that is not text is",
                    help: "put it in quotes",
                    span: key_span,
                });
            };
            if let Some(first) = seen.insert(key.clone(), key_span) {
                return Err(parse_fault(ParseErrorKind::DuplicateKey { key, first }, key_span));
            }
            let (event, span) = self.next()?;
            let value = self.node(event, span, levels)?;
            members.push(Member { key, key_span, value });
        }
    }
}

/// Returns the span of a quoted text up to its closing quote: the scanner's own span is too long.
fn quoted_span(source: &str, style: ScalarStyle, span: Span) -> Span {
    let quote = match style {
        ScalarStyle::DoubleQuoted => b'"',
        ScalarStyle::SingleQuoted => b'\'',
        ScalarStyle::Plain | ScalarStyle::Literal | ScalarStyle::Folded => return span,
    };
    let bytes = source.as_bytes().get(span.start..span.end).unwrap_or_default();
    let mut inside = bytes.iter().enumerate().skip(1).peekable();
    while let Some((at, byte)) = inside.next() {
        let escaped = (quote == b'"' && *byte == b'\\')
            || (quote == b'\'' && *byte == quote && inside.peek().is_some_and(|(_, next)| **next == quote));
        if escaped {
            inside.next();
        } else if *byte == quote {
            return Span::new(span.start, span.start + at + 1);
        }
    }
    span
}

fn deeper(levels: usize, span: Span) -> Result<usize, Fault> {
    levels.checked_sub(1).ok_or_else(|| parse_fault(ParseErrorKind::TooDeep { limit: MAX_DEPTH }, span))
}

fn plain_only(anchor: usize, tag: Option<&Cow<'_, Tag>>, span: Span) -> Result<(), Fault> {
    if anchor != 0 {
        return Err(Fault::Feature { what: "an anchor is", help: "write the value out where it is used", span });
    }
    match tag {
        Some(_) => Err(Fault::Feature {
            what: "a tag is",
            help: "quote a text, leave a number plain; tags are not needed",
            span,
        }),
        None => Ok(()),
    }
}

fn scalar(text: Cow<'_, str>, style: ScalarStyle, span: Span) -> Result<NodeKind, Fault> {
    if style != ScalarStyle::Plain {
        return Ok(NodeKind::String(text.into_owned()));
    }
    let kind = match text.as_ref() {
        "" | "~" | "null" | "Null" | "NULL" => NodeKind::Null,
        "true" | "True" | "TRUE" => NodeKind::Bool(true),
        "false" | "False" | "FALSE" => NodeKind::Bool(false),
        ".nan" | ".NaN" | ".NAN" | ".inf" | ".Inf" | ".INF" | "+.inf" | "+.Inf" | "+.INF" | "-.inf" | "-.Inf"
        | "-.INF" => return Err(parse_fault(ParseErrorKind::NotANumber, span)),
        other => match number(other, span)? {
            Some(n) => NodeKind::Number(n),
            None => NodeKind::String(text.into_owned()),
        },
    };
    Ok(kind)
}

/// Returns the number that a plain scalar spells in the core schema, if any.
fn number(text: &str, span: Span) -> Result<Option<Number>, Fault> {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    for (prefix, radix) in [("0x", 16), ("0o", 8)] {
        if let Some(digits) =
            text.strip_prefix(prefix).filter(|d| !d.is_empty() && d.chars().all(|c| c.is_digit(radix)))
        {
            let value = i64::from_str_radix(digits, radix)
                .ok()
                .filter(|n| *n <= 9_007_199_254_740_991)
                .ok_or_else(|| parse_fault(ParseErrorKind::UnsafeInteger, span))?;
            return Ok(Some(Number::from(value)));
        }
    }
    if !spells_number(unsigned) {
        return Ok(None);
    }
    let padded = unsigned.strip_prefix('0').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    if padded {
        return Err(Fault::Feature {
            what: "a number with leading zeros is",
            help: "some readers take it for octal: quote a text, or drop the zeros",
            span,
        });
    }
    let is_integer = unsigned.bytes().all(|b| b.is_ascii_digit());
    let value: f64 = text.parse().map_err(|_| parse_fault(ParseErrorKind::NumberRange, span))?;
    let mantissa = unsigned.split(['e', 'E']).next().unwrap_or_default();
    let says_zero = !mantissa.contains(|c: char| ('1'..='9').contains(&c));
    if is_integer && value.abs() > 9_007_199_254_740_991.0 {
        return Err(parse_fault(ParseErrorKind::UnsafeInteger, span));
    }
    if value.is_infinite() || (value == 0.0 && !says_zero) {
        return Err(parse_fault(ParseErrorKind::NumberRange, span));
    }
    number_from_f64(value).map(Some).map_err(|kind| parse_fault(kind, span))
}

/// Returns true for `[0-9]+`, `[0-9]+.[0-9]*` or `.[0-9]+`, each with an optional exponent.
fn spells_number(unsigned: &str) -> bool {
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((m, e)) => (m, Some(e)),
        None => (unsigned, None),
    };
    let digits = |s: &str| s.bytes().all(|b| b.is_ascii_digit());
    let mantissa_ok = match mantissa.split_once('.') {
        Some((whole, part)) => digits(whole) && digits(part) && !(whole.is_empty() && part.is_empty()),
        None => digits(mantissa) && !mantissa.is_empty(),
    };
    let exponent_ok = exponent.is_none_or(|e| {
        let e = e.strip_prefix(['-', '+']).unwrap_or(e);
        digits(e) && !e.is_empty()
    });
    mantissa_ok && exponent_ok
}
