//! URL-encoded queries: `q=red%20wine&page=2`.

use super::node::{Node, Object};
use super::{Found, Part};
use crate::repair::guided::Judge;
use crate::repair::kind::RepairKind;
use std::borrow::Cow;

/// Reads a text that is a query, whose keys are all declared.
pub(super) fn read<'t>(part: Part<'t>, judge: &dyn Judge) -> Option<Found<'t>> {
    let line = part.inner.trim();
    let query = line.strip_prefix('?').unwrap_or(line);
    // An address that is not encoded has marks of its own.
    let is_open = query.contains(|c: char| c.is_whitespace() || matches!(c, '"' | '<' | '{' | '?' | '#'))
        || query.contains("://");
    if is_open || !query.contains(['&', '%']) {
        return None;
    }
    let members = query.split('&').map(|pair| member(pair, judge)).collect::<Option<Vec<_>>>()?;
    let start = part.inner.len() - part.inner.trim_start().len();
    let object = Object { members, repeats: true, paths: true };
    Some(part.found(RepairKind::QueryString, Node::Object(object), start..start + line.len(), Vec::new()))
}

fn member<'t>(pair: &'t str, judge: &dyn Judge) -> Option<(Cow<'t, str>, Node<'t>)> {
    let (key, value) = pair.split_once('=')?;
    let key = decoded(key.strip_suffix("[]").or_else(|| key.strip_suffix("%5B%5D")).unwrap_or(key))?;
    // `customer[name]` is a path.
    let path = match key.contains('[') {
        true => Cow::Owned(key.replace("][", ".").replace('[', ".").strip_suffix(']')?.to_owned()),
        false => key,
    };
    // A plus before digits is the sign of a number that was not encoded, or a blank.
    if value.strip_prefix('+').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit())) {
        return None;
    }
    let is_known = path.split('.').all(|name| judge.knows(name)) || judge.knows(&path);
    let value = decoded(value)?;
    let node = if value.is_empty() { Node::Nothing } else { Node::Bare(value) };
    is_known.then_some((path, node))
}

/// A text without its percent encoding; none where that is no text.
fn decoded(text: &str) -> Option<Cow<'_, str>> {
    if !text.contains(['%', '+']) {
        return Some(Cow::Borrowed(text));
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        match byte {
            b'+' => bytes.push(b' '),
            b'%' => {
                let digit =
                    |byte: Option<u8>| char::from(byte?).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
                let (high, low) = (digit(rest.next())?, digit(rest.next())?);
                bytes.push(high * 16 + low);
            }
            other => bytes.push(other),
        }
    }
    String::from_utf8(bytes).ok().filter(|text| !text.contains(char::is_control)).map(Cow::Owned)
}

#[cfg(test)]
mod tests {
    use super::decoded;

    #[test]
    fn percent_encoding_is_decoded() {
        for (text, plain) in [("a%20b", Some("a b")), ("a+b", Some("a b")), ("%C3%A9", Some("é")), ("a", Some("a"))] {
            assert_eq!(decoded(text).as_deref(), plain, "{text}");
        }
        for text in ["%2", "%zz", "%C3", "%00", "%+1"] {
            assert_eq!(decoded(text), None, "{text}");
        }
    }
}
