//! Workspaces: files of people and of agents in versions, people with roles, settings, and the runs that read and write them.

mod choice;
mod create;
mod directory;
mod files;
mod keep;
mod limits;
mod member;
mod open;
mod people;
mod read;
mod secrets;
mod settings;
mod settle;
mod upload;
mod verify;

pub use choice::{WorkspaceChoice, in_use, stop_using, use_workspace};
pub use create::{CreatedWorkspace, WorkspaceRequest, create};
pub use files::{
    FileContent, FileHistory, ListedFile, file_history, list_files, read_content, remove_file, write_content,
};
pub use keep::{KeptFile, KeptOutputs, RunOutputs, outputs_of};
pub use people::{AddedPerson, add_person, people, person, remove_person};
pub use read::{ListedWorkspace, RunSummary, ShownWorkspace, list, show};
pub use settings::{SettingsRequest, Unset, change_settings};
pub use upload::{Upload, UploadedFile, upload};
pub use verify::verify;

pub(crate) use directory::ProjectDirectory;
pub(crate) use keep::{began, by_member, keep};
pub(crate) use member::{InputSources, Member, default_pack};
pub(crate) use open::existing;
pub(crate) use read::defaults;
pub(crate) use secrets::RunSecrets;

use crate::error::AppError;
use crate::registry::report_of;
use deed_diag::{Code, Diagnostic};

fn refused(code: Code, message: String, help: impl Into<String>) -> AppError {
    AppError::refused(Diagnostic::error(code, message).stage("workspace").help(help.into()))
}

/// Turns findings of a transition or of a reference into a refusal.
fn findings(found: Vec<Diagnostic>) -> AppError {
    AppError::from(report_of(found))
}
