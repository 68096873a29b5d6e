//! `deed models`: the providers that are known, and a question to try a model.

mod list;
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
];

/// Commands about models.
#[derive(Debug, Subcommand)]
pub(crate) enum Models {
    List(list::List),
    Test(Box<test::Test>),
}

impl Models {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        match self {
            Self::List(c) => c.run(global),
            Self::Test(c) => c.run(global),
        }
    }
}
