//! Workspaces as pure functions: files of people and of agents in versions, people with roles, settings, and the runs that
//! read and write them.
//!
//! Every change is an event, and the state is a fold over them ([`WorkspaceState`]). A transition takes the state and returns
//! the events that have to be appended; nothing here reads a clock or a file. A version never changes and is never lost: a
//! removal is a version that says so. What a run wrote appears at once and in full, or not at all.

mod area;
mod check;
mod fold;
mod names;
mod order;
mod path;
mod reference;
mod transitions;

pub use area::Area;
pub use check::allowed;
pub use fold::{BeganRun, FileRecord, WorkspaceState};
pub use names::{check_person_id, check_workspace_name};
pub use path::{FilePath, agents_path, input_path};
pub use reference::{FileRef, VersionRef, resolve};
pub use transitions::{
    Creation, NewFile, Removal, RunFile, RunFiles, Standing, add_person, begin_run, by_person, change_settings, create,
    end_run, put, remove, remove_person, standing,
};

/// The format of the events that are written. Events of format 1 are read too: in it, an output of any run took the place of
/// what was there, and a removal did not name the output.
pub const WORKSPACE_FORMAT: u32 = 2;

/// The oldest format of events that is read.
pub const OLDEST_WORKSPACE_FORMAT: u32 = 1;

/// The role of people who may change the settings and the people of a workspace.
pub const OWNER: &str = "owner";
