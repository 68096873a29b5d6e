//! `deed packet show`: a packet, what it states, and everything that happened to it.

use crate::output::Success;
use crate::text::writeln;
use clap::Args;
use deed_app::AppError;
use deed_app::contexts::{PacketWithLife, packet};
use deed_model::LifeEntry;
use std::fmt::Write as _;
use std::path::PathBuf;

/// Show a replay packet and its life: every result, oldest first.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed packet show recorded/1.json")]
pub(crate) struct Show {
    /// Recorded compile.
    #[arg(value_name = "RECORDING")]
    recording: PathBuf,
}

impl Show {
    pub(crate) fn run(&self) -> Result<Success, AppError> {
        let packet = packet(&self.recording)?;
        let text = lines(&packet);
        Ok(Success::new(packet, text))
    }
}

/// A packet and its life as text.
pub(super) fn lines(shown: &PacketWithLife) -> String {
    let packet = &shown.packet;
    let mut out = String::new();
    let _ = writeln!(out, "packet      {}", packet.packet_id);
    let _ = writeln!(out, "state       {}", shown.state);
    let _ = writeln!(out, "kind        {}", packet.source_kind);
    let _ = writeln!(out, "source      {}", packet.source_ref);
    let _ = writeln!(out, "pack        {}", packet.pack_ref);
    let _ = writeln!(out, "effects     {}", packet.side_effect_policy);
    let optional = [
        ("trace", packet.trace_id.clone()),
        ("sessions", (!packet.session_ids.is_empty()).then(|| packet.session_ids.join(", "))),
        ("snapshot", packet.snapshot_ref.clone()),
        ("transcript", packet.tool_transcript_chain_hash.map(|hash| hash.to_string())),
        ("supersedes", packet.supersedes.clone()),
        ("superseded", shown.superseded_by.clone()),
    ];
    for (label, value) in optional {
        if let Some(value) = value {
            let _ = writeln!(out, "{label:<11} {value}");
        }
    }
    if let Some(correction) = &packet.correction {
        let _ = writeln!(out, "correction  {} by {}: {}", correction.at, correction.by, correction.reason);
    }
    for entry in shown.life.iter().flat_map(|life| &life.entries) {
        let _ = write!(out, "{}", event(entry));
    }
    out
}

fn event(entry: &LifeEntry) -> String {
    let (event, result) = (&entry.event, &entry.event.result);
    let mut out = String::new();
    let with = event.pack_ref.as_deref().map(|pack| format!("  {pack}")).unwrap_or_default();
    let by = event.superseded_by.as_deref().map(|packet| format!("  by {packet}")).unwrap_or_default();
    let _ = writeln!(out, "{:>4}  {}  {}  {}{with}{by}", entry.seq, event.at, event.by, result.result);
    if let (Some(stage), Some(pointer)) = (result.stage, &result.pointer) {
        let _ = writeln!(out, "      stage {stage} at {pointer}");
    }
    for pointer in &result.unmet {
        let _ = writeln!(out, "      unmet {pointer}");
    }
    if !result.tampered.is_empty() {
        let _ = writeln!(out, "      changed since it was recorded: {}", result.tampered.join(", "));
    }
    if let Some(run) = &result.eval_run_id {
        let score = result.score.map(|score| format!(", score {score}")).unwrap_or_default();
        let _ = writeln!(out, "      evaluation {run}{score}");
    }
    out
}
