//! Checks the headers of all pages before any page is decoded: no page may state an unpacked size beyond the limits.

use crate::context::{at_offset, fails, not_checked};
use crate::inspect::ReadSeek;
use crate::parquet::footer::{Chunk, Footer};
use crate::parquet::thrift::{FieldType, FieldVisit, Thrift};
use deed_model::ParseOutcome;
use std::io::{self, Read, SeekFrom};

/// Packed bytes of one row group.
const GROUP: u64 = 12 << 20;

/// Unpacked bytes of the largest pages of all columns of a row group, which are decoded side by side.
const PAGES: u64 = 8 << 20;

/// Unpacked bytes of all dictionaries of a row group; what they decode to takes several times as much.
const DICTIONARIES: u64 = 2 << 20;

/// The longest header of a page; it may contain the smallest and largest value.
const HEADER: u64 = 64 << 10;

/// The maximum number of pages.
const MOST_PAGES: u64 = 1_000_000;

/// Bytes that pages unpack to.
#[derive(Default)]
struct Sizes {
    largest: u64,
    dictionary: u64,
}

/// Walks through all pages. The inner error is the outcome if the rows are not read.
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
                    // The file states these sizes: a sum that wraps around would pass the limits.
                    all.largest = all.largest.saturating_add(sizes.largest);
                    all.dictionary = all.dictionary.saturating_add(sizes.dictionary);
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
        let dictionary = if page.of == DICTIONARY { page.unpacked } else { 0 };
        sizes.dictionary = sizes.dictionary.saturating_add(dictionary);
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
            (1, FieldType::Whole) => page.of = thrift.whole()?,
            (2, FieldType::Whole) => page.unpacked = u64::try_from(thrift.whole()?).ok()?,
            (3, FieldType::Whole) => page.packed = u64::try_from(thrift.whole()?).ok()?,
            _ => return Some(FieldVisit::Skip),
        }
        Some(FieldVisit::Read)
    })?;
    page.length = thrift.used() as u64;
    Some(page)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parquet::footer::Group;
    use std::io::Cursor;

    /// The header of a data page without bytes, of which the file states the unpacked size.
    fn page(unpacked: u64) -> Vec<u8> {
        let mut bytes = vec![0x15, 0, 0x15];
        let mut rest = u128::from(unpacked) << 1;
        while rest > 0x7f {
            bytes.push((rest & 0x7f) as u8 | 0x80);
            rest >>= 7;
        }
        bytes.extend([rest as u8, 0x15, 0, 0]);
        bytes
    }

    #[test]
    fn sizes_whose_sum_wraps_around_are_refused() {
        let sizes = [i64::MAX as u64, i64::MAX as u64, 2];
        let mut bytes = Vec::new();
        let mut chunks = Vec::new();
        for size in sizes {
            let page = page(size);
            let chunk = Chunk { data_at: bytes.len() as u64, packed: page.len() as u64, ..Chunk::default() };
            chunks.push(chunk);
            bytes.extend(page);
        }
        let footer = Footer { groups: vec![Group { rows: 0, chunks }], ..Footer::default() };
        let length = bytes.len() as u64;
        let outcome = check(&mut Cursor::new(bytes), length, &footer).unwrap();
        assert_eq!(outcome, Err(not_checked("pages unpack to more than is held")));
    }
}
