//! Removes the leftovers of code, however deeply nested.
//!
//! A recursive removal runs out of stack if a program nests folders by the ten thousand. Here every folder is first moved
//! to the top, so that no path is long and nothing is nested.

use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// Removes a folder with all its content, and follows no link. No process may still be writing to it.
///
/// # Errors
/// The path is not a folder, or a part of it cannot be read, moved or removed.
pub fn remove_tree(folder: &Path) -> io::Result<()> {
    if !fs::symlink_metadata(folder)?.is_dir() {
        return Err(io::Error::from(io::ErrorKind::NotADirectory));
    }
    let mut moved = 0_u64;
    let mut open = vec![folder.to_owned()];
    let mut emptied = Vec::new();
    while let Some(next) = open.pop() {
        make_accessible(&next)?;
        for entry in fs::read_dir(&next)? {
            let entry = entry?;
            if !entry.file_type()?.is_dir() {
                fs::remove_file(entry.path())?;
            } else if next == folder {
                open.push(entry.path());
            } else {
                make_accessible(&entry.path())?;
                let to = free_name(folder, &mut moved)?;
                fs::rename(entry.path(), &to)?;
                open.push(to);
            }
        }
        emptied.push(next);
    }
    emptied.iter().rev().try_for_each(fs::remove_dir)
}

/// Restores the owner's permissions, which a program may have removed.
fn make_accessible(folder: &Path) -> io::Result<()> {
    fs::set_permissions(folder, Permissions::from_mode(0o700))
}

/// An unused name at the top.
fn free_name(folder: &Path, moved: &mut u64) -> io::Result<PathBuf> {
    loop {
        *moved += 1;
        let to = folder.join(format!(".removed-{moved}"));
        match fs::symlink_metadata(&to) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(to),
            Err(error) => return Err(error),
            Ok(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn removes_everything_and_follows_nothing() {
        let outside = tempfile::tempdir().unwrap();
        fs::write(outside.path().join("kept"), "kept").unwrap();
        let top = tempfile::tempdir().unwrap();
        let folder = top.path().join("folder");
        fs::create_dir_all(folder.join("a/b/c")).unwrap();
        fs::create_dir_all(folder.join(".removed-1/x")).unwrap();
        fs::write(folder.join("a/b/file"), "x").unwrap();
        symlink(outside.path(), folder.join("a/link")).unwrap();
        fs::set_permissions(folder.join("a/b"), Permissions::from_mode(0o000)).unwrap();
        remove_tree(&folder).unwrap();
        assert!(!folder.exists());
        assert_eq!(fs::read_to_string(outside.path().join("kept")).unwrap(), "kept");
        symlink(outside.path(), &folder).unwrap();
        assert!(remove_tree(&folder).is_err(), "a link is not a folder");
    }
}
