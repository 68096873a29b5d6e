//! The open files that this process may have: its own, and those of the sockets that sandboxes are served through.

use nix::sys::resource::{Resource, getrlimit, setrlimit};

/// The limit that is assumed where the system does not state one.
const USUAL: u64 = 1024;

/// Raises this process's limit of open files to the most that the system allows it, and returns that.
///
/// Sandboxes get a limit of their own, so code inside is not affected.
pub fn raise_open_files() -> u64 {
    if let Ok((soft, hard)) = getrlimit(Resource::RLIMIT_NOFILE)
        && soft < hard
    {
        // Where it cannot be raised, the lower one holds, and connections are shared out accordingly.
        let _ = setrlimit(Resource::RLIMIT_NOFILE, hard, hard);
    }
    open_files()
}

/// Returns how many files this process may have open.
pub fn open_files() -> u64 {
    getrlimit(Resource::RLIMIT_NOFILE).map_or(USUAL, |(soft, _)| soft)
}
