//! The whole look: hash and format, the look of that format, and what it all comes to.

use crate::detect::{agreement, detect};
use crate::feed::Feed;
use crate::hasher::Hasher;
use crate::json::Layout;
use crate::limits::InspectLimits;
use crate::lines::Markup;
use crate::look::{Look, Looked, at_line, at_offset, fails, not_checked};
use crate::sentinel::Sentinels;
use crate::{delimited, html, json, lines, parquet, pdf, yaml, zip};
use deed_model::{
    Agreement, ArtifactFormat, ContentSummary, DetectedFormat, FoundAt, Inspection, LineEnding, ParseOutcome,
    TextEncoding, TextSummary,
};
use std::io::{self, Read, Seek, SeekFrom};

/// What an artifact is read from: a file or a cursor.
pub trait ReadSeek: Read + Seek {}

impl<T: Read + Seek + ?Sized> ReadSeek for T {}

/// Looks at an artifact once and says what it is.
///
/// An error is an error of reading. Whatever the bytes are, they give an inspection. The artifact must not change
/// while it is read: archives and Parquet are sought in after their hash is taken.
pub fn inspect(
    input: &mut dyn ReadSeek,
    expected: Option<ArtifactFormat>,
    limits: &InspectLimits,
) -> io::Result<Inspection> {
    let length = input.seek(SeekFrom::End(0))?;
    input.seek(SeekFrom::Start(0))?;
    let mut look = Look::new(limits, Sentinels::new()?);
    let (read, sha256, bytes) = std::thread::scope(|scope| {
        let mut source = &mut *input;
        let mut feed = Feed::open(&mut source, Hasher::start(scope, length))?;
        let detected = detect(feed.rest(), feed.ended(), expected);
        let read = stream(&mut feed, detected, &mut look)?;
        feed.drain()?;
        let (hasher, bytes) = feed.close();
        Ok::<_, io::Error>((read, hasher.finish()?, bytes))
    })?;
    let (looked, detected) = match read {
        Streamed::Done(looked, detected) => (looked, detected),
        Streamed::MustSeek(DetectedFormat::Zip) => (zip::look(input, bytes, &mut look)?, DetectedFormat::Zip),
        Streamed::MustSeek(detected) => (parquet::look(input, bytes, &mut look)?, detected),
    };
    let agrees = agreement(detected, expected);
    let parse = settle(looked.parse, detected, expected, agrees);
    let (notes, sentinels) = look.into_notes();
    let sentinels = sentinels.report();
    Ok(Inspection { sha256, bytes, detected, expected, agrees, parse, summary: looked.summary, sentinels, notes })
}

/// What streaming through an artifact came to.
enum Streamed {
    Done(Looked, DetectedFormat),
    /// The format has to be sought in.
    MustSeek(DetectedFormat),
}

/// Looks at what can be looked at in one pass.
fn stream(feed: &mut Feed<'_, '_>, detected: DetectedFormat, look: &mut Look<'_>) -> io::Result<Streamed> {
    let looked = match detected {
        DetectedFormat::Zip | DetectedFormat::Parquet => return Ok(Streamed::MustSeek(detected)),
        DetectedFormat::Json | DetectedFormat::JsonRows => {
            let (looked, detected) = json::look(feed, Layout::Document, look)?;
            return Ok(Streamed::Done(looked, detected));
        }
        DetectedFormat::JsonLines => json::look(feed, Layout::Lines, look)?.0,
        DetectedFormat::Csv => delimited::look(feed, b',', look)?,
        DetectedFormat::Tsv => delimited::look(feed, b'\t', look)?,
        DetectedFormat::Yaml => yaml::look(feed, look)?,
        DetectedFormat::Html => html::look(feed, look)?,
        DetectedFormat::Markdown => lines::look(feed, Markup::Markdown, look)?,
        DetectedFormat::Text => lines::look(feed, Markup::None, look)?,
        DetectedFormat::Pdf => pdf::look(feed, look)?,
        DetectedFormat::Utf16 => utf16(feed.rest(), look),
        DetectedFormat::Binary => Looked::opaque(not_checked("nothing is known about these bytes")),
        DetectedFormat::Empty => Looked::opaque(ParseOutcome::Parses),
    };
    Ok(Streamed::Done(looked, detected))
}

/// Text that nothing here reads is named and left alone.
fn utf16(head: &[u8], look: &mut Look<'_>) -> Looked {
    look.note("UTF-16 is not read: lines are not counted and placeholders are not searched for");
    let big = head.starts_with(b"\xfe\xff") || head.first() == Some(&0);
    let encoding = if big { TextEncoding::Utf16BigEndian } else { TextEncoding::Utf16LittleEndian };
    let summary = TextSummary { lines: 0, blank_lines: 0, headings: 0, encoding, line_ending: LineEnding::None };
    let parse = fails(at_offset(0), "the text is UTF-16, where UTF-8 is read");
    Looked { parse, summary: ContentSummary::Text(summary) }
}

/// The outcome in the expected format: what is another format does not parse in it.
fn settle(
    outcome: ParseOutcome,
    detected: DetectedFormat,
    expected: Option<ArtifactFormat>,
    agrees: Agreement,
) -> ParseOutcome {
    let Some(expected) = expected.filter(|_| agrees == Agreement::No) else { return outcome };
    let place = match detected {
        DetectedFormat::JsonLines => FoundAt { line: Some(2), ..FoundAt::default() },
        DetectedFormat::Parquet | DetectedFormat::Zip | DetectedFormat::Pdf | DetectedFormat::Binary => at_offset(0),
        _ => at_line(1, 1),
    };
    fails(place, format!("this is {}, where `{}` is expected", detected.as_str(), expected.as_str()))
}
