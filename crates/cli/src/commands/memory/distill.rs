//! `deed memory distill`: a model proposes what to remember of a finished run, and the checks of the log decide.

use super::shown::{MemoryData, line};
use crate::args::Global;
use crate::output::Success;
use crate::text::writeln;
use clap::Args;
use deed_app::AppError;
use deed_app::memory::{self, DistillRequest, DistilledRun, LeftOutArtifact};
use deed_app::packs::PackChoice;
use deed_app::runs::{MachineOptions, parse_budget};
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt::Write as _;
use std::path::PathBuf;

/// Propose memories from a finished run, as a model finds them in its artifacts.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed memory distill last --pack ctxpack.support@1.0.0
  deed memory distill last --profile ./distiller.yaml --pack ./support
  deed memory distill last --pack ./support --artifact output/report.md
  deed memory distill last --pack ./support --replay week-46.transcript")]
pub(crate) struct Distill {
    /// Run: its name, a unique prefix of it, or `last`.
    #[arg(value_name = "RUN")]
    run: String,
    /// Profile that binds `operator_distiller`: a shipped one, a version of the registry, or a file; the run's otherwise.
    #[arg(long, value_name = "PROFILE")]
    profile: Option<String>,
    /// Pack whose memory rules decide: a version, a folder, or with --env an id; the profile's otherwise.
    #[arg(long, value_name = "REF|DIR|ID")]
    pack: Option<String>,
    /// Use the version and the overlays of the pack that this environment has pinned.
    #[arg(long = "env", value_name = "NAME", requires = "pack")]
    environment: Option<String>,
    /// Artifact of the run that the model reads, in place of all texts. Repeatable.
    #[arg(long = "artifact", value_name = "PATH")]
    artifacts: Vec<String>,
    /// Budget of the distillation, such as `money_micros=50000`. Repeatable.
    #[arg(long, value_name = "PART=AMOUNT")]
    budget: Vec<String>,
    /// Address to use for a host name, in place of the system's resolver. Repeatable.
    #[arg(long, value_name = "NAME=ADDRESS")]
    resolve: Vec<String>,
    /// PEM file with certificates to trust besides the system's.
    #[arg(long, value_name = "FILE")]
    ca: Option<PathBuf>,
    /// Write the calls of models and their replies into a new transcript.
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Answer calls of models from a transcript; no provider is asked, and a call that it lacks is an error.
    #[arg(long, value_name = "FILE")]
    replay: Option<PathBuf>,
}

/// What was distilled from a run.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct DistilledMemories {
    /// The run.
    run_id: String,
    /// The journal of the distillation.
    distillation: String,
    /// False if an earlier command distilled the run: nothing was asked and nothing proposed.
    is_new: bool,
    /// The candidates, in the order of the reply.
    candidates: Vec<CandidateData>,
    /// Artifacts that the model did not read; of a distillation that was made now.
    left_out: Vec<LeftOutArtifact>,
}

/// A candidate, and what became of it.
#[derive(Debug, Serialize, JsonSchema)]
struct CandidateData {
    /// Its statement.
    statement: String,
    /// The memory that it was proposed as; null if it was refused before that.
    memory: Option<MemoryData>,
    /// Its sources; empty if it was not proposed, or the checks rejected it.
    provenance: Vec<String>,
    /// The reason why it was not proposed.
    refused: Option<String>,
}

impl Distill {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let pack = self.pack.as_ref();
        let request = DistillRequest {
            run: self.run.clone(),
            profile: self.profile.clone(),
            pack: pack.map(|pack| PackChoice { pack: pack.clone(), environment: self.environment.clone() }),
            artifacts: self.artifacts.clone(),
            grant: parse_budget(&self.budget)?,
            machine: MachineOptions {
                resolve: self.resolve.clone(),
                ca: self.ca.clone(),
                record: self.record.clone(),
                replay: self.replay.clone(),
                ..MachineOptions::default()
            },
        };
        let distilled = memory::distill(&global.session(), &request)?;
        let (text, remark) = (text(&distilled), remark(&distilled));
        let report = distilled.report.clone();
        Ok(Success::new(data(distilled), text).remark(remark).report(report))
    }
}

fn text(distilled: &DistilledRun) -> String {
    let mut out = String::new();
    for candidate in &distilled.candidates {
        match (&candidate.memory, &candidate.refused) {
            (Some((record, status)), _) => {
                out.push_str(&line(record, *status));
                let _ = writeln!(out, "  says {}", candidate.statement);
                for source in &candidate.provenance {
                    let _ = writeln!(out, "  from {source}");
                }
                for reason in &record.rejected {
                    let _ = writeln!(out, "  rejected: {}", reason.as_str());
                }
            }
            (None, reason) => {
                let _ = writeln!(out, "refused    {}", candidate.statement);
                let _ = writeln!(out, "  {}", reason.as_deref().unwrap_or("its memory is not in the log any more"));
            }
        }
    }
    for left in &distilled.left_out {
        let _ = writeln!(out, "not read   {}: {}", left.path, left.reason);
    }
    out
}

fn remark(distilled: &DistilledRun) -> String {
    let refused = distilled.candidates.iter().filter(|candidate| candidate.memory.is_none()).count();
    let proposed = distilled.candidates.len() - refused;
    let run = &distilled.run_id;
    match distilled.is_new {
        true => format!("{proposed} proposed, {refused} refused; `deed runs cost {run}` shows what it cost"),
        false => {
            format!("{proposed} proposed, {refused} refused: {run} was distilled before, and nothing was asked now")
        }
    }
}

fn data(distilled: DistilledRun) -> DistilledMemories {
    let candidates = distilled.candidates.into_iter().map(|candidate| CandidateData {
        memory: candidate.memory.as_ref().map(|(record, status)| MemoryData::of(record, *status)),
        statement: candidate.statement,
        provenance: candidate.provenance,
        refused: candidate.refused,
    });
    DistilledMemories {
        run_id: distilled.run_id,
        distillation: distilled.distillation,
        is_new: distilled.is_new,
        candidates: candidates.collect(),
        left_out: distilled.left_out,
    }
}
