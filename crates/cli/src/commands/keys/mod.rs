//! `deed keys`: own keys, and trusted keys.

mod generate;
mod list;
mod trust;

use crate::args::Global;
use crate::output::Success;
use crate::schema::Described;
use clap::Subcommand;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use deed_app::AppError;
use deed_model::ReviewRole;

/// The data of each command.
pub(super) const OUTPUTS: &[Described] = &[
    Described::of::<generate::GeneratedKey>("keys generate"),
    Described::of::<list::KeyList>("keys list"),
    Described::of::<trust::Trusted>("keys trust"),
];

/// Commands about keys.
#[derive(Debug, Subcommand)]
pub(crate) enum Keys {
    Generate(generate::Generate),
    List(list::List),
    Trust(trust::Trust),
}

/// The four roles as the shell can complete them.
pub(crate) fn role() -> impl TypedValueParser<Value = ReviewRole> {
    PossibleValuesParser::new(ReviewRole::ALL.map(ReviewRole::as_str)).try_map(|name| name.parse::<ReviewRole>())
}

impl Keys {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        match self {
            Self::Generate(c) => c.run(global),
            Self::List(c) => c.run(global),
            Self::Trust(c) => c.run(global),
        }
    }
}
