//! Zip archives: the directory at their end, entry by entry; nothing is inflated and no size is trusted.
//!
//! Input: the artifact itself, with random access. Output: a summary. Memory holds two buffers of fixed size and the
//! hashes of the names.

use crate::bytes::{after, between};
use crate::context::{FormatReport, InspectContext, at_offset, cut_bytes, fails, not_checked};
use crate::inspect::ReadSeek;
use crate::table::hash::hash;
use deed_model::{ContentSummary, Coverage, ParseOutcome, ZipSummary};
use std::collections::HashSet;
use std::io::{self, BufReader, Read, SeekFrom};

const END_MARK: &[u8; 4] = b"PK\x05\x06";
const END_LENGTH: usize = 22;
const LOCATOR_MARK: &[u8; 4] = b"PK\x06\x07";
const LOCATOR_LENGTH: usize = 20;
const LONG_END_MARK: &[u8; 4] = b"PK\x06\x06";
const ENTRY_MARK: &[u8; 4] = b"PK\x01\x02";
const ENTRY_LENGTH: usize = 46;

/// Unsafe names that are shown.
const EXAMPLES: usize = 5;

/// The position of the directory and the number of entries it states.
struct Directory {
    start: u64,
    length: u64,
    entries: u64,
}

/// Inspects an archive of `bytes` bytes.
pub(crate) fn inspect(
    input: &mut dyn ReadSeek,
    bytes: u64,
    context: &mut InspectContext<'_>,
) -> io::Result<FormatReport> {
    let mut summary = ZipSummary {
        coverage: Coverage::Partial,
        entries: 0,
        packed_bytes: 0,
        unpacked_bytes: 0,
        encrypted: 0,
        links: 0,
        unsafe_names: 0,
        unsafe_examples: Vec::new(),
        duplicate_names: 0,
    };
    context.note("what the entries of the archive hold was not report at");
    let parse = match find(input, bytes)? {
        Ok(directory) => walk(input, &directory, &mut summary, context)?,
        Err(outcome) => outcome,
    };
    if parse == ParseOutcome::Parses {
        summary.coverage = Coverage::Complete;
    }
    Ok(FormatReport { parse, summary: ContentSummary::Zip(summary) })
}

fn number(bytes: &[u8], at: usize, length: usize) -> u64 {
    let part = between(bytes, at, at + length);
    part.iter().rev().fold(0, |all, byte| all << 8 | u64::from(*byte))
}

/// Finds the end of the directory: the last mark whose comment reaches exactly to the end of the file.
fn find(input: &mut dyn ReadSeek, bytes: u64) -> io::Result<Result<Directory, ParseOutcome>> {
    let length = bytes.min((END_LENGTH + LOCATOR_LENGTH + 0xffff) as u64);
    let start = bytes - length;
    input.seek(SeekFrom::Start(start))?;
    let mut tail = Vec::new();
    input.take(length).read_to_end(&mut tail)?;
    let fits = |at: &usize| {
        let end = after(&tail, *at);
        end.len() >= END_LENGTH && number(end, 20, 2) as usize == end.len() - END_LENGTH
    };
    let Some(at) = memchr::memmem::rfind_iter(&tail, END_MARK).find(fits) else {
        return Ok(Err(fails(at_offset(bytes), "the archive has no directory at its end")));
    };
    let end = after(&tail, at);
    let mut directory =
        Directory { entries: number(end, 10, 2), length: number(end, 12, 4), start: number(end, 16, 4) };
    let mut limit = start + at as u64;
    let locator = at.checked_sub(LOCATOR_LENGTH).and_then(|at| tail.get(at..at + LOCATOR_LENGTH));
    if let Some(locator) = locator.filter(|locator| locator.starts_with(LOCATOR_MARK)) {
        let long = number(locator, 8, 8);
        let mut record = [0; 56];
        if long.checked_add(record.len() as u64).is_none_or(|end| end > limit) {
            return Ok(Err(fails(at_offset(limit), "the end of the directory lies beyond the file")));
        }
        input.seek(SeekFrom::Start(long))?;
        input.read_exact(&mut record)?;
        if !record.starts_with(LONG_END_MARK) {
            return Ok(Err(fails(at_offset(long), "the end of the directory is not where it is said to be")));
        }
        directory = Directory {
            entries: number(&record, 32, 8),
            length: number(&record, 40, 8),
            start: number(&record, 48, 8),
        };
        limit = long;
    }
    if directory.start.checked_add(directory.length).is_none_or(|end| end > limit) {
        return Ok(Err(fails(at_offset(limit), "the directory lies beyond the file")));
    }
    Ok(Ok(directory))
}

fn walk(
    input: &mut dyn ReadSeek,
    directory: &Directory,
    summary: &mut ZipSummary,
    context: &mut InspectContext<'_>,
) -> io::Result<ParseOutcome> {
    input.seek(SeekFrom::Start(directory.start))?;
    let mut reader = BufReader::new(input.take(directory.length));
    let mut at = directory.start;
    let mut names = HashSet::new();
    while summary.entries < directory.entries {
        if summary.entries == context.limits.entries {
            return Ok(not_checked(format!("the archive has more than {} entries", context.limits.entries)));
        }
        let mut entry = [0; ENTRY_LENGTH];
        if !fill(&mut reader, &mut entry)? || !entry.starts_with(ENTRY_MARK) {
            return Ok(fails(at_offset(at), format!("entry {} of the directory is damaged", summary.entries + 1)));
        }
        let (name, extra, comment) = (number(&entry, 28, 2), number(&entry, 30, 2), number(&entry, 32, 2));
        let mut name_bytes = vec![0; name as usize];
        let mut extra_bytes = vec![0; extra as usize];
        let whole = fill(&mut reader, &mut name_bytes)? && fill(&mut reader, &mut extra_bytes)?;
        let skipped = io::copy(&mut reader.by_ref().take(comment), &mut io::sink())?;
        if !whole || skipped != comment {
            return Ok(fails(at_offset(at), format!("entry {} of the directory is cut", summary.entries + 1)));
        }
        at += ENTRY_LENGTH as u64 + name + extra + comment;
        count(summary, &entry, &name_bytes, &extra_bytes, &mut names);
    }
    let left = io::copy(&mut reader, &mut io::sink())?;
    if left > 0 {
        return Ok(fails(at_offset(at), "the directory has more than the entries it states"));
    }
    Ok(ParseOutcome::Parses)
}

fn fill(reader: &mut impl Read, buffer: &mut [u8]) -> io::Result<bool> {
    match reader.read_exact(buffer) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(error),
        Ok(()) => Ok(true),
    }
}

fn count(summary: &mut ZipSummary, entry: &[u8], name: &[u8], extra: &[u8], names: &mut HashSet<u64>) {
    const MOST: u64 = (1 << 53) - 1;
    let (packed, unpacked) = sizes(entry, extra);
    summary.entries += 1;
    summary.packed_bytes = summary.packed_bytes.saturating_add(packed).min(MOST);
    summary.unpacked_bytes = summary.unpacked_bytes.saturating_add(unpacked).min(MOST);
    summary.encrypted += number(entry, 8, 2) & 1;
    // The upper half is a Unix mode, which counts whatever system the entry names.
    summary.links += u64::from((number(entry, 40, 2) >> 12) == 0o12);
    summary.duplicate_names += u64::from(!names.insert(hash(name)));
    if is_unsafe(name) {
        summary.unsafe_names += 1;
        if summary.unsafe_examples.len() < EXAMPLES {
            summary.unsafe_examples.push(cut_bytes(name, 40));
        }
    }
}

/// The packed and unpacked size; those beyond 32 bits are in the extra field.
fn sizes(entry: &[u8], extra: &[u8]) -> (u64, u64) {
    const LONG: u64 = 0xffff_ffff;
    let (mut packed, mut unpacked) = (number(entry, 20, 4), number(entry, 24, 4));
    let mut rest = extra;
    while rest.len() >= 4 {
        let (tag, length) = (number(rest, 0, 2), number(rest, 2, 2) as usize);
        // A field that is longer than the rest is ignored: the sizes stay those that need no field.
        let field = rest.get(4..4 + length).unwrap_or_default();
        if tag == 1 {
            let mut at = 0;
            for size in [&mut unpacked, &mut packed] {
                if *size == LONG && field.len() >= at + 8 {
                    *size = number(field, at, 8);
                    at += 8;
                }
            }
        }
        rest = rest.get(4 + length..).unwrap_or_default();
    }
    (packed, unpacked)
}

/// A name that could lead out of the folder it is unpacked into, on any system.
fn is_unsafe(name: &[u8]) -> bool {
    let inside = name.strip_suffix(b"/").unwrap_or(name);
    let drive = matches!(name, [letter, b':', ..] if letter.is_ascii_alphabetic());
    name.is_empty()
        || drive
        || std::str::from_utf8(name).is_err()
        || name.iter().any(|byte| byte.is_ascii_control() || *byte == b'\\')
        || inside.split(|byte| *byte == b'/').any(|part| part.is_empty() || part == b"." || part == b"..")
}

#[cfg(test)]
mod tests {
    use super::is_unsafe;

    #[test]
    fn names_that_lead_out_of_the_folder_are_unsafe() {
        for name in ["a", "a/b.txt", "a/", "..a", "a..b/c"] {
            assert!(!is_unsafe(name.as_bytes()), "{name}");
        }
        for name in ["", "/a", "../a", "a/../b", "a\\b", "C:a", "a\0b", "a//b", "./a", "."] {
            assert!(is_unsafe(name.as_bytes()), "{name}");
        }
    }
}
