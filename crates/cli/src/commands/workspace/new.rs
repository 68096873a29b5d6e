//! `deed workspace new`: a workspace, of which you are the first person and owner.

use super::setting_args::SettingArgs;
use crate::args::Global;
use crate::output::Success;
use clap::Args;
use deed_app::AppError;
use deed_app::workspaces::{WorkspaceRequest, create};
use schemars::JsonSchema;
use serde::Serialize;

/// Make a workspace; you are its first person and its owner.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed workspace new reports --purpose \"Monthly reports\" --use
  deed workspace new payouts --secret bank=env:BANK_KEY")]
pub(crate) struct New {
    /// Name: at most 64 lowercase letters, digits, `-` and `_`.
    name: String,
    /// Kind of work that it is for.
    #[arg(long, value_name = "TEXT")]
    purpose: Option<String>,
    /// Use it from now on, for all commands that name none.
    #[arg(long = "use")]
    in_use: bool,
    #[command(flatten)]
    settings: SettingArgs,
}

/// A workspace that was made.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct NewWorkspace {
    /// Its name.
    workspace: String,
    /// Its first person and owner.
    owner: String,
    /// True where it is in use from now on.
    in_use: bool,
}

impl New {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let request = WorkspaceRequest {
            name: self.name.clone(),
            purpose: self.purpose.clone(),
            settings: self.settings.request(),
            in_use: self.in_use,
        };
        let created = create(&global.session(), &request)?;
        let text = format!("{}  owner {}\n", created.name, created.owner);
        let remark = match created.in_use {
            true => "made, and in use from now on".to_owned(),
            false => format!("made; `deed workspace use {}` uses it", created.name),
        };
        let data = NewWorkspace { workspace: created.name, owner: created.owner, in_use: created.in_use };
        Ok(Success::new(data, text).remark(remark))
    }
}
