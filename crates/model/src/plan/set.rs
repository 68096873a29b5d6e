//! Outputs of unknown number: a path whose last part has one `*` names a set of files.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The most files of a set whose plan does not say.
pub const DEFAULT_MOST_FILES: u64 = 1_000;
/// The most files that a plan may allow a set to have.
pub const MOST_FILES: u64 = 10_000;

/// How many files a set of outputs has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WriteSet {
    /// The path with its `*`, as it is among the write paths.
    pub path: String,
    /// The fewest files.
    pub at_least: u64,
    /// The most files.
    pub at_most: u64,
}

/// Returns whether a path names a set. No plain path of a workspace has a `*`.
pub fn is_set(path: &str) -> bool {
    path.contains('*')
}

/// Returns whether a set has a place for a file. The `*` stands for one character or more, and never for a `/`.
pub fn in_set(set: &str, path: &str) -> bool {
    let Some((before, after)) = set.split_once('*') else { return false };
    let rest = path.strip_prefix(before).and_then(|rest| rest.strip_suffix(after));
    rest.is_some_and(|rest| !rest.is_empty() && !rest.contains('/'))
}

/// Returns whether a path of a contract, plain or a set, means a file.
pub fn covers(declared: &str, path: &str) -> bool {
    declared == path || in_set(declared, path)
}

/// Returns the folder that a set lies in.
pub fn folder_of_set(set: &str) -> &str {
    set.rsplit_once('/').map_or("", |(folder, _)| folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_part_of_one_name() {
        let set = "output/pages/p-*.html";
        for path in ["output/pages/p-1.html", "output/pages/p-a.b.html", "output/pages/p-*.html"] {
            assert!(in_set(set, path), "{path}");
        }
        for path in ["output/pages/p-.html", "output/pages/x-1.html", "output/pages/p-1/2.html", "output/p-1.html", ""]
        {
            assert!(!in_set(set, path), "{path}");
        }
        assert!(!in_set("output/a.json", "output/a.json") && covers("output/a.json", "output/a.json"));
        // What stands before and after the star does not overlap in a name.
        assert!(!in_set("output/aba*aba", "output/ababa"));
    }
}
