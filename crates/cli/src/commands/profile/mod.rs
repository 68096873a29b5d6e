//! `deed profile`: execution profiles.

mod bind;
mod diff;
mod explain;
mod lint;
mod list;
mod new;
mod publish;
mod show;

use crate::args::Global;
use crate::output::Success;
use crate::schema::Described;
use clap::Subcommand;
use deed_app::AppError;

/// The data of each command.
pub(super) const OUTPUTS: &[Described] = &[
    Described::of::<new::WrittenProfile>("profile new"),
    Described::of::<lint::LintedProfile>("profile lint"),
    Described::of::<show::ShownProfile>("profile show"),
    Described::of::<explain::ExplainedProfile>("profile explain"),
    Described::of::<diff::ComparedProfiles>("profile diff"),
    Described::of::<publish::PublishedProfile>("profile publish"),
    Described::of::<bind::BoundProfile>("profile bind"),
    Described::of::<Vec<list::ListedProfile>>("profile list"),
];

/// Commands about execution profiles.
#[derive(Debug, Subcommand)]
pub(crate) enum Profile {
    New(new::New),
    Lint(lint::Lint),
    Show(show::Show),
    Explain(explain::Explain),
    Diff(diff::Diff),
    Publish(publish::Publish),
    Bind(bind::Bind),
    List(list::List),
}

impl Profile {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        match self {
            Self::New(c) => c.run(global),
            Self::Lint(c) => c.run(),
            Self::Show(c) => c.run(global),
            Self::Explain(c) => c.run(global),
            Self::Diff(c) => c.run(global),
            Self::Publish(c) => c.run(global),
            Self::Bind(c) => c.run(global),
            Self::List(c) => c.run(global),
        }
    }
}
