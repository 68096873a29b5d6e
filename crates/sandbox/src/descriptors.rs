//! The limit of open files of this process, which includes the sockets that serve sandboxes.

use nix::sys::resource::{Resource, getrlimit, setrlimit};

/// The limit that is assumed if the system does not state one.
const USUAL: u64 = 1024;

/// Raises this process's limit of open files to the hard limit, and returns the limit in force.
///
/// Sandboxes get a limit of their own, so code inside is not affected.
pub fn raise_open_files() -> u64 {
    if let Ok((soft, hard)) = getrlimit(Resource::RLIMIT_NOFILE)
        && soft < hard
    {
        // If it cannot be raised, the lower limit holds, and connections are shared out accordingly.
        let _ = setrlimit(Resource::RLIMIT_NOFILE, hard, hard);
    }
    open_files()
}

/// Returns the number of files that this process may have open.
pub fn open_files() -> u64 {
    getrlimit(Resource::RLIMIT_NOFILE).map_or(USUAL, |(soft, _)| soft)
}
