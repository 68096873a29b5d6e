//! Which folders an interpreter needs to see: no more than it has, none twice, and none that is everybody's.

use std::path::{Path, PathBuf};

/// Folders that are never bound as the root of an interpreter: they hold more than an interpreter.
const TOO_WIDE: &[&str] =
    &["/", "/home", "/root", "/etc", "/var", "/tmp", "/proc", "/sys", "/dev", "/run", "/opt", "/srv"];

/// Places that are made anew inside, in which nothing of the host can be shown.
const MADE_ANEW: &[&str] = &["/dev", "/proc", "/sys", "/workspace"];

/// The folders without those in `/usr` and those within another; or the one that is too wide to be shown.
pub(super) fn narrowed(folders: impl IntoIterator<Item = PathBuf>) -> Result<Vec<PathBuf>, PathBuf> {
    let mut folders: Vec<PathBuf> = folders.into_iter().filter(|folder| !folder.starts_with("/usr")).collect();
    folders.sort();
    folders.dedup();
    let wide = |folder: &&PathBuf| TOO_WIDE.iter().any(|wide| Path::new(wide) == folder.as_path());
    let within = |folder: &&PathBuf| MADE_ANEW.iter().any(|place| folder.starts_with(place));
    if let Some(wide) = folders.iter().find(|folder| wide(folder) || within(folder)) {
        return Err(wide.clone());
    }
    let all = folders.clone();
    folders.retain(|folder| !all.iter().any(|other| other != folder && folder.starts_with(other)));
    Ok(folders)
}

/// The folder that a program's own files are in: the one above its `bin`.
pub(super) fn above_bin(executable: &Path) -> Option<PathBuf> {
    let folder = executable.parent()?;
    let named_bin = folder.file_name().is_some_and(|name| name == "bin");
    if named_bin { folder.parent().map(Path::to_owned) } else { Some(folder.to_owned()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(folders: &[&str], expected: &[&str]) {
        let found = narrowed(folders.iter().map(PathBuf::from)).unwrap();
        assert_eq!(found, expected.iter().map(PathBuf::from).collect::<Vec<_>>());
    }

    #[test]
    fn keeps_each_folder_once() {
        check(&["/usr", "/usr/local"], &[]);
        check(&["/x/venv", "/usr"], &["/x/venv"]);
        check(&["/x/b", "/x/b", "/x/b/c", "/x/bc"], &["/x/b", "/x/bc"]);
    }

    #[test]
    fn refuses_a_folder_that_holds_more() {
        assert_eq!(narrowed([PathBuf::from("/home")]), Err(PathBuf::from("/home")));
        assert_eq!(narrowed([PathBuf::from("/dev/shm/venv")]), Err(PathBuf::from("/dev/shm/venv")));
    }

    #[test]
    fn finds_the_folder_above_bin() {
        assert_eq!(above_bin(Path::new("/x/bin/node")), Some(PathBuf::from("/x")));
        assert_eq!(above_bin(Path::new("/x/node")), Some(PathBuf::from("/x")));
    }
}
