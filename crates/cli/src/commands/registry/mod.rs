//! `deed registry`: the registry itself, and what it demands of every pack.

mod archive;
mod policy;

use crate::args::Global;
use crate::output::Success;
use crate::schema::Described;
use clap::Subcommand;
use deed_app::AppError;

/// The data of each command.
pub(super) const OUTPUTS: &[Described] = &[
    Described::of::<archive::ShownArchive>("registry archive add"),
    Described::of::<archive::ForgottenArchive>("registry archive forget"),
    Described::of::<Vec<archive::ShownArchive>>("registry archive list"),
    Described::of::<policy::ShownPolicy>("registry policy show"),
    Described::of::<policy::ShownPolicy>("registry policy set"),
];

/// Commands about the registry.
#[derive(Debug, Subcommand)]
pub(crate) enum Registry {
    /// List, add and forget the archives of recordings that every release is tried on.
    #[command(
        subcommand,
        after_help = "Examples:
  deed registry archive add incidents recorded/incidents
  deed registry archive list"
    )]
    Archive(archive::Archive),
    /// Show or set the reviews that the registry demands of every pack.
    #[command(
        subcommand,
        after_help = "Examples:
  deed registry policy show
  deed registry policy set --allow-self-review --reason \"one person\""
    )]
    Policy(policy::Policy),
}

impl Registry {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        match self {
            Self::Archive(c) => c.run(global),
            Self::Policy(c) => c.run(global),
        }
    }
}
