//! `deed packet list`: where each packet is in its life.

use crate::output::Success;
use crate::text::writeln;
use clap::Args;
use deed_app::AppError;
use deed_app::contexts::packets;
use std::fmt::Write as _;
use std::path::PathBuf;

/// List replay packets with the latest result of each.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed packet list recorded")]
pub(crate) struct List {
    /// Folder of recordings, or one recording.
    #[arg(value_name = "DIR")]
    path: PathBuf,
}

impl List {
    pub(crate) fn run(&self) -> Result<Success, AppError> {
        let found = packets(&self.path)?;
        let mut text = String::new();
        for packet in &found.packets {
            let last = packet.life.as_ref().and_then(|life| life.entries.last());
            let with = last.and_then(|entry| entry.event.pack_ref.as_deref()).unwrap_or(&packet.packet.pack_ref);
            let kind = packet.packet.source_kind.as_str();
            let _ = writeln!(text, "{:<16} {kind:<20} {with}  {}", packet.state.as_str(), packet.file);
        }
        let success = Success::new(found.packets, text).report(found.report);
        Ok(Success { found: found.unreadable > 0, ..success })
    }
}
