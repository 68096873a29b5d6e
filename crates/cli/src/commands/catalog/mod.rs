//! `deed catalog`: the types that plans are checked with.

mod adapt;
mod add;
mod infer;
mod lint;
mod list;
mod new;
mod show;
pub(super) mod types;

use crate::args::Global;
use crate::output::Success;
use crate::schema::Described;
use clap::Subcommand;
use deed_app::AppError;

/// The data of each command.
pub(super) const OUTPUTS: &[Described] = &[
    Described::of::<list::TypeList>("catalog list"),
    Described::of::<show::ShownType>("catalog show"),
    Described::of::<lint::LintedTypes>("catalog lint"),
    Described::of::<new::NewTypes>("catalog new"),
    Described::of::<infer::InferredData>("catalog infer"),
    Described::of::<add::AddedTypes>("catalog add"),
    Described::of::<adapt::AdaptedData>("catalog adapt"),
];

/// Commands about the catalogue.
#[derive(Debug, Subcommand)]
pub(crate) enum Catalog {
    List(list::List),
    Show(show::Show),
    Lint(lint::Lint),
    New(new::New),
    Infer(infer::Infer),
    Add(add::Add),
    Adapt(adapt::Adapt),
}

impl Catalog {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        match self {
            Self::List(c) => c.run(global),
            Self::Show(c) => c.run(global),
            Self::Lint(c) => c.run(global),
            Self::New(c) => c.run(),
            Self::Infer(c) => c.run(),
            Self::Add(c) => c.run(global),
            Self::Adapt(c) => c.run(global),
        }
    }
}
