//! `deed prompt`: the prompts of consumers of models.

mod list;
mod show;

use crate::args::Global;
use crate::output::Success;
use crate::schema::Described;
use clap::Subcommand;
use deed_app::AppError;

/// The data of each command.
pub(super) const OUTPUTS: &[Described] =
    &[Described::of::<Vec<list::ListedPrompt>>("prompt list"), Described::of::<show::ShownPrompt>("prompt show")];

/// Commands about prompts.
#[derive(Debug, Subcommand)]
pub(crate) enum Prompt {
    List(list::List),
    Show(show::Show),
}

impl Prompt {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        match self {
            Self::List(c) => c.run(global),
            Self::Show(c) => c.run(global),
        }
    }
}
