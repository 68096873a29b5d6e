//! A value that was found in the text, mended and proven by the strict reader.

use super::edit::{Repair, apply, raw_offset};
use super::fault::Fault;
use super::interpolated::is_other;
use super::mend::{Duplicates, Failure, Latitude, Loose, Mended, Opening, mend};
use super::strict;
use super::unreadable::UnreadableKind;
use crate::excerpt::excerpt;
use deed_canon::{ParseError, ParseErrorKind};
use serde_json::Value;
use std::ops::Range;

/// A value and where it stands.
#[derive(Debug)]
pub(super) struct Candidate {
    pub(super) span: Range<usize>,
    pub(super) script: Vec<Repair>,
    pub(super) value: Value,
    pub(super) loose: Loose,
}

/// Reads the value that begins at `start`.
pub(super) fn read(text: &str, start: usize, how: (Opening, Latitude)) -> Result<Candidate, Failure> {
    let mended = mend(text, start, how, Duplicates::Unseen)?;
    if !mended.script.is_empty() && is_other(text, mended.span.clone()) {
        let fault = Fault::new(UnreadableKind::Expression, mended.span.start, mended.span.end);
        return Err(Failure { fault, meant: true, escaped: false, reached: mended.span.end });
    }
    let error = match proven(text, &mended) {
        Ok(value) => return Ok(Candidate { span: mended.span, script: mended.script, value, loose: mended.loose }),
        Err(error) => error,
    };
    if !matches!(error.kind, ParseErrorKind::DuplicateKey { .. }) {
        return Err(refused(&mended, &error));
    }
    let merged = mend(text, start, how, Duplicates::Merged)?;
    match proven(text, &merged) {
        Ok(value) => Ok(Candidate { span: merged.span, script: merged.script, value, loose: merged.loose }),
        Err(error) => Err(refused(&merged, &error)),
    }
}

/// The strict value of what was mended.
fn proven(text: &str, mended: &Mended) -> Result<Value, ParseError> {
    if mended.script.is_empty() {
        return strict::parse(excerpt(text, mended.span.clone()));
    }
    strict::parse(&apply(text, mended.span.clone(), &mended.script))
}

#[cold]
fn refused(mended: &Mended, error: &ParseError) -> Failure {
    let at = raw_offset(mended.span.start, &mended.script, error.span.start);
    let fault: Fault = strict::fault_of(error, at, error.span.end - error.span.start);
    Failure { fault, meant: true, escaped: false, reached: mended.span.end }
}
