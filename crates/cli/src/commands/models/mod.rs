//! `deed models`: the providers that are known, and a question to try a model.

mod list;
mod local;
mod test;

use crate::args::Global;
use crate::output::Success;
use crate::schema::Described;
use clap::Subcommand;
use deed_app::AppError;

/// The data of each command.
pub(super) const OUTPUTS: &[Described] = &[
    Described::of::<deed_app::models::KnownModels>("models list"),
    Described::of::<deed_app::models::TestedModel>("models test"),
    Described::of::<deed_app::models::local::LocalFetched>("models local fetch"),
    Described::of::<deed_app::models::local::LocalServer>("models local serve"),
    Described::of::<deed_app::models::local::LocalStopped>("models local stop"),
    Described::of::<deed_app::models::local::LocalModels>("models local list"),
];

/// Commands about models.
#[derive(Debug, Subcommand)]
pub(crate) enum Models {
    List(list::List),
    Test(Box<test::Test>),
    /// Run small models on this machine, without a key.
    #[command(
        subcommand,
        after_help = "Examples:
  deed models local serve --model qwen2.5-coder-1.5b
  deed models test local:qwen2.5-coder-1.5b
  deed models local stop"
    )]
    Local(local::Local),
}

impl Models {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        match self {
            Self::List(c) => c.run(global),
            Self::Test(c) => c.run(global),
            Self::Local(c) => c.run(global),
        }
    }
}
