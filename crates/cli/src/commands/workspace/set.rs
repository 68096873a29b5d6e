//! `deed workspace set`: changes settings of a workspace.

use super::choice::WorkspaceArgs;
use super::setting_args::SettingArgs;
use crate::args::Global;
use crate::output::Success;
use clap::Args;
use deed_app::AppError;
use deed_app::workspaces::{SettingsRequest, Unset, change_settings};
use deed_model::WorkspaceSettings;
use deed_store::Outcome;
use schemars::JsonSchema;
use serde::Serialize;

/// Update settings of a workspace; runs that were submitted keep theirs.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed workspace set --profile strict-compliance --settings limits.yaml
  deed workspace set --secret bank=env:BANK_KEY --unset secret:old-bank")]
pub(crate) struct Set {
    #[command(flatten)]
    workspace: WorkspaceArgs,
    #[command(flatten)]
    settings: SettingArgs,
    /// Setting to take away: profile, pack, settings, or secret:NAME. Repeatable.
    #[arg(long, value_name = "SETTING", value_parser = unset)]
    unset: Vec<Unset>,
}

fn unset(text: &str) -> Result<Unset, String> {
    match (text, text.strip_prefix("secret:")) {
        ("profile", _) => Ok(Unset::Profile),
        ("pack", _) => Ok(Unset::Pack),
        ("settings", _) => Ok(Unset::Settings),
        (_, Some(name)) => Ok(Unset::Secret(name.to_owned())),
        _ => Err("write `profile`, `pack`, `settings` or `secret:NAME`".to_owned()),
    }
}

/// Settings that were changed.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ChangedSettings {
    /// The workspace.
    workspace: String,
    /// All settings from now on.
    settings: WorkspaceSettings,
    /// True where an event was recorded; false where they were so before.
    recorded: bool,
}

impl Set {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let request = SettingsRequest { unset: self.unset.clone(), ..self.settings.request() };
        let (workspace, settings, outcome) = change_settings(&global.session(), &self.workspace.choice(), &request)?;
        let text = super::show::settings_text(&settings);
        let recorded = outcome != Outcome::AlreadyDone;
        let remark = format!("settings of {workspace}: {outcome}");
        Ok(Success::new(ChangedSettings { workspace, settings, recorded }, text).remark(remark))
    }
}
