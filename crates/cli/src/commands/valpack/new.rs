//! `deed valpack new`: a validation pack to begin with.

use crate::output::Success;
use clap::Args;
use deed_app::AppError;
use deed_app::valpacks::{NewValidationPack, new};
use schemars::JsonSchema;
use serde::Serialize;
use std::path::PathBuf;

/// Write a commented validation pack that passes lint.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed valpack new valpack.acme.orders
  deed valpack new valpack.acme.orders --out valpacks/orders.yaml")]
pub(crate) struct New {
    /// Name of the pack, such as valpack.acme.orders.
    name: String,
    /// File to write [default: <NAME>.yaml].
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// A validation pack that was written.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct WrittenValidationPack {
    /// Its file.
    file: String,
}

impl New {
    pub(crate) fn run(&self) -> Result<Success, AppError> {
        let wanted = NewValidationPack { name: self.name.clone(), out: self.out.clone() };
        let file = new(&wanted)?.display().to_string();
        let remark = format!("next: `deed valpack lint {file}`");
        Ok(Success::new(WrittenValidationPack { file: file.clone() }, format!("{file}\n")).remark(remark))
    }
}
