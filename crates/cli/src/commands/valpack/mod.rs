//! `deed valpack`: validation packs.

mod deprecate;
mod lint;
mod list;
mod new;
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
    Described::of::<new::WrittenValidationPack>("valpack new"),
    Described::of::<lint::LintedValidationPack>("valpack lint"),
    Described::of::<show::ShownValidationPack>("valpack show"),
    Described::of::<publish::PublishedValidationPack>("valpack publish"),
    Described::of::<deprecate::DeprecatedValidationPack>("valpack deprecate"),
    Described::of::<revoke::RevokedValidationPack>("valpack revoke"),
    Described::of::<Vec<list::ListedValidationPack>>("valpack list"),
];

/// Commands about validation packs.
#[derive(Debug, Subcommand)]
pub(crate) enum Valpack {
    New(new::New),
    Lint(lint::Lint),
    Show(show::Show),
    Publish(publish::Publish),
    Deprecate(deprecate::Deprecate),
    Revoke(revoke::Revoke),
    List(list::List),
}

impl Valpack {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        match self {
            Self::New(c) => c.run(),
            Self::Lint(c) => c.run(),
            Self::Show(c) => c.run(global),
            Self::Publish(c) => c.run(global),
            Self::Deprecate(c) => c.run(global),
            Self::Revoke(c) => c.run(global),
            Self::List(c) => c.run(global),
        }
    }
}
