//! Names in an archive: which could escape a folder, and which would be one file.

use crate::error::{AdapterError, ErrorKind, Place};
use deed_canon::Invariant;
use std::collections::HashMap;
use unicode_normalization::UnicodeNormalization;

/// Refuses a name that could lead out of the folder it is unpacked into, on any system.
pub(crate) fn check(name: &str) -> Result<(), AdapterError> {
    let bytes = name.as_bytes();
    let inside = name.strip_suffix('/').unwrap_or(name);
    let why = if name.is_empty() {
        "an empty name"
    } else if name.chars().any(char::is_control) {
        "a name with control characters"
    } else if name.contains('\\') {
        "a name with a backslash, which some systems read as a folder"
    } else if name.starts_with('/') {
        "an absolute path"
    } else if matches!(bytes, [letter, b':', ..] if letter.is_ascii_alphabetic()) {
        "a name with a drive letter"
    } else if inside.split('/').any(|part| part == "..") {
        "a path that leads upwards (`..`)"
    } else if inside.split('/').any(|part| part.is_empty() || part == ".") {
        "a path with an empty part"
    } else {
        return Ok(());
    };
    Err(AdapterError::new(ErrorKind::UnsafePath, why)
        .at(Place::entry(name))
        .help("make the archive again with plain relative paths"))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sort {
    File,
    Folder,
}

/// The names that were met, as a system that ignores case and Unicode forms sees them.
#[derive(Default)]
pub(crate) struct Names(HashMap<String, (Sort, Origin)>);

/// The origin of a name: an entry of the archive, or the folder of another entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Origin {
    Entry,
    Implied,
}

impl Names {
    /// Refuses a name that would be the same file or folder as another, or a folder where another is a file.
    pub(crate) fn add(&mut self, name: &str) -> Result<(), AdapterError> {
        let folded = folded(name.strip_suffix('/').unwrap_or(name));
        let sort = if name.ends_with('/') { Sort::Folder } else { Sort::File };
        for (at, _) in folded.match_indices('/') {
            let folder = folded.get(..at).invariant("a slash is a character");
            let known = self.0.entry(folder.to_owned()).or_insert((Sort::Folder, Origin::Implied));
            if known.0 == Sort::File {
                return Err(twice(name, "lies in a folder whose name is also that of a file"));
            }
        }
        match self.0.insert(folded, (sort, Origin::Entry)) {
            None => Ok(()),
            Some((Sort::Folder, Origin::Implied)) if sort == Sort::Folder => Ok(()),
            Some(_) => Err(twice(name, "has the name of another, if case and Unicode forms are ignored")),
        }
    }
}

fn twice(name: &str, why: &str) -> AdapterError {
    AdapterError::new(ErrorKind::DuplicateName, format!("an entry {why}")).at(Place::entry(name))
}

fn folded(name: &str) -> String {
    name.nfkc().flat_map(char::to_lowercase).nfkc().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_escape_are_refused() {
        for name in ["", "/etc/passwd", "../a", "a/../b", "a/..", "..", "a\\b", "C:/a", "c:a", "a//b", "./a", "a\0b"] {
            assert_eq!(check(name).unwrap_err().kind, ErrorKind::UnsafePath, "{name:?}");
        }
        for name in ["a", "a/b.txt", "a/", "..a/b..", "a b/ü.csv", "1:2"] {
            check(name).unwrap();
        }
    }

    #[test]
    fn names_that_would_be_one_file_are_refused() {
        let add = |names: &[&str]| {
            let mut known = Names::default();
            names.iter().try_for_each(|name| known.add(name)).map_err(|error| error.kind)
        };
        let refused = Err(ErrorKind::DuplicateName);
        assert_eq!(add(&["a/b", "a/", "a/c"]), Ok(()));
        assert_eq!(add(&["a/", "a/b"]), Ok(()));
        assert_eq!(add(&["a", "A"]), refused);
        assert_eq!(add(&["\u{e9}.txt", "e\u{301}.txt"]), refused);
        assert_eq!(add(&["a", "a/b"]), refused);
        assert_eq!(add(&["a/b", "a"]), refused);
        assert_eq!(add(&["a/", "A/"]), refused);
    }
}
