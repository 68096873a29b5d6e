//! `deed profile new`: a profile to begin with.

use crate::args::Global;
use crate::output::Success;
use clap::Args;
use deed_app::AppError;
use deed_app::profiles::{NewProfile, new};
use schemars::JsonSchema;
use serde::Serialize;
use std::path::PathBuf;

/// Write a commented execution profile that passes lint.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed profile new team-default
  deed profile new team-default --out profiles/team.yaml")]
pub(crate) struct New {
    /// Id of the profile, such as team-default.
    profile_id: String,
    /// File to write [default: <PROFILE_ID>.profile.yaml].
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Issuer that will sign it [default: the registry's tenant].
    #[arg(long)]
    issuer: Option<String>,
}

/// A profile that was written.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct WrittenProfile {
    /// Its file.
    file: String,
}

impl New {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let wanted =
            NewProfile { profile_id: self.profile_id.clone(), out: self.out.clone(), issuer: self.issuer.clone() };
        let file = new(&global.session(), &wanted)?.display().to_string();
        let remark = format!("next: `deed profile lint {file}`");
        Ok(Success::new(WrittenProfile { file: file.clone() }, format!("{file}\n")).remark(remark))
    }
}
