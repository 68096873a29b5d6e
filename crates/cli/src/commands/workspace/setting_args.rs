//! The options for the settings of a workspace.

use clap::Args;
use deed_app::workspaces::SettingsRequest;
use deed_model::DefaultPack;
use std::path::PathBuf;

/// Settings of a workspace.
#[derive(Debug, Args)]
pub(crate) struct SettingArgs {
    /// Profile of runs that name none: a shipped one, or a published version.
    #[arg(long, value_name = "REF")]
    profile: Option<String>,
    /// Pack of runs that name none: a published version, or with --env an id.
    #[arg(long, value_name = "REF|ID")]
    pack: Option<String>,
    /// Environment whose pinned version of the pack is used.
    #[arg(long = "env", value_name = "NAME", requires = "pack")]
    environment: Option<String>,
    /// File with settings of models, and with limits on egress, steps, calls, tokens and money, which only narrow.
    #[arg(long, value_name = "FILE")]
    settings: Option<PathBuf>,
    /// Secret that runs may send, and its source: NAME, NAME=file:FILE or NAME=env:VARIABLE. Repeatable.
    #[arg(long, value_name = "NAME[=SOURCE]")]
    secret: Vec<String>,
    /// Most bytes that all versions of files may have.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(0..=9_007_199_254_740_991))]
    quota_bytes: Option<u64>,
    /// Most versions that all files may have.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(0..=9_007_199_254_740_991))]
    quota_versions: Option<u64>,
}

impl SettingArgs {
    pub(crate) fn request(&self) -> SettingsRequest {
        let pack = self.pack.clone();
        SettingsRequest {
            profile: self.profile.clone(),
            pack: pack.map(|pack| DefaultPack { pack, environment: self.environment.clone() }),
            settings: self.settings.clone(),
            secrets: self.secret.clone(),
            quota_bytes: self.quota_bytes,
            quota_versions: self.quota_versions,
            unset: Vec::new(),
        }
    }
}
