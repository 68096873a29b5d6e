//! The free space of a disk.

use nix::sys::statvfs::statvfs;
use std::path::Path;

/// With less free space than this, the next write fails.
const NOTHING: u64 = 64 << 10;

/// Returns whether the disk of a folder is full for an ordinary user. It only explains a failure that happened, so a disk
/// that cannot be queried counts as not full.
pub fn is_full(folder: &Path) -> bool {
    statvfs(folder).is_ok_and(|disk| {
        let free = disk.blocks_available().saturating_mul(disk.fragment_size());
        free < NOTHING || (disk.files() > 0 && disk.files_available() == 0)
    })
}
