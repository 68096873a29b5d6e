//! A payload that was encoded twice: the text of a JSON string, with or without its quotes.

use super::candidate::{Candidate, read};
use super::edit::Repair;
use super::fault::Fault;
use super::kind::RepairKind;
use super::mend::{Latitude, Opening};
use super::strict;
use super::unreadable::UnreadableKind;
use crate::excerpt::excerpt;
use serde_json::Value;

/// Reads the value that begins at `start`, where every quote is escaped, and says how far it had to look.
pub(super) fn candidate(text: &str, start: usize) -> Result<(Candidate, usize), Fault> {
    let quoted = start.checked_sub(1).and_then(|at| text.as_bytes().get(at)) == Some(&b'"');
    let decoded = Decoded::of(text, start);
    let inner = read(&decoded.text, 0, (Opening::Bracket, Latitude::Text))
        .map_err(|failure| Fault { at: decoded.raw(failure.fault.at), ..failure.fault })?;
    let to_the_end = inner.span.end == decoded.text.len();
    let end = match decoded.tail {
        Tail::Broken if to_the_end => return Err(Fault::new(UnreadableKind::BadEscape, decoded.end, decoded.end + 2)),
        Tail::Cut if to_the_end => text.len(),
        Tail::Whole | Tail::Cut | Tail::Broken => decoded.raw(inner.span.end),
    };
    let closed = quoted && text.as_bytes().get(end) == Some(&b'"');
    let span = if quoted { start - 1 } else { start }..if closed { end + 1 } else { end };
    let script = decoded.script(text, &inner, span.clone());
    Ok((Candidate { span, script, value: inner.value, loose: inner.loose }, decoded.end))
}

/// The text of a string, and where each of its parts stood.
struct Decoded {
    text: String,
    /// Pairs of places, after each escape: in the decoded text and in the raw text.
    places: Vec<(usize, usize)>,
    /// Where decoding ended.
    end: usize,
    tail: Tail,
}

/// Why decoding ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tail {
    /// At a quote or at the end of the text.
    Whole,
    /// Inside an escape, where the text was cut off.
    Cut,
    /// At an escape that JSON does not know.
    Broken,
}

impl Decoded {
    /// Decodes from `start` to a quote that is not escaped, or to the end.
    fn of(text: &str, start: usize) -> Self {
        let mut out = Self { text: String::new(), places: vec![(0, start)], end: start, tail: Tail::Whole };
        loop {
            let rest = excerpt(text, out.end..);
            let plain = rest.find(['"', '\\']).unwrap_or(rest.len());
            out.text.push_str(excerpt(rest, ..plain));
            out.end += plain;
            let Some(escape) = rest.get(plain..).filter(|rest| rest.starts_with('\\')) else { return out };
            let width = escape_width(escape.as_bytes());
            match escape.get(..width).and_then(unescaped) {
                Some(c) => out.text.push_str(&c),
                None => {
                    out.tail = if escape.len() < width { Tail::Cut } else { Tail::Broken };
                    return out;
                }
            }
            out.end += width;
            out.places.push((out.text.len(), out.end));
        }
    }

    fn raw(&self, at: usize) -> usize {
        let before = self.places.partition_point(|(decoded, _)| *decoded <= at).saturating_sub(1);
        self.places.get(before).map_or(at, |(decoded, raw)| raw + (at - decoded))
    }

    /// The edits inside the decoded text, each where it stood in the raw text, and between them the decoding.
    fn script(&self, text: &str, inner: &Candidate, span: std::ops::Range<usize>) -> Vec<Repair> {
        let mut script = Vec::new();
        let (mut raw, mut decoded) = (span.start, 0);
        let decode = |script: &mut Vec<Repair>, raw: std::ops::Range<usize>, part: &str| {
            if text.get(raw.clone()) != Some(part) {
                script.push(Repair::replace(RepairKind::DoubleEncoded, raw, part.to_owned()));
            }
        };
        for edit in &inner.script {
            let at = self.raw(edit.at().start)..self.raw(edit.at().end);
            decode(&mut script, raw..at.start, excerpt(&self.text, decoded..edit.at().start));
            (raw, decoded) = (at.end, edit.at().end);
            script.push(edit.moved(at));
        }
        decode(&mut script, raw..span.end, excerpt(&self.text, decoded..inner.span.end));
        script
    }
}

/// The character that an escape stands for.
fn unescaped(escape: &str) -> Option<String> {
    match escape {
        "\\\"" => Some("\"".to_owned()),
        "\\\\" => Some("\\".to_owned()),
        "\\n" => Some("\n".to_owned()),
        other => match strict::parse(&format!("\"{other}\"")) {
            Ok(Value::String(c)) => Some(c),
            Ok(_) | Err(_) => None,
        },
    }
}

/// How many bytes an escape takes, a pair of surrogates together.
fn escape_width(rest: &[u8]) -> usize {
    let high =
        matches!(rest, [b'\\', b'u', b'd' | b'D', b'8'..=b'9' | b'a' | b'b' | b'A' | b'B', _, _, b'\\', b'u', ..]);
    match rest.get(1) {
        Some(b'u') if high => 12,
        Some(b'u') => 6,
        Some(_) | None => 2,
    }
}
