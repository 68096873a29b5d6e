//! The paths of the host besides `/usr` that programs need to find their libraries.

use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};

/// Folders beside `/usr`; on a merged system all of these are links into it.
const BESIDE_USR: &[&str] = &["/bin", "/sbin", "/lib", "/lib32", "/lib64"];

/// The parts of `/etc` that programs need: the index of libraries, certificates (not the private keys), and the links of
/// Debian's alternatives.
const ETC: &[&str] = &["/etc/ld.so.cache", "/etc/ssl/certs", "/etc/ssl/openssl.cnf", "/etc/alternatives"];

/// An entry of the host's root folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RootEntry {
    /// A folder.
    Folder(PathBuf),
    /// A link: its path and its target.
    Link(PathBuf, PathBuf),
}

pub(super) fn entries() -> Vec<RootEntry> {
    let entry = |path: &&str| {
        let path = Path::new(path);
        match fs::read_link(path) {
            Ok(target) => Some(RootEntry::Link(path.to_owned(), target)),
            Err(_) => path.is_dir().then(|| RootEntry::Folder(path.to_owned())),
        }
    };
    BESIDE_USR.iter().filter_map(entry).collect()
}

/// Returns whether this process is root on the host, and not only in a user namespace of its own.
pub(super) fn is_root() -> bool {
    // Without the map, root counts as root of the host, which is the stricter assumption.
    let map = fs::read_to_string("/proc/self/uid_map").unwrap_or_default();
    nix::unistd::geteuid().is_root() && outside_of_root(&map).is_none_or(|outside| outside == 0)
}

/// The user outside of our user namespace that our root is; `None` if the map does not say.
fn outside_of_root(map: &str) -> Option<u32> {
    map.lines().find_map(|line| {
        let mut words = line.split_whitespace();
        (words.next() == Some("0")).then(|| words.next()?.parse().ok())?
    })
}

pub(super) fn etc() -> Vec<PathBuf> {
    // A link would have to be followed inside, where its target is not.
    let plain = |path: &&Path| fs::symlink_metadata(path).is_ok_and(|facts| facts.is_dir() || facts.is_file());
    ETC.iter().map(Path::new).filter(plain).map(Path::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_outer_user_of_root() {
        assert_eq!(outside_of_root("         0          0 4294967295\n"), Some(0));
        assert_eq!(outside_of_root("         0      12345          1\n"), Some(12345));
        assert_eq!(outside_of_root(""), None);
    }
}
