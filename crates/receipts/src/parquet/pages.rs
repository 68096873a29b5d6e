//! The headers of all pages, before any page is decoded: no page may say that it unpacks to more than may be held.

use crate::inspect::ReadSeek;
use crate::look::{at_offset, fails, not_checked};
use crate::parquet::footer::{Chunk, Footer};
use crate::parquet::thrift::{Sort, Taken, Thrift};
use deed_model::ParseOutcome;
use std::io::{self, Read, SeekFrom};

/// Packed bytes of one row group.
const GROUP: u64 = 12 << 20;

/// Unpacked bytes of the largest pages of all columns of a row group, which are decoded side by side.
const PAGES: u64 = 8 << 20;

/// Unpacked bytes of all dictionaries of a row group; what they decode to takes several times as much.
const DICTIONARIES: u64 = 2 << 20;

/// The longest header of a page; it may hold the smallest and largest value.
const HEADER: u64 = 64 << 10;

/// Pages that are looked at.
const MOST_PAGES: u64 = 1_000_000;

/// Bytes that pages unpack to.
#[derive(Default)]
struct Sizes {
    largest: u64,
    dictionary: u64,
}

/// Walks through all pages. The inner error says why the rows are not read.
pub(crate) fn check(input: &mut dyn ReadSeek, bytes: u64, footer: &Footer) -> io::Result<Result<(), ParseOutcome>> {
    let mut pages = 0;
    for group in &footer.groups {
        let packed = group.chunks.iter().fold(0_u64, |all, chunk| all.saturating_add(chunk.packed));
        if packed > GROUP {
            return Ok(Err(not_checked(format!("a row group has more than {GROUP} bytes"))));
        }
        let mut all = Sizes::default();
        for chunk in &group.chunks {
            match walk(input, bytes, chunk, &mut pages)? {
                Ok(sizes) => {
                    all.largest += sizes.largest;
                    all.dictionary += sizes.dictionary;
                }
                Err(outcome) => return Ok(Err(outcome)),
            }
        }
        if all.largest > PAGES || all.dictionary > DICTIONARIES {
            return Ok(Err(not_checked("pages unpack to more than is held")));
        }
    }
    Ok(Ok(()))
}

fn walk(
    input: &mut dyn ReadSeek,
    bytes: u64,
    chunk: &Chunk,
    pages: &mut u64,
) -> io::Result<Result<Sizes, ParseOutcome>> {
    let start = chunk.dictionary_at.unwrap_or(chunk.data_at);
    let damaged = |at| Ok(Err(fails(at_offset(at), "the pages of a column cannot be read")));
    let Some(end) = start.checked_add(chunk.packed).filter(|end| *end <= bytes) else {
        return damaged(start.min(bytes));
    };
    let mut sizes = Sizes::default();
    let mut at = start;
    let mut head = Vec::new();
    while at < end {
        *pages += 1;
        if *pages > MOST_PAGES {
            return Ok(Err(not_checked(format!("the file has more than {MOST_PAGES} pages"))));
        }
        input.seek(SeekFrom::Start(at))?;
        head.clear();
        // Most headers are short; a long one is read again.
        input.take((end - at).min(256)).read_to_end(&mut head)?;
        let mut page = header(&head);
        if page.is_none() {
            input.seek(SeekFrom::Start(at))?;
            head.clear();
            input.take((end - at).min(HEADER)).read_to_end(&mut head)?;
            page = header(&head);
        }
        let Some(page) = page else { return damaged(at) };
        sizes.largest = sizes.largest.max(page.unpacked);
        sizes.dictionary += if page.of == DICTIONARY { page.unpacked } else { 0 };
        let Some(next) = at.checked_add(page.length + page.packed).filter(|next| *next <= end) else {
            return damaged(at);
        };
        at = next;
    }
    Ok(Ok(sizes))
}

const DICTIONARY: i64 = 2;

struct Page {
    of: i64,
    unpacked: u64,
    packed: u64,
    length: u64,
}

fn header(bytes: &[u8]) -> Option<Page> {
    let mut page = Page { of: -1, unpacked: 0, packed: 0, length: 0 };
    let mut thrift = Thrift::new(bytes);
    thrift.fields(|thrift, number, sort| {
        match (number, sort) {
            (1, Sort::Whole) => page.of = thrift.whole()?,
            (2, Sort::Whole) => page.unpacked = u64::try_from(thrift.whole()?).ok()?,
            (3, Sort::Whole) => page.packed = u64::try_from(thrift.whole()?).ok()?,
            _ => return Some(Taken::No),
        }
        Some(Taken::Yes)
    })?;
    page.length = thrift.used() as u64;
    Some(page)
}
