//! `deed imprint`: schemas as templates, and filled templates as payloads.

mod audit;
mod fill;
mod join;
mod lower;
mod operations;
mod source;
mod template;

pub(super) use audit::Audit;

use crate::args::Global;
use crate::output::Success;
use crate::schema::Described;
use clap::Subcommand;
use deed_app::AppError;

/// The data of each command.
pub(super) const OUTPUTS: &[Described] = &[
    Described::of::<template::TemplateData>("imprint template"),
    Described::of::<lower::LoweredPayload>("imprint lower"),
    Described::of::<fill::FilledTemplate>("imprint fill"),
    Described::of::<join::JoinedTemplate>("imprint join"),
    Described::of::<operations::ApiOperations>("imprint operations"),
    Described::of::<audit::AuditedSchemas>("dev imprint-audit"),
];

/// Commands about schemas and templates.
#[derive(Debug, Subcommand)]
pub(crate) enum Imprint {
    Template(template::Template),
    Lower(lower::Lower),
    Fill(fill::Fill),
    Join(join::Join),
    Operations(operations::Operations),
}

impl Imprint {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        match self {
            Self::Template(c) => c.run(global),
            Self::Lower(c) => c.run(),
            Self::Fill(c) => c.run(),
            Self::Join(c) => c.run(),
            Self::Operations(c) => c.run(),
        }
    }
}
