//! The whole inspection: hash and format, the report of that format, and the outcome in the expected format.

use crate::context::{FormatReport, InspectContext, at_line, at_offset, fails, not_checked};
use crate::detect::{agreement, detect};
use crate::feed::Feed;
use crate::hasher::Hasher;
use crate::json::Layout;
use crate::limits::InspectLimits;
use crate::lines::Markup;
use crate::sentinel::Sentinels;
use crate::{delimited, html, json, lines, parquet, pdf, yaml, zip};
use deed_model::{
    Agreement, ArtifactFormat, ContentSummary, DetectedFormat, FoundAt, Inspection, LineEnding, ParseOutcome,
    TextEncoding, TextSummary,
};
use std::io::{self, Read, Seek, SeekFrom};

/// The source of an artifact: a file or a cursor.
pub trait ReadSeek: Read + Seek {}

impl<T: Read + Seek + ?Sized> ReadSeek for T {}

/// Inspects an artifact in one pass.
///
/// Any bytes give an inspection. The artifact must not change while it is read: archives and Parquet files are read again
/// after their hash is taken.
///
/// # Errors
/// The input cannot be read.
pub fn inspect(
    input: &mut dyn ReadSeek,
    expected: Option<ArtifactFormat>,
    limits: &InspectLimits,
) -> io::Result<Inspection> {
    let length = input.seek(SeekFrom::End(0))?;
    input.seek(SeekFrom::Start(0))?;
    let mut context = InspectContext::new(limits, Sentinels::new()?);
    let (read, sha256, bytes) = std::thread::scope(|scope| {
        let mut source = &mut *input;
        let mut feed = Feed::open(&mut source, Hasher::start(scope, length))?;
        let detected = detect(feed.rest(), feed.ended(), expected);
        let read = stream(&mut feed, detected, &mut context)?;
        feed.drain()?;
        let (hasher, bytes) = feed.close();
        Ok::<_, io::Error>((read, hasher.finish()?, bytes))
    })?;
    let (report, detected) = match read {
        StreamOutcome::Done(report, detected) => (report, detected),
        StreamOutcome::MustSeek(DetectedFormat::Zip) => {
            (zip::inspect(input, bytes, &mut context)?, DetectedFormat::Zip)
        }
        StreamOutcome::MustSeek(detected) => (parquet::inspect(input, bytes, &mut context)?, detected),
    };
    let agrees = agreement(detected, expected);
    let parse = settle(report.parse, detected, expected, agrees);
    let (notes, sentinels) = context.into_notes();
    let sentinels = sentinels.report();
    Ok(Inspection { sha256, bytes, detected, expected, agrees, parse, summary: report.summary, sentinels, notes })
}

/// The outcome of streaming through an artifact.
enum StreamOutcome {
    Done(FormatReport, DetectedFormat),
    /// The format needs random access.
    MustSeek(DetectedFormat),
}

/// Inspects the formats that are read in one pass.
fn stream(
    feed: &mut Feed<'_, '_>,
    detected: DetectedFormat,
    context: &mut InspectContext<'_>,
) -> io::Result<StreamOutcome> {
    let report = match detected {
        DetectedFormat::Zip | DetectedFormat::Parquet => return Ok(StreamOutcome::MustSeek(detected)),
        DetectedFormat::Json | DetectedFormat::JsonRows => {
            let (report, detected) = json::inspect(feed, Layout::Document, context)?;
            return Ok(StreamOutcome::Done(report, detected));
        }
        DetectedFormat::JsonLines => json::inspect(feed, Layout::Lines, context)?.0,
        DetectedFormat::Csv => delimited::inspect(feed, b',', context)?,
        DetectedFormat::Tsv => delimited::inspect(feed, b'\t', context)?,
        DetectedFormat::Yaml => yaml::inspect(feed, context)?,
        DetectedFormat::Html => html::inspect(feed, context)?,
        DetectedFormat::Markdown => lines::inspect(feed, Markup::Markdown, context)?,
        DetectedFormat::Text => lines::inspect(feed, Markup::None, context)?,
        DetectedFormat::Pdf => pdf::inspect(feed, context)?,
        DetectedFormat::Utf16 => utf16(feed.rest(), context),
        DetectedFormat::Binary => FormatReport::opaque(not_checked("nothing is known about these bytes")),
        DetectedFormat::Empty => FormatReport::opaque(ParseOutcome::Parses),
    };
    Ok(StreamOutcome::Done(report, detected))
}

/// Reports UTF-16, which is not read.
fn utf16(head: &[u8], context: &mut InspectContext<'_>) -> FormatReport {
    context.note("UTF-16 is not read: lines are not counted and placeholders are not searched for");
    let big = head.starts_with(b"\xfe\xff") || head.first() == Some(&0);
    let encoding = if big { TextEncoding::Utf16BigEndian } else { TextEncoding::Utf16LittleEndian };
    let summary = TextSummary { lines: 0, blank_lines: 0, headings: 0, encoding, line_ending: LineEnding::None };
    let parse = fails(at_offset(0), "the text is UTF-16, where UTF-8 is read");
    FormatReport { parse, summary: ContentSummary::Text(summary) }
}

/// The outcome in the expected format: an artifact of another format does not parse in it.
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
