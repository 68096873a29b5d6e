//! `deed memory show`: a memory, what judged it, and its history.

use super::shown::{MemoryData, remark};
use crate::args::Global;
use crate::output::Success;
use crate::text::writeln;
use clap::Args;
use deed_app::AppError;
use deed_app::memory::{self, ShownMemory};
use deed_model::{MemoryEvent, MemoryLogEvent, MemoryProposal, MemoryRules};
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt::Write as _;

/// Show a memory: what it says, what judged it, and every event of its life.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed memory show mem_01ab")]
pub(crate) struct Show {
    /// Id of the memory.
    #[arg(value_name = "ID")]
    memory_id: String,
}

/// A memory with its history.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct MemoryHistory {
    /// The memory.
    memory: MemoryData,
    /// What was proposed; null where the checks rejected it.
    proposal: Option<MemoryProposal>,
    /// The rules that judged it.
    rules: MemoryRules,
    /// Its events, in order.
    events: Vec<LoggedEvent>,
}

/// An event with its place in the log.
#[derive(Debug, Serialize, JsonSchema)]
struct LoggedEvent {
    /// The place.
    seq: u64,
    /// The hash.
    hash: String,
    /// The event.
    entry: MemoryLogEvent,
}

impl Show {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let shown = memory::show(&global.session(), &self.memory_id)?;
        let text = text(&shown);
        let remark = remark(&shown.record, shown.status);
        let events = shown.events.into_iter().map(|entry| LoggedEvent {
            seq: entry.link.seq,
            hash: entry.link.hash.to_string(),
            entry: entry.event,
        });
        let data = MemoryHistory {
            memory: MemoryData::of(&shown.record, shown.status),
            proposal: shown.proposal,
            rules: shown.rules,
            events: events.collect(),
        };
        Ok(Success::new(data, text).remark(remark))
    }
}

fn text(shown: &ShownMemory) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "memory     {}", shown.record.memory_id);
    let _ = writeln!(out, "status     {}", shown.status);
    if let Some(proposal) = &shown.proposal {
        let _ = writeln!(out, "says       {}", says(proposal));
        let _ = writeln!(out, "for        {} of {} in {}", proposal.intent_id, proposal.subject, proposal.tenant_id);
        let _ = writeln!(
            out,
            "as         {} {}, {}, confidence {}",
            proposal.tier, proposal.class, proposal.classification, proposal.confidence
        );
        let _ = writeln!(out, "from       {}", proposal.provenance.join(", "));
        if let Some(consent) = &proposal.consent {
            let _ = writeln!(out, "consent    {consent}");
        }
    }
    let _ = writeln!(out, "judged by  {} ({})", shown.rules.pack_ref, shown.rules.pack_origin);
    for entry in &shown.events {
        let MemoryLogEvent { at, actor, event, .. } = &entry.event;
        let _ = writeln!(out, "{:>6}     {at} {actor}: {}{}", entry.link.seq, event.name(), detail(event));
    }
    out
}

/// What a memory says, in one line.
fn says(proposal: &MemoryProposal) -> String {
    match (&proposal.text, &proposal.entity, &proposal.predicate, &proposal.value) {
        (Some(text), ..) => text.clone(),
        (None, Some(entity), Some(predicate), Some(value)) => format!("{entity} {predicate} {value}"),
        (None, ..) => String::new(),
    }
}

/// What an event adds to its name.
fn detail(event: &MemoryEvent) -> String {
    let list = |ids: &[String]| if ids.is_empty() { String::new() } else { format!("; gives up {}", ids.join(", ")) };
    match event {
        MemoryEvent::MemoryCaptured { content, .. } => format!(", {content}"),
        MemoryEvent::MemoryRejected { reasons, .. } => {
            format!(", {}", reasons.iter().map(|reason| reason.as_str()).collect::<Vec<_>>().join(", "))
        }
        MemoryEvent::MemoryChecked { review, .. } if review.is_empty() => ", no review demanded".to_owned(),
        MemoryEvent::MemoryChecked { review, .. } => {
            let demands: Vec<&str> = review.iter().map(|demand| demand.as_str()).collect();
            format!(", review demanded: {}", demands.join(", "))
        }
        MemoryEvent::MemoryReviewed { decision, role, reason, contradicts, .. } => {
            format!(", {} as {role}: {reason}{}", decision.as_str(), list(contradicts))
        }
        MemoryEvent::MemoryPromoted { tier, expires_at, basis, supersedes, .. } => {
            format!(", by {}, {tier} until {expires_at}{}", basis.as_str(), list(supersedes))
        }
        MemoryEvent::MemorySuperseded { by, .. } => format!(", by {by}"),
        MemoryEvent::MemoryExpired { .. } => String::new(),
        MemoryEvent::MemoryRevoked { reason, .. } => format!(", {reason}"),
    }
}
