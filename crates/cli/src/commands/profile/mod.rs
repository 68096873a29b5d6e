//! `deed profile`: execution profiles.

mod bind;
mod deprecate;
mod diff;
mod explain;
mod lint;
mod list;
mod new;
mod publish;
mod revoke;
mod show;
mod unbind;

use crate::args::Global;
use crate::output::Success;
use crate::schema::Described;
use clap::Subcommand;
use deed_app::AppError;
use deed_app::profiles::EndedProfile;

/// The data of each command.
pub(super) const OUTPUTS: &[Described] = &[
    Described::of::<new::WrittenProfile>("profile new"),
    Described::of::<lint::LintedProfile>("profile lint"),
    Described::of::<show::ShownProfile>("profile show"),
    Described::of::<explain::ExplainedProfile>("profile explain"),
    Described::of::<diff::ComparedProfiles>("profile diff"),
    Described::of::<publish::PublishedProfile>("profile publish"),
    Described::of::<bind::BoundProfile>("profile bind"),
    Described::of::<unbind::EndedBinding>("profile unbind"),
    Described::of::<deprecate::DeprecatedProfile>("profile deprecate"),
    Described::of::<revoke::RevokedProfile>("profile revoke"),
    Described::of::<Vec<list::ListedProfile>>("profile list"),
];

/// Returns what became of a profile's end, and of the runs that it governs.
fn under_way(ended: &EndedProfile) -> String {
    match ended.under_way.as_slice() {
        [] => ended.outcome.to_string(),
        runs => format!("{}; under way and not concerned: {}", ended.outcome, runs.join(", ")),
    }
}

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
    Unbind(unbind::Unbind),
    Deprecate(deprecate::Deprecate),
    Revoke(revoke::Revoke),
    List(list::List),
}

impl Profile {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        match self {
            Self::New(c) => c.run(global),
            Self::Lint(c) => c.run(global),
            Self::Show(c) => c.run(global),
            Self::Explain(c) => c.run(global),
            Self::Diff(c) => c.run(global),
            Self::Publish(c) => c.run(global),
            Self::Bind(c) => c.run(global),
            Self::Unbind(c) => c.run(global),
            Self::Deprecate(c) => c.run(global),
            Self::Revoke(c) => c.run(global),
            Self::List(c) => c.run(global),
        }
    }
}
