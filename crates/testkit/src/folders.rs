//! The folders that tests read.

use std::path::{Path, PathBuf};

/// The root of the repository.
pub fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A folder or file of the conformance corpus, which is at `DEED_CORPUS` or beside the repository; `None` if it is
/// missing, and then the skipped test says so on stderr.
pub fn corpus(name: &str) -> Option<PathBuf> {
    let root = std::env::var_os("DEED_CORPUS").map_or_else(|| repository().join("../shared/corpus"), PathBuf::from);
    let path = root.join(name);
    if path.exists() {
        return Some(path);
    }
    eprintln!("skipped: no {name} in ../shared/corpus (DEED_CORPUS names another corpus)");
    None
}
