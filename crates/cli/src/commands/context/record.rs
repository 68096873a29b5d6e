//! `deed context record`: a compile as a bundle that can be replayed on any machine.

use super::sources::ContextArgs;
use crate::args::Global;
use crate::output::Success;
use clap::Args;
use clap::builder::PossibleValue;
use clap::builder::PossibleValuesParser;
use deed_app::AppError;
use deed_app::classified::RestrictedCopies;
use deed_app::contexts::{LoadedOrigin, OriginSources, recording_text, write_recording};
use deed_app::registry::without_secret;
use deed_diag::Invariant as _;
use deed_model::{ReplayBundle, ReplayPacket, SideEffectPolicy, SourceKind, UsageReport};
use schemars::JsonSchema;
use serde::Serialize;
use std::path::PathBuf;

/// Compile a request and record everything that was read and decided in a bundle.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed context record --pack ./support --request request.yaml --run run.yaml \\
      --out recorded/1.json
  deed context record --pack ./support --request request.yaml --run run.yaml \\
      --kind operator_correction --correction correction.yaml \\
      --out recorded/2.json")]
pub(crate) struct Record {
    #[command(flatten)]
    given: ContextArgs,
    /// File to write the bundle to [default: standard output].
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Origin of the recording.
    #[arg(long, value_name = "KIND", default_value = "decision_record", value_parser = kinds())]
    kind: String,
    /// What should have happened, for an operator_correction: a file with `reason` and `expect` (YAML or JSON).
    #[arg(long, value_name = "FILE")]
    correction: Option<PathBuf>,
    /// Tool calls that were made, with their answers: a list (YAML or JSON).
    #[arg(long, value_name = "FILE")]
    transcript: Option<PathBuf>,
    /// Side effects that a replay may have [default: transcript_only with a transcript, live_disallowed without].
    #[arg(long, value_name = "POLICY", value_parser = policies())]
    side_effects: Option<String>,
    /// Trace that the request belongs to.
    #[arg(long, value_name = "ID")]
    trace_id: Option<String>,
    /// Additional session id; repeat for several.
    #[arg(long = "session-id", value_name = "ID")]
    session_ids: Vec<String>,
    /// Snapshot of the graph, if the run pins none.
    #[arg(long, value_name = "REF")]
    snapshot: Option<String>,
    /// Run, decision or episode that is recorded [default: run and request].
    #[arg(long, value_name = "REF")]
    source: Option<String>,
    /// Recording whose place this one takes.
    #[arg(long, value_name = "RECORDING", requires = "out")]
    supersedes: Option<PathBuf>,
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

/// The kinds, with the words that they had before.
fn kinds() -> PossibleValuesParser {
    PossibleValuesParser::new(SourceKind::ALL.iter().map(|kind| {
        let value = PossibleValue::new(kind.as_str());
        kind.as_v1().map_or(value.clone(), |old| value.alias(old))
    }))
}

fn policies() -> PossibleValuesParser {
    PossibleValuesParser::new(SideEffectPolicy::ALL.iter().map(|policy| PossibleValue::new(policy.as_str())))
}

impl Record {
    fn source_kind(&self) -> SourceKind {
        let named = |kind: &&SourceKind| kind.as_str() == self.kind || kind.as_v1() == Some(&self.kind);
        *SourceKind::ALL.iter().find(named).invariant("clap accepts the names of kinds alone")
    }

    /// Reads the files of the origin; ids are searched for secrets, because a recording is kept.
    fn origin(&self, global: &Global) -> Result<LoadedOrigin, AppError> {
        let checked = |option: &str, text: &Option<String>| {
            text.as_deref().map(|text| without_secret(option, text).map(str::to_owned)).transpose()
        };
        let policy = |name: &String| SideEffectPolicy::ALL.iter().find(|policy| policy.as_str() == name).copied();
        let sessions = self.session_ids.iter().map(|id| without_secret("--session-id", id).map(str::to_owned));
        let sources = OriginSources {
            correction: self.correction.clone(),
            transcript: self.transcript.clone(),
            trace_id: checked("--trace-id", &self.trace_id)?,
            session_ids: sessions.collect::<Result<_, _>>()?,
            snapshot_ref: checked("--snapshot", &self.snapshot)?,
            side_effect_policy: self.side_effects.as_ref().and_then(policy),
            source_ref: checked("--source", &self.source)?,
            supersedes: self.supersedes.clone(),
        };
        sources.load(&global.session())
    }

    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let (loaded, mut report) = self.given.load_to_copy(global, RestrictedCopies::allowed(self.allow_restricted))?;
        let origin = self.origin(global)?;
        let bundle = loaded.record(&global.session(), self.source_kind(), &origin, self.reported_tokens)?;
        if let Some(path) = &self.out {
            write_recording(path, &bundle)?;
            origin.supersede(&global.session(), &bundle)?;
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
            return Ok(Success::new(RecordedContext::Bundle(Box::new(bundle)), text)
                .document()
                .report(report)
                .remark(remark));
        };
        let data = RecordedContext::File {
            file: path.display().to_string(),
            packet: Box::new(bundle.packet),
            usage: bundle.usage,
        };
        Ok(Success::new(data, format!("{}\n", path.display())).report(report).remark(remark))
    }
}
