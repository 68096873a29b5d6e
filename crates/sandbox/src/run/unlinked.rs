//! Unlinked files that processes still hold open: no walk over a folder finds them, and they still fill the disk.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// The bytes of the unlinked files that these processes hold, in the file systems of these folders.
pub(super) fn held_bytes(processes: &[u32], folders: &[PathBuf]) -> u64 {
    // A folder that cannot be read is reported by the walk over it.
    let devices: Vec<u64> = folders.iter().filter_map(|folder| Some(fs::metadata(folder).ok()?.dev())).collect();
    let mut files: BTreeMap<(u64, u64), u64> = BTreeMap::new();
    for process in processes {
        let process = PathBuf::from(format!("/proc/{process}"));
        opened(&process, &devices, &mut files);
        mapped(&process, &mut files);
    }
    files.values().sum()
}

fn opened(process: &Path, devices: &[u64], files: &mut BTreeMap<(u64, u64), u64>) {
    // A process that has ended meanwhile holds nothing.
    for entry in fs::read_dir(process.join("fd")).into_iter().flatten().flatten() {
        let Ok(facts) = fs::metadata(entry.path()) else { continue };
        if facts.nlink() == 0 && facts.is_file() && devices.contains(&facts.dev()) {
            files.insert((facts.dev(), facts.ino()), facts.blocks().saturating_mul(512));
        }
    }
}

/// Adds files that are held by a mapping alone, by its length. Shared memory is not on a disk and counted elsewhere.
fn mapped(process: &Path, files: &mut BTreeMap<(u64, u64), u64>) {
    let text = fs::read_to_string(process.join("maps")).unwrap_or_default();
    for line in text.lines().filter(|line| line.ends_with(" (deleted)") && line.contains("/workspace/")) {
        if let Some((file, bytes)) = mapping(line)
            && !files.keys().any(|(_, inode)| *inode == file.1)
        {
            *files.entry(file).or_default() += bytes;
        }
    }
}

/// The inode and the length of a line of `maps`. The device has another form there, and is left out.
fn mapping(line: &str) -> Option<((u64, u64), u64)> {
    let mut words = line.split_whitespace();
    let (from, to) = words.next()?.split_once('-')?;
    let inode = words.nth(3)?.parse().ok()?;
    let length = u64::from_str_radix(to, 16).ok()?.checked_sub(u64::from_str_radix(from, 16).ok()?)?;
    Some(((0, inode), length))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_a_line_of_maps() {
        let line = "7f00-9f00 rw-s 00000000 fe:00 1234 /workspace/work/gone (deleted)";
        assert_eq!(mapping(line), Some(((0, 1234), 0x2000)));
        assert_eq!(mapping("nothing of the kind"), None);
    }

    #[test]
    fn finds_an_open_file_without_a_name() {
        let folder = tempfile::tempdir().unwrap();
        let mut file = tempfile::tempfile_in(folder.path()).unwrap();
        std::io::Write::write_all(&mut file, &[1; 100_000]).unwrap();
        file.sync_all().unwrap();
        let found = held_bytes(&[std::process::id()], &[folder.path().to_owned()]);
        assert!(found >= 100_000, "{found}");
    }
}
