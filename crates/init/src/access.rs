//! The access that a Landlock rule grants below a path.

use serde::{Deserialize, Serialize};

/// The access that a rule grants below its path; none grants device nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Access {
    /// Read files and list folders.
    Read,
    /// Read, list and execute.
    Execute,
    /// Read and write existing files, such as `/dev/null`.
    Use,
    /// Read and write plain files and folders: no links, pipes, sockets or devices, and nothing is executed.
    Write,
    /// As `write`, with links, pipes and sockets: for folders from which nothing is copied.
    Scratch,
}

impl Access {
    /// Its name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Execute => "read and execute",
            Self::Use => "use",
            Self::Write => "write plain files",
            Self::Scratch => "write anything but devices",
        }
    }
}
