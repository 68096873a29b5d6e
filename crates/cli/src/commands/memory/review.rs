//! `deed memory review`: a person accepts or rejects a candidate.

use super::shown::{ChangedMemory, line, remark};
use crate::args::Global;
use crate::commands::keys::role;
use crate::output::Success;
use clap::Args;
use deed_app::AppError;
use deed_app::memory::{self, MemoryReview};
use deed_model::{ReviewDecision, ReviewRole};

/// Accept or reject a candidate, in a role and with a reason.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed memory review mem_01ab --accept --as data --reason \"heard it myself\"
  deed memory review mem_01ab --reject --as security --reason \"hearsay\"")]
pub(crate) struct Review {
    /// Id of the memory.
    #[arg(value_name = "ID")]
    memory_id: String,
    /// Accept it: it can be promoted, and takes the place of what it contradicts now.
    #[arg(long, required_unless_present = "reject", conflicts_with = "reject")]
    accept: bool,
    /// Reject it: it is never promoted.
    #[arg(long)]
    reject: bool,
    /// Role in which you decide.
    #[arg(long = "as", value_name = "ROLE", value_parser = role())]
    role: ReviewRole,
    /// Reason, for the log.
    #[arg(long)]
    reason: String,
}

impl Review {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let decision = if self.accept { ReviewDecision::Accepted } else { ReviewDecision::Rejected };
        let review =
            MemoryReview { memory_id: self.memory_id.clone(), decision, role: self.role, reason: self.reason.clone() };
        let decided = memory::review(&global.session(), &review)?;
        let (record, status) = (&decided.record, decided.status);
        let by = record.review.as_ref().filter(|review| review.self_review);
        let by = by.map_or("", |_| "; the reviewer proposed it too, which the registry's policy allows");
        let remark = format!("{}{by}", remark(record, status));
        Ok(Success::new(ChangedMemory::of(record, status, &decided.outcome), line(record, status)).remark(remark))
    }
}
