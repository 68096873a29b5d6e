//! `deed prompt`: the prompts of consumers of models.

mod deprecate;
mod lint;
mod list;
mod publish;
mod revoke;
mod show;

use crate::args::Global;
use crate::output::Success;
use crate::schema::Described;
use clap::Subcommand;
use deed_app::AppError;

/// The data of each command.
pub(super) const OUTPUTS: &[Described] = &[
    Described::of::<Vec<list::ListedPrompt>>("prompt list"),
    Described::of::<show::ShownPrompt>("prompt show"),
    Described::of::<lint::LintedPrompt>("prompt lint"),
    Described::of::<publish::PublishedPrompt>("prompt publish"),
    Described::of::<deprecate::DeprecatedPrompt>("prompt deprecate"),
    Described::of::<revoke::RevokedPrompt>("prompt revoke"),
];

/// Commands about prompts.
#[derive(Debug, Subcommand)]
pub(crate) enum Prompt {
    List(list::List),
    Show(show::Show),
    Lint(lint::Lint),
    Publish(publish::Publish),
    Deprecate(deprecate::Deprecate),
    Revoke(revoke::Revoke),
}

impl Prompt {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        match self {
            Self::List(c) => c.run(global),
            Self::Show(c) => c.run(global),
            Self::Lint(c) => c.run(),
            Self::Publish(c) => c.run(global),
            Self::Deprecate(c) => c.run(global),
            Self::Revoke(c) => c.run(global),
        }
    }
}
