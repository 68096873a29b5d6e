//! Naming and forgetting archives of recordings.

use super::super::archives::{ArchiveRecord, ArchiveState};
use super::super::transition::Transition;
use super::reason;
use deed_diag::{Diagnostic, Place, codes, did_you_mean, quote};
use deed_model::RegistryEvent;

const LONGEST_NAME: usize = 100;

/// Names an archive, or states anew what is in it. Naming the same content again changes nothing.
pub fn may_name_archive(
    state: &ArchiveState,
    name: &str,
    record: &ArchiveRecord,
) -> Result<Transition, Vec<Diagnostic>> {
    let form = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'.' | b'_' | b'-');
    let begins = name.starts_with(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit());
    if !begins || name.len() > LONGEST_NAME || !name.bytes().all(form) {
        let message = format!("{} is not the name of an archive", quote(name));
        let help = "use lowercase letters, digits, `.`, `_` and `-`, beginning with a letter or a digit";
        return Err(vec![refusal(name, message).help(help)]);
    }
    let same = |known: &ArchiveRecord| ArchiveRecord { seq: record.seq, ..known.clone() } == *record;
    if state.archives.get(name).is_some_and(same) {
        return Ok(Transition::AlreadyDone);
    }
    Ok(Transition::append(RegistryEvent::ArchiveNamed {
        name: name.to_owned(),
        archive_kind: record.kind,
        path: record.path.clone(),
        content_hash: record.content_hash,
        recordings: record.recordings,
    }))
}

/// Ends the use of an archive.
pub fn may_forget_archive(state: &ArchiveState, name: &str, why: &str) -> Result<Transition, Vec<Diagnostic>> {
    reason::given(why, "forgetting an archive", place(name))?;
    if !state.archives.contains_key(name) {
        let names = state.archives.keys().map(String::as_str);
        let help = did_you_mean(name, names).unwrap_or_else(|| "`deed registry archive list` lists them".to_owned());
        return Err(vec![refusal(name, format!("there is no archive {}", quote(name))).help(help)]);
    }
    Ok(Transition::append(RegistryEvent::ArchiveForgotten { name: name.to_owned(), reason: why.to_owned() }))
}

fn place(name: &str) -> Place {
    Place::file(format!("archive:{name}"))
}

fn refusal(name: &str, message: String) -> Diagnostic {
    Diagnostic::error(codes::UNKNOWN_ARCHIVE, message).stage("lifecycle").at(place(name))
}
