//! `yaml_to_json.v1`: one YAML document as JSON.
//!
//! Only what has one meaning passes: anchors and aliases, which can expand without bound, tags and a second document
//! are refused by name. Comments and layout are lost.

use crate::adapter::{Adapted, only};
use crate::error::{AdapterError, ErrorKind, Place};
use crate::note::Notes;
use crate::objects::{document, json};
use crate::out::Out;
use crate::settings::Settings;
use deed_diag::{Document, Format, Report};
use deed_table::Input;
use std::io::Write;

const NAME: &str = "input";

pub(crate) fn run(
    inputs: &mut [&mut dyn Input],
    output: &mut dyn Write,
    settings: &Settings<'_>,
) -> Result<Adapted, AdapterError> {
    let bytes = document(only(inputs)?, &settings.limits)?;
    let document = Document::read(NAME, &bytes, Format::Yaml).map_err(|report| refusal(&report, &bytes))?;
    let mut out = Out::new(output, settings.limits.output_bytes);
    json::put(&mut out.buffer, document.tree(), 0);
    out.buffer.push(b'\n');
    out.finish(None, Notes::default())
}

/// The first diagnostic in the words of an adapter; its message may quote the document, so only its kind is kept.
fn refusal(report: &Report, bytes: &[u8]) -> AdapterError {
    let Some(diagnostic) = report.diagnostics().first() else {
        return AdapterError::new(ErrorKind::Syntax, "the document cannot be read");
    };
    let (kind, message) = match diagnostic.code.as_str() {
        "D0101" => (ErrorKind::Limit, "the document is too large"),
        "D0102" => (ErrorKind::Encoding, "the document is not UTF-8 without a byte order mark"),
        "D0104" => (ErrorKind::DuplicateKey, "a key stands twice in one mapping"),
        "D0105" => (ErrorKind::Number, "a number that not every reader reads alike"),
        "D0106" => (ErrorKind::Encoding, "an escape names half a character"),
        "D0107" => (ErrorKind::Limit, "more levels of nesting than the limit"),
        "D0108" => (
            ErrorKind::Unsupported,
            "an anchor, alias, tag, second document or key that is not text, which are not supported",
        ),
        _ => (ErrorKind::Syntax, "the document is not valid YAML"),
    };
    let mut place = Place::default();
    if let Some(span) = diagnostic.place.as_ref().and_then(|place| place.span) {
        let before = bytes.get(..span.start).unwrap_or(bytes);
        place = Place::line(before.iter().filter(|b| **b == b'\n').count() as u64 + 1).at_offset(span.start as u64);
    }
    AdapterError::new(kind, message).at(place)
}
