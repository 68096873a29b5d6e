//! `deed context record`: a compile as a bundle that can be replayed on any machine.

use super::sources::ContextArgs;
use crate::args::Global;
use crate::output::Success;
use clap::Args;
use deed_app::AppError;
use deed_app::classified::RestrictedCopies;
use deed_app::contexts::{recording_text, write_recording};
use deed_diag::Invariant as _;
use deed_model::{ReplayBundle, ReplayPacket, SourceKind, UsageReport};
use schemars::JsonSchema;
use serde::Serialize;
use std::path::PathBuf;

/// Compile a request and record everything that was read and decided in a bundle.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed context record --pack ./support --request request.yaml --run run.yaml --out recorded/1.json")]
pub(crate) struct Record {
    #[command(flatten)]
    given: ContextArgs,
    /// File to write the bundle to [default: standard output].
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Origin of the recording.
    #[arg(long, value_name = "KIND", default_value = "run", value_parser = ["run", "golden", "incident", "correction"])]
    kind: String,
    /// Tokens that the provider reported for the prompt, to record beside the count.
    #[arg(long, value_name = "N")]
    reported_tokens: Option<u64>,
    /// Copy data that is classified RESTRICTED.
    #[arg(long)]
    allow_restricted: bool,
}

/// A recorded compile; with `--out` where it was written.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum RecordedContext {
    /// The file, with `--out`.
    File {
        /// The file.
        file: String,
        /// A summary of the recording.
        packet: Box<ReplayPacket>,
        /// Counted and reported tokens.
        usage: Option<UsageReport>,
    },
    /// The whole bundle.
    Bundle(Box<ReplayBundle>),
}

impl Record {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let (loaded, mut report) = self.given.load_to_copy(global, RestrictedCopies::allowed(self.allow_restricted))?;
        let source_kind = SourceKind::ALL.into_iter().find(|kind| kind.as_str() == self.kind);
        let source_kind = source_kind.invariant("clap accepts the names of kinds alone");
        let bundle = loaded.record(source_kind, self.reported_tokens)?;
        if let Some(path) = &self.out {
            write_recording(path, &bundle)?;
        }
        report.merge(loaded.observe(&global.session(), &bundle.packet.packet_id)?);
        let remark = match (&bundle.usage, &bundle.expected.refusal) {
            (Some(usage), _) => format!(
                "recorded {}: {}; counted {} tokens, reported {} ({:+})",
                bundle.packet.packet_id, bundle.expected.outcome, usage.counted, usage.reported, usage.difference
            ),
            (None, Some(code)) => format!("recorded {}: refused with {code}", bundle.packet.packet_id),
            (None, None) => format!("recorded {}: {}", bundle.packet.packet_id, bundle.expected.outcome),
        };
        let Some(path) = &self.out else {
            let text = recording_text(&bundle)?;
            return Ok(Success::new(RecordedContext::Bundle(Box::new(bundle)), text).report(report).remark(remark));
        };
        let data = RecordedContext::File {
            file: path.display().to_string(),
            packet: Box::new(bundle.packet),
            usage: bundle.usage,
        };
        Ok(Success::new(data, format!("{}\n", path.display())).report(report).remark(remark))
    }
}
