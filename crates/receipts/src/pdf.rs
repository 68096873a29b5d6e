//! PDF: its version, whether it ends, the number of pages if it is visible, and whether it is encrypted.
//!
//! Input: a feed at its beginning. Output: a summary. Nothing is inflated, so the pages of files with compressed objects
//! are not counted.

use crate::bytes::{after, between};
use crate::context::{FormatReport, InspectContext, at_offset, fails};
use crate::feed::Feed;
use deed_model::{ContentSummary, Coverage, ParseOutcome, PdfSummary, Protection};
use memchr::memmem;
use std::io;

/// The bytes at the end that must contain the end mark.
const TAIL: usize = 2_048;

/// The bytes after a word in which its value is expected.
const OVERLAP: usize = 64;

/// The findings so far.
#[derive(Default)]
struct PdfScan {
    pages: u64,
    packed: bool,
    encrypted: bool,
}

/// Inspects a PDF.
pub(crate) fn inspect(feed: &mut Feed<'_, '_>, context: &mut InspectContext<'_>) -> io::Result<FormatReport> {
    let version = version(feed.rest());
    let mut seen = PdfScan::default();
    let (tail, end) = loop {
        seen.window(feed.rest(), feed.ended());
        let rest = feed.rest().len();
        if feed.ended() {
            let tail = after(feed.rest(), rest.saturating_sub(TAIL));
            break (tail.to_vec(), feed.offset() + rest as u64);
        }
        feed.consume(rest.saturating_sub(TAIL));
        feed.more()?;
    };
    let ends = memmem::rfind(&tail, b"%%EOF").is_some();
    let parse = if version.is_none() {
        fails(at_offset(0), "the version of the PDF is missing")
    } else if !ends {
        fails(at_offset(end), "the PDF does not end: `%%EOF` is missing")
    } else if memmem::rfind(&tail, b"startxref").is_none() {
        fails(at_offset(end), "the PDF has no `startxref` at its end")
    } else {
        ParseOutcome::Parses
    };
    let pages = (seen.pages > 0 && !seen.packed).then_some(seen.pages);
    if pages.is_none() {
        context.note("the pages of the PDF are packed or not to be found, and were not counted");
    }
    context.note("what the PDF says was not searched for placeholders");
    let summary = ContentSummary::Pdf(PdfSummary {
        version,
        coverage: if ends { Coverage::Complete } else { Coverage::Partial },
        pages,
        protection: if seen.encrypted { Protection::Encrypted } else { Protection::Open },
    });
    Ok(FormatReport { parse, summary })
}

impl PdfScan {
    /// Scans a window. Its last bytes are left for the next window, if one follows.
    fn window(&mut self, window: &[u8], ended: bool) {
        // Windows overlap; each word is counted in the window in which it comes before the overlap.
        let until = if ended { window.len() } else { window.len().saturating_sub(TAIL) };
        for at in memmem::find_iter(window, b"/Type").take_while(|at| *at < until) {
            let value = between(window, at + 5, (at + OVERLAP).min(window.len())).trim_ascii_start();
            match value.strip_prefix(b"/Page") {
                Some([next, ..]) if next.is_ascii_alphabetic() => {}
                Some(_) => self.pages += 1,
                None => self.packed |= value.starts_with(b"/ObjStm"),
            }
        }
        self.encrypted |=
            memmem::find_iter(window, b"/Encrypt").any(|at| !window.get(at + 8).is_some_and(u8::is_ascii_alphabetic));
    }
}

fn version(head: &[u8]) -> Option<String> {
    let at = memmem::find(head.get(..head.len().min(1024))?, b"%PDF-")?;
    let digits = head.get(at + 5..at + 8)?;
    match digits {
        [major, b'.', minor] if major.is_ascii_digit() && minor.is_ascii_digit() => {
            Some(String::from_utf8_lossy(digits).into_owned())
        }
        _ => None,
    }
}
