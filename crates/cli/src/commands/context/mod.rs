//! `deed context`: contexts compiled, explained, recorded and replayed.

mod call;
mod compile;
mod explain;
mod record;
mod replay;
mod sources;
mod stats;
mod sweep;
mod whatif;

use crate::args::Global;
use crate::output::Success;
use crate::schema::Described;
use clap::Subcommand;
use deed_app::AppError;

/// The data of each command.
pub(super) const OUTPUTS: &[Described] = &[
    Described::of::<deed_model::CallDecision<'static>>("context call"),
    Described::of::<compile::CompiledData<'static>>("context compile"),
    Described::of::<deed_context::ContextExplanation<'static>>("context explain"),
    Described::of::<record::RecordedContext>("context record"),
    Described::of::<replay::Replayed>("context replay"),
    Described::of::<deed_app::contexts::ArchiveStatistics>("context stats"),
    Described::of::<deed_app::contexts::Sweep>("context sweep"),
    Described::of::<deed_context::WhatIf>("context whatif"),
];

/// Commands about contexts.
#[derive(Debug, Subcommand)]
pub(crate) enum Context {
    Compile(compile::Compile),
    Call(call::Call),
    Explain(explain::Explain),
    Record(Box<record::Record>),
    Replay(replay::Replay),
    Stats(stats::Stats),
    Sweep(sweep::Sweep),
    Whatif(whatif::Whatif),
}

impl Context {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        match self {
            Self::Compile(c) => c.run(global),
            Self::Call(c) => c.run(global),
            Self::Explain(c) => c.run(global),
            Self::Record(c) => c.run(global),
            Self::Replay(c) => c.run(global),
            Self::Stats(c) => c.run(global),
            Self::Sweep(c) => c.run(global),
            Self::Whatif(c) => c.run(global),
        }
    }
}
