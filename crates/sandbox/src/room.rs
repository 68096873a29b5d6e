//! Whether there is room on a disk.

use nix::sys::statvfs::statvfs;
use std::path::Path;

/// With less than this, whatever is written next fails.
const NOTHING: u64 = 64 << 10;

/// Whether the disk of a folder is full for an ordinary user.
pub fn is_full(folder: &Path) -> bool {
    statvfs(folder).is_ok_and(|disk| {
        let free = disk.blocks_available().saturating_mul(disk.fragment_size());
        free < NOTHING || (disk.files() > 0 && disk.files_available() == 0)
    })
}
