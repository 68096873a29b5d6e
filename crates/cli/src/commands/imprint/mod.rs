//! `deed imprint`: schemas as templates, and filled templates as payloads.

mod audit;
mod fill;
mod given;
mod join;
mod lower;
mod operations;
mod serialized;
mod template;

pub(super) use given::foreign;

use crate::args::Global;
use crate::output::Success;
use clap::Subcommand;
use deed_app::AppError;

/// What can be done with schemas and templates.
#[derive(Debug, Subcommand)]
pub(crate) enum Imprint {
    Template(template::Template),
    Lower(lower::Lower),
    Fill(fill::Fill),
    Join(join::Join),
    Operations(operations::Operations),
    Audit(audit::Audit),
}

impl Imprint {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        match self {
            Self::Template(c) => c.run(global),
            Self::Lower(c) => c.run(),
            Self::Fill(c) => c.run(),
            Self::Join(c) => c.run(),
            Self::Operations(c) => c.run(),
            Self::Audit(c) => c.run(),
        }
    }
}
