//! `deed workspace`: workspaces, their settings, and which one is in use.

pub(crate) mod choice;
mod list;
mod new;
mod set;
mod setting_args;
mod show;
mod use_it;
mod verify;

pub(crate) use show::person_line;

use crate::args::Global;
use crate::output::Success;
use crate::schema::Described;
use clap::Subcommand;
use deed_app::AppError;

/// The data of each command.
pub(super) const OUTPUTS: &[Described] = &[
    Described::of::<Vec<list::WorkspaceSummary>>("workspace list"),
    Described::of::<new::NewWorkspace>("workspace new"),
    Described::of::<set::ChangedSettings>("workspace set"),
    Described::of::<show::WorkspaceData>("workspace show"),
    Described::of::<use_it::WorkspaceInUse>("workspace use"),
    Described::of::<verify::VerifiedWorkspace>("workspace verify"),
];

/// Commands about workspaces.
#[derive(Debug, Subcommand)]
pub(crate) enum Workspace {
    New(new::New),
    List(list::List),
    Show(show::Show),
    Use(use_it::Use),
    Set(Box<set::Set>),
    Verify(verify::Verify),
}

impl Workspace {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        match self {
            Self::New(c) => c.run(global),
            Self::List(c) => c.run(global),
            Self::Show(c) => c.run(global),
            Self::Use(c) => c.run(global),
            Self::Set(c) => c.run(global),
            Self::Verify(c) => c.run(global),
        }
    }
}
