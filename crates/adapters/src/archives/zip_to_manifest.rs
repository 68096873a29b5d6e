//! `zip_to_batch_manifest.v1`: what is in an archive, entry by entry.
//!
//! What enters is a ZIP archive; what leaves is a manifest `{"format": 1, "entries": [...]}` sorted by path, each
//! entry with its path, size, compressed size, SHA-256 and media type. Everything is inflated once and counted; what
//! the archive declares about sizes must agree with what was counted. Nothing is unpacked.

use crate::adapter::{Adapted, only};
use crate::archives::media::media_type;
use crate::archives::path::{self, Names};
use crate::error::{AdapterError, ErrorKind, Place};
use crate::limits::Limits;
use crate::note::{NoteKind, Notes};
use crate::out::Out;
use crate::rows::put_string;
use crate::settings::Settings;
use deed_canon::Invariant;
use deed_table::Input;
use sha2::{Digest, Sha256};
use std::io::{Read, SeekFrom, Write};
use zip::ZipArchive;
use zip::result::ZipError;

/// Below this an entry may inflate as it likes.
const FREE: u64 = 1 << 20;

/// The bits of a Unix mode that say what an entry is, and the two that are read.
const SORT: u32 = 0o170_000;
const FILE: u32 = 0o100_000;
const FOLDER: u32 = 0o040_000;

struct Entry {
    path: String,
    size: u64,
    compressed: u64,
    sha256: String,
}

pub(crate) fn run(
    inputs: &mut [&mut dyn Input],
    output: &mut dyn Write,
    settings: &Settings<'_>,
) -> Result<Adapted, AdapterError> {
    let limits = &settings.limits;
    let input = only(inputs)?;
    let length = input.seek(SeekFrom::End(0)).map_err(|error| AdapterError::read(&error))?;
    if length > limits.input_bytes {
        return Err(AdapterError::limit(format_args!("{} bytes of input", limits.input_bytes)));
    }
    let mut notes = Notes::default();
    let mut archive = ZipArchive::new(input).map_err(|error| refusal(&error))?;
    let files = survey(&mut archive, limits, &mut notes)?;
    let mut entries = Vec::with_capacity(files.len());
    let mut total = 0;
    for index in files {
        let entry = inflate(&mut archive, index, limits, limits.output_bytes.saturating_sub(total))?;
        total += entry.size;
        entries.push(entry);
    }
    entries.sort_by(|a, b| a.path.cmp(&b.path));
    write(&entries, output, limits, notes)
}

/// Looks at every entry without inflating any; the numbers of those that are files.
fn survey<R: Read + std::io::Seek>(
    archive: &mut ZipArchive<R>,
    limits: &Limits,
    notes: &mut Notes,
) -> Result<Vec<usize>, AdapterError> {
    if archive.len() > limits.entries {
        return Err(AdapterError::limit(format_args!("{} entries", limits.entries)));
    }
    if archive.has_duplicate_names() {
        return Err(AdapterError::new(ErrorKind::DuplicateName, "two entries have one name"));
    }
    let mut names = Names::default();
    let mut files = Vec::new();
    for index in 0..archive.len() {
        let entry = archive.by_index_data(index).map_err(|error| refusal(&error))?;
        let name = entry.name().map_err(|error| refusal(&error))?;
        if name.as_bytes() != entry.name_raw() {
            let message = "a name that is not marked as UTF-8, so readers differ on it";
            return Err(AdapterError::new(ErrorKind::Encoding, message).at(Place::entry(&name)));
        }
        path::check(&name)?;
        names.add(&name)?;
        if entry.encrypted() {
            let message = "an encrypted entry, which cannot be looked into";
            return Err(AdapterError::new(ErrorKind::Encrypted, message).at(Place::entry(&name)));
        }
        let sort = entry.unix_mode().unwrap_or(0) & SORT;
        if entry.is_symlink() || !matches!(sort, 0 | FILE | FOLDER) {
            let message = "a link or device, where only files and folders are read";
            return Err(AdapterError::new(ErrorKind::Link, message).at(Place::entry(&name)));
        }
        if name.ends_with('/') && entry.size() == 0 {
            notes.add(NoteKind::FolderDropped, || Place::entry(&name));
        } else if name.ends_with('/') || sort == FOLDER {
            let message = "a folder that is a file as well";
            return Err(AdapterError::new(ErrorKind::Inconsistent, message).at(Place::entry(&name)));
        } else {
            files.push(index);
        }
    }
    // Headers that contradict the directory, hidden entries, and entries that share bytes: the bombs that inflate
    // one block many times.
    archive.validate_header_consistency().map_err(|error| match error {
        ZipError::InvalidArchive(_) => AdapterError::new(
            ErrorKind::Inconsistent,
            "the entries and the directory of the archive contradict each other, or entries share bytes",
        ),
        error => refusal(&error),
    })?;
    Ok(files)
}

fn inflate<R: Read + std::io::Seek>(
    archive: &mut ZipArchive<R>,
    index: usize,
    limits: &Limits,
    left: u64,
) -> Result<Entry, AdapterError> {
    let mut file = archive.by_index(index).map_err(|error| refusal(&error))?;
    let path = file.name().map_err(|error| refusal(&error))?.into_owned();
    let (declared, compressed) = (file.size(), file.compressed_size());
    let at = || Place::entry(&path);
    let mut digest = Sha256::new();
    let mut size: u64 = 0;
    let mut block = vec![0; 64 * 1024];
    loop {
        let read = file.read(&mut block).map_err(|_| {
            AdapterError::new(ErrorKind::Syntax, "the entry cannot be inflated, or its checksum is wrong").at(at())
        })?;
        if read == 0 {
            break;
        }
        size += read as u64;
        digest.update(block.get(..read).invariant("a reader fills at most its buffer"));
        if size > limits.entry_bytes {
            return Err(AdapterError::limit(format_args!("{} bytes in one entry", limits.entry_bytes)).at(at()));
        }
        if size > left {
            let limit = AdapterError::limit(format_args!("{} bytes inflated in all", limits.output_bytes));
            return Err(limit.at(at()));
        }
        if size > FREE && size / limits.ratio.max(1) > compressed {
            let message = format!("an entry that inflates to more than {} times its size", limits.ratio);
            return Err(AdapterError::new(ErrorKind::Bomb, message).at(at()));
        }
    }
    if size != declared {
        let message = "an entry whose size is not what the archive says";
        return Err(AdapterError::new(ErrorKind::Inconsistent, message).at(at()));
    }
    let sha256 = digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(Entry { path, size, compressed, sha256 })
}

fn write(entries: &[Entry], output: &mut dyn Write, limits: &Limits, notes: Notes) -> Result<Adapted, AdapterError> {
    let mut out = Out::new(output, limits.output_bytes);
    out.buffer.extend_from_slice(b"{\"format\":1,\"entries\":[");
    for (i, entry) in entries.iter().enumerate() {
        out.buffer.extend_from_slice(if i == 0 { b"\n{\"path\":" } else { b",\n{\"path\":" });
        put_string(&mut out.buffer, &entry.path);
        let rest = format!(
            ",\"size\":{},\"compressed\":{},\"sha256\":\"{}\",\"media_type\":\"{}\"}}",
            entry.size,
            entry.compressed,
            entry.sha256,
            media_type(&entry.path)
        );
        out.buffer.extend_from_slice(rest.as_bytes());
        out.spill()?;
    }
    out.buffer.extend_from_slice(if entries.is_empty() { b"]}\n" } else { b"\n]}\n" });
    out.finish(Some(entries.len() as u64), notes)
}

fn refusal(error: &ZipError) -> AdapterError {
    match error {
        ZipError::Io(error) => AdapterError::read(error),
        ZipError::UnsupportedArchive(_) | ZipError::CompressionMethodNotSupported(_) => {
            AdapterError::new(ErrorKind::Unsupported, "an archive or a compression that is not read")
                .help("stored and deflated entries are read")
        }
        _ => AdapterError::new(ErrorKind::Syntax, "this is not a ZIP archive that can be read"),
    }
}
