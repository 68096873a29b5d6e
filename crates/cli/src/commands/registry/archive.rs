//! `deed registry archive`: archives of recordings that every release is tried on.

use crate::args::Global;
use crate::commands::recorded::{Recorded, event};
use crate::output::Success;
use crate::text::{count, writeln};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand};
use deed_app::AppError;
use deed_app::packs::{self, NamedArchive};
use deed_model::ArchiveKind;
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt::Write as _;
use std::path::PathBuf;

/// Commands about archives.
#[derive(Debug, Subcommand)]
pub(crate) enum Archive {
    Add(Add),
    Forget(Forget),
    List(List),
}

/// Add a folder of recordings, on record; add it again after it changed.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed registry archive add incidents-2026 recorded/incidents --kind incident")]
pub(crate) struct Add {
    /// Name of the archive, such as incidents-2026.
    name: String,
    /// Folder of recorded compiles.
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Kind of the recordings.
    #[arg(long, value_name = "KIND", value_parser = kind(), default_value = "incident")]
    kind: ArchiveKind,
}

/// Forget an archive, with a reason; its recordings stay where they are.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed registry archive forget incidents-2026 \\
      --reason \"replaced by incidents-2027\"")]
pub(crate) struct Forget {
    /// Name of the archive.
    name: String,
    /// Reason, for the audit log.
    #[arg(long)]
    reason: String,
}

/// List the archives that every release is tried on.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed registry archive list")]
pub(crate) struct List {}

fn kind() -> impl TypedValueParser<Value = ArchiveKind> {
    PossibleValuesParser::new(ArchiveKind::ALL.map(ArchiveKind::as_str)).try_map(|name| name.parse::<ArchiveKind>())
}

/// An archive.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ShownArchive {
    /// Its name.
    name: String,
    /// The kind of its recordings.
    kind: ArchiveKind,
    /// The folder: relative to the folder of the project if it lies in it.
    path: String,
    /// The hash over the names and hashes of its files.
    content_hash: String,
    /// The number of its recordings.
    recordings: u64,
    /// The event in the log that named it now; null where nothing was recorded.
    event: Option<Recorded>,
}

/// An archive that is no longer used.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ForgottenArchive {
    /// Its name.
    name: String,
    /// The event in the log.
    event: Option<Recorded>,
}

impl Archive {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let session = global.session();
        match self {
            Self::Add(c) => {
                let (archive, outcome) = packs::name_archive(&session, &c.name, &c.folder, c.kind)?;
                let text = line(&archive);
                Ok(Success::new(shown(&archive, event(&outcome)), text).remark(outcome.to_string()))
            }
            Self::Forget(c) => {
                let outcome = packs::forget_archive(&session, &c.name, &c.reason)?;
                let data = ForgottenArchive { name: c.name.clone(), event: event(&outcome) };
                Ok(Success::new(data, crate::text::line(format_args!("{}", c.name))).remark(outcome.to_string()))
            }
            Self::List(_) => {
                let archives = packs::archives(&session)?;
                let text: String = archives.iter().map(line).collect();
                let data: Vec<ShownArchive> = archives.iter().map(|archive| shown(archive, None)).collect();
                Ok(Success::new(data, text))
            }
        }
    }
}

fn shown(archive: &NamedArchive, event: Option<Recorded>) -> ShownArchive {
    let record = &archive.record;
    ShownArchive {
        name: archive.name.clone(),
        kind: record.kind,
        path: record.path.clone(),
        content_hash: record.content_hash.to_string(),
        recordings: record.recordings,
        event,
    }
}

fn line(archive: &NamedArchive) -> String {
    let mut out = String::new();
    let record = &archive.record;
    let _ = writeln!(
        out,
        "{}  {}  {}  {}  {}",
        archive.name,
        record.kind,
        count(record.recordings, "recording"),
        record.path,
        record.content_hash
    );
    out
}
