//! `json_to_yaml.v1`: one JSON document as YAML in block style.
//!
//! Text stands without quotes only where no reader of YAML 1.1 or 1.2 could take it for anything else.

use crate::adapter::{Adapted, only};
use crate::error::{AdapterError, ErrorKind, Place};
use crate::note::Notes;
use crate::objects::{document, json};
use crate::out::Out;
use crate::settings::Settings;
use deed_canon::{Node, NodeKind, ParseError, ParseErrorKind};
use deed_table::Input;
use std::io::Write;

/// A key that takes longer is written with `?`: readers look for its colon no further than 1,024 characters.
const LONGEST_KEY: usize = 1_000;

pub(crate) fn run(
    inputs: &mut [&mut dyn Input],
    output: &mut dyn Write,
    settings: &Settings<'_>,
) -> Result<Adapted, AdapterError> {
    let bytes = document(only(inputs)?, &settings.limits)?;
    let tree = deed_canon::parse_tree(&bytes).map_err(|error| refusal(&error))?;
    let mut out = Out::new(output, settings.limits.output_bytes);
    if is_block(&tree) {
        put_block(&mut out.buffer, &tree, 0, Start::Line);
    } else {
        put_scalar(&mut out.buffer, &tree);
        out.buffer.push(b'\n');
    }
    out.finish(None, Notes::default())
}

fn refusal(error: &ParseError) -> AdapterError {
    let place = Place::offset(error.span.start as u64);
    let (kind, message) = match &error.kind {
        ParseErrorKind::DuplicateKey { .. } => (ErrorKind::DuplicateKey, "a key stands twice in one object".to_owned()),
        ParseErrorKind::UnsafeInteger | ParseErrorKind::NumberRange | ParseErrorKind::NotANumber => {
            (ErrorKind::Number, error.kind.to_string())
        }
        ParseErrorKind::InvalidUtf8 | ParseErrorKind::ByteOrderMark | ParseErrorKind::LoneSurrogate => {
            (ErrorKind::Encoding, error.kind.to_string())
        }
        ParseErrorKind::TooDeep { .. } => (ErrorKind::Limit, error.kind.to_string()),
        _ => (ErrorKind::Syntax, error.kind.to_string()),
    };
    AdapterError::new(kind, message).at(place)
}

/// The place of the first entry of a block: on a line of its own, or behind the dash of a list.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Start {
    Line,
    Dash,
}

fn is_block(node: &Node) -> bool {
    match &node.kind {
        NodeKind::Array(items) => !items.is_empty(),
        NodeKind::Object(members) => !members.is_empty(),
        NodeKind::Null | NodeKind::Bool(_) | NodeKind::Number(_) | NodeKind::String(_) => false,
    }
}

/// Puts a list or mapping that is not empty. Its depth was bounded when it was read.
fn put_block(out: &mut Vec<u8>, node: &Node, level: usize, start: Start) {
    let indent = |out: &mut Vec<u8>, first: bool| {
        if !(first && start == Start::Dash) {
            out.resize(out.len() + 2 * level, b' ');
        }
    };
    match &node.kind {
        NodeKind::Array(items) => {
            for (i, item) in items.iter().enumerate() {
                indent(out, i == 0);
                out.extend_from_slice(b"- ");
                if is_block(item) {
                    put_block(out, item, level + 1, Start::Dash);
                } else {
                    put_scalar(out, item);
                    out.push(b'\n');
                }
            }
        }
        NodeKind::Object(members) => {
            for (i, member) in members.iter().enumerate() {
                indent(out, i == 0);
                let long = member.key.len() > LONGEST_KEY;
                out.extend_from_slice(if long { b"? " } else { b"" });
                put_text(out, &member.key);
                if long {
                    out.push(b'\n');
                    indent(out, false);
                }
                out.push(b':');
                if is_block(&member.value) {
                    out.push(b'\n');
                    put_block(out, &member.value, level + 1, Start::Line);
                } else {
                    out.push(b' ');
                    put_scalar(out, &member.value);
                    out.push(b'\n');
                }
            }
        }
        NodeKind::Null | NodeKind::Bool(_) | NodeKind::Number(_) | NodeKind::String(_) => {}
    }
}

fn put_scalar(out: &mut Vec<u8>, node: &Node) {
    match &node.kind {
        NodeKind::String(text) => put_text(out, text),
        _ => json::put_scalar(out, node),
    }
}

fn put_text(out: &mut Vec<u8>, text: &str) {
    if is_plain(text) {
        out.extend_from_slice(text.as_bytes());
        return;
    }
    out.push(b'"');
    for c in text.chars() {
        match c {
            '"' => out.extend_from_slice(b"\\\""),
            '\\' => out.extend_from_slice(b"\\\\"),
            '\n' => out.extend_from_slice(b"\\n"),
            '\t' => out.extend_from_slice(b"\\t"),
            '\0'..='\x1f' | '\x7f'..='\u{a0}' | '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}' => {
                out.extend_from_slice(format!("\\u{:04x}", u32::from(c)).as_bytes());
            }
            c => out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    out.push(b'"');
}

/// True for words that begin with a letter, hold nothing that YAML gives a meaning, and mean nothing themselves.
fn is_plain(text: &str) -> bool {
    const WORDS: [&str; 10] = ["true", "false", "null", "yes", "no", "on", "off", "y", "n", "nan"];
    let inside = |c: char| c.is_ascii_alphanumeric() || matches!(c, ' ' | '_' | '-' | '.' | '/');
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.chars().all(inside)
        && !text.ends_with(' ')
        && text.len() < 80
        && !WORDS.iter().any(|word| word.eq_ignore_ascii_case(text))
}
