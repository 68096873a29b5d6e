//! PDF: its version, whether it ends, how many pages it has as far as that shows, and whether it is encrypted.
//!
//! What enters is a feed at its beginning; what leaves is a summary. Nothing is inflated, so the pages of files that
//! pack their objects are not counted.

use crate::feed::Feed;
use crate::look::{Look, Looked, at_offset, fails};
use deed_model::{ContentSummary, Coverage, ParseOutcome, PdfSummary, Protection};
use memchr::memmem;
use std::io;

/// Bytes at the end in which the end has to be stated.
const TAIL: usize = 2_048;

/// Bytes that are looked at again with the next window, so that no word is cut.
const OVERLAP: usize = 64;

/// What was seen so far.
#[derive(Default)]
struct Seen {
    pages: u64,
    packed: bool,
    encrypted: bool,
}

/// Looks at a PDF.
pub(crate) fn look(feed: &mut Feed<'_, '_>, look: &mut Look<'_>) -> io::Result<Looked> {
    let version = version(feed.rest());
    let mut seen = Seen::default();
    let (tail, end) = loop {
        seen.window(feed.rest(), feed.ended());
        let rest = feed.rest().len();
        if feed.ended() {
            let tail = feed.rest().get(rest.saturating_sub(TAIL)..).unwrap_or_default();
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
        look.note("the pages of the PDF are packed or not to be found, and were not counted");
    }
    look.note("what the PDF says was not searched for placeholders");
    let summary = ContentSummary::Pdf(PdfSummary {
        version,
        coverage: if ends { Coverage::Complete } else { Coverage::Partial },
        pages,
        protection: if seen.encrypted { Protection::Encrypted } else { Protection::Open },
    });
    Ok(Looked { parse, summary })
}

impl Seen {
    /// Looks through a window. What stands in its last bytes is left for the next, where one follows.
    fn window(&mut self, window: &[u8], ended: bool) {
        // Windows overlap by more than this; each word is counted in the window where it stands before the overlap.
        let until = if ended { window.len() } else { window.len().saturating_sub(TAIL) };
        for at in memmem::find_iter(window, b"/Type").take_while(|at| *at < until) {
            let after = window.get(at + 5..(at + OVERLAP).min(window.len())).unwrap_or_default().trim_ascii_start();
            match after.strip_prefix(b"/Page") {
                Some([next, ..]) if next.is_ascii_alphabetic() => {}
                Some(_) => self.pages += 1,
                None => self.packed |= after.starts_with(b"/ObjStm"),
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
